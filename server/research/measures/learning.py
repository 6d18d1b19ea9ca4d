"""Learning over episodes: how much faster, and how much better, a person is from task to task."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from server.research.measures.person_measure import PersonMeasure, PersonValue, TriedTask


def _slope(numbers: Sequence[float | None]) -> tuple[float | None, int]:
    """Return the slope of the least-squares line over positions, and how many have a number."""
    known = [(float(at), number) for at, number in enumerate(numbers) if number is not None]
    if len(known) < 2:
        return None, len(known)
    at, values = np.array(known).T
    off = at - at.mean()
    return float(off @ (values - values.mean()) / (off @ off)), len(known)


def of_time(tried: Sequence[TriedTask]) -> PersonValue:
    """Return the slope of the times to success."""
    slope, n = _slope([one.time_s for one in tried])
    is_censored = any(not one.is_solved for one in tried if one.time_s is not None)
    return PersonValue(slope, n, is_censored and slope is not None)


def of_percent(tried: Sequence[TriedTask]) -> PersonValue:
    """Return the slope of percent complete."""
    return PersonValue(*_slope([one.percent_complete for one in tried]))


_OVER = (
    "over the position (0, 1, 2, …) among the person's first tries, in one condition, at tasks "
    "that are measured, in the order in which they were played; empty: fewer than two have a "
    "value. Where people play in several conditions each has its own line, which does not begin "
    "where the last one ended. Tasks differ in difficulty: only where their order is balanced over "
    "people is a mean of it learning."
)
TIME = PersonMeasure(
    name="learning_time",
    version=1,
    definition="Change of the time to success from one episode to the next, below 0 for whoever "
    f"becomes faster: slope of the least-squares line of time to success {_OVER} An attempt "
    "without success counts with the time of its end, and the value is then marked as censored.",
    unit="s for each episode",
    source="measure time_to_success",
    compute=of_time,
)
PERCENT = PersonMeasure(
    name="learning_percent",
    version=1,
    definition="Change of percent complete from one episode to the next, above 0 for whoever "
    f"becomes better: slope of the least-squares line of the final percent complete {_OVER}",
    unit="share for each episode",
    source="verdict",
    compute=of_percent,
)
