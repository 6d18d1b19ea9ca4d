"""Intervals of means over tasks, with houses as units: tasks of one house are alike.

All have 95 % as their aim and are None below `FEWEST` houses. How often they hold what they should
is measured by ``tests/benchmarks/intervals.py``.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Final, NamedTuple

from episodes.metrics.intervals import Interval, beta_quantile, t_quantile

FEWEST: Final = 5
"""Fewest houses for which an interval says something."""
FEW_HOUSES: Final = 10
"""Number of houses below which intervals and tests over houses are rough."""
CONFIDENCE: Final = 0.95


class Clusters(NamedTuple):
    """Sums and counts of values by house, in the order in which houses first come."""

    sums: tuple[float, ...]
    counts: tuple[int, ...]

    @classmethod
    def of(cls, values: Sequence[float], houses: Sequence[str]) -> Clusters:
        """Group values by their houses."""
        found: dict[str, list[float]] = {}
        for value, house in zip(values, houses, strict=True):
            found.setdefault(house, []).append(value)
        return cls(tuple(map(math.fsum, found.values())), tuple(map(len, found.values())))

    @property
    def mean(self) -> float:
        return math.fsum(self.sums) / sum(self.counts)

    @property
    def error(self) -> float | None:
        """Standard error of the mean: the jackknife's over houses (CR3). None: there is one house.

        Bell and McCaffrey (2002): (G - 1) / G times the sum of squares of what each house, left
        out, moves the mean by. With houses of one size it is the usual cluster-robust error.
        """
        houses, tasks = len(self.counts), sum(self.counts)
        if houses < 2:
            return None
        moved = (
            (total - count * self.mean) / (tasks - count)
            for total, count in zip(self.sums, self.counts, strict=True)
        )
        return math.sqrt((houses - 1) / houses * math.fsum(m * m for m in moved))


def over_houses(
    values: Sequence[float],
    houses: Sequence[str],
    *,
    low: float = -math.inf,
    high: float = math.inf,
) -> Interval | None:
    """Return Student's interval of the mean over tasks, clipped to the metric's range.

    The error is that over houses, with one degree of freedom less than there are houses. ``houses``
    names the house of each value. None also where nothing varies: an interval of no width would
    pretend to be certain.
    """
    clusters = Clusters.of(values, houses)
    if len(clusters.counts) < FEWEST or max(values) == min(values):
        return None
    half = _t(len(clusters.counts)) * (clusters.error or 0.0)
    mean = clusters.mean
    return Interval(min(max(mean - half, low), high), min(max(mean + half, low), high))


def rate_over_houses(values: Sequence[float], houses: Sequence[str]) -> Interval | None:
    """Return the interval of a rate: Clopper and Pearson's for as many tasks as houses leave.

    Korn and Graubard (1998): the exact interval for the number of independent tasks that would
    have the error that was found over houses. Values are rates of each task, 0 to 1.
    """
    clusters = Clusters.of(values, houses)
    if len(clusters.counts) < FEWEST:
        return None
    mean = min(max(clusters.mean, 0.0), 1.0)
    tasks = _independent(values, clusters)
    hits, tail = mean * tasks, (1 - CONFIDENCE) / 2
    return Interval(
        beta_quantile(tail, hits, tasks - hits + 1) if mean > 0 else 0.0,
        beta_quantile(1 - tail, hits + 1, tasks - hits) if mean < 1 else 1.0,
    )


def rate_difference_over_houses(
    differences: Sequence[float], houses: Sequence[str]
) -> Interval | None:
    """Return the interval of a difference of two rates of the same tasks: Tango's score interval.

    Tango (1998), for as many independent tasks as houses leave. Where the two never differ it is
    as wide as so few houses let it be. Differences are from -1 to 1.
    """
    clusters = Clusters.of(differences, houses)
    if len(clusters.counts) < FEWEST:
        return None
    tasks = _independent(differences, clusters)
    share = tasks / len(differences)
    more = math.fsum(d for d in differences if d > 0) * share
    less = -math.fsum(d for d in differences if d < 0) * share
    critical = t_quantile((1 + CONFIDENCE) / 2, 1_000_000)
    mean = (more - less) / tasks

    def beyond(difference: float) -> bool:
        return abs(_tango(more, less, tasks, difference)) > critical

    return Interval(_edge(beyond, mean, -1.0), _edge(beyond, mean, 1.0))


def _tango(more: float, less: float, tasks: float, difference: float) -> float:
    """Return the score of a difference (formula 6 of Tango), from the counts of unequal pairs."""
    a = 2 * tasks
    b = -more - less + (2 * tasks - more + less) * difference
    c = -less * difference * (1 - difference)
    rate = (math.sqrt(max(0.0, b * b - 4 * a * c)) - b) / (2 * a)
    variance = tasks * (2 * rate + difference * (1 - difference))
    distance = more - less - tasks * difference
    if variance <= 0:
        return 0.0 if abs(distance) < 1e-12 else math.copysign(math.inf, distance)
    return distance / math.sqrt(variance)


def _edge(beyond: Callable[[float], bool], inside: float, outside: float) -> float:
    """Return the edge of an interval between a point in it and the end of the range."""
    for _ in range(60):
        middle = (inside + outside) / 2
        inside, outside = (inside, middle) if beyond(middle) else (middle, outside)
    return outside


def _independent(values: Sequence[float], clusters: Clusters) -> float:
    """Return the number of independent tasks that would say as much as these.

    As many as there are houses where nothing varies, for then their likeness is not known.
    """
    tasks, houses = len(values), len(clusters.counts)
    mean = clusters.mean
    spread = math.fsum((v - mean) ** 2 for v in values) / tasks
    if spread <= 1e-12:
        return float(houses)
    error = clusters.error or 0.0
    alike = spread / (error * error) if error > 0 else math.inf
    normal = t_quantile((1 + CONFIDENCE) / 2, max(1, tasks - 1))
    return min(float(tasks), alike * (normal / _t(houses)) ** 2)


def _t(houses: int) -> float:
    return t_quantile((1 + CONFIDENCE) / 2, houses - 1)
