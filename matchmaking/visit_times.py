"""Times of a visit, as pay counts them."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import NamedTuple

from matchmaking.visits import Place


class Stay(NamedTuple):
    """Step of a visit: the place that it led to, and when (s)."""

    place: Place
    at_s: float


class VisitTimes(NamedTuple):
    """Seconds that a visit took, and those of them that were spent in the lobby."""

    spent_s: float
    waited_s: float


def times_of(arrived_at_s: float, steps: Sequence[Stay], now_s: float) -> VisitTimes:
    """Return the times of a visit. What comes after its end is not counted.

    A clock that was set back costs the stay in which that was, and no other.
    """
    ended = next((n for n, step in enumerate(steps) if step.place is Place.ENDED), len(steps))
    until_s = steps[ended].at_s if ended < len(steps) else now_s
    before = steps[:ended]
    starts_s = [arrived_at_s, *(step.at_s for step in before)]
    stays_s = [max(0.0, end - start) for start, end in pairwise([*starts_s, until_s])]
    waits_s = (s for step, s in zip(before, stays_s[1:], strict=True) if step.place is Place.LOBBY)
    return VisitTimes(sum(stays_s), sum(waits_s))
