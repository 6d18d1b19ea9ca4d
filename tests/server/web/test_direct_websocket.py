"""The short way of messages: the same bytes as a websocket library's, in the same order."""

from __future__ import annotations

import asyncio
import socket
from itertools import pairwise
from typing import Any

import uvicorn
from hypothesis import given, settings
from hypothesis import strategies as st
from websockets.frames import Frame, Opcode

from server.web.direct_websocket import DirectWebSocketProtocol, admit, framed, listen
from server.web.frame_budget import PLAYING
from server.web.outbox import SocketOutbox
from tests.patience import PATIENCE_S

LENGTHS = st.one_of(
    st.integers(0, 300), st.sampled_from((125, 126, 127, 65535, 65536)), st.integers(0, 70_000)
)


@given(LENGTHS, st.booleans())
def test_a_message_is_framed_as_a_library_does_it(length: int, binary: bool) -> None:
    payload = b"x" * length
    opcode = Opcode.BINARY if binary else Opcode.TEXT
    for _ in range(2):
        assert framed(payload, binary) == Frame(opcode, payload).serialize(mask=False)


@given(st.lists(st.tuples(st.booleans(), st.integers(0, 2)), max_size=30))
def test_messages_leave_in_order_whichever_way_they_take(steps: list[tuple[bool, int]]) -> None:
    async def scenario() -> None:
        left: list[bytes] = []
        can_write = False

        async def send(payload: bytes, binary: bool) -> None:
            await asyncio.sleep(0)
            left.append(framed(payload, binary))

        async def close(code: int, reason: str) -> None:
            left.append(b"closed")

        def write_now(frame: bytes) -> bool:
            if can_write:
                left.append(frame)
            return can_write

        def ignore() -> None: ...

        outbox = SocketOutbox(send, close, on_behind=ignore, on_drained=ignore, write_now=write_now)
        task = asyncio.create_task(outbox.run())
        pushed = []
        for number, (can_write, turns) in enumerate(steps):  # noqa: B007 — `write_now` reads it
            payload = str(number).encode()
            pushed.append(framed(payload, True))
            outbox.push(payload, True)
            for _ in range(turns):
                await asyncio.sleep(0)
        outbox.close(4000, "done")
        await task
        assert left == [*pushed, b"closed"]
        assert outbox.waiting_bytes == 0

    asyncio.run(scenario())


UPGRADE = (
    b"GET / HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
    b"Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\nSec-WebSocket-Version: 13\r\n\r\n"
)
Message = tuple[str, bytes]


class Listener:
    """An ASGI application that keeps what it hears, by whichever way it comes."""

    def __init__(self) -> None:
        self.heard: list[bytes] = []
        self.short = 0
        """Return how many came the short way."""
        self.end: asyncio.Event = asyncio.Event()

    def _hear(self, data: bytes) -> None:
        self.short += 1
        self.heard.append(data)

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        await receive()
        await send({"type": "websocket.accept"})
        admit(scope, PLAYING)
        listen(scope, self._hear)
        while (message := await receive())["type"] == "websocket.receive":
            data = message.get("bytes")
            self.heard.append(message["text"].encode() if data is None else data)
        self.code = message["code"]
        self.end.set()


async def heard(data: bytes, cuts: list[int]) -> Listener:
    """Return what an application hears of these bytes after the handshake, cut up like this."""
    application = Listener()
    config = uvicorn.Config(
        application, ws=DirectWebSocketProtocol, lifespan="off", log_level="critical",
        ws_max_size=1000, timeout_graceful_shutdown=1,
    )  # fmt: skip
    server = uvicorn.Server(config)
    config.load()
    listening = socket.create_server(("127.0.0.1", 0))
    serving = asyncio.create_task(server._serve(sockets=[listening]))
    reader, writer = await asyncio.open_connection(*listening.getsockname())
    writer.write(UPGRADE)
    await reader.readuntil(b"\r\n\r\n")
    edges = sorted({0, len(data), *(c % (len(data) + 1) for c in cuts)})
    for start, end in pairwise(edges):
        writer.write(data[start:end])
        await writer.drain()
        await asyncio.sleep(0.001)
    async with asyncio.timeout(PATIENCE_S):
        await application.end.wait()
    writer.close()
    server.should_exit = True
    await serving
    listening.close()
    return application


CLOSE = Frame(Opcode.CLOSE, b"\x0f\xa0").serialize(mask=True)
FRAMES = st.lists(
    st.one_of(
        st.tuples(st.just("binary"), st.binary(max_size=300)),
        st.tuples(st.just("text"), st.text(max_size=30).map(str.encode)),
        st.tuples(st.just("ping"), st.binary(max_size=20)),
        st.tuples(st.just("parts"), st.binary(min_size=2, max_size=300)),
    ),
    max_size=12,
)


def sent(messages: list[Message]) -> bytes:
    out = b""
    for kind, payload in messages:
        if kind == "parts":
            half = len(payload) // 2
            out += Frame(Opcode.BINARY, payload[:half], fin=False).serialize(mask=True)
            out += Frame(Opcode.PING, b"between").serialize(mask=True)
            out += Frame(Opcode.CONT, payload[half:]).serialize(mask=True)
        else:
            out += Frame(Opcode[kind.upper()], payload).serialize(mask=True)
    return out


@settings(max_examples=5)
@given(FRAMES, st.lists(st.integers(0, 4000), max_size=12))
def test_messages_arrive_in_order_however_they_are_cut(
    messages: list[Message], cuts: list[int]
) -> None:
    application = asyncio.run(heard(sent(messages) + CLOSE, cuts))
    assert application.heard == [payload for kind, payload in messages if kind != "ping"]
    assert application.code == 4000


async def test_whole_binary_messages_take_the_short_way() -> None:
    application = await heard(
        sent([("binary", b"x" * n) for n in (0, 5, 125, 126, 700)]) + CLOSE, []
    )
    assert application.short == 5


async def test_what_is_wrong_with_a_frame_is_what_the_library_says() -> None:
    first = sent([("binary", b"good")])
    too_large = Frame(Opcode.BINARY, b"x" * 1001).serialize(mask=True)
    unmasked = Frame(Opcode.BINARY, b"x").serialize(mask=False)
    reserved = bytes((0xC2,)) + first[1:]
    interrupted = Frame(Opcode.BINARY, b"x", fin=False).serialize(mask=True) + first
    for wrong, code in ((too_large, 1009), (unmasked, 1002), (reserved, 1002), (interrupted, 1002)):
        application = await heard(first + wrong, [])
        assert application.heard == [b"good"]
        assert application.code == code
