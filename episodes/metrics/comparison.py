"""Comparison of two ways to play the same tasks: differences, their intervals, tests and power.

What is compared is paired: the same task, the same seed. Repetitions of a task are one value, their
mean. Houses are the units of intervals and tests, because tasks of one house have their walks in
common; a difference that holds in them says something about houses that nobody has seen.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from itertools import product
from statistics import fmean, stdev
from typing import Final, NamedTuple

import numpy as np

from episodes.metrics.clusters import (
    FEW_HOUSES,
    FEWEST,
    Clusters,
    over_houses,
    rate_difference_over_houses,
)
from episodes.metrics.intervals import Interval
from episodes.metrics.power import ALPHA, detectable, houses_needed

EXACT: Final = 16
"""Largest number of houses for which all signs are tried; beyond, `DRAWS` of them are drawn."""
DRAWS: Final = 100_000
ROUNDING: Final = 1e-9
"""Share of the largest term below which a difference is one of rounding."""


class Paired(NamedTuple):
    """Difference at one task, the mean over its repetitions, and the house of the task."""

    task: str
    house: str
    one: float
    other: float

    @property
    def difference(self) -> float:
        return self.one - self.other


class Comparison(NamedTuple):
    """A difference, one less the other, over tasks that both played.

    ``interval`` has houses as units (None: fewer than `FEWEST`, or nothing varies). ``p`` is of a
    sign-flip test over houses, two-sided; ``p_tasks`` of one over tasks, which says something about
    these tasks only. ``ratio`` is mean over mean; ``effect`` Cohen's d of paired values, the mean
    difference over the standard deviation of the tasks' differences (None where nothing varies).
    ``deviation`` is that of houses, as the error of the mean tells it: what the test's power rests
    on (None: too few houses to know, or nothing varies).
    """

    mean: float
    interval: Interval | None
    tasks: int
    houses: int
    p: float
    p_tasks: float
    ratio: float | None
    effect: float | None
    deviation: float | None

    @property
    def is_rough(self) -> bool:
        """Whether there are so few houses that interval and test are rough."""
        return self.houses < FEW_HOUSES

    def houses_needed(self, alpha: float = ALPHA) -> int | None:
        """Return how many houses would find this difference, were it the true one.

        With 80 % power, by the same test at the level ``alpha``. None: it is not known, or more
        than `MOST_HOUSES`.
        """
        if not self.mean or not self.deviation:
            return None
        return houses_needed(self.mean / self.deviation, alpha)

    def detectable(self, alpha: float = ALPHA) -> float | None:
        """Return the least difference that this test would find in so many houses.

        With 80 % power, at the level ``alpha``. None: none at all, or it is not known.
        """
        return None if self.deviation is None else detectable(self.houses, self.deviation, alpha)


def paired(
    one: Mapping[tuple[str, int], float],
    other: Mapping[tuple[str, int], float],
    houses: Mapping[str, str],
) -> list[Paired]:
    """Match the values of two by task and repetition, and take the mean for each task.

    ``houses`` has the house of each task. What only one of them played is left out.
    """
    by_task: dict[str, list[tuple[float, float]]] = {}
    for (task, repetition), value in one.items():
        if (task, repetition) in other:
            by_task.setdefault(task, []).append((value, other[task, repetition]))
    return [
        Paired(task, houses.get(task, ""), fmean(a for a, _ in pairs), fmean(b for _, b in pairs))
        for task, pairs in by_task.items()
    ]


def compare(pairs: Sequence[Paired], *, of_rates: bool = False, seed: int = 0) -> Comparison:
    """Compare paired values; ``of_rates`` where they are rates, whose interval is a score interval.

    Raises ValueError where there are none, or one is no finite number.
    """
    if not pairs:
        raise ValueError("expected at least one pair to compare, got none")
    differences = [pair.difference for pair in pairs]
    if not all(map(math.isfinite, differences)):
        raise ValueError("expected finite values to compare, got one that is none")
    houses = [pair.house for pair in pairs]
    largest = max(map(abs, differences))
    mean = math.fsum(differences) / len(differences)
    # What sums leave by rounding is no difference.
    mean = 0.0 if abs(mean) <= ROUNDING * largest else mean
    base = math.fsum(pair.other for pair in pairs) / len(pairs)
    deviation = stdev(differences) if len(differences) > 1 else 0.0
    interval_of = rate_difference_over_houses if of_rates else over_houses
    return Comparison(
        mean=mean,
        interval=interval_of(differences, houses),
        tasks=len(pairs),
        houses=len(set(houses)),
        p=sign_flip(differences, houses, seed=seed),
        p_tasks=sign_flip(differences, [pair.task for pair in pairs], seed=seed),
        ratio=(base + mean) / base if base else None,
        effect=mean / deviation if deviation > ROUNDING * largest else None,
        deviation=_deviation(differences, houses),
    )


def _deviation(differences: Sequence[float], houses: Sequence[str]) -> float | None:
    clusters = Clusters.of(differences, houses)
    if len(clusters.counts) < FEWEST or not clusters.error:
        return None
    return clusters.error * math.sqrt(len(clusters.counts))


def sign_flip(differences: Sequence[float], units: Sequence[str], seed: int = 0) -> float:
    """Return the two-sided p of a sign-flip test of the mean (Fisher's, of paired differences).

    Where two ways to play do not differ, a unit's differences could as well have had the other
    sign: p is the share of signs with which the mean is as far from 0 as it is. A unit (a house)
    flips as a whole. All signs are tried for up to `EXACT` units, so that p is at least 2 / 2^n.
    Raises ValueError for a difference that is no finite number.
    """
    sums = np.array(Clusters.of(differences, units).sums)
    if not np.isfinite(sums).all():
        raise ValueError("expected finite differences, got one that is none")
    n = len(sums)
    # Sums that are alike but for rounding are ties.
    least = abs(math.fsum(sums)) - ROUNDING * float(np.abs(sums).max())
    if n <= EXACT:
        signs = np.array(list(product((1.0, -1.0), repeat=n)))
        return float(np.mean(np.abs(signs @ sums) >= least))
    rng = np.random.default_rng(seed)
    extreme, block = 0, 10_000
    for _ in range(DRAWS // block):
        signs = rng.choice((1.0, -1.0), (block, n))
        extreme += int(np.sum(np.abs(signs @ sums) >= least))
    # The signs as they are count as one of the draws: p is never 0.
    return (extreme + 1) / (DRAWS + 1)


def holm(ps: Sequence[float]) -> list[float]:
    """Return the p-values of one family as Holm (1979) corrects them, in their order.

    The k-th smallest of m is multiplied by m - k + 1 and is at least the one before it, at most 1.
    """
    order = sorted(range(len(ps)), key=lambda i: ps[i])
    corrected = [0.0] * len(ps)
    highest = 0.0
    for rank, index in enumerate(order):
        highest = max(highest, min(1.0, (len(ps) - rank) * ps[index]))
        corrected[index] = highest
    return corrected
