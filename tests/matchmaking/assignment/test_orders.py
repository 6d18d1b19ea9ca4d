"""Orders: Williams designs by their definition and as printed."""

from __future__ import annotations

from collections import Counter
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from matchmaking.assignment.draws import draw_below, permuted
from matchmaking.assignment.orders import drawn_order, full, williams


def test_four_things_are_ordered_as_printed() -> None:
    """The design of four treatments that Williams (1949) printed: ABDC, BCAD, CDBA, DACB."""
    assert ["".join("ABCD"[n] for n in row) for row in williams(4)] == [
        "ABDC",
        "BCAD",
        "CDBA",
        "DACB",
    ]


@pytest.mark.parametrize("count", range(1, 13))
def test_K5_williams_designs_are_balanced_for_position_and_carry_over(count: int) -> None:
    rows = williams(count)
    times = 1 if count % 2 == 0 or count == 1 else 2
    assert len(rows) == count * times
    positions = Counter((position, thing) for row in rows for position, thing in enumerate(row))
    assert set(positions.values()) == {times}
    assert len(positions) == count**2
    followers = Counter(pair for row in rows for pair in pairwise(row))
    assert len(followers) == count * (count - 1)
    assert set(followers.values()) <= {times}


def test_full_orders_are_all_of_them_once() -> None:
    assert len(set(full(4))) == 24
    for count in (0, 6):
        with pytest.raises(ValueError, match="expected 1 to 5"):
            full(count)
    with pytest.raises(ValueError, match="expected 1 thing"):
        williams(0)


@given(st.integers(0, 30), st.text(max_size=5), st.integers(0, 5))
def test_a_drawn_order_has_each_thing_once(count: int, seed: str, name: int) -> None:
    order = drawn_order(range(count), seed, name)
    assert sorted(order) == list(range(count))
    assert drawn_order(range(count), seed, name) == order


def test_drawn_orders_are_even_over_names() -> None:
    counted = Counter(tuple(permuted(3, "seed", number)) for number in range(6000))
    assert len(counted) == 6
    assert sum((count - 1000) ** 2 / 1000 for count in counted.values()) < 20.5


def test_a_draw_needs_something_to_draw_from() -> None:
    with pytest.raises(ValueError, match="expected a bound"):
        draw_below(0, "seed")
    assert draw_below(10**9, "seed", "a", "bc") != draw_below(10**9, "seed", "ab", "c")
