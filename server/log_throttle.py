"""Throttle of log lines: what may happen a thousand times a second is told once a minute."""

from __future__ import annotations

import math
import time
from collections.abc import Callable

EVERY_S = 60.0
"""Seconds between two lines of one kind."""


class LogThrottle:
    """Throttle that counts what is not told, by kind; kinds are few, as they are kept for ever."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._told: dict[str, tuple[float, int]] = {}
        """Time at which a kind was told, and how many came since."""

    def count(self, kind: str) -> int:
        """Count one of a kind; return 0 while no line is due.

        Else return how many there were since the last line, this one included, for the caller to
        tell.
        """
        now = self._clock()
        told_at, since = self._told.get(kind, (-math.inf, 0))
        if now - told_at < EVERY_S:
            self._told[kind] = (told_at, since + 1)
            return 0
        self._told[kind] = (now, 0)
        return since + 1
