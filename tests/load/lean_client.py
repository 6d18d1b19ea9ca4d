"""A player for crowds: the protocol over a real TCP socket, with little more than the parsing.

A browser costs its own machine; hundreds of players on the server's cores must not cost more than
the server. What it speaks is what `protocol_client` speaks, byte for byte; it keeps no world.
"""

from __future__ import annotations

import asyncio
import base64
import os
import struct
from collections.abc import Callable

import msgspec

from server.wire.codecs import CODECS, COMPRESSED, inflate
from server.wire.messages import ClientMessage, Hello, ServerMessage

_OPCODE_BINARY, _OPCODE_CLOSE, _OPCODE_PING, _OPCODE_PONG = 2, 8, 9, 10
_decode = msgspec.msgpack.Decoder(ServerMessage).decode
_encode = CODECS["msgpack"].encode


class LeanClient(asyncio.Protocol):
    """``on_message(message, payload_bytes, framed_bytes)`` hears what the server says."""

    def __init__(
        self, host: str, origin: str, token: str, on_message: Callable[[ServerMessage, int], None]
    ) -> None:
        self._host, self._origin = host, origin
        self._hello = Hello(token, "tab", "load", False)
        self._on_message = on_message
        self._buffer = b""
        self._is_open = False
        self._transport: asyncio.Transport | None = None
        self.closed: asyncio.Future[tuple[int, str]] = asyncio.get_running_loop().create_future()
        self.bytes_in = 0
        """As they came, websocket framing included."""

    @classmethod
    async def connect(
        cls, url: str, origin: str, token: str, on_message: Callable[[ServerMessage, int], None]
    ) -> LeanClient:
        """``url`` as in ``ws://127.0.0.1:8000/ws/play``."""
        address, _, path = url.removeprefix("ws://").partition("/")
        name, _, port = address.rpartition(":")
        loop = asyncio.get_running_loop()
        _, client = await loop.create_connection(
            lambda: cls(address, origin, token, on_message), name, int(port)
        )
        client._upgrade(f"/{path}")
        return client

    def _upgrade(self, path: str) -> None:
        key = base64.b64encode(os.urandom(16)).decode()
        self._write_raw(
            f"GET {path} HTTP/1.1\r\nHost: {self._host}\r\nUpgrade: websocket\r\n"
            f"Connection: Upgrade\r\nSec-WebSocket-Key: {key}\r\nSec-WebSocket-Version: 13\r\n"
            f"Sec-WebSocket-Protocol: cohabit.1.msgpack\r\nOrigin: {self._origin}\r\n\r\n".encode()
        )

    def send(self, message: ClientMessage) -> None:
        payload = _encode(message)
        # The mask must be there, and may be zero: it protects proxies from scripts in browsers.
        if len(payload) < 126:
            head = struct.pack("!BBI", 0x82, 0x80 | len(payload), 0)
        else:
            head = struct.pack("!BBHI", 0x82, 0x80 | 126, len(payload), 0)
        self._write_raw(head + payload)

    def close(self) -> None:
        if self._transport is not None:
            self._transport.close()

    def _write_raw(self, data: bytes) -> None:
        if self._transport is not None and not self._transport.is_closing():
            self._transport.write(data)

    # asyncio.Protocol

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport) or hasattr(transport, "write")
        self._transport = transport  # type: ignore[assignment]

    def connection_lost(self, error: Exception | None) -> None:
        if not self.closed.done():
            self.closed.set_result((1006, str(error or "")))

    def data_received(self, data: bytes) -> None:
        self._buffer = self._buffer + data if self._buffer else data
        if not self._is_open:
            head, end, rest = self._buffer.partition(b"\r\n\r\n")
            if not end:
                return
            if b" 101 " not in head.partition(b"\r\n")[0]:
                raise ConnectionError(head.decode(errors="replace"))
            self._is_open, self._buffer = True, rest
            self.send(self._hello)
        self._take_frames()

    def _take_frames(self) -> None:
        buffer, at, size = self._buffer, 0, len(self._buffer)
        while size - at >= 2:
            start, length = at + 2, buffer[at + 1]
            if length == 126:
                start, length = at + 4, int.from_bytes(buffer[at + 2 : at + 4])
            elif length == 127:
                start, length = at + 10, int.from_bytes(buffer[at + 2 : at + 10])
            end = start + length
            if end > size or start > size:
                break
            self._take(buffer[at] & 0x0F, buffer[start:end], end - at)
            at = end
        self._buffer = buffer[at:]

    def _take(self, opcode: int, payload: bytes, framed_bytes: int) -> None:
        self.bytes_in += framed_bytes
        if opcode == _OPCODE_BINARY:
            if payload[:1] == COMPRESSED:
                payload = inflate(payload)
            self._on_message(_decode(payload), framed_bytes)
        elif opcode == _OPCODE_PING:
            self._write_raw(
                struct.pack("!BBI", 0x80 | _OPCODE_PONG, 0x80 | len(payload), 0) + payload
            )
        elif opcode == _OPCODE_CLOSE and not self.closed.done():
            code = int.from_bytes(payload[:2]) if payload else 1005
            self.closed.set_result((code, payload[2:].decode(errors="replace")))
