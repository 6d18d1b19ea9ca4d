"""Intervals with houses as units: published values, coverage, and edges."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from episodes.metrics.clusters import (
    FEWEST,
    Clusters,
    over_houses,
    rate_difference_over_houses,
    rate_over_houses,
)
from episodes.metrics.intervals import clopper_pearson, student_t
from tests.benchmarks.intervals import coverage_of

SIX = [f"h{n // 8}" for n in range(48)]


def test_a_task_in_each_house_is_students_interval() -> None:
    values = [3.0, 5.0, 4.0, 8.0, 1.0, 2.5]
    assert over_houses(values, list("abcdef")) == pytest.approx(student_t(values))


def test_houses_of_one_size_have_the_error_of_their_means() -> None:
    values = list(np.random.default_rng(0).normal(size=48))
    means = [sum(values[8 * n : 8 * n + 8]) / 8 for n in range(6)]
    assert over_houses(values, SIX) == pytest.approx(student_t(means))


def test_the_jackknife_is_that_of_leaving_houses_out() -> None:
    values, houses = [1.0, 2.0, 4.0, 9.0, 3.0, 3.0], list("aabbbc")
    clusters = Clusters.of(values, houses)
    left = [
        float(np.mean([v for v, h in zip(values, houses, strict=True) if h != house]))
        for house in "abc"
    ]
    by_hand = (2 / 3 * sum((m - clusters.mean) ** 2 for m in left)) ** 0.5
    assert clusters.error == pytest.approx(by_hand)


@pytest.mark.parametrize("houses", [5, 6, 10, 12, 20])
@pytest.mark.parametrize("shape", ["normal", "censored difference"])
def test_intervals_hold_what_they_say(houses: int, shape: str) -> None:
    """Percentiles of a bootstrap held 0.80 to 0.93 here."""
    found = coverage_of(shape, houses, 6, alike=0.3, samples=400)
    assert found >= 0.92


@pytest.mark.parametrize("houses", [5, 10, 20])
@pytest.mark.parametrize("shape", ["rate", "rate difference"])
def test_intervals_of_rates_hold_more(houses: int, shape: str) -> None:
    """Exact intervals with tasks as units held 0.86 to 0.92 here."""
    assert coverage_of(shape, houses, 6, alike=0.3, samples=150) >= 0.94


def test_a_rate_of_all_is_as_sure_as_there_are_houses() -> None:
    assert rate_over_houses([1.0] * 48, SIX) == clopper_pearson(6, 6)
    assert rate_over_houses([0.0] * 48, SIX) == clopper_pearson(0, 6)
    alone = rate_over_houses([1.0] * 6, list("abcdef"))
    assert alone == clopper_pearson(6, 6)


def test_two_that_solve_all_may_still_differ() -> None:
    """Tango's interval without any unequal pair: z² / (n + z²), here of n = 6 houses."""
    found = rate_difference_over_houses([0.0] * 48, SIX)
    assert found == pytest.approx((-0.3903, 0.3903), abs=1e-4)


def test_a_difference_of_rates_is_tangos() -> None:
    """At its ends the score is that quantile, with the likelihood maximised on a fine grid.

    Each task has its house, so that they stand for one task less.
    """
    found = rate_difference_over_houses(
        [1.0] * 12 + [-1.0] * 2 + [0.0] * 36, [str(n) for n in range(50)]
    )
    assert found is not None
    share = 49 / 50
    more, less, same = 12 * share, 2 * share, 36 * share
    for end in found:
        rate = np.linspace(max(0.0, -end) + 1e-9, (1 - end) / 2 - 1e-9, 400_001)
        fit = more * np.log(rate + end) + less * np.log(rate) + same * np.log(1 - end - 2 * rate)
        best = float(rate[fit.argmax()])
        score = (more - less - 49 * end) / (49 * (2 * best + end * (1 - end))) ** 0.5
        assert abs(score) == pytest.approx(1.96, abs=1e-3)


@given(st.lists(st.tuples(st.integers(0, 4), st.integers(0, 7)), min_size=5, max_size=60))
def test_intervals_of_rates_are_around_their_means(drawn: list[tuple[int, int]]) -> None:
    rates, houses = [hits / 4 for hits, _ in drawn], [str(house) for _, house in drawn]
    found = rate_over_houses(rates, houses)
    differences = [2 * rate - 1 for rate in rates]
    apart = rate_difference_over_houses(differences, houses)
    if len(set(houses)) < FEWEST:
        assert found is apart is None
        return
    assert found is not None
    assert apart is not None
    mean = sum(rates) / len(rates)
    assert 0 <= found.low <= mean + 1e-9
    assert mean - 1e-9 <= found.high <= 1
    assert -1 <= apart.low <= 2 * mean - 1 + 1e-9
    assert 2 * mean - 1 - 1e-9 <= apart.high <= 1
    assert apart.low < apart.high


def test_few_houses_and_no_spread_have_no_interval() -> None:
    assert over_houses([1.0, 2.0, 3.0, 4.0], list("abcd")) is None
    assert over_houses([3.0] * 48, SIX) is None
    assert rate_over_houses([1.0, 0.0], ["a", "b"]) is None
    assert Clusters.of([1.0, 2.0], ["a", "a"]).error is None
