"""Confidence intervals: section 2.7 of the MAP-THOR notes, without a statistics library."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np

FEWEST = 5
"""Fewest units for which a bootstrap says something."""
RESAMPLES = 10_000


class Interval(NamedTuple):
    low: float
    high: float


def clopper_pearson(successes: float, n: int, confidence: float = 0.95) -> Interval:
    """Return the exact binomial interval of a rate, which MAP-THOR prints for its success rates.

    ``BetaInv(a/2; x, n-x+1)`` to ``BetaInv(1-a/2; x+1, n-x)`` with a = 1 - confidence; 0 below
    none, 1 above all. ``successes`` need not be whole (a rate times n). Raises ValueError for
    counts that are not 0 <= x <= n, n > 0.
    """
    if n < 1 or not 0 <= successes <= n:
        raise ValueError(f"expected 0 <= successes <= n and n > 0, got {successes} of {n}")
    tail = (1 - confidence) / 2
    low = 0.0 if successes == 0 else beta_quantile(tail, successes, n - successes + 1)
    high = 1.0 if successes == n else beta_quantile(1 - tail, successes + 1, n - successes)
    return Interval(low, high)


def student_t(values: Sequence[float], confidence: float = 0.95) -> Interval | None:
    """Return the mean plus and minus t standard errors, which PARTNR's human study prints.

    The standard error is the sample standard deviation over the root of n. None for fewer than
    two values.
    """
    error = standard_error(values)
    if error is None:
        return None
    n = len(values)
    mean = math.fsum(values) / n
    half = t_quantile((1 + confidence) / 2, n - 1) * error
    return Interval(mean - half, mean + half)


def standard_error(values: Sequence[float]) -> float | None:
    """Return the standard error of the mean, which PARTNR's tables print beside it.

    The sample standard deviation over the root of n. None for fewer than two values.
    """
    n = len(values)
    if n < 2:
        return None
    mean = math.fsum(values) / n
    return math.sqrt(math.fsum((v - mean) ** 2 for v in values) / (n - 1) / n)


def bootstrap(
    values: Sequence[float],
    *,
    low: float = -math.inf,
    high: float = math.inf,
    confidence: float = 0.95,
    resamples: int = RESAMPLES,
    seed: int = 0,
) -> Interval | None:
    """Return the percentile interval of the mean over units (tasks), clipped to the metric's range.

    None below five units: such an interval would only pretend to know something.
    """
    n = len(values)
    if n < FEWEST:
        return None
    rng = np.random.default_rng(seed)
    sample = np.asarray(values, dtype=float)
    means = np.empty(resamples)
    # In blocks, so that many units do not need much memory at once.
    block = max(1, 1_000_000 // n)
    for start in range(0, resamples, block):
        stop = min(resamples, start + block)
        means[start:stop] = sample[rng.integers(0, n, (stop - start, n))].mean(axis=1)
    tail = (1 - confidence) / 2
    found = np.quantile(means, [tail, 1 - tail])
    return Interval(
        float(min(max(found[0], low), high)),
        float(min(max(found[1], low), high)),
    )


def beta_quantile(p: float, a: float, b: float) -> float:
    """Return the x at which the regularised incomplete beta function is p."""
    return _bisect(lambda x: _beta_cdf(x, a, b), p, 0.0, 1.0)


def t_quantile(p: float, degrees: int) -> float:
    """Return the quantile of Student's t for p of at least one half."""

    def cdf(t: float) -> float:
        return 1 - _beta_cdf(degrees / (degrees + t * t), degrees / 2, 0.5) / 2

    high = 1.0
    while cdf(high) < p:
        high *= 2
    return _bisect(cdf, p, 0.0, high)


def _bisect(cdf: Callable[[float], float], p: float, low: float, high: float) -> float:
    for _ in range(100):
        middle = (low + high) / 2
        if cdf(middle) < p:
            low = middle
        else:
            high = middle
    return (low + high) / 2


def _beta_cdf(x: float, a: float, b: float) -> float:
    if x <= 0:
        return 0.0
    if x >= 1:
        return 1.0
    if x > (a + 1) / (a + b + 2):
        return 1 - _beta_cdf(1 - x, b, a)
    front = math.exp(
        math.lgamma(a + b) - math.lgamma(a) - math.lgamma(b) + a * math.log(x) + b * math.log1p(-x)
    )
    return front / a * _fraction(x, a, b)


def _fraction(x: float, a: float, b: float) -> float:
    """Evaluate the continued fraction of the incomplete beta function, by Lentz's method."""
    tiny = 1e-300
    c, d = 1.0, 1 / _away(1 - (a + b) * x / (a + 1), tiny)
    result = d
    for m in range(1, 1000):
        for numerator in (
            m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m)),
            -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1)),
        ):
            d = 1 / _away(1 + numerator * d, tiny)
            c = _away(1 + numerator / c, tiny)
            factor = c * d
            result *= factor
        if abs(factor - 1) < 1e-15:
            break
    return result


def _away(value: float, tiny: float) -> float:
    """Return a value, or ``tiny`` for one that is too near to zero."""
    return tiny if abs(value) < tiny else value
