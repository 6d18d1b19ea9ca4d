"""Limits of HTTP on real sockets: heads, bodies, time, and how many come from one address."""

from __future__ import annotations

import asyncio
import re
import socket
from functools import partial
from pathlib import Path

import pytest
from structlog.testing import capture_logs

from server.web import http_connection, request_bodies
from server.web.connection_limits import PUNISHMENT
from tests.server.web.http_site import UPGRADE, Start, chunked, form, request, serving


@pytest.fixture
def site(tmp_path: Path) -> Start:
    """Return what starts a server; keyword arguments are settings."""
    return partial(serving, tmp_path)


async def test_a_form_of_64_kb_is_read_and_a_larger_one_by_nobody(site: Start) -> None:
    async with site() as server:
        for make in (form, chunked):
            assert await server.ask(make(64 * 1024)) == 200
            assert await server.ask(make(64 * 1024 + 1)) == 413
            # Its sender does not read before everything has been sent.
            assert await server.ask(make(600_000)) == 413
        assert server.bodies == [64 * 1024] * 2


async def test_who_announces_much_is_refused_before_sending_it(site: Start) -> None:
    async with site() as server, await server.open() as caller:
        announced = "Content-Length: 400000000\r\nExpect: 100-continue\r\n"
        assert await caller.ask(request("POST", fields=announced)) == 413
        assert b"64 KB at most" in caller.body
        assert b"connection: close" in caller.head
        assert await caller.ended() == b""
        assert server.asked == []


async def test_a_body_without_end_is_refused(site: Start) -> None:
    async with site() as server, await server.open() as caller:
        caller.writer.write(request("POST", fields="Transfer-Encoding: chunked\r\n"))
        for _ in range(40):
            caller.writer.write(b"1000\r\n" + b"x" * 4096 + b"\r\n")
        assert await caller.answer() == 413
        assert server.asked == []


async def test_a_body_in_tiny_chunks_is_refused(site: Start) -> None:
    async with site() as server:
        assert await server.ask(chunked(100, chunk=1)) == 200
        assert await server.ask(chunked(2000, chunk=1)) in (0, 413)
        assert server.bodies == [100]


