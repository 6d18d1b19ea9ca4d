"""A shorter way out for websocket messages: from the relay to the socket in one step.

ASGI costs a task switch and several calls for each message, and each socket would frame the same
bytes anew; a hundred thousand times a minute that is most of what the web process does. A message
that can leave at once is framed once for all its readers and written; everything else (a socket
that does not drain, the handshake, pings, closing) stays with uvicorn.
"""

from __future__ import annotations

import struct
from collections.abc import Callable

from starlette.types import Scope
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.http11 import Request

WriteNow = Callable[[bytes], bool]
_EXTENSION = "cohabit.write_now"
_TEXT, _BINARY = 0x81, 0x82
"""The first byte of a whole message (RFC 6455, section 5.2)."""


class RelayProtocol(WebSocketsSansIOProtocol):
    """What uvicorn is to use for websockets (its setting ``ws``). Without compression."""

    def handle_connect(self, event: Request) -> None:
        super().handle_connect(event)
        if self.handshake_initiated and not self.handshake_complete:
            extensions = self.scope["extensions"]
            assert extensions is not None
            extensions[_EXTENSION] = {"write": self._write_now}

    def _write_now(self, framed: bytes) -> bool:
        if (
            not self.writable.is_set()
            or not self.handshake_complete
            or self.close_sent
            or self.disconnected
            or self.transport.is_closing()
        ):
            return False
        self.transport.write(framed)
        return True


def write_now_of(scope: Scope) -> WriteNow | None:
    """Writes framed bytes to a websocket if they can leave at once, and says whether it did; None
    where another server or a test's client is at the other end."""
    extension = scope.get("extensions", {}).get(_EXTENSION)
    return None if extension is None else extension["write"]  # type: ignore[no-any-return]


class _Last:
    """What was framed last: the same message goes to one reader after the other."""

    payload = b""
    framed = b"\x82\x00"
    binary = True


def framed(payload: bytes, binary: bool) -> bytes:
    """A whole message as a server sends it."""
    last = _Last
    if payload is last.payload and binary is last.binary:
        return last.framed
    first, length = _BINARY if binary else _TEXT, len(payload)
    if length < 126:
        head = bytes((first, length))
    elif length < 65536:
        head = struct.pack("!BBH", first, 126, length)
    else:
        head = struct.pack("!BBQ", first, 127, length)
    last.payload, last.binary, last.framed = payload, binary, head + payload
    return last.framed
