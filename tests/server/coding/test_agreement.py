"""Agreement of coders: figures from the literature and by hand, and properties that hold always."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.metrics import cohen_kappa_score

from server.coding.agreement import Counts, agreement_on, kappa_of
from server.coding.codebook import Code, Shape
from server.coding.notes import Coding, Note

WAITS = Code("waits", "Waits", Shape.STRETCH, "Stands.")
OFFERS = Code("offers", "Offers", Shape.MOMENT, "Says so.")
UNIT = 30
LAST = 3000
Stretch = tuple[int, int]


def coding(coder: str, stretches: list[Stretch], code: str = "waits") -> Coding:
    """Return a coding of an episode of 100 s, at 30 ticks a second."""
    notes = tuple(
        Note(f"not_{n}", "epi_1", "book", code, coder, first, last, "")
        for n, (first, last) in enumerate(stretches)
    )
    return Coding("epi_1", "book", coder, 0, 0, LAST, notes)


def test_kappa_is_that_of_published_tables() -> None:
    # The 2x2 table of Cohen's kappa in Sim and Wright (2005), table 1: 22, 2, 4, 11.
    assert kappa_of(Counts(22, 2, 4, 11)) == pytest.approx(0.67, abs=0.005)
    # 20, 5, 10, 15: observed 0.7, by chance 0.5.
    assert kappa_of(Counts(20, 5, 10, 15)) == pytest.approx(0.4)
    assert kappa_of(Counts(0, 0, 0, 100)) is None
    assert kappa_of(Counts(100, 0, 0, 0)) is None
    assert kappa_of(Counts(0, 0, 0, 0)) is None


def test_units_of_stretches_are_counted_by_hand() -> None:
    one, other = coding("a", [(0, 300), (600, 630)]), coding("b", [(0, 285), (1500, 1600)])
    told = agreement_on(WAITS, [(one, other)], UNIT, UNIT, Random(1))
    # The first: units 0 to 9 and 20. The second: 0 to 9, as half of the last is covered, and 50,
    # 51, 52, of the last of which a third is covered and which therefore is not.
    assert told.counts == Counts(10, 1, 3, 86)
    assert told.notes == (2, 2)
    assert told.matched_share is None
    assert (told.low, told.high) == (None, None), "one episode has no interval"


def test_moments_match_within_the_tolerance_and_once() -> None:
    one, other = (
        coding("a", [(100, 100), (110, 110), (900, 900)], "offers"),
        coding("b", [(105, 105), (2000, 2000)], "offers"),
    )
    told = agreement_on(OFFERS, [(one, other)], UNIT, 30, Random(1))
    assert told.matched_share == pytest.approx(2 * 1 / 5)
    assert told.counts == Counts(1, 1, 1, 97)


def test_the_interval_is_over_episodes() -> None:
    alike = coding("a", [(0, 600)]), coding("b", [(0, 600)])
    unlike = coding("a", [(0, 600)]), coding("b", [(1500, 2100)])
    told = agreement_on(WAITS, [alike] * 6 + [unlike] * 6, UNIT, 0, Random(3))
    assert told.kappa is not None
    assert told.low is not None
    assert told.high is not None
    assert told.low < told.kappa < told.high
    assert told.low < 0.2
    assert told.high > 0.6
    assert agreement_on(WAITS, [alike] * 5, UNIT, 0, Random(3))[2:5] == (1.0, 1.0, 1.0)


def test_a_code_in_one_episode_of_ten_has_no_interval() -> None:
    seen, nothing = coding("a", [(0, 600)]), coding("a", [])
    told = agreement_on(WAITS, [(seen, seen), *[(nothing, nothing)] * 9], UNIT, 0, Random(3))
    assert told.kappa == 1.0
    assert (told.low, told.high) == (None, None)


stretches = st.lists(
    st.tuples(st.integers(0, LAST), st.integers(0, LAST)).map(lambda s: (min(s), max(s))),
    max_size=8,
)


@given(stretches, stretches)
def test_kappa_is_that_of_another_library_and_the_same_both_ways(
    one: list[Stretch], other: list[Stretch]
) -> None:
    a, b = coding("a", one), coding("b", other)
    told = agreement_on(WAITS, [(a, b)], UNIT, 0, Random(1))
    back = agreement_on(WAITS, [(b, a)], UNIT, 0, Random(1))
    assert sum(told.counts) == LAST // UNIT
    assert told.kappa == back.kappa
    c = told.counts
    labels = (
        [1] * (c.both + c.first_only) + [0] * (c.second_only + c.neither),
        [1] * c.both + [0] * c.first_only + [1] * c.second_only + [0] * c.neither,
    )
    if told.kappa is not None:
        assert told.kappa == pytest.approx(cohen_kappa_score(*labels))
        assert -1 <= told.kappa <= 1
    same = agreement_on(WAITS, [(a, a)], UNIT, 0, Random(1))
    assert same.kappa in (None, 1.0)
