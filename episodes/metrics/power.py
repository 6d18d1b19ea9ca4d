"""Power of the sign-flip test over houses: what the next run needs, what this one could find.

It is the test that `episodes.metrics.comparison` makes, at the level that is asked of its p.
"""

from __future__ import annotations

import math
from statistics import NormalDist
from typing import Final

ALPHA: Final = 0.05
POWER: Final = 0.8
MOST_HOUSES: Final = 1000
"""Most houses that are told as needed."""
COARSE: Final = 0.2
"""Share by which few signs ask for a larger effect, over the number of those that reject.

Fitted to simulations of normal houses, at levels from 0.05 to 0.001, which it meets within 2 %.
"""


def least_houses(alpha: float) -> int:
    """Return the fewest houses of which any sign-flip p is as low as ``alpha``: 2 / 2^n <= it."""
    return max(1, math.ceil(math.log2(2 / alpha) - 1e-9))


def houses_needed(effect: float, alpha: float = ALPHA) -> int | None:
    """Return how many houses find an effect with 80 % power.

    ``effect`` is the mean difference over the deviation of houses. None: more than `MOST_HOUSES`.
    """
    for houses in range(least_houses(alpha), MOST_HOUSES + 1):
        if _least_effect(houses, alpha) <= abs(effect):
            return houses
    return None


def detectable(houses: int, deviation: float, alpha: float = ALPHA) -> float | None:
    """Return the least difference that so many houses find with 80 % power.

    ``deviation`` is that of houses. None: no p of so few houses is as low as ``alpha``.
    """
    if houses < least_houses(alpha):
        return None
    return _least_effect(houses, alpha) * deviation


def _least_effect(houses: int, alpha: float) -> float:
    """Return the least effect, in deviations of houses, that so many houses find.

    By Guenther (1981): the normal formula, and half the squared quantile. Of a few houses only a
    few signs are as far as the level asks: where only one is, all houses have to go the same way.
    """
    normal = NormalDist()
    rejecting = math.floor(alpha * 2.0 ** min(houses - 1, 60) + 1e-9)
    if rejecting == 1:
        return normal.inv_cdf(POWER ** (1 / houses))
    critical = normal.inv_cdf(1 - alpha / 2)
    by_formula = (critical + normal.inv_cdf(POWER)) / math.sqrt(houses - critical**2 / 2)
    return by_formula * (1 + COARSE / rejecting)
