"""Budgets of websocket frames: what a socket may send, whether or not it has said hello.

A ping costs its sender six bytes and nothing else; answered and parsed a hundred thousand times a
second it costs everybody their frames. So frames are paid for before they are looked at, and the
socket of whoever sends more is closed. The limits are far above what browsers and proxies send.
"""

from __future__ import annotations

from typing import NamedTuple, Protocol

from server.web.input_limits import LARGEST_MESSAGE, MOST_DROPPED, OTHERS, RATES
from server.web.loop_lateness import LateS, never_late
from server.web.token_buckets import Bucket, Rate

BYTES_PER_TOKEN = 512
"""Bytes of a message for which it counts once more."""
KINDS = 6
"""Kinds of messages that share no rate of their own in `RATES`, each with the rate of others."""
LARGEST_COST = 1 + LARGEST_MESSAGE // BYTES_PER_TOKEN


class Allowance(NamedTuple):
    """Limits of one socket: of messages, and of everything else that it sends.

    Everything else is pings, pongs, empty frames, fragments, and reads that end no frame. Browsers
    send none of it but answers to pings, every twenty seconds; a proxy may ping, or cut frames up.
    """

    messages: Rate
    others: Rate


GREETING = Allowance(Rate(1, 8 + LARGEST_COST), Rate(0.5, 16))
"""Limits before hello: a hello as large as a message may be, and a handful of frames."""
PLAYING = Allowance(
    Rate(
        sum(rate.per_s for rate in RATES.values()) + KINDS * OTHERS.per_s,
        sum(rate.burst for rate in RATES.values()) + KINDS * OTHERS.burst + MOST_DROPPED,
    ),
    Rate(10, 100),
)
"""Limits in a session: somebody who meets one has long met those of `input_limits`."""
WAITING = Allowance(Rate(1, 8 + LARGEST_COST), Rate(10, 100))
"""Limits in the lobby."""
STRANGERS = Rate(100, 500)
"""Frames of all sockets from one address that have not said hello."""


class Address(Protocol):
    """The address that a stranger's frames count towards, together with other sockets there."""

    def take_frame(self, now: float) -> bool:
        """Count a frame of somebody who has not said hello; False if there were too many."""
        ...

    def punish(self, now: float) -> None:
        """Note that a socket from there was closed because it sent too much."""
        ...


class FrameBudget:
    """Budget of one socket. Who has exceeded it once has none any more."""

    __slots__ = ("_address", "_late_s", "_messages", "_others", "_shared", "is_spent")

    def __init__(self, now: float, address: Address | None = None) -> None:
        self._late_s: LateS = never_late
        self._address = address
        self._shared = address
        """The address, as long as its sockets share what they may send."""
        self.is_spent = False
        self._messages = Bucket(GREETING.messages, now)
        self._others = Bucket(GREETING.others, now)

    def admit(self, allowance: Allowance, now: float, late_s: LateS = never_late) -> None:
        """Give the limits of somebody who has said a hello that is good.

        ``late_s`` tells how late this process reads, which is no fault of theirs.
        """
        self._shared = None
        self._late_s = late_s
        self._messages = Bucket(allowance.messages, now)
        self._others = Bucket(allowance.others, now)

    def take_message(self, length: int, now: float) -> bool:
        """Count a whole message; return False if it is one too many."""
        return self._take(self._messages, 1 + length // BYTES_PER_TOKEN, now)

    def take_other(self, now: float) -> bool:
        """Count a control frame, an empty one, a fragment, or a piece of a frame."""
        return self._take(self._others, 1, now)

    def _take(self, bucket: Bucket, cost: int, now: float) -> bool:
        if self.is_spent:
            return False
        if bucket.take(now, cost, self._late_s(now)) and (
            self._shared is None or self._shared.take_frame(now)
        ):
            return True
        self.is_spent = True
        if self._address is not None:
            self._address.punish(now)
        return False