async def test_nobody_waits_for_the_rest_of_a_body(
    site: Start, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(request_bodies, "BODY_S", 0.05)
    async with site() as server, await server.open() as caller:
        caller.writer.write(form(1000)[:-1])
        assert await caller.answer() == 408
        assert server.asked == []


async def test_unfinished_bodies_of_one_address_have_a_size(site: Start) -> None:
    async with site() as server:
        strangers = [await server.open("127.0.0.2") for _ in range(18)]
        for stranger in strangers:
            stranger.writer.write(form(60_001)[:-1])
        first = await asyncio.wait(
            [asyncio.create_task(stranger.answer()) for stranger in strangers],
            return_when=asyncio.FIRST_COMPLETED,
        )
        assert [task.result() for task in first[0]] == [429], "the others are waited for"
        # Who sends all of it at once is no burden, and others have a share of their own.
        assert await server.ask(form(1000), "127.0.0.2") == 200
        assert await server.ask(form(60_000), "127.0.0.3") == 200
        for stranger in strangers:
            stranger.writer.write(b"x")
        assert sorted([await task for task in first[1]]) == [200] * 17


async def test_unfinished_bodies_of_everybody_have_a_size(
    site: Start, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(request_bodies, "MOST_UNFINISHED_OF_ALL", 180_000)
    async with site() as server:
        strangers = [await server.open(f"127.0.0.{2 + n}") for n in range(4)]
        for stranger in strangers:
            stranger.writer.write(form(60_001)[:-1])
        first = await asyncio.wait(
            [asyncio.create_task(stranger.answer()) for stranger in strangers],
            return_when=asyncio.FIRST_COMPLETED,
        )
        assert [task.result() for task in first[0]] == [429]
        # A form of somebody else, in two pieces.
        async with await server.open("127.0.0.9") as visitor:
            visitor.writer.write(form(1000)[:-1])
            await visitor.writer.drain()
            await server.until(lambda: len(server.server.gate.connections) == 4)
            visitor.writer.write(b"x")
            assert await visitor.answer() == 200
        for stranger in strangers:
            stranger.writer.write(b"x")
        assert sorted([await task for task in first[1]]) == [200] * 3
        # What has come whole counts no more.
        assert await server.ask(form(60_000), "127.0.0.9") == 200


async def test_a_body_that_nobody_reads_ends_the_connection(site: Start) -> None:
    async with site() as server, await server.open() as caller:
        assert await caller.ask(form(100).replace(b"POST", b"GET")) == 200
        assert await caller.ask(request()) == 200


async def test_a_head_has_to_come_in_time(site: Start, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(http_connection, "HEAD_S", 0.05)
    async with site() as server:
        async with await server.open() as silent:
            assert await silent.ended() == b""
        async with await server.open() as half:
            half.writer.write(request()[:-2])
            assert await half.answer() == 408
        async with await server.open() as again:
            assert await again.ask(request()) == 200
            again.writer.write(request()[:-2])
            assert await again.answer() == 408
        await server.until(lambda: len(server.server.gate.connections) == 0)


async def test_idle_connections_end(site: Start) -> None:
    async with site() as server:
        server.server.config.timeout_keep_alive = 0
        async with await server.open() as caller:
            assert await caller.ask(request()) == 200
            assert await caller.ended() == b""


@pytest.mark.parametrize(
    "fields",
    [
        f"X-Long: {'x' * 20_000}\r\n",
        "".join(f"X-{n}: 1\r\n" for n in range(150)),
    ],
)
async def test_heads_have_a_size(site: Start, fields: str) -> None:
    async with site() as server:
        assert await server.ask(request(fields=fields)) == 431
        assert await server.ask(request(fields="X-Long: " + "x" * 9000 + "\r\n")) == 200
        assert server.asked == ["/"]


async def test_a_head_comes_in_few_pieces(site: Start) -> None:
    async with site() as server, await server.open() as caller:
        for at in range(200):
            caller.writer.write(b"GET / HTTP/1.1\r\nX: "[at : at + 1] or b"x")
            await asyncio.sleep(0.001)
            if caller.reader.at_eof() or caller.reader._buffer:  # type: ignore[attr-defined]
                break
        assert await caller.answer() == 431
        assert server.asked == []


async def test_who_takes_nothing_of_an_answer_is_let_go(
    site: Start, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(http_connection, "STALL_S", 0.05)
    async with site() as server:
        caller = socket.create_connection(("127.0.0.1", server.port))
        caller.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        caller.sendall(request(path="/?30000000"))
        await server.until(lambda: server.asked)
        await server.until(lambda: len(server.server.gate.connections) == 0)
        caller.close()


async def test_requests_one_after_the_other_are_answered_in_order(site: Start) -> None:
    async with site() as server, await server.open() as caller:
        sizes = [3, 1, 70_000, 2] * 10
        caller.writer.write(b"".join(request(path=f"/?{size}") for size in sizes))
        for size in sizes:
            assert await caller.answer() == 200
            assert len(caller.body) == size


async def test_one_address_has_so_many_connections(site: Start) -> None:
    async with site(connections_per_address=6) as server:
        callers = [await server.open("127.0.0.2") for _ in range(6)]
        for caller in callers:
            assert await caller.ask(request()) == 200
        assert await server.ask(request(), "127.0.0.2") == 0
        assert await server.ask(request(), "127.0.0.3") == 200
        callers.pop().writer.close()
        await server.until(lambda: server.server.gate.connections.held("127.0.0.2") == 5)
        for caller in callers:
            caller.writer.close()


async def test_loopback_may_be_exempt(site: Start) -> None:
    async with site(connections_per_address=6, exempt_loopback=True) as server:
        callers = [await server.open() for _ in range(20)]
        for caller in callers:
            assert await caller.ask(request()) == 200
            caller.writer.close()


async def test_when_all_places_are_taken_who_waits_makes_room(site: Start) -> None:
    async with site(connections=10) as server:
        strangers = [await server.open("127.0.0.2") for _ in range(10)]
        await server.until(lambda: len(server.server.gate.connections) == 10)
        assert await server.ask(request(), "127.0.0.3") == 200
        assert await strangers[0].ended() == b""
        await server.until(lambda: len(server.server.gate.connections) == 9)
        server.may_answer.clear()
        strangers.append(await server.open("127.0.0.4"))
        for stranger in strangers[1:]:
            stranger.writer.write(request())
        await server.until(lambda: len(server.asked) == 11)
        assert await server.ask(request(), "127.0.0.3") == 0
        server.may_answer.set()
        for stranger in strangers[1:]:
            assert await stranger.answer() == 200
            stranger.writer.close()


async def test_too_many_requests_are_told_when_to_come_again(site: Start) -> None:
    async with site(requests_per_address=60) as server:
        assert await server.until_refused(request(), "127.0.0.2") >= 60
        async with await server.open("127.0.0.2") as caller:
            while await caller.ask(request()) == 200:
                pass
            assert re.search(rb"retry-after: [1-9]", caller.head)
            assert b"Please wait a moment" in caller.body
            assert await caller.ended() == b""
        assert await server.ask(request(), "127.0.0.3") == 200


async def test_the_log_tells_of_refused_requests_once_a_minute(site: Start) -> None:
    with capture_logs() as logs:
        async with site(requests_per_address=60) as server:
            for _ in range(3):
                await server.until_refused(request(), "127.0.0.2")
    assert logs == [
        {"event": "server.refused", "log_level": "warning", "what": "request", "count": 1}
    ]


async def test_behind_a_proxy_each_visitor_counts(site: Start) -> None:
    """The proxy's connections are many; requests and websockets count with whom it names."""
    async with site(
        requests_per_address=60, connections_per_address=6, proxy_ips="127.0.0.9"
    ) as server:

        def of(visitor: str, fields: str = "") -> bytes:
            # What a visitor claims stands first, and is not believed.
            return request(fields=f"X-Forwarded-For: 8.8.8.8, {visitor}\r\n{fields}")

        many = [await server.open("127.0.0.9") for _ in range(20)]
        for caller in many:
            assert await caller.ask(of("203.0.113.7")) == 200
            caller.writer.close()
        assert await server.until_refused(of("203.0.113.7"), "127.0.0.9") >= 40
        assert await server.ask(of("203.0.113.8"), "127.0.0.9") == 200
        sockets = [await server.open("127.0.0.9") for _ in range(6)]
        for caller in sockets:
            assert await caller.ask(of("2001:db8::1", UPGRADE)) == 101
        assert server.server.gate.connections.held("2001:db8::/64") == 6
        assert await server.ask(of("2001:db8::2", UPGRADE), "127.0.0.9") == 429
        assert await server.ask(of("2001:db8:0:1::2", UPGRADE), "127.0.0.9") == 101
        for caller in sockets:
            caller.writer.close()
        await server.until(lambda: server.server.gate.connections.held("2001:db8::/64") == 0)


async def test_a_reader_does_not_wait_for_a_crowd(site: Start) -> None:
    """A request that comes while a stranger's three hundred wait is among the next to begin."""
    async with site() as server:
        server.may_answer.clear()
        strangers = [await server.open("127.0.0.2") for _ in range(300)]
        for stranger in strangers:
            stranger.writer.write(request(path="/stranger"))
        await server.until(lambda: len(server.asked) >= 8)
        async with await server.open("127.0.0.3") as reader:
            reader.writer.write(request(path="/reader"))
            await server.until(lambda: "/reader" in server.asked)
            assert server.asked.index("/reader") < 150
        server.may_answer.set()
        for stranger in strangers:
            assert await stranger.answer() == 200
            stranger.writer.close()


async def test_a_stranger_whose_websocket_sends_too_much_pays_with_connections(
    site: Start,
) -> None:
    async with site(connections_per_address=40) as server:
        ping = bytes((0x89, 0x80, 0, 0, 0, 0))
        async with await server.open("127.0.0.2") as stranger:
            assert await stranger.ask(request(fields=UPGRADE)) == 101
            stranger.writer.write(ping * 100)
            assert (4008).to_bytes(2) in await stranger.ended()
        opened = 0
        while await server.ask(request(), "127.0.0.2") == 200:
            opened += 1
        assert opened < 40 - PUNISHMENT + 20, "four come back in a second"
        assert await server.ask(request(), "127.0.0.3") == 200


@pytest.mark.parametrize(
    "upgrade",
    [UPGRADE.replace(": 13", ": 777"), re.sub("Sec-WebSocket-Key: .*\r\n", "", UPGRADE)],
)
async def test_a_handshake_that_is_none_is_refused_and_is_no_error(
    site: Start, upgrade: str
) -> None:
    errors: list[dict[str, object]] = []
    asyncio.get_running_loop().set_exception_handler(lambda _, error: errors.append(error))
    async with site() as server, await server.open() as caller:
        assert await caller.ask(request(fields=upgrade)) in (400, 426)
        await caller.ended()
        await server.until(lambda: len(server.server.gate.connections) == 0)
        assert server.asked == []
    assert errors == []
