"""Splits: as many houses in each as PARTNR has, none in two."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from episodes.houses import DEFAULT_SEED
from episodes.houses.splits import HOUSES, SPLITS, seeds_of, split_of


def test_sixty_houses_are_split_as_partnr_splits_them() -> None:
    assert {split: len(seeds_of(split)) for split in SPLITS} == {
        "train": 37,
        "validation": 13,
        "test": 10,
    }
    assert sorted(s for split in SPLITS for s in seeds_of(split)) == list(range(HOUSES))
    assert split_of(DEFAULT_SEED) == "train"


def test_the_split_of_a_house_never_changes() -> None:
    assert seeds_of("validation") == [6, 7, 14, 15, 23, 24, 31, 32, 40, 41, 49, 57, 58]
    assert seeds_of("test") == [8, 16, 17, 25, 33, 34, 42, 50, 51, 59]


@given(st.integers(0, 10_000))
def test_every_further_sixty_are_split_alike(seed: int) -> None:
    assert split_of(seed) == split_of(seed % HOUSES)
