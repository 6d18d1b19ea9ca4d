"""Splits: the houses that are built by default, and the split that a house belongs to."""

from __future__ import annotations

from typing import Literal

HOUSES = 60
"""Number of houses that are built by default: those with seeds 0 to 59."""

Split = Literal["train", "validation", "test"]
SPLITS: dict[Split, int] = {"train": 37, "validation": 13, "test": 10}
"""Houses per split, as in PARTNR; every further sixty are split alike."""

_STRIDE = 7
"""A stride without a common divisor with `HOUSES`, so that splits are spread over the seeds."""


def split_of(seed: int) -> Split:
    """Return the split of the house of a seed; the default house is for training."""
    rank = seed * _STRIDE % HOUSES
    for split, count in SPLITS.items():
        if rank < count:
            return split
        rank -= count
    raise AssertionError("splits do not add up to HOUSES")


def seeds_of(split: Split, houses: int = HOUSES) -> list[int]:
    """Return the seeds below ``houses`` that belong to a split."""
    return [seed for seed in range(houses) if split_of(seed) == split]
