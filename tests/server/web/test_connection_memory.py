"""Memory of connections: little waits to be parsed, and nothing is left of one that is gone."""

from __future__ import annotations

import gc
import weakref
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from uvicorn.protocols.http.h11_impl import H11Protocol
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol

from server.web.http_connection import HttpConnection
from tests.server.web.http_site import UPGRADE, Start, form, request, serving

MOST_AHEAD = 48 * 1024
"""Bytes of one connection that may wait: some that are left, and what the system had of it."""


@pytest.fixture
def site(tmp_path: Path) -> Start:
    """Return what starts a server; keyword arguments are settings."""
    return partial(serving, tmp_path)


@pytest.fixture
def made(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[weakref.ref[Any]]]:
    """Return the connections that are made, while nothing collects circles."""
    found: list[weakref.ref[Any]] = []
    for kind in (H11Protocol, WebSocketsSansIOProtocol):
        begin = kind.__init__

        def noted(self: Any, *args: Any, begin: Any = begin, **options: Any) -> None:
            begin(self, *args, **options)
            found.append(weakref.ref(self))

        monkeypatch.setattr(kind, "__init__", noted)
    gc.disable()
    yield found
    gc.enable()


CLOSE = bytes((0x88, 0x82, 0, 0, 0, 0)) + (1000).to_bytes(2)
PING = bytes((0x89, 0x80, 0, 0, 0, 0))
LIVES: dict[str, tuple[bytes, bytes]] = {
    "nothing": (b"", b""),
    "half a head": (request()[:-2], b""),
    "a page": (request(), b""),
    "a form": (form(60_000), b""),
    "many forms": (form(60_000) * 8, b""),
    "too much": (form(70_000) + b"x" * 50_000, b""),
    "no request": (b"x\n\n", b""),
    "a websocket": (request(fields=UPGRADE), b""),
    "a websocket that says goodbye": (request(fields=UPGRADE), CLOSE),
    "a websocket that floods": (request(fields=UPGRADE), PING * 5000),
}
"""What a stranger sends before an answer, and after it."""


@pytest.mark.parametrize("life", LIVES)
async def test_nothing_is_left_of_a_connection_that_is_gone(
    site: Start, made: list[weakref.ref[Any]], life: str
) -> None:
    first, then = LIVES[life]
    async with site() as server:
        async with await server.open() as caller:
            caller.writer.write(first)
            if first and life != "half a head":
                await caller.answer()
            caller.writer.write(then)
            if then:
                await caller.ended()
        await server.until(lambda: made)
        await server.until(lambda: all(connection() is None for connection in made))


async def test_of_requests_without_end_little_is_read_ahead(
    site: Start, monkeypatch: pytest.MonkeyPatch
) -> None:
    waiting: list[int] = []
    receive = HttpConnection.data_received

    def noted(self: HttpConnection, data: bytes) -> None:
        receive(self, data)
        waiting.append(self.unread_bytes)

    monkeypatch.setattr(HttpConnection, "data_received", noted)
    async with site() as server, await server.open() as caller:
        caller.writer.write(form(60_000) * 60)
        for _ in range(60):
            assert await caller.answer() == 200
        assert server.bodies == [60_000] * 60
    assert max(waiting) <= MOST_AHEAD


async def test_who_speaks_before_being_answered_gets_no_websocket(site: Start) -> None:
    async with site() as server, await server.open() as caller:
        assert await caller.ask(request(fields=UPGRADE) + PING) == 0
        assert server.asked == []
