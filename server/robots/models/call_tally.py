"""Tally of a process's calls of models."""

from __future__ import annotations

from server.durations import CALL_BOUNDS_S, DurationTally


class CallTally:
    """Tally of calls: how long answers took, and how many calls came to nothing."""

    def __init__(self) -> None:
        self.answered = DurationTally(CALL_BOUNDS_S)
        self.failed = 0


CALLS = CallTally()
"""Calls of this process so far, of all its clients."""
