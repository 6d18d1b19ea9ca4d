"""Shortcut for websocket messages: between the host of sessions and the socket in one step.

ASGI costs task switches and several calls for each message, and each socket would frame the same
bytes anew; a hundred thousand times a minute that is most of what the web process does. A message
that can leave at once is framed once for all its readers and written. A whole binary message that
comes in goes straight to its listener. Pings are answered here. Everything else (a socket that does
not drain, the handshake, text, fragments, closing, whatever is malformed) stays with uvicorn, in
order.

Each frame is paid for before it is looked at (see `frame_budget`). The socket of whoever sends too
much is told so and not read any more.
"""

from __future__ import annotations

import asyncio
import struct
import time
from collections.abc import Callable
from typing import Any, cast

from starlette.types import Scope
from uvicorn._types import ASGISendEvent
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.http11 import Request

from server.web.closing_transport import note_lost, with_deadline
from server.web.frame_budget import Address, Allowance, FrameBudget
from server.web.input_limits import LARGEST_MESSAGE
from server.web.loop_lateness import LateS, never_late
from server.web.stall_timer import StallTimer
from server.wire.close_codes import CloseCode

WriteNow = Callable[[bytes], bool]
Hear = Callable[[bytes], None]
UnansweredS = Callable[[], float]
"""Function that returns for how many seconds a ping has been unanswered; 0: none is."""
LAST_WORDS_S = 1.0
"""Seconds for which somebody who was told that they send too much is left to read it. They are not
read meanwhile, and their connection still counts."""
STALL_S = 60.0
"""Seconds in which the other end has to take what waits for it before more is written."""
_EXTENSION = "cohabit.direct"
_TEXT, _BINARY = 0x81, 0x82
"""The first byte of a whole message (RFC 6455, section 5.2)."""
_PING, _PONG, _CLOSE = 0x89, 0x8A, 0x88
_FIN, _OPCODE, _MASKED, _LENGTH = 0x80, 0x0F, 0x80, 0x7F
_FIRST_CONTROL = 8
_LONGEST_CONTROL = 125
_TOO_MUCH = "too many messages or frames"
_TOO_LARGE = f"over {LARGEST_MESSAGE} bytes in a message"


