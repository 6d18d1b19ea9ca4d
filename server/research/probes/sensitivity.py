"""Sensitivity: where planning with a model's operators fails, by kind of task and by operator.

Section 2.4 of the notes on EAI.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence

from server.research.probes.answers import Operator
from server.research.probes.operator_search import Planned, search
from server.research.probes.operators import CATEGORIES, OPERATORS, usable_of

MOST_CATEGORIES = 2
"""Most categories of a task: EAI's K."""


def operators_used(task: Planned) -> tuple[str, ...]:
    """Return the operators that a plan with the true operators takes."""
    plan = search(OPERATORS, task) or ()
    return tuple(dict.fromkeys(step.name[0] for step in plan))


def categories_of(used: Mapping[str, Sequence[str]]) -> dict[str, tuple[str, ...]]:
    """Return the categories of tasks, by the operators that each uses.

    They are the two with the highest sums of ``log(tasks / tasks with the predicate)`` over the
    predicates of those operators. What all tasks have in common tells nothing; of equals the
    first of `CATEGORIES` counts.
    """
    predicates = {task: _predicates(names) for task, names in used.items()}
    in_how_many = Counter(p for found in predicates.values() for p in found)
    order = list(dict.fromkeys(CATEGORIES.values()))
    found: dict[str, tuple[str, ...]] = {}
    for task, mine in predicates.items():
        scores = dict.fromkeys(order, 0.0)
        for predicate in mine:
            scores[CATEGORIES[predicate]] += math.log(len(used) / in_how_many[predicate])
        there = {CATEGORIES[predicate] for predicate in mine}
        ranked = sorted((c for c in order if c in there), key=lambda c: -scores[c])
        found[task] = tuple(ranked[:MOST_CATEGORIES])
    return found


def _predicates(names: Sequence[str]) -> set[str]:
    return {
        term.predicate
        for operator in OPERATORS
        if operator.name in names
        for term in (*operator.precondition, *operator.effect)
    }


def is_solved_with(task: Planned, said: Sequence[Operator], name: str) -> bool:
    """Tell whether there is a plan with the true operators, but for one in a model's words."""
    mine = next((o for o in usable_of(said) if o.name == name), None)
    if mine is None:
        return False
    true = next(o for o in OPERATORS if o.name == name)
    if _same(mine, true):
        return True
    return search([mine if o.name == name else o for o in OPERATORS], task) is not None


def _same(one: Operator, other: Operator) -> bool:
    return set(one.precondition) == set(other.precondition) and set(one.effect) == set(other.effect)
