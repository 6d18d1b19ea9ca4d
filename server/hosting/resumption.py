"""Attempts to resume a session whose log or house cannot be read for a moment. No I/O, no clock."""

from __future__ import annotations

from server.store.attempts import retry_pauses

PATIENCE_S = 60.0
"""Seconds for which a session is tried again: a network mount may come up after the server."""
FIRST_PAUSE_S = 0.5
LONGEST_PAUSE_S = 5.0


class Resumption:
    """The attempts to resume one session, since ``begun_s`` on a monotonic clock."""

    def __init__(self, begun_s: float) -> None:
        self._ends_s = begun_s + PATIENCE_S
        self._pauses = retry_pauses(FIRST_PAUSE_S, LONGEST_PAUSE_S)

    def pause_s(self, now_s: float) -> float | None:
        """Return how long to wait after an attempt that failed; None: it was the last one."""
        if now_s >= self._ends_s:
            return None
        return min(next(self._pauses), self._ends_s - now_s)
