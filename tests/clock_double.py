"""Clock for tests of what waits, counts or forgets with time."""

from __future__ import annotations


class ClockDouble:
    """Clock that goes when it is told to."""

    def __init__(self, now: float = 0.0) -> None:
        self.now = now

    def __call__(self) -> float:
        return self.now
