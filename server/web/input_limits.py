"""Limits of what a browser may send, by kind of message: walking never costs speaking."""

from __future__ import annotations

from typing import Literal

from server.sessions.chat import LONGEST_LINE
from server.web.token_buckets import Bucket, Rate
from server.wire.messages import ClientMessage, SayInput

LARGEST_MESSAGE = 16 * 1024
WARNING_S = 1.0
"""Seconds after a warning in which more of the same is dropped: the sender could not have heard
yet."""
MOST_DROPPED = 500
"""Most messages dropped within that time: more are no mistake."""

RATES: dict[str, Rate] = {
    "DriveInput": Rate(60, 60),
    "SayInput": Rate(2, 6),
    "Ping": Rate(5, 20),
    "PageStats": Rate(1, 5),
}
OTHERS = Rate(20, 20)

Ruling = Literal["pass", "warn_rate", "warn_text", "drop", "close"]


class InputLimits:
    """Limits of one connection: the first transgression is warned of, the next is the end."""

    def __init__(self, now: float) -> None:
        self._buckets: dict[str, Bucket] = {}
        self._since = now
        self._warned_at: float | None = None
        self._dropped = 0

    def judge(self, message: ClientMessage, now: float, late_s: float = 0.0) -> Ruling:
        """Decide about a message that arrives now.

        After this process has read nothing for a while (``late_s``), as much more may come at
        once, and what exceeds even that is dropped and held against nobody.
        """
        if isinstance(message, SayInput) and len(message.text) > LONGEST_LINE:
            return self._transgress(now, "warn_text")
        kind = type(message).__name__
        bucket = self._buckets.get(kind)
        if bucket is None:
            bucket = self._buckets[kind] = Bucket(RATES.get(kind, OTHERS), self._since)
        if bucket.take(now, 1.0, late_s):
            return "pass"
        return "drop" if late_s else self._transgress(now, "warn_rate")

    def _transgress(self, now: float, warning: Ruling) -> Ruling:
        if self._warned_at is None:
            self._warned_at = now
            return warning
        self._dropped += 1
        if now - self._warned_at <= WARNING_S and self._dropped < MOST_DROPPED:
            return "drop"
        return "close"
