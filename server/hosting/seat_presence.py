"""Presence of people in their seats, as operators see it: what their browsers have shown lately.

It says what is known and for how long it has been so. What becomes of somebody who is away is the
worker's attendance.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

SeatPresence = Literal["connected", "hidden", "silent", "gone", "expected"]
"""Presence of a person in a seat.

``connected``: the browser is there and its page is seen; ``hidden``: it is behind another tab or
window; ``silent``: the socket is open and nothing has come for a while; ``gone``: there was a
browser; ``expected``: there was none yet.
"""
SILENT_S = 6.0
"""Seconds without a sign after which a browser is silent; it sends one every two seconds."""
SILENT_HIDDEN_S = 75.0
"""The same for a hidden page: browsers wake one as rarely as once a minute."""
_BEST_FIRST: Sequence[SeatPresence] = ("connected", "hidden", "silent", "gone", "expected")


class BrowserSign:
    """Last sign of a browser, and since when its page is as it is."""

    __slots__ = ("_heard_at", "_is_hidden", "_since")

    def __init__(self, now: float) -> None:
        self._heard_at = self._since = now
        self._is_hidden = False

    def hear(self, now: float, is_hidden: bool) -> None:
        """Note a sign; who comes back from silence is there since then."""
        if is_hidden != self._is_hidden or self._is_silent(now):
            self._since = now
        self._heard_at, self._is_hidden = now, is_hidden

    def presence(self, now: float) -> tuple[SeatPresence, float]:
        """Return the presence, and the seconds since it is so."""
        if self._is_silent(now):
            return "silent", now - self._heard_at
        return "hidden" if self._is_hidden else "connected", now - self._since

    def _is_silent(self, now: float) -> bool:
        return now - self._heard_at > (SILENT_HIDDEN_S if self._is_hidden else SILENT_S)


def most_present(of_browsers: Sequence[tuple[SeatPresence, float]]) -> tuple[SeatPresence, float]:
    """Return the presence of somebody with several browsers; the one that is there longest."""
    return min(of_browsers, key=lambda found: (_BEST_FIRST.index(found[0]), -found[1]))
