"""Intervals on the test vectors of section 2.7 of the MAP-THOR notes."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from episodes.metrics import balance, bootstrap, clopper_pearson, student_t
from episodes.metrics.intervals import t_quantile


@pytest.mark.parametrize(
    ("successes", "n", "expected"),
    [
        (0, 10, (0.0000, 0.3085)),
        (3, 10, (0.0667, 0.6525)),
        (10, 10, (0.6915, 1.0000)),
        (15, 45, (0.2000, 0.4895)),
        (23, 45, (0.3577, 0.6630)),
        (28, 45, (0.4654, 0.7623)),
        (30, 45, (0.5105, 0.8000)),
    ],
)
def test_clopper_pearson(successes: int, n: int, expected: tuple[float, float]) -> None:
    found = clopper_pearson(successes, n)
    assert tuple(round(v, 4) for v in found) == expected


@pytest.mark.parametrize(
    ("rate", "expected"),
    [
        (0.51, (0.357, 0.662)),
        (0.62, (0.463, 0.760)),
        (0.67, (0.514, 0.803)),
        (0.14, (0.055, 0.276)),
    ],
)
def test_successes_need_not_be_whole(rate: float, expected: tuple[float, float]) -> None:
    """The intervals that the paper prints, with 45 tasks as units."""
    assert clopper_pearson(rate * 45, 45) == pytest.approx(expected, abs=6e-4)


@given(st.integers(1, 300), st.floats(0, 1))
def test_an_interval_is_around_its_rate(n: int, share: float) -> None:
    successes = share * n
    low, high = clopper_pearson(successes, n)
    assert 0 <= low <= successes / n + 1e-9
    assert successes / n - 1e-9 <= high <= 1


@pytest.mark.parametrize(("successes", "n"), [(1, 0), (-1, 5), (6, 5)])
def test_counts_that_cannot_be(successes: int, n: int) -> None:
    with pytest.raises(ValueError, match="successes"):
        clopper_pearson(successes, n)


@pytest.mark.parametrize(
    ("counts", "expected"),
    [
        ([3, 5], 0.599988),
        ([0, 4], 0.0),
        ([4, 4], 0.999975),
        ([0, 0], 0.0),
        ([2, 3, 6], 0.333328),
        ([3, 1], 0.333322),
    ],
)
def test_balance(counts: list[int], expected: float) -> None:
    found = balance(counts)
    assert found is not None
    assert round(found, 6) == expected


def test_balance_of_one_is_undefined() -> None:
    assert balance([5]) is None


@pytest.mark.parametrize(("degrees", "expected"), [(1, 12.706), (9, 2.262), (29, 2.045)])
def test_student_t(degrees: int, expected: float) -> None:
    assert t_quantile(0.975, degrees) == pytest.approx(expected, abs=1e-3)


def test_mean_of_a_sample() -> None:
    found = student_t([1.0, 2.0, 3.0, 4.0])
    assert found is not None
    assert found == pytest.approx((0.4457, 4.5543), abs=1e-3)
    assert student_t([1.0]) is None


def test_bootstrap() -> None:
    values = [0.0, 0.5, 0.5, 1.0, 1.0, 1.0]
    found = bootstrap(values, low=0, high=1)
    assert found is not None
    assert 0 <= found.low < 4 / 6 < found.high <= 1
    assert bootstrap(values, low=0, high=1) == found
    assert bootstrap(values, low=0.6, high=0.7) == (0.6, 0.7)
    assert bootstrap([1.0] * 4) is None
