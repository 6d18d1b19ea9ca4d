"""Strata of a study: what is drawn at entry, and then at the match."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

from matchmaking.assignment.draws import permuted
from matchmaking.assignment.ledger import Arm, Strata
from matchmaking.assignment.orders import full, williams
from matchmaking.study import Study
from matchmaking.study.conditions import Cell
from matchmaking.study.group_conditions import entry_levels

_THEN = ">"
IN_DRAWN_ORDER = "drawn"
"""Arm of a study in which each group gets an order of its own."""


def stratum_name(levels: Mapping[str, str]) -> str:
    """Return the name of levels that are drawn at entry; empty where there are none."""
    return ",".join(f"{factor}={level}" for factor, level in sorted(levels.items()))


def strata_of(study: Study) -> Strata:
    """Return what is drawn for a study. At entry targets are people, at the match groups."""
    people: Counter[str] = Counter()
    cells: dict[str, list[Cell]] = {}
    for conditions in study.group_conditions:
        first = conditions[0]
        name = stratum_name(entry_levels(first, study.factors))
        cells.setdefault(name, []).extend(conditions)
        # The same people play all conditions of a group.
        people[name] += first.people * first.target
    if study.design.subjects == "within":
        match = {name: _orders(some, study.design.order) for name, some in cells.items()}
    else:
        match = {
            name: tuple(Arm(c.name, c.target, c.most_begun) for c in some)
            for name, some in cells.items()
        }
    entry = tuple(Arm(name, count) for name, count in people.items()) if len(people) > 1 else ()
    return Strata(entry, match, study.design.block_multiples)


def sequence_of(arm: str, cells: Sequence[Cell], seed: str, place: int) -> tuple[str, ...]:
    """Return the conditions of a place in their order: one, or all of its stratum."""
    if arm == IN_DRAWN_ORDER:
        return tuple(cells[n].name for n in permuted(len(cells), seed, "order", place))
    return tuple(arm.split(_THEN))


def _orders(cells: Sequence[Cell], order: str) -> tuple[Arm, ...]:
    target = cells[0].target
    if order == "random":
        return (Arm(IN_DRAWN_ORDER, target),)
    rows = full(len(cells)) if order == "full" else williams(len(cells))
    names = [_THEN.join(cells[number].name for number in row) for row in rows]
    return tuple(Arm(name, target // len(rows)) for name in names)
