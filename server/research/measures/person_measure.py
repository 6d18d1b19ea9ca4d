"""Measure of a person: what is measured over their episodes in one condition, and how."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

from server.research.measures.measure import MeasureEntry


class TriedTask(NamedTuple):
    """A person's first try at a task that is measured."""

    percent_complete: float | None
    """Share of the goals by the final verdict; None: it has none."""
    time_s: float | None
    """Time to success, or to the end where there was none; None: the log does not tell."""
    is_solved: bool


class PersonValue(NamedTuple):
    """A value of a person; None: undefined, which is never the same as zero."""

    number: float | None
    n_episodes: int
    """Episodes that it is computed from."""
    is_censored: bool = False
    """Whether a time among these had not ended when its episode did."""


class PersonMeasure(MeasureEntry, frozen=True, kw_only=True):
    """A measure of a person."""

    compute: Callable[[Sequence[TriedTask]], PersonValue]
    """Computation from the person's first tries, in the order in which they were played."""
