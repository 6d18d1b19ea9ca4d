"""Times of a visit, as pay counts them."""

from __future__ import annotations

from collections.abc import Sequence
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
    """Return the times of a visit. What comes after its end is not counted."""
    until_s = next((step.at_s for step in steps if step.place is Place.ENDED), now_s)
    waited_s = 0.0
    for index, step in enumerate(steps):
        if step.place is Place.LOBBY:
            left_at_s = steps[index + 1].at_s if index + 1 < len(steps) else until_s
            waited_s += max(0.0, left_at_s - step.at_s)
    return VisitTimes(max(0.0, until_s - arrived_at_s), waited_s)
