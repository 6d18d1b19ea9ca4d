"""Requests that do not come whole, and websockets without a hello: they shut nobody out."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from websockets.frames import Frame, Opcode

from server.web.connection_limits import KEPT_FROM_PROXIES, PATIENCE_S
from server.web.request_bodies import BODY_S, MOST_AT_ONCE, RequestBodies
from tests.server.lobby.virtual import virtual
from tests.server.web.http_site import UPGRADE, Caller, Site, Start, chunked, form, request, serving

PROXY = "127.0.0.9"
HELLO = Frame(Opcode.BINARY, b"hello").serialize(mask=True)


@pytest.fixture
def site(tmp_path: Path) -> Start:
    """Return what starts a server; keyword arguments are settings."""
    return partial(serving, tmp_path)


@pytest.fixture
def pass_time(monkeypatch: pytest.MonkeyPatch) -> Callable[[Site], None]:
    """Return what makes all that a server's limits have seen so far ten seconds old."""

    def pass_ten_seconds(server: Site) -> None:
        gate = server.server.gate
        now = gate.now
        monkeypatch.setattr(gate, "now", lambda: now() + 10)

    return pass_ten_seconds


def of(visitor: str, data: bytes) -> bytes:
    """Return a request as a proxy hands it on for a visitor."""
    return data.replace(b"Host: x", f"Host: x\r\nX-Forwarded-For: {visitor}".encode())


async def _begin(server: Site, data: bytes, count: int, source: str) -> list[Caller]:
    """Return callers whose requests the application has, as far as they come."""
    before = len(server.server.server_state.tasks)
    callers = [await server.open(source) for _ in range(count)]
    for caller in callers:
        caller.writer.write(data)
    await server.until(lambda: len(server.server.server_state.tasks) == before + count)
    return callers


def _close(callers: list[Caller]) -> None:
    for caller in callers:
        caller.writer.close()


HALVES = {
    "a form": form(60)[:-59],
    "a form without its body": form(60)[:-60],
    "chunks": chunked(60)[:-5],
    "a websocket": request(fields=UPGRADE),
}


@pytest.mark.parametrize("half", HALVES)
async def test_halves_that_hold_all_places_make_room_for_others(site: Start, half: str) -> None:
    async with site(connections=10) as server:
        strangers = await _begin(server, HALVES[half], 10, "127.0.0.2")
        for source in ("127.0.0.3", "127.0.0.4"):
            assert await server.ask(request(), source) == 200
        _close(strangers)


@pytest.mark.parametrize("half", HALVES)
async def test_halves_shut_out_no_neighbour_with_the_same_address(
    site: Start, pass_time: Callable[[Site], None], half: str
) -> None:
    async with site(connections_per_address=8) as server:
        strangers = await _begin(server, HALVES[half], 8, "127.0.0.2")
        assert await server.ask(request(), "127.0.0.2") == 0, "they have only just begun"
        pass_time(server)
        assert await server.ask(request(), "127.0.0.2") == 200
        await strangers[0].ended()
        _close(strangers)


async def test_halves_of_one_visitor_shut_nobody_out_behind_a_proxy(
    site: Start, pass_time: Callable[[Site], None]
) -> None:
    async with site(connections=KEPT_FROM_PROXIES + 8, proxy_ips=PROXY) as server:
        strangers = await _begin(server, of("203.0.113.7", form(60)[:-1]), 8, PROXY)
        assert await server.ask(of("203.0.113.8", request()), PROXY) == 0
        pass_time(server)
        assert await server.ask(of("203.0.113.8", request()), PROXY) == 200
        _close(strangers)


async def test_websockets_without_hello_shut_out_no_neighbour_behind_a_proxy(
    site: Start, pass_time: Callable[[Site], None]
) -> None:
    async with site(connections_per_address=6, proxy_ips=PROXY) as server:
        upgrade = of("203.0.113.7", request(fields=UPGRADE))
        strangers = await _begin(server, upgrade, 6, PROXY)
        assert await server.ask(upgrade, PROXY) == 429
        pass_time(server)
        async with await server.open(PROXY) as neighbour:
            assert await neighbour.ask(upgrade) == 101
            neighbour.writer.write(HELLO)
            await strangers[0].ended()
        _close(strangers)


