"""Conditions of a group: the one that it is given, or within subjects all of its stratum.

A factor whose levels are drawn at entry does not vary within a group, even where others do: such a
split plot is compared within groups by one factor, and between them by the other.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence

from matchmaking.study.conditions import Cell, Factor
from matchmaking.study.design import Design

Conditions = tuple[Cell, ...]


def entry_levels(cell: Cell, factors: Sequence[Factor]) -> dict[str, str]:
    """Return the levels of a condition that are drawn at entry, by factor."""
    drawn = {factor.name for factor in factors if factor.drawn_at == "entry"}
    return {name: cell.levels[name] for name in drawn & cell.levels.keys()}


def strata(cells: Sequence[Cell], factors: Sequence[Factor]) -> tuple[Conditions, ...]:
    """Return the conditions that have the same levels drawn at entry, stratum by stratum."""
    found: dict[frozenset[tuple[str, str]], list[Cell]] = {}
    for cell in cells:
        found.setdefault(frozenset(entry_levels(cell, factors).items()), []).append(cell)
    return tuple(map(tuple, found.values()))


def group_conditions(
    design: Design, cells: Sequence[Cell], factors: Sequence[Factor]
) -> tuple[Conditions, ...]:
    """Return the sets of conditions of which a group plays one, each with as many targets."""
    if design.subjects == "within":
        return strata(cells, factors)
    return tuple((cell,) for cell in cells)


def levels_played(conditions: Conditions, factor: str) -> frozenset[str]:
    """Return the levels of a factor that a group plays which has these conditions."""
    return frozenset(cell.levels[factor] for cell in conditions if factor in cell.levels)


def is_varied_within(played: Collection[Conditions], factor: str) -> bool:
    """Tell whether a group plays at several levels of a factor."""
    return any(len(levels_played(conditions, factor)) > 1 for conditions in played)


def are_within_groups(played: Collection[Conditions], factor: str, levels: Collection[str]) -> bool:
    """Tell whether levels of a factor are compared within groups, which play all of them."""
    return any(levels_played(conditions, factor) >= set(levels) for conditions in played)
