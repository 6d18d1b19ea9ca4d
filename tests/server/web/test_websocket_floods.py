"""Websockets of strangers over real connections: what is too much is answered with 4008 at once."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import pytest
import uvicorn
from websockets.frames import Frame, Opcode

from server.web.direct_websocket import DirectWebSocketProtocol, admit, listen
from server.web.frame_budget import GREETING, PLAYING
from server.web.input_limits import LARGEST_MESSAGE
from tests.server.web.test_direct_websocket import UPGRADE

MOST = 1000
"""More frames than anybody may send at once."""


class Site:
    """An ASGI application that admits whoever sends a first message, and never says anything."""

    def __init__(self) -> None:
        self.heard = 0
        self.ended: list[int] = []
        self.shakes_hands = asyncio.Event()
        self.shakes_hands.set()

    def _hear(self, data: bytes) -> None:
        self.heard += 1

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        await receive()
        await self.shakes_hands.wait()
        await send({"type": "websocket.accept"})
        message = await receive()
        admit(scope, PLAYING)
        listen(scope, self._hear)
        while message["type"] == "websocket.receive":
            message = await receive()
        self.ended.append(message["code"])


@asynccontextmanager
async def serving(site: Site) -> AsyncIterator[int]:
    """Serve the site; yield the port."""
    config = uvicorn.Config(
        site, ws=DirectWebSocketProtocol, lifespan="off", log_level="critical",
        timeout_graceful_shutdown=1,
    )  # fmt: skip
    server = uvicorn.Server(config)
    config.load()
    listening = socket.create_server(("127.0.0.1", 0))
    task = asyncio.create_task(server._serve(sockets=[listening]))
    yield listening.getsockname()[1]
    server.should_exit = True
    await task
    listening.close()


async def answers_to(site: Site, data: bytes) -> bytes:
    """Return what a stranger is sent after the handshake, until the end."""
    async with serving(site) as port, asyncio.timeout(20):
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        writer.write(UPGRADE)
        await reader.readuntil(b"\r\n\r\n")
        writer.write(data)
        answers = await _all_of(reader)
        writer.close()
    return answers


async def _all_of(reader: asyncio.StreamReader) -> bytes:
    answers = b""
    try:
        while data := await reader.read(65536):
            answers += data
    except ConnectionResetError:
        # It was cut off with some of what it had sent unread.
        return answers
    return answers


def masked(opcode: Opcode, payload: bytes = b"", fin: bool = True) -> bytes:
    return Frame(opcode, payload, fin).serialize(mask=True)


HELLO = masked(Opcode.BINARY, b"hello")
FLOODS = {
    "pings": masked(Opcode.PING, b"x") * MOST,
    "pongs": masked(Opcode.PONG) * MOST,
    "empty": masked(Opcode.BINARY) * MOST,
    "fragments": masked(Opcode.BINARY, b"x", fin=False) + masked(Opcode.CONT, fin=False) * MOST,
    "messages": masked(Opcode.BINARY, b"x") * 2 * MOST,
}


def close_code(answers: bytes) -> int:
    """Return the code of the close frame at the end of some small frames."""
    at = 0
    while answers[at] != 0x88:
        at += 2 + answers[at + 1]
    assert at + 2 + answers[at + 1] == len(answers), "nothing comes after it"
    return int.from_bytes(answers[at + 2 : at + 4])


@pytest.mark.parametrize("kind", FLOODS)
async def test_floods_before_hello_are_cut_off_after_a_handful(kind: str) -> None:
    site = Site()
    # The first message would be the hello.
    flood = FLOODS[kind]
    answers = await answers_to(site, flood)
    assert close_code(answers) == 4008
    assert answers.count(b"\x8a\x01x") <= GREETING.others.burst + 1
    assert site.ended == [4008]


@pytest.mark.parametrize("kind", FLOODS)
async def test_floods_after_hello_are_cut_off_too(kind: str) -> None:
    site = Site()
    answers = await answers_to(site, HELLO + FLOODS[kind])
    assert close_code(answers) == 4008
    assert answers.count(b"\x8a\x01x") <= PLAYING.others.burst + 1
    assert site.heard <= PLAYING.messages.burst + 1


async def test_a_message_that_is_announced_too_large_is_not_waited_for() -> None:
    head = masked(Opcode.BINARY, b"x" * (LARGEST_MESSAGE + 1))[:20]
    assert close_code(await answers_to(Site(), head)) == 4008


async def test_a_message_that_is_too_large_in_fragments_is_not_gathered() -> None:
    half = b"x" * (LARGEST_MESSAGE // 2 + 1)
    parts = masked(Opcode.BINARY, half, fin=False) + masked(Opcode.CONT, half)
    assert close_code(await answers_to(Site(), HELLO + parts)) == 4008


async def test_a_frame_that_comes_in_crumbs_costs_by_the_crumb() -> None:
    async with serving(Site()) as port, asyncio.timeout(20):
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        writer.write(UPGRADE)
        await reader.readuntil(b"\r\n\r\n")
        reading = asyncio.create_task(_all_of(reader))
        for byte in masked(Opcode.BINARY, b"x" * 1000):
            if reading.done():
                break
            writer.write(bytes((byte,)))
            await asyncio.sleep(0.001)
        assert close_code(await reading) == 4008
        writer.close()


async def test_who_talks_before_the_answer_is_cut_off() -> None:
    site = Site()
    site.shakes_hands.clear()
    async with serving(site) as port, asyncio.timeout(20):
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        writer.write(UPGRADE)
        await writer.drain()
        await asyncio.sleep(0.05)
        writer.write(masked(Opcode.PING))
        assert await _all_of(reader) == b""
        site.shakes_hands.set()


async def test_pings_of_somebody_who_is_patient_are_all_answered() -> None:
    async with serving(Site()) as port, asyncio.timeout(20):
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        writer.write(UPGRADE)
        await reader.readuntil(b"\r\n\r\n")
        writer.write(HELLO)
        for number in range(50):
            payload = str(number).encode()
            writer.write(masked(Opcode.PING, payload))
            answer = await reader.readexactly(2 + len(payload))
            assert answer == bytes((0x8A, len(payload))) + payload
        writer.close()


class Stuck(asyncio.Transport):
    """A transport whose other end reads nothing."""

    def __init__(self) -> None:
        super().__init__()
        self.written: list[bytes] = []
        self.is_aborted = self.is_paused = False

    def write(self, data: Any) -> None:
        self.written.append(bytes(data))

    def is_closing(self) -> bool:
        return self.is_aborted

    def abort(self) -> None:
        self.is_aborted = True

    def pause_reading(self) -> None:
        self.is_paused = True


async def test_of_pings_that_cannot_be_answered_only_the_last_waits() -> None:
    config = uvicorn.Config(Site(), lifespan="off")
    config.load()
    protocol = DirectWebSocketProtocol(config, uvicorn.Server(config).server_state, {})
    transport = Stuck()
    protocol.transport, protocol.handshake_complete = transport, True
    protocol.pause_writing()
    for number in range(10):
        protocol.data_received(masked(Opcode.PING, bytes((number,))))
    assert transport.written == []
    protocol.resume_writing()
    assert transport.written == [b"\x8a\x01\x09"]


async def test_who_sends_too_much_is_read_no_more() -> None:
    config = uvicorn.Config(Site(), lifespan="off")
    config.load()
    protocol = DirectWebSocketProtocol(config, uvicorn.Server(config).server_state, {})
    transport = Stuck()
    protocol.transport, protocol.handshake_complete = transport, True
    while not protocol.close_sent:
        assert not transport.is_paused
        protocol.data_received(masked(Opcode.PING, b""))
    assert transport.is_paused
    # Nor when the application has taken what waited.
    assert not protocol.read_paused
    assert protocol.close_timer is not None
    protocol.close_timer.cancel()
