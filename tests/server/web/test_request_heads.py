"""Heads on real sockets: what parsers read differently, what is too long, and who is asked for."""

from __future__ import annotations

import re
from functools import partial
from pathlib import Path

import pytest

from server.web import counted_parser, http_connection
from server.web.refusal_pages import HEAD_TOO_LARGE, TOO_MANY, TOO_SLOW
from server.web.request_heads import read_head
from tests.server.web.http_site import HEAD, UPGRADE, Start, chunked, request, serving

TINY = b"1\r\nx\r\n" * 60_000 + b"0\r\n\r\n"


@pytest.fixture
def site(tmp_path: Path) -> Start:
    """Return what starts a server; keyword arguments are settings."""
    return partial(serving, tmp_path)


def post(fields: str, body: bytes = b"") -> bytes:
    return request("POST", fields=fields, body=body)


HIDDEN = {
    "after a bare LF": "X: x\nTransfer-Encoding: chunked\r\n",
    "after a bare CR": "X: x\rTransfer-Encoding: chunked\r\n",
    "in a folded line": "X: x\r\n Transfer-Encoding: chunked\r\n",
    "with space before the colon": "Transfer-Encoding : chunked\r\n",
    "beside another length": "Content-Length: 5\r\nTransfer-Encoding: chunked\r\n",
    "after an end of two LF": "X: x\n\nTransfer-Encoding: chunked\r\n",
}


@pytest.mark.parametrize("where", HIDDEN)
async def test_a_body_whose_length_is_hidden_is_refused(site: Start, where: str) -> None:
    async with site() as server, await server.open() as caller:
        assert await caller.ask(post(HIDDEN[where])) == 400
        assert b"could not be read" in caller.body
        assert await caller.ended() == b""
        # With a body its sender may find the connection reset instead.
        assert await server.ask(post(HIDDEN[where], TINY)) in (0, 400)
        assert server.asked == []


async def test_lines_of_a_head_that_end_early_are_refused_before_it_is_whole(site: Start) -> None:
    async with site() as server, await server.open() as caller:
        assert await caller.ask(b"GET / HTTP/1.1\nHost: x\n\n") == 400


