"""Limits of what a browser may send, by kind of message: walking never costs speaking."""

from __future__ import annotations

from typing import Literal, NamedTuple

from server.sessions.chat import LONGEST_LINE
from server.wire.messages import ClientMessage, SayInput

LARGEST_MESSAGE = 16 * 1024
WARNING_S = 1.0
"""Seconds after a warning in which more of the same is dropped: the sender could not have heard
yet."""
MOST_DROPPED = 500
"""Most messages dropped within that time: more are no mistake."""


class Rate(NamedTuple):
    """A rate of messages: ``per_s`` on average, ``burst`` at once."""

    per_s: float
    burst: float


RATES: dict[str, Rate] = {
    "DriveInput": Rate(60, 60),
    "SayInput": Rate(2, 6),
    "Ping": Rate(5, 20),
}
OTHERS = Rate(20, 20)

Ruling = Literal["pass", "warn_rate", "warn_text", "drop", "close"]


class InputLimits:
    """Limits of one connection: the first transgression is warned of, the next is the end."""

    def __init__(self, now: float) -> None:
        self._tokens: dict[str, tuple[float, float]] = {}
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
        rate = RATES.get(kind, OTHERS)
        tokens, at = self._tokens.get(kind, (rate.burst, self._since))
        tokens = min(rate.burst + late_s * rate.per_s, tokens + (now - at) * rate.per_s)
        if tokens < 1:
            self._tokens[kind] = (tokens, now)
            if late_s:
                return "drop"
            return self._transgress(now, "warn_rate")
        self._tokens[kind] = (tokens - 1, now)
        return "pass"

    def _transgress(self, now: float, warning: Ruling) -> Ruling:
        if self._warned_at is None:
            self._warned_at = now
            return warning
        self._dropped += 1
        if now - self._warned_at <= WARNING_S and self._dropped < MOST_DROPPED:
            return "drop"
        return "close"