class DirectWebSocketProtocol(WebSocketsSansIOProtocol):
    """Websocket protocol for uvicorn (its setting ``ws``), without compression.

    ``address`` is whom the frames of a stranger count towards; None: the socket alone. ``late_s``
    tells how late this process reads. ``on_hello`` is called when its hello was good, ``on_lost``
    when the connection is gone.
    """

    def __init__(
        self,
        *args: Any,
        address: Address | None = None,
        late_s: LateS = never_late,
        on_hello: Callable[[], None] | None = None,
        on_lost: Callable[[], None] | None = None,
        **options: Any,
    ) -> None:
        super().__init__(*args, **options)
        self._on_hello, self._on_lost = on_hello, on_lost
        self._late_s = late_s
        self._extensions: dict[str, Any] = {}
        """Extensions of its scope; empty unless a handshake was good."""
        self._hear: Hear | None = None
        self._partial = b""
        """Beginning of a frame that has not come whole."""
        self._message_bytes = 0
        """Bytes of the fragments of a message whose end has not come."""
        self._is_in_fragments = False
        self._budget = FrameBudget(time.monotonic(), address)
        self._late_pong = b""
        """Answer to the last ping, framed, while nothing can be written."""
        self._stall = StallTimer(self.loop, STALL_S)

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        super().connection_made(with_deadline(cast(asyncio.Transport, transport), self.loop))

    def handle_connect(self, event: Request) -> None:
        super().handle_connect(event)
        if self.handshake_initiated and not self.handshake_complete:
            extensions = self.scope["extensions"]
            assert extensions is not None
            self._extensions = extensions
            extensions[_EXTENSION] = {
                "write_now": self._write_now,
                "listen": self._listen,
                "admit": self._admit,
                "late_s": self._late_s,
                "heartbeat": self._heartbeat,
            }

    def eof_received(self) -> None:
        # Asyncio would close its own transport, and nothing bounds how long that takes.
        self.transport.close()

    def connection_lost(self, exc: Exception | None) -> None:
        note_lost(self.transport)
        self._stall.stop()
        if self._on_lost is not None:
            self._on_lost()
        super().connection_lost(exc)
        # It holds this socket: without the circle, both are gone at once.
        self._extensions.pop(_EXTENSION, None)

    # Out

    async def send(self, message: ASGISendEvent) -> None:
        await super().send(message)
        if self.initial_response is not None and self.close_sent:
            # Answered with a page instead of a socket. Uvicorn forgets to note it, and would write
            # an error into the log for every stranger who asks for another host.
            self.handshake_complete = True

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

    def pause_writing(self) -> None:
        super().pause_writing()
        self._stall.start(self.transport)

    def resume_writing(self) -> None:
        self._stall.stop()
        super().resume_writing()
        if self._late_pong:
            self._write_now(self._late_pong)
            self._late_pong = b""

    # In

    def _listen(self, hear: Hear) -> None:
        self._hear = hear

    def _admit(self, allowance: Allowance) -> None:
        self._budget.admit(allowance, time.monotonic(), self._late_s)
        if self._on_hello is not None:
            self._on_hello()

    def data_received(self, data: bytes) -> None:
        if self.handshake_complete:
            if not self.disconnected and not self.transport.is_closing():
                self._take(self._partial + data if self._partial else data, time.monotonic())
        elif self.handshake_initiated:
            # Who talks before being answered speaks no protocol that is spoken here.
            self.transport.abort()
        else:
            super().data_received(data)

    def _take(self, data: bytes, now: float) -> None:
        """Take whole frames, one after the other; uvicorn never gets a part of one."""
        budget, at, size = self._budget, 0, len(data)
        while size - at >= 2:
            first, length = data[at], data[at + 1] & _LENGTH
            start = at + 6
            if length >= 126:
                start += 2 if length == 126 else 8
                if start > size:
                    break
                length = int.from_bytes(data[at + 2 : start - 4])
            end = start + length
            if length > LARGEST_MESSAGE:
                self._end(_TOO_LARGE)
                return
            if not data[at + 1] & _MASKED or length > (self.config.ws_max_size or length):
                # Uvicorn says what is wrong with it, and closes.
                super().data_received(data[at:])
                return
            if end > size:
                break
            is_message = length > 0 and first in (_BINARY, _TEXT)
            if not (budget.take_message(length, now) if is_message else budget.take_other(now)):
                self._end(_TOO_MUCH)
                return
            self._take_frame(first, data, at, start, end)
            at = end
            if self.disconnected or self.transport.is_closing():
                return
        self._partial = data[at:]
        if at == 0 and not budget.take_other(now):
            self._end(_TOO_MUCH)

    def _take_frame(self, first: int, data: bytes, at: int, start: int, end: int) -> None:
        hear = self._hear
        if (
            first == _BINARY
            and hear is not None
            and not self._is_in_fragments
            and not self.close_sent
            # What came before and has not been looked at comes first.
            and self.queue.empty()
        ):
            hear(_unmasked(data[start - 4 : start], data[start:end]))
            return
        if first == _PING and end - start <= _LONGEST_CONTROL:
            self._answer(_unmasked(data[start - 4 : start], data[start:end]))
            return
        if first == _PONG and self.pending_ping_payload is None:
            # It answers nothing that was asked.
            return
        if first & _OPCODE < _FIRST_CONTROL:
            self._message_bytes = end - start + self._message_bytes * self._is_in_fragments
            self._is_in_fragments = not first & _FIN
            if self._message_bytes > LARGEST_MESSAGE:
                self._end(_TOO_LARGE)
                return
        super().data_received(data[at:end])

    def _answer(self, ping: bytes) -> None:
        """Answer a ping; of those that cannot be answered at once, only the last one is."""
        pong = bytes((_PONG, len(ping))) + ping
        if not self._write_now(pong):
            self._late_pong = pong

    # The end

    def _heartbeat(self, every_s: float) -> UnansweredS:
        self.ping_interval = every_s
        self.stop_keepalive()
        self.start_keepalive()
        return self._unanswered_s

    def _unanswered_s(self) -> float:
        return 0.0 if self.pending_ping_payload is None else self.loop.time() - self.ping_sent_at

    def keepalive_timeout(self) -> None:
        if self._late_s(time.monotonic()):
            # The pong may have come while nothing was read here.
            self.pong_timer = self.loop.call_later(self.ping_timeout or 0.0, self.keepalive_timeout)
        else:
            super().keepalive_timeout()

    def _end(self, reason: str) -> None:
        """Close the socket of somebody who sends too much, and read no more of it."""
        self._partial = b""
        self.transport.pause_reading()
        # Uvicorn would read on as soon as the application has taken what waits.
        self.read_paused = False
        if not self.close_sent:
            payload = struct.pack("!H", CloseCode.OVER_LIMIT) + reason.encode()
            self.transport.write(bytes((_CLOSE, len(payload))) + payload)
        self.queue.put_nowait(
            {"type": "websocket.disconnect", "code": CloseCode.OVER_LIMIT, "reason": reason}
        )
        self.stop_keepalive()
        self.close_sent = self.disconnected = True
        if self.close_timer is not None:
            self.close_timer.cancel()
        self.close_timer = self.loop.call_later(LAST_WORDS_S, self.transport.abort)


def _unmasked(mask: bytes, payload: bytes) -> bytes:
    size = len(payload)
    key = int.from_bytes((mask * (size // 4 + 1))[:size])
    return (int.from_bytes(payload) ^ key).to_bytes(size)


def _extension(scope: Scope) -> dict[str, Any] | None:
    """Return what a websocket of ours offers; None where another server is at the other end."""
    extension: dict[str, Any] | None = scope.get("extensions", {}).get(_EXTENSION)
    return extension


def write_now_of(scope: Scope) -> WriteNow | None:
    """Return the function that writes framed bytes to a websocket if they can leave at once.

    It tells whether they did. None where another server or a test's client is at the other end.
    """
    extension = _extension(scope)
    return None if extension is None else extension["write_now"]


def listen(scope: Scope, hear: Hear) -> None:
    """Have whole binary messages go to ``hear``, which must not raise.

    The others, and all of them where another server is at the other end, come the way of ASGI.
    """
    extension = _extension(scope)
    if extension is not None:
        extension["listen"](hear)


def admit(scope: Scope, allowance: Allowance) -> None:
    """Let a websocket send as much as ``allowance`` says: its hello was good."""
    extension = _extension(scope)
    if extension is not None:
        extension["admit"](allowance)


def heartbeat(scope: Scope, every_s: float) -> UnansweredS:
    """Have a websocket pinged every so many seconds; return what tells how it answers."""
    extension = _extension(scope)
    unanswered_s: UnansweredS = never_unanswered
    return unanswered_s if extension is None else extension["heartbeat"](every_s)


def never_unanswered() -> float:
    """Return 0: where another server is at the other end, pings are its own."""
    return 0.0


def late_s_of(scope: Scope) -> LateS:
    """Return what tells how late the process of a websocket reads."""
    extension = _extension(scope)
    late_s: LateS = never_late if extension is None else extension["late_s"]
    return late_s


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