async def test_chunks_are_counted_whatever_a_head_says(
    site: Start, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The parser counts by itself: no header that hides from us makes a body cost more."""
    monkeypatch.setattr(http_connection, "MOST_CHUNK_LINES", 10**9)
    async with site() as server:
        most = counted_parser.MOST_CHUNKS
        assert await server.ask(chunked(most, chunk=1)) == 200
        async with await server.open() as caller:
            assert await caller.ask(chunked(most + 1, chunk=1)) == 413
            assert await caller.ended() == b""
        async with await server.open() as again:
            for _ in range(3):
                assert await again.ask(chunked(most - 1, chunk=1)) == 200, "each body counts anew"
        assert await server.ask(post("Transfer-Encoding: chunked\r\n", TINY)) in (0, 413)
        assert server.bodies == [most, *[most - 1] * 3]


async def test_a_long_tail_of_fields_after_the_chunks_is_refused(site: Start) -> None:
    async with site() as server:
        tail = post("Transfer-Encoding: chunked\r\n", b"0\r\n" + b"a:\r\n" * 2000 + b"\r\n")
        assert await server.ask(tail) in (0, 413)


async def test_addresses_and_types_have_a_length(site: Start) -> None:
    async with site() as server:
        assert await server.ask(request(path="/" + "x" * 2047)) == 200
        assert await server.ask(request(path="/" + "x" * 2048)) == 414
        assert await server.ask(request(fields=f"Content-Type: {'x' * 256}\r\n")) == 200
        assert await server.ask(request(fields=f"Content-Type: {'x' * 257}\r\n")) == 400
        assert len(server.asked) == 2


async def test_no_body_is_awaited_that_is_no_form(site: Start) -> None:
    async with site() as server, await server.open() as caller:
        announced = "Content-Type: multipart/form-data; boundary=x\r\nContent-Length: 60000\r\n"
        assert await caller.ask(post(announced)) == 415
        assert server.asked == []


async def test_refusals_have_our_name_and_look(site: Start) -> None:
    long = request(path="/" + "x" * 3000)
    async with site() as server, await server.open() as caller:
        assert await caller.ask(long) == 414
        style = re.search(rb"<style>(.*?)</style>", caller.body, re.S)
        assert style
        assert b"<span>Cohabit</span>" in caller.body
        assert b"style-src 'sha256-" in caller.head
        assert caller.head.count(b"content-security-policy") == 1
    for refusal in (TOO_MANY, TOO_SLOW, HEAD_TOO_LARGE):
        assert style[0] in refusal.body
        assert refusal.heading.encode() in refusal.body


@pytest.mark.parametrize(
    "fields",
    [
        "Connection: Upgrade\r\nUpgrade: h2c\r\n",
        "Upgrade: websocket\r\n",
        "Connection: Upgrade\r\nUpgrade: websocket, h2c\r\n",
    ],
)
async def test_a_proxys_connection_is_its_own_after_what_is_no_websocket(
    site: Start, fields: str
) -> None:
    """The next visitor on a connection that a proxy keeps is not taken for the last one."""
    async with (
        site(requests_per_address=60, proxy_ips="127.0.0.9") as server,
        await server.open("127.0.0.9") as kept,
    ):

        def of(visitor: str, more: str = "") -> bytes:
            return request(fields=f"X-Forwarded-For: {visitor}\r\n{more}")

        assert await kept.ask(of("203.0.113.7", fields)) == 200
        limits = server.server.gate.connections
        assert (limits.held("203.0.113.7"), limits.held("127.0.0.9")) == (0, 1)
        await server.until_refused(of("203.0.113.7"), "127.0.0.9")
        assert await kept.ask(of("203.0.113.8")) == 200


async def test_a_websocket_behind_a_proxy_is_its_visitors(site: Start) -> None:
    async with (
        site(proxy_ips="127.0.0.9") as server,
        await server.open("127.0.0.9") as kept,
    ):
        assert await kept.ask(request(fields=f"X-Forwarded-For: 203.0.113.7\r\n{UPGRADE}")) == 101
        limits = server.server.gate.connections
        assert (limits.held("203.0.113.7"), limits.held("127.0.0.9")) == (1, 0)


async def test_half_heads_shut_out_no_neighbour_with_the_same_address(
    site: Start, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with site(connections_per_address=12) as server:
        neighbour = await server.open("127.0.0.2")
        assert await neighbour.ask(request()) == 200
        strangers = [await server.open("127.0.0.2") for _ in range(11)]
        for stranger in strangers:
            stranger.writer.write(b"GET / HTTP/1.1\r\nHost: x\r\n")
        await server.until(lambda: server.server.gate.connections.held("127.0.0.2") == 12)
        gate = server.server.gate
        now = gate.now
        monkeypatch.setattr(gate, "now", lambda: now() + 10)
        assert await server.ask(request(), "127.0.0.2") == 200
        assert await strangers[0].ended() == b""
        assert await neighbour.ask(request()) == 200
        for caller in (neighbour, *strangers):
            caller.writer.close()


def test_what_a_head_says() -> None:
    text = HEAD.format(method="GET", path="/a?b", fields="X-Y:  1 \r\nx-y:2\r\nZ:\r\n")
    head = read_head(text.encode().removesuffix(b"\r\n\r\n"))
    assert head is not None
    assert head.target == b"/a?b"
    assert head.all(b"x-y") == [b"1", b"2"]
    assert head.all(b"z") == [b""]
    assert head.refusal is None


@pytest.mark.parametrize("data", [b"", b"GET /", b"GET / HTTP/1.1\r\nno colon", b"GET  / HTTP/1.1"])
def test_what_is_no_head(data: bytes) -> None:
    assert read_head(data) is None