async def test_who_has_said_hello_makes_no_room(
    site: Start, pass_time: Callable[[Site], None]
) -> None:
    async with site(connections=8, connections_per_address=8) as server:
        players = await _begin(server, request(fields=UPGRADE), 7, "127.0.0.2")
        for player in players:
            player.writer.write(HELLO)
        unfinished = server.server.gate.connections._unfinished
        await server.until(lambda: not unfinished)
        for source in ("127.0.0.2", "127.0.0.3"):
            stranger = await server.open("127.0.0.2")
            assert await stranger.ask(request(fields=UPGRADE)) == 101
            pass_time(server)
            assert await server.ask(request(), source) == 200
            await stranger.ended()
            await server.until(lambda: len(server.server.gate.connections) == 7)
        assert not any(player.reader.at_eof() for player in players)
        _close(players)


async def test_a_form_that_has_come_whole_makes_no_room(
    site: Start, pass_time: Callable[[Site], None]
) -> None:
    async with site(connections=8) as server:
        server.may_answer.clear()
        slow = await _begin(server, form(60)[:-1], 8, "127.0.0.2")
        for caller in slow:
            caller.writer.write(b"x")
        await server.until(lambda: len(server.bodies) == 8)
        pass_time(server)
        assert await server.ask(request(), "127.0.0.3") == 0
        server.may_answer.set()
        assert [await caller.answer() for caller in slow] == [200] * 8
        _close(slow)


async def test_a_form_on_a_slow_line_gets_through_beside_strangers_who_hold_every_place(
    site: Start, pass_time: Callable[[Site], None]
) -> None:
    async with site(connections=20) as server:
        strangers = await _begin(server, form(60)[:-1], 19, "127.0.0.2")
        async with await server.open("127.0.0.3") as reader:
            data = form(60)
            for at in range(0, len(data) - 1, 8):
                reader.writer.write(data[at : at + 8])
                pass_time(server)
                strangers.append(await server.open("127.0.0.2"))
                strangers[-1].writer.write(form(60)[:-1])
                await strangers.pop(0).ended()
            reader.writer.write(data[at + 8 :])
            assert await reader.answer() == 200
        _close(strangers)


class _Crowd:
    """Senders of bodies, straight to `RequestBodies`, and how they were answered."""

    def __init__(self) -> None:
        self.statuses: Counter[int] = Counter()
        self._bodies = RequestBodies(self._answer)

    async def _answer(self, _scope: Any, receive: Any, send: Any) -> None:
        assert not (await receive())["more_body"]
        await send({"type": "http.response.start", "status": 200, "headers": []})

    async def send(self, address: str, rest_after_s: float | None) -> int:
        """Send a body, its last byte after so many seconds, or never; return the status."""
        statuses: list[int] = []
        parts = [b"x"]

        async def receive() -> dict[str, Any]:
            if not parts:
                await asyncio.sleep(3600 if rest_after_s is None else rest_after_s)
            return {"type": "http.request", "body": b"x", "more_body": bool(parts and parts.pop())}

        async def send(message: dict[str, Any]) -> None:
            if message["type"] == "http.response.start":
                statuses.append(message["status"])
                self.statuses[message["status"]] += 1

        scope = {
            "type": "http",
            "client": (address, 1),
            "headers": [
                (b"content-type", b"application/x-www-form-urlencoded"),
                (b"content-length", b"2"),
            ],
        }
        await self._bodies(scope, receive, send)  # type: ignore[arg-type]
        return statuses[0]


@virtual
async def test_unfinished_bodies_of_one_address_are_few() -> None:
    crowd = _Crowd()
    async with asyncio.TaskGroup() as group:
        for _ in range(MOST_AT_ONCE + 10):
            group.create_task(crowd.send("203.0.113.7", None))
        await asyncio.sleep(PATIENCE_S / 2)
        assert crowd.statuses == {429: 10}
        assert await crowd.send("203.0.113.8", 5.0) == 200, "somebody else, on a slow line"
        assert await crowd.send("203.0.113.7", 0.2) == 200, "the oldest has made room"
        assert crowd.statuses == {429: 10, 200: 2, 408: 1}
        await asyncio.sleep(BODY_S)
        assert crowd.statuses == {429: 10, 200: 2, 408: MOST_AT_ONCE}
    assert not crowd._bodies._coming
    assert not crowd._bodies._unfinished


@virtual
async def test_a_laboratory_behind_one_address_sends_its_forms_at_once() -> None:
    crowd = _Crowd()
    async with asyncio.TaskGroup() as group:
        for _ in range(60):
            group.create_task(crowd.send("203.0.113.7", 3.0))
    assert crowd.statuses == {200: 60}
