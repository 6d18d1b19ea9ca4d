"""Urns: blocks that keep the ratio, draws that a seed alone gives, places that go back."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from matchmaking.assignment.urn import Urn

SEEDS = st.text(max_size=8)
TARGETS = st.dictionaries(st.sampled_from("abcde"), st.sampled_from([4, 8, 12]), min_size=1)


def drawn(urn: Urn, count: int) -> list[tuple[int, str]]:
    """Draw some places, all of which there are."""
    places = []
    for _ in range(count):
        place = urn.draw()
        assert place is not None
        places.append(place)
    return places


@given(SEEDS, TARGETS, st.integers(1, 60))
def test_each_block_that_is_full_has_the_ratio_of_the_targets(
    seed: str, targets: dict[str, int], count: int
) -> None:
    places = drawn(Urn(seed, "s", targets, (1, 2, 3)), count)
    last = places[-1][0]
    total = sum(targets.values())
    for block in range(last):
        counted = Counter(arm for number, arm in places if number == block)
        size = counted.total()
        assert {arm: counted[arm] * total for arm in targets} == {
            arm: target * size for arm, target in targets.items()
        }


@given(SEEDS, st.integers(2, 5), st.integers(1, 80))
def test_equal_arms_never_differ_by_more_than_a_block_holds_of_one(
    seed: str, arms: int, count: int
) -> None:
    targets = {str(number): 10 for number in range(arms)}
    counted = Counter(dict.fromkeys(targets, 0))
    for _, arm in drawn(Urn(seed, "s", targets, (1, 2)), count):
        counted[arm] += 1
        assert max(counted.values()) - min(counted.values()) <= 2


@given(SEEDS, TARGETS, st.lists(st.integers(0, 200), max_size=40))
def test_places_that_go_back_are_drawn_again(
    seed: str, targets: dict[str, int], returns: list[int]
) -> None:
    urn = Urn(seed, "s", targets, (1, 2))
    places = drawn(urn, 30)
    before = Counter(places)
    for number in returns:
        gone = places.pop(number % len(places))
        urn.put_back(*gone)
        places += drawn(urn, 1)
    first_blocks = {block for block, _ in before} - {max(block for block, _ in before)}
    again = Counter(places)
    for place, count in before.items():
        if place[0] in first_blocks:
            assert again[place] == count


@given(SEEDS, TARGETS, st.sets(st.sampled_from("abcde")))
def test_closed_arms_are_not_drawn_and_their_places_wait(
    seed: str, targets: dict[str, int], closed: set[str]
) -> None:
    urn = Urn(seed, "s", targets, (1,))
    for _ in range(20):
        looked, place = urn.next(closed), urn.draw(closed)
        assert looked == place
        assert (place is None) == (closed >= set(targets))
        assert place is None or place[1] not in closed
    if closed and set(targets) - closed and closed & set(targets):
        place = urn.draw()
        assert place is not None
        assert (place[0], place[1] in closed) == (0, True) or place[0] == 0


def test_a_seed_gives_the_same_draws_and_another_gives_others() -> None:
    targets = {"a": 20, "b": 20}
    once, again, other = (Urn(seed, "s", targets, (1, 2)) for seed in ("x", "x", "y"))
    stratum = Urn("x", "t", targets, (1, 2))
    first = drawn(once, 40)
    assert drawn(again, 40) == first
    assert drawn(other, 40) != first
    assert drawn(stratum, 40) != first


def test_draws_within_a_block_are_even_over_seeds() -> None:
    targets = dict.fromkeys("abcd", 1)
    orders = Counter(
        "".join(arm for _, arm in drawn(Urn(str(seed), "s", targets, (1,)), 4))
        for seed in range(4800)
    )
    assert len(orders) == 24
    chi_square = sum((count - 200) ** 2 / 200 for count in orders.values())
    assert chi_square < 49.7, "the 0.1 % point of chi-square with 23 degrees of freedom"


def test_sizes_of_blocks_are_drawn() -> None:
    blocks = Counter(block for block, _ in drawn(Urn("x", "s", {"a": 1, "b": 1}, (1, 2, 3)), 400))
    del blocks[max(blocks)]
    assert set(blocks.values()) == {2, 4, 6}


def test_a_place_that_goes_back_is_not_always_drawn_next() -> None:
    again = set()
    for seed in range(20):
        urn = Urn(str(seed), "s", dict.fromkeys("abcd", 1), (1,))
        first = drawn(urn, 1)[0]
        urn.put_back(*first)
        again.add(drawn(urn, 1)[0] == first)
    assert again == {True, False}


@pytest.mark.parametrize(
    ("targets", "multiples"), [({}, (1,)), ({"a": 0}, (1,)), ({"a": 1}, ()), ({"a": 1}, (0,))]
)
def test_an_urn_without_places_is_refused(
    targets: dict[str, int], multiples: tuple[int, ...]
) -> None:
    with pytest.raises(ValueError, match="expected"):
        Urn("x", "s", targets, multiples)


def test_only_what_was_drawn_goes_back() -> None:
    urn = Urn("x", "s", {"a": 1}, (1,))
    with pytest.raises(ValueError, match="no place of 'a'"):
        urn.put_back(0, "a")
    assert urn.draw() == (0, "a")
    urn.put_back(0, "a")
    with pytest.raises(ValueError, match="no place of 'a'"):
        urn.put_back(0, "a")
