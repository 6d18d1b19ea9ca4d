"""Shortcut for websocket messages: between the host of sessions and the socket in one step.

ASGI costs task switches and several calls for each message, and each socket would frame the same
bytes anew; a hundred thousand times a minute that is most of what the web process does. A message
that can leave at once is framed once for all its readers and written. A whole binary message that
comes in goes straight to its listener. Everything else (a socket that does not drain, the
handshake, text, fragments, pings, closing, whatever is malformed) stays with uvicorn, in order.
"""

from __future__ import annotations

import struct
from collections.abc import Callable
from typing import Any, NamedTuple

from starlette.types import Scope
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.http11 import Request

WriteNow = Callable[[bytes], bool]
Hear = Callable[[bytes], None]
_EXTENSION = "cohabit.direct"
_TEXT, _BINARY = 0x81, 0x82
"""The first byte of a whole message (RFC 6455, section 5.2)."""
_FIN, _OPCODE, _MASKED, _LENGTH = 0x80, 0x0F, 0x80, 0x7F
_FIRST_CONTROL = 8


class DirectWebSocketProtocol(WebSocketsSansIOProtocol):
    """Websocket protocol for uvicorn (its setting ``ws``), without compression."""

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        self._hear: Hear | None = None
        self._partial = b""
        """Beginning of a frame that has not come whole."""
        self._is_in_fragments = False
        self._is_left_alone = False
        """Whether uvicorn reads all that comes: where frames begin is not known any more."""

    def handle_connect(self, event: Request) -> None:
        super().handle_connect(event)
        if self.handshake_initiated and not self.handshake_complete:
            extensions = self.scope["extensions"]
            assert extensions is not None
            extensions[_EXTENSION] = {"write_now": self._write_now, "listen": self._listen}

    # Out

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

    # In

    def _listen(self, hear: Hear) -> None:
        self._hear = hear

    def data_received(self, data: bytes) -> None:
        if self._is_left_alone:
            super().data_received(data)
        elif self.handshake_initiated:
            self._take(self._partial + data if self._partial else data)
        else:
            super().data_received(data)
            # Who talks before it was answered: its frames may begin anywhere.
            self._is_left_alone = self.handshake_initiated and not data.endswith(b"\r\n\r\n")

    def _take(self, data: bytes) -> None:
        """Take whole frames, one after the other; uvicorn never gets a part of one."""
        at = 0
        while (head := _head(data, at)) is not None:
            if not head.is_masked or head.length > (self.config.ws_max_size or head.length):
                self._is_left_alone, self._partial = True, b""
                super().data_received(data[at:])
                return
            if head.end > len(data):
                break
            self._take_frame(data, at, head)
            at = head.end
            if self.disconnected or self.transport.is_closing():
                at = len(data)
        self._partial = data[at:]

    def _take_frame(self, data: bytes, at: int, head: _Head) -> None:
        hear = self._hear
        if (
            hear is not None
            and data[at] == _BINARY
            and not self._is_in_fragments
            and not self.close_sent
            # What came before and has not been looked at comes first.
            and self.queue.empty()
        ):
            hear(_unmasked(data[head.mask_at : head.start], data[head.start : head.end]))
            return
        if data[at] & _OPCODE < _FIRST_CONTROL:
            self._is_in_fragments = not data[at] & _FIN
        super().data_received(data[at : head.end])


class _Head(NamedTuple):
    """Places of the mask, the payload and the end of a frame."""

    is_masked: bool
    length: int
    mask_at: int
    start: int
    end: int


def _head(data: bytes, at: int) -> _Head | None:
    """Return the head of the frame that begins at ``at``; None while it has not come."""
    if len(data) < at + 2:
        return None
    length, mask_at = data[at + 1] & _LENGTH, at + 2
    if length >= 126:
        mask_at += 2 if length == 126 else 8
        if len(data) < mask_at:
            return None
        length = int.from_bytes(data[at + 2 : mask_at])
    start = mask_at + 4
    return _Head(bool(data[at + 1] & _MASKED), length, mask_at, start, start + length)


def _unmasked(mask: bytes, payload: bytes) -> bytes:
    size = len(payload)
    key = int.from_bytes((mask * (size // 4 + 1))[:size])
    return (int.from_bytes(payload) ^ key).to_bytes(size)


def write_now_of(scope: Scope) -> WriteNow | None:
    """Return the function that writes framed bytes to a websocket if they can leave at once.

    It tells whether they did. None where another server or a test's client is at the other end.
    """
    extension = scope.get("extensions", {}).get(_EXTENSION)
    return None if extension is None else extension["write_now"]


def listen(scope: Scope, hear: Hear) -> None:
    """Have whole binary messages go to ``hear``, which must not raise.

    The others, and all of them where another server is at the other end, come the way of ASGI.
    """
    extension = scope.get("extensions", {}).get(_EXTENSION)
    if extension is not None:
        extension["listen"](hear)


class _Last:
    """Message that was framed last: the same one goes to one reader after the other."""

    payload = b""
    framed = b"\x82\x00"
    binary = True


def framed(payload: bytes, binary: bool) -> bytes:
    """Return a whole message as a server sends it."""
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
