"""Times in which people come to a session of this worker."""

from __future__ import annotations

import math
from collections import deque
from random import Random

from server.sessions.spec import TICK_RATE

USUAL_S = 2.0
"""Median time (s) in which somebody is ready, before this worker has seen any come."""
SPREAD = 0.5
"""Standard deviation of the logarithm of that time."""
LEAST_SEEN = 8
"""Number of people seen from which theirs are the times that are drawn."""
MOST_KEPT = 200
VARIES = 0.1
"""Share by which a time that was seen is varied, so that none comes twice."""


class ArrivalTimes:
    """Times in which people of this worker's sessions were ready to play, in ticks.

    Coming to a session and going on to its next episode are kept apart: one loads a page, the other
    does not.
    """

    def __init__(self) -> None:
        self._seen: dict[bool, deque[int]] = {
            is_first: deque(maxlen=MOST_KEPT) for is_first in (True, False)
        }

    def note(self, ticks: int, is_first: bool) -> None:
        """Note the time that somebody took in the first episode of a session, or a later one."""
        self._seen[is_first].append(ticks)

    def draw(self, rng: Random, is_first: bool) -> int:
        """Draw a time like those of people."""
        seen = self._seen[is_first]
        if len(seen) < LEAST_SEEN:
            return round(TICK_RATE * rng.lognormvariate(math.log(USUAL_S), SPREAD))
        return round(rng.choice(seen) * rng.uniform(1 - VARIES, 1 + VARIES))
