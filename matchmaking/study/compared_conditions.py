"""Conditions that means of groups are compared over: those with the same levels of other factors.

A group that lacks a condition has a mean over others. Where several factors vary within groups, the
effect of one would then stand in the difference of another.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from matchmaking.study.analysis import Hypothesis
from matchmaking.study.conditions import Cell
from matchmaking.study.group_conditions import entry_levels, strata
from matchmaking.study.planned_units import is_within_groups
from matchmaking.study.study import Study

Levels = tuple[str, ...]


class Balance(NamedTuple):
    """Other factors within groups, whose levels are the same in the conditions that are compared.

    Without any, a group's value at a level is the mean of all that it has there.
    """

    factors: tuple[str, ...] = ()
    entry: tuple[str, ...] = ()
    """Factors that are drawn at entry, by which groups are to play other conditions."""
    alone: frozenset[Levels] = frozenset()
    """Levels of ``factors`` at which the design has one level of the two that are compared."""
    planned: Mapping[Levels, int] = {}
    """Number of levels of ``factors`` that a group is to be compared at, by those of ``entry``."""


def balance_of(study: Study, hypothesis: Hypothesis) -> Balance:
    """Return what is the same in the conditions that a hypothesis compares by means of groups."""
    if study.design.subjects != "within":
        return Balance()
    whole, is_within = strata(study.cells, study.factors), is_within_groups(study, hypothesis)
    blocks = whole if is_within else (study.cells,)
    # What says the same as the factor has no level at both of its levels: it cannot be held equal.
    factors = tuple(
        factor.name
        for factor in study.factors
        if factor.drawn_at != "entry"
        and factor.name != hypothesis.factor
        and any(_shared(block, hypothesis, (factor.name,)) for block in blocks)
    )
    shared = frozenset[Levels]().union(*(_shared(block, hypothesis, factors) for block in blocks))
    if not factors or not shared:
        return Balance()
    every = frozenset(level for part in _at(study.cells, hypothesis, factors) for level in part)
    entry = tuple(factor.name for factor in study.factors if factor.drawn_at == "entry")
    planned = {}
    for stratum in whole:
        drawn = entry_levels(stratum[0], study.factors)
        one, other = _at(stratum, hypothesis, factors)
        own = one & other if is_within else (one | other) & shared
        planned[tuple(drawn.get(name, "") for name in entry)] = len(own)
    return Balance(factors, entry, every - shared, planned)


def _shared(cells: Sequence[Cell], hypothesis: Hypothesis, factors: Levels) -> frozenset[Levels]:
    """Return the levels of factors that conditions of both levels have."""
    one, other = _at(cells, hypothesis, factors)
    return one & other


def _at(
    cells: Sequence[Cell], hypothesis: Hypothesis, factors: Levels
) -> tuple[frozenset[Levels], frozenset[Levels]]:
    """Return the levels of factors at the first and at the second level of a hypothesis."""
    first, second = (
        frozenset(
            tuple(cell.levels.get(name, "") for name in factors)
            for cell in cells
            if cell.levels.get(hypothesis.factor) == level
        )
        for level in hypothesis.levels
    )
    return first, second
