"""Power of the sign-flip test over houses, against the test itself."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest

from episodes.metrics.comparison import sign_flip
from episodes.metrics.power import detectable, houses_needed, least_houses


@pytest.mark.parametrize(("alpha", "houses"), [(0.05, 6), (0.05 / 4, 8), (0.05 / 49, 11), (0.5, 2)])
def test_few_houses_cannot_reach_a_level(alpha: float, houses: int) -> None:
    assert least_houses(alpha) == houses
    assert sign_flip([1.0] * houses, list(map(str, range(houses)))) <= alpha
    assert sign_flip([1.0] * (houses - 1), list(map(str, range(houses - 1)))) > alpha
    assert detectable(houses - 1, 1.0, alpha) is None
    assert houses_needed(100.0, alpha) == houses


@pytest.mark.parametrize("alpha", [0.05, 0.05 / 4])
@pytest.mark.parametrize("houses", [6, 7, 8, 10])
def test_the_test_has_the_power_that_is_told(houses: int, alpha: float) -> None:
    """The formula of a paired t test alone told 0.80 where this one has none, or 0.46."""
    effect = detectable(houses, 1.0, alpha)
    if effect is None:
        assert houses < least_houses(alpha)
        return
    assert houses_needed(effect + 1e-9, alpha) == houses
    rng = np.random.default_rng(houses)
    names = list(map(str, range(houses)))
    samples = rng.normal(effect, 1.0, (400, houses))
    found = np.mean([sign_flip(list(sample), names) <= alpha for sample in samples])
    assert found == pytest.approx(0.8, abs=0.06)


def test_more_houses_find_less_and_small_differences_need_many() -> None:
    found = [detectable(n, 10.0) for n in range(6, 60)]
    assert all(a is not None and b is not None and a > b for a, b in pairwise(found))
    assert houses_needed(0.3) == pytest.approx(89, abs=2)
    assert houses_needed(-0.3) == houses_needed(0.3)
    assert houses_needed(0.01) is None
