"""Closes of connections whose other end reads nothing, on a virtual clock: all of them end."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import uvicorn
from websockets.frames import Frame, Opcode

from server.settings import Settings
from server.web.closing_transport import CLOSING_S
from server.web.connection_limits import Peer
from server.web.direct_websocket import DirectWebSocketProtocol
from server.web.http_connection import HEAD_S, HttpConnection
from server.web.request_gate import RequestGate
from tests.server.lobby.virtual import virtual
from tests.server.web.http_site import request
from tests.server.web.test_direct_websocket import UPGRADE


class Unread(asyncio.Transport):
    """Transport whose other end takes nothing: only an abort ends it."""

    def say_no_more(self) -> None:
        """Have the other end say that nothing more comes, as asyncio tells a protocol."""
        assert isinstance(self.protocol, asyncio.Protocol)
        if not self.protocol.eof_received():
            self.close()

    def __init__(self) -> None:
        super().__init__()
        self.written = b""
        self.protocol: asyncio.BaseProtocol | None = None
        self.closed_at: float | None = None
        self.aborted_at: float | None = None

    def write(self, data: Any) -> None:
        self.written += bytes(data)

    def get_write_buffer_size(self) -> int:
        return len(self.written)

    def is_closing(self) -> bool:
        return self.closed_at is not None

    def pause_reading(self) -> None: ...

    def resume_reading(self) -> None: ...

    def set_protocol(self, protocol: asyncio.BaseProtocol) -> None:
        self.protocol = protocol

    def close(self) -> None:
        if self.closed_at is None:
            self.closed_at = asyncio.get_running_loop().time()

    def abort(self) -> None:
        self.close()
        if self.aborted_at is None:
            self.aborted_at = asyncio.get_running_loop().time()
            assert isinstance(self.protocol, asyncio.Protocol)
            self.protocol.connection_lost(None)


async def speaker(scope: Any, receive: Any, send: Any) -> None:
    """Say 5 KB to whoever opens a websocket, and end when told so or when they leave."""
    await receive()
    await send({"type": "websocket.accept"})
    await send({"type": "websocket.send", "bytes": bytes(5000)})
    while (message := await receive())["type"] == "websocket.receive":
        if message["bytes"] == b"end":
            await send({"type": "websocket.close", "code": 1000})
            return


def _said(opcode: Opcode, payload: bytes) -> bytes:
    return Frame(opcode, payload).serialize(mask=True)


ENDS: dict[str, Callable[[DirectWebSocketProtocol], object]] = {
    "their close": lambda socket: socket.data_received(_said(Opcode.CLOSE, b"\x03\xe8")),
    "our close": lambda socket: socket.data_received(_said(Opcode.BINARY, b"end")),
    "no pong": lambda socket: None,
    "a stop": lambda socket: socket.shutdown(),
    "nonsense": lambda socket: socket.data_received(b"\x83\x80\0\0\0\0"),
}


@pytest.mark.parametrize("end", [*ENDS, "half a close"])
@virtual
async def test_a_websocket_that_is_closed_ends_though_nothing_is_read(end: str) -> None:
    config = uvicorn.Config(speaker, lifespan="off", log_level="critical")
    config.load()
    socket = DirectWebSocketProtocol(config, uvicorn.Server(config).server_state, {})
    unread = Unread()
    unread.protocol = socket
    socket.connection_made(unread)
    socket.data_received(UPGRADE)
    await asyncio.sleep(1)
    assert len(unread.written) > 5000
    if end in ENDS:
        ENDS[end](socket)
    else:
        unread.say_no_more()
    await asyncio.sleep(3600)
    assert unread.closed_at is not None
    assert unread.aborted_at == unread.closed_at + CLOSING_S


async def _page(scope: Any, receive: Any, send: Any) -> None:
    headers = [(b"content-length", b"5000")]
    await send({"type": "http.response.start", "status": 200, "headers": headers})
    await send({"type": "http.response.body", "body": bytes(5000)})


REQUESTS = {
    "an answer": request(fields="Connection: close\r\n"),
    "idleness": request(),
    "a refusal": request(fields="X-Long: " + "x" * 20_000 + "\r\n"),
    "half a head": request()[:-2],
    "half a body": request("POST", fields="Content-Length: 9\r\n", body=b"x"),
}


def _connection(folder: Path) -> tuple[RequestGate, HttpConnection, Unread]:
    config = uvicorn.Config(_page, lifespan="off", log_level="critical", timeout_keep_alive=10)
    config.load()
    clock = asyncio.get_running_loop().time
    gate = RequestGate(Settings(data_dir=folder, _env_file=None), 10, clock)
    place = gate.enter(Peer("stranger", "address"))
    assert place is not None
    connection = HttpConnection(
        gate, place, config=config, server_state=uvicorn.Server(config).server_state, app_state={}
    )
    unread = Unread()
    unread.protocol = connection
    connection.connection_made(unread)
    return gate, connection, unread


@pytest.mark.parametrize("kind", REQUESTS)
@virtual
async def test_a_page_that_nobody_reads_ends_with_its_connection(kind: str, tmp_path: Path) -> None:
    began_at = asyncio.get_running_loop().time()
    gate, connection, unread = _connection(tmp_path)
    connection.data_received(REQUESTS[kind])
    await asyncio.sleep(3600)
    assert unread.written
    assert unread.closed_at is not None
    assert unread.closed_at <= began_at + HEAD_S
    assert unread.aborted_at == unread.closed_at + CLOSING_S
    assert len(gate.connections) == 0


@virtual
async def test_a_page_for_somebody_who_says_no_more_and_reads_nothing(tmp_path: Path) -> None:
    gate, connection, unread = _connection(tmp_path)
    connection.data_received(request())
    await asyncio.sleep(1)
    assert unread.written
    unread.say_no_more()
    await asyncio.sleep(3600)
    assert unread.closed_at is not None
    assert unread.aborted_at == unread.closed_at + CLOSING_S
    assert len(gate.connections) == 0
