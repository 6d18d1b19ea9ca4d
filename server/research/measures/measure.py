"""Measure: what is measured of an episode, or of each of its seats, and how."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import NamedTuple

import msgspec

from server.research.measures.doings import Doings

TEAM = ""
"""Seat of values that belong to the whole team."""


class Value(NamedTuple):
    """A value of a measure; None: undefined, which is never the same as zero."""

    seat: str
    number: float | None
    is_censored: bool = False
    """Whether what is measured had not happened when the episode ended: it took longer."""


class MeasureEntry(msgspec.Struct, frozen=True, kw_only=True):
    """Entry of a measure in the codebook."""

    name: str
    version: int
    """Version, raised when the same recordings could give another value."""
    definition: str
    unit: str
    source: str
    """Records of the log, or measures, that it is computed from."""


class Measure(MeasureEntry, frozen=True, kw_only=True):
    """A measure of an episode, or of each of its seats."""

    compute: Callable[[Doings], Iterable[Value]]


def of_team(number: float | None, *, is_censored: bool = False) -> list[Value]:
    """Return the one value of a measure of the team."""
    return [Value(TEAM, number, is_censored)]


def is_measure(found: object) -> bool:
    """Tell whether something is a measure, with all that the codebook says of one."""
    return isinstance(found, Measure) and all(
        text.strip() for text in (found.name, found.definition, found.unit, found.source)
    )
