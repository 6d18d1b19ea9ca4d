"""Print how often intervals over houses hold the true mean, and how often other intervals did.

    python -m tests.benchmarks.intervals

Figures of tasks are drawn for houses of unequal size, with a share of their variance between houses
(``alike``). ``t`` and ``rate`` are ours; ``percentile`` and ``BCa`` are bootstraps of whole houses,
``tasks`` a percentile bootstrap of tasks, or Clopper and Pearson's of tasks for rates.
"""

from __future__ import annotations

import argparse
import math
from collections.abc import Callable, Sequence
from statistics import NormalDist
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from episodes.metrics import Interval, bootstrap, clopper_pearson
from episodes.metrics.clusters import over_houses, rate_difference_over_houses, rate_over_houses

Values = NDArray[Any]
How = Callable[[Sequence[float], Sequence[str]], Interval | None]
LIMIT, TYPICAL = 20_000.0, 3_000.0
NORMAL: Final = NormalDist()


def _ticks(z: Values, unsolved: float = 0.05) -> Values:
    """Return ticks up to success, skewed to the right, the limit where it is not solved."""
    solved = np.minimum(TYPICAL * np.exp(0.5 * z), LIMIT)
    found: Values = np.where(z > NORMAL.inv_cdf(1 - unsolved), LIMIT, solved)
    return found


def _solved(z: Values) -> Values:
    """Return 1 for nine of ten tasks, those below the quantile, else 0."""
    return np.where(z < NORMAL.inv_cdf(0.9), 1.0, 0.0)


def _drawn(shape: str, one: Values, other: Values) -> Values:
    """Return figures of tasks from standard normal ones, of two ways to play."""
    match shape:
        case "normal":
            return one
        case "ticks":
            return _ticks(one)
        case "censored difference":
            return _ticks(one) - _ticks(other)
        case "rate":
            return _solved(one)
        case _:
            return _solved(one) - _solved(other)


def _ours(shape: str) -> How:
    if shape.startswith("rate"):
        return rate_over_houses if shape == "rate" else rate_difference_over_houses
    return over_houses


def coverage_of(
    shape: str,
    houses: int,
    size: int,
    *,
    alike: float,
    samples: int,
    how: How | None = None,
) -> float:
    """Return how often an interval (ours, if ``how`` names none) holds the true mean.

    ``size`` is the mean number of tasks in a house; they have from 1 to twice as many less one.
    One that is not there, as nothing varies, does not hold it.
    """
    rng = np.random.default_rng(7)
    find = how or _ours(shape)
    many = rng.normal(size=(2, 1_000_000))
    true = float(_drawn(shape, *many).mean()) if shape in ("ticks", "rate") else 0.0
    held = 0
    for _ in range(samples):
        names = np.repeat(np.arange(houses), rng.integers(1, 2 * size, houses))
        shared = rng.normal(size=houses)[names] * math.sqrt(alike)
        own = rng.normal(size=(2, len(names))) * math.sqrt(1 - alike)
        values = _drawn(shape, shared + own[0], shared + own[1])
        found = find(values.tolist(), names.astype(str).tolist())
        held += found is not None and found.low <= true <= found.high
    return held / samples


def _bootstrapped(values: Sequence[float], houses: Sequence[str]) -> tuple[Values, Values, Values]:
    """Return sums and counts of houses, and means over tasks of 1000 draws of whole houses."""
    _, index = np.unique(houses, return_inverse=True)
    sums, counts = np.bincount(index, weights=values), np.bincount(index).astype(float)
    drawn = np.random.default_rng(0).integers(0, len(sums), (1000, len(sums)))
    return sums, counts, sums[drawn].sum(axis=1) / counts[drawn].sum(axis=1)


def percentile(values: Sequence[float], houses: Sequence[str]) -> Interval:
    """Return the percentile interval over houses."""
    low, high = np.quantile(_bootstrapped(values, houses)[2], [0.025, 0.975])
    return Interval(float(low), float(high))


def bca(values: Sequence[float], houses: Sequence[str]) -> Interval:
    """Return the bias-corrected and accelerated interval over houses (Efron, 1987)."""
    sums, counts, means = _bootstrapped(values, houses)
    mean = sums.sum() / counts.sum()
    below = float(np.mean(means < mean) + np.mean(means == mean) / 2)
    bias = NORMAL.inv_cdf(min(max(below, 0.001), 0.999))
    left = (sums.sum() - sums) / (counts.sum() - counts)
    moved = left.mean() - left
    scale = 6 * float((moved**2).sum()) ** 1.5
    speed = float((moved**3).sum()) / scale if scale else 0.0
    ends = [bias + NORMAL.inv_cdf(p) for p in (0.025, 0.975)]
    low, high = np.quantile(means, [NORMAL.cdf(bias + z / (1 - speed * z)) for z in ends])
    return Interval(float(low), float(high))


def over_tasks(values: Sequence[float], houses: Sequence[str]) -> Interval | None:
    """Return the percentile interval over tasks."""
    return bootstrap(values, resamples=1000)


def exact_over_tasks(values: Sequence[float], houses: Sequence[str]) -> Interval:
    """Return Clopper and Pearson's interval with tasks as units."""
    return clopper_pearson(math.fsum(values), len(values))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--samples", type=int, default=2000)
    samples = parser.parse_args().samples
    print("| figures | alike | houses | ours | percentile | BCa | tasks |")
    print("|---" * 7 + "|")
    for shape in ("normal", "ticks", "censored difference", "rate", "rate difference"):
        for alike in (0.0, 0.3):
            for houses, size in ((5, 8), (6, 8), (10, 6), (12, 5), (20, 4)):
                tasks = exact_over_tasks if shape == "rate" else over_tasks
                found = [
                    coverage_of(shape, houses, size, alike=alike, samples=samples, how=how)
                    for how in (None, percentile, bca, tasks)
                ]
                cells = " | ".join(f"{share:.2f}" for share in found)
                print(f"| {shape} | {alike} | {houses} | {cells} |", flush=True)


if __name__ == "__main__":
    main()
