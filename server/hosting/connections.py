"""Sockets of browsers as the host sees them: an id, a seat, and somewhere to put bytes."""

from __future__ import annotations

import time

from server.hosting.delay_line import DelayLine
from server.hosting.outbox import Outbox
from server.hosting.seat_presence import BrowserSign, SeatPresence
from server.sessions.play_count import NO_PLAY
from server.wire.codecs import CODECS, CodecName
from server.wire.messages import EpisodeOver, ServerMessage

OPENING_MESSAGES = 2
"""A worker greets each connection with its welcome and its snapshot."""


class Connection:
    """A browser socket in a seat of a session (None: it only watches)."""

    __slots__ = (
        "_greeting",
        "_over",
        "_sign",
        "codec",
        "line",
        "number",
        "outbox",
        "seat",
        "session_id",
        "shown",
    )

    def __init__(
        self, number: int, session_id: str, seat: str | None, codec: CodecName, outbox: Outbox
    ) -> None:
        self.number = number
        self.session_id = session_id
        self.seat = seat
        self.codec: CodecName = codec
        self.outbox = outbox
        self.shown = NO_PLAY
        """The play of its session that it was shown."""
        self.line: DelayLine | None = None
        """Line of what it sends; None: nothing is delayed."""
        self._greeting = OPENING_MESSAGES
        self._over: EpisodeOver | None = None
        self._sign = BrowserSign(time.monotonic())

    def hear(self, now: float, is_hidden: bool) -> None:
        """Note that its browser has sent something, and whether its page is hidden."""
        self._sign.hear(now, is_hidden)

    def presence(self, now: float) -> tuple[SeatPresence, float]:
        """Return how present its browser is, and the seconds since it is so."""
        return self._sign.presence(now)

    def deliver(self, payload: bytes, binary: bool) -> None:
        """Pass on bytes from the worker."""
        self.outbox.push(payload, binary)
        if self._greeting:
            self._greeting -= 1
            if not self._greeting and self._over is not None:
                self.tell(self._over)

    def tell(self, message: ServerMessage) -> None:
        """Send a message of the web process."""
        codec = CODECS[self.codec]
        self.outbox.push(codec.encode(message), codec.binary)

    def expect_no_greeting(self) -> None:
        """Wait for no welcome: the session is broken, no worker will send one."""
        self._greeting = 0

    def tell_over(self, message: EpisodeOver) -> None:
        """Tell that the verdict is stored, but not before the client knows the episode."""
        if self._greeting:
            self._over = message
        else:
            self.tell(message)
