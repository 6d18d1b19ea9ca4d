"""Times in which people come to a session of this worker, and come beside each other."""

from __future__ import annotations

import math
from collections import deque
from collections.abc import Sequence
from random import Random
from typing import NamedTuple

from server.sessions.spec import TICK_RATE

USUAL_S = 2.0
"""Median time (s) in which somebody is ready, before this worker has seen any come."""
SPREAD = 0.5
"""Standard deviation of the logarithm of that time."""
LEAST_SEEN = 8
"""Number of people seen from which theirs are the times that are drawn."""
MOST_KEPT = 200
NEAREST = 5
"""Number of pairs, like one that is coming, of which one is followed."""
VARIES = 0.1
"""Share by which a time that was seen is varied, so that none comes twice."""


class Pair(NamedTuple):
    """Ticks after which two people of a session were ready."""

    mine: int
    theirs: int


class Coming:
    """Seat's occupant that comes as people come beside others: so long before, or after them.

    On a busy machine both pages are slow: a time of its own, drawn from those of all sessions,
    would be far from the other's more often than a person's is. So it follows two people who were
    seen. Until the other is there, these are a pair of whom none would have come yet, so that it is
    first with the hazard of people; then, a pair whose first came at about that time. Where it is
    first, it cannot know how slow the other's page will be: so much is left to be told by.
    """

    def __init__(self, pairs: Sequence[Pair], rng: Random) -> None:
        """Take the pairs, of which there is one at least."""
        self._pairs, self._rng = tuple(pairs), rng
        self._followed = rng.choice(self._pairs)
        self._after: int | None = None
        """Ticks after the other, once that one is there first."""

    def is_here(self, now: int, other_at: int | None) -> bool:
        """Tell whether it is there ``now`` (ticks), as is asked at each tick until it is.

        ``other_at`` is when the first person was; None: nobody is there.
        """
        if other_at is None:
            return self._is_first(now)
        if self._after is None:
            self._after = self._draw_after(other_at)
        return now >= other_at + self._after

    def _is_first(self, now: int) -> bool:
        while self._followed.theirs < self._followed.mine:
            if now <= self._followed.theirs:
                return False
            # In that pair the other would have been there by now.
            left = [pair for pair in self._pairs if min(pair) > now]
            if not left:
                break
            self._followed = self._rng.choice(left)
        return now >= self._followed.mine

    def _draw_after(self, other_at: int) -> int:
        later = [pair for pair in self._pairs if pair.theirs <= pair.mine]
        later.sort(key=lambda pair: abs(pair.theirs - other_at))
        pair = self._rng.choice(later[:NEAREST])
        return round((pair.mine - pair.theirs) * self._rng.uniform(1 - VARIES, 1 + VARIES))


class ComingAlone:
    """Seat's occupant that comes at a time of its own, whoever is there."""

    def __init__(self, at: int) -> None:
        self._at = at

    def is_here(self, now: int, other_at: int | None) -> bool:
        """Tell whether it is there ``now`` (ticks)."""
        return now >= self._at


class ArrivalTimes:
    """Times in which people of this worker's sessions were ready to play, in ticks.

    Coming to a session and going on to its next episode are kept apart: one loads a page, the other
    does not.
    """

    def __init__(self) -> None:
        self._seen: dict[bool, deque[int]] = {
            is_first: deque(maxlen=MOST_KEPT) for is_first in (True, False)
        }
        self._pairs: dict[bool, deque[Pair]] = {
            is_first: deque(maxlen=MOST_KEPT) for is_first in (True, False)
        }

    def note(self, ticks: int, is_first: bool) -> None:
        """Note the time that somebody took in the first episode of a session, or a later one."""
        self._seen[is_first].append(ticks)

    def note_pair(self, one: int, other: int, is_first: bool) -> None:
        """Note the times that two people of a session took."""
        self._pairs[is_first] += (Pair(one, other), Pair(other, one))

    def somebody(self, rng: Random, is_first: bool) -> Coming | ComingAlone:
        """Return somebody who comes as people do; by themselves, until pairs of them were seen."""
        pairs = self._pairs[is_first]
        if len(pairs) < LEAST_SEEN:
            return ComingAlone(self.draw(rng, is_first))
        return Coming(pairs, rng)

    def draw(self, rng: Random, is_first: bool) -> int:
        """Draw a time like those of people."""
        seen = self._seen[is_first]
        if len(seen) < LEAST_SEEN:
            return round(TICK_RATE * rng.lognormvariate(math.log(USUAL_S), SPREAD))
        return round(rng.choice(seen) * rng.uniform(1 - VARIES, 1 + VARIES))
