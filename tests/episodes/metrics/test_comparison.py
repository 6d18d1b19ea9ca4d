"""Comparisons: tests and corrections on published values and on those of scipy and statsmodels."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from episodes.metrics.comparison import (
    EXACT,
    Paired,
    compare,
    holm,
    paired,
    sign_flip,
)

DARWIN = [49, -67, 8, 16, 6, 23, 28, 41, 14, 29, 56, 24, 75, 60, -48]
"""Darwin's maize, crossed less self-fertilised (eighths of an inch)."""


def test_sign_flip_is_fishers_of_darwins_maize() -> None:
    """Fisher (1935), section 21: 1726 of 32768 signs; scipy 1.17 permutation_test the same."""
    assert sign_flip(DARWIN, list(map(str, range(15)))) == pytest.approx(1726 / 32768, abs=1e-12)


def test_drawn_signs_come_near_to_all_signs() -> None:
    rng = np.random.default_rng(3)
    values = list(rng.normal(0.4, 1.0, EXACT))
    exact = sign_flip(values, list(map(str, range(EXACT))))
    drawn = sign_flip([*values, 0.0], list(map(str, range(EXACT + 1))))
    assert drawn == pytest.approx(exact, abs=0.005)


def test_a_house_flips_as_a_whole() -> None:
    """Ten tasks that go the same way in each of two houses are two signs, not twenty."""
    houses = ["a"] * 10 + ["b"] * 10
    assert sign_flip([1.0] * 20, houses) == 0.5
    assert sign_flip([1.0] * 20, list(map(str, range(20)))) < 0.001


def test_holm_is_statsmodels() -> None:
    """The values of statsmodels 0.15, multipletests(…, method='holm')."""
    assert holm([0.01, 0.04, 0.03, 0.005, 0.2]) == pytest.approx([0.04, 0.09, 0.09, 0.025, 0.2])
    assert holm([]) == []


@given(st.lists(st.floats(0, 1), max_size=12))
def test_holm_only_raises_and_keeps_the_order(ps: list[float]) -> None:
    corrected = holm(ps)
    assert all(p <= q <= 1 for p, q in zip(ps, corrected, strict=True))
    ranked = sorted(range(len(ps)), key=lambda i: ps[i])
    assert [corrected[i] for i in ranked] == sorted(corrected)


def test_pairs_are_of_one_task_and_seed_and_repetitions_are_one_value() -> None:
    one = {("1", 0): 10.0, ("1", 1): 30.0, ("2", 0): 5.0, ("3", 0): 7.0}
    other = {("1", 0): 20.0, ("1", 1): 20.0, ("2", 0): 9.0, ("2", 1): 100.0}
    assert paired(one, other, {"1": "h1", "2": "h2"}) == [
        Paired("1", "h1", 20.0, 20.0),
        Paired("2", "h2", 5.0, 9.0),
    ]


def test_a_comparison_says_what_it_rests_on() -> None:
    pairs = [Paired(str(n), f"h{n // 5}", 90.0 + n % 3, 100.0) for n in range(60)]
    found = compare(pairs)
    assert found.mean == pytest.approx(-9.0)
    assert found.ratio == pytest.approx(0.91)
    assert (found.tasks, found.houses, found.is_rough) == (60, 12, False)
    assert found.p == pytest.approx(2 / 2**12)
    assert found.p_tasks < 0.001
    assert found.interval is not None
    assert found.interval.low < -9.0 < found.interval.high < 0
    assert found.effect is not None
    assert found.effect < -5
    rough = compare([p for p in pairs if p.house in ("h0", "h1", "h2", "h3", "h4")])
    assert rough.is_rough
    assert rough.interval is not None
    assert compare(pairs[:20]).interval is None


def test_tasks_of_alike_houses_tell_less_than_apart() -> None:
    """Twelve houses of five tasks, that differ between houses only, tell as little as twelve."""
    rng = np.random.default_rng(1)
    of_house = rng.normal(5.0, 20.0, 12)
    alike = [Paired(str(n), f"h{n // 5}", float(of_house[n // 5]), 0.0) for n in range(60)]
    apart = [p._replace(house=p.task) for p in alike]
    one, other = compare(alike), compare(apart)
    assert one.interval is not None
    assert other.interval is not None
    assert one.interval.high - one.interval.low > 1.8 * (other.interval.high - other.interval.low)
    assert (one.deviation or 0) / 12**0.5 > 1.8 * (other.deviation or 0) / 60**0.5
    assert one.p > other.p


def test_no_difference_is_none() -> None:
    pairs = [Paired(str(n), f"h{n}", 3.0, 3.0) for n in range(12)]
    found = compare(pairs)
    assert (found.mean, found.p, found.effect, found.interval) == (0.0, 1.0, None, None)
    assert found.houses_needed() is None
    assert found.detectable() is None
    with pytest.raises(ValueError, match="at least one pair"):
        compare([])


def test_rounding_is_no_difference() -> None:
    """Means of three repetitions that cancel out, but for the last bit."""
    apart = [0.1, 0.2, -0.3] * 4
    pairs = [Paired(str(n), f"h{n}", d, 0.0) for n, d in enumerate(apart)]
    found = compare(pairs)
    assert (found.mean, found.p, found.houses_needed()) == (0.0, 1.0, None)


def test_what_is_no_number_is_not_compared() -> None:
    """An undefined value has no p: 0 would read as the surest of all."""
    pairs = [Paired(str(n), f"h{n}", math.nan if n else 1.0, 0.0) for n in range(6)]
    with pytest.raises(ValueError, match="finite values"):
        compare(pairs)
    with pytest.raises(ValueError, match="finite differences"):
        sign_flip([math.nan, 1.0], ["a", "b"])


def test_power_is_of_the_test_over_houses() -> None:
    """Power needs houses: one tells nothing; six reach 5 %, and no level that Holm asks of four."""
    rng = np.random.default_rng(2)
    of_one = [Paired(str(n), "h", float(rng.normal(-5, 2)), 0.0) for n in range(20)]
    assert compare(of_one).p == 1.0
    assert compare(of_one).houses_needed() is None
    assert compare(of_one).detectable() is None
    of_six = [p._replace(house=f"h{n % 6}") for n, p in enumerate(of_one)]
    found = compare(of_six)
    assert found.houses_needed() == 6
    assert found.detectable() is not None
    assert found.houses_needed(0.05 / 4) == 8
    assert found.detectable(0.05 / 4) is None


def test_two_that_solve_all_have_an_interval_of_their_difference() -> None:
    pairs = [Paired(str(n), f"h{n % 10}", 1.0, 1.0) for n in range(20)]
    found = compare(pairs, of_rates=True)
    assert found.interval is not None
    assert found.interval.low < -0.2 < 0.2 < found.interval.high
