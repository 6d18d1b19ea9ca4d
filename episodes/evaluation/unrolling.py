"""Partial credit for counts: section 5 of the evaluator specification.

A proposition that asks for n things gets a copy for each of 1 to n - 1, so that three of four
cups on the table are worth three quarters.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import msgspec

from episodes.dataset.model import Constraint, Dependency, Proposition
from episodes.evaluation.constraints import AnyConstraint, build_constraint
from episodes.evaluation.errors import EvaluationError
from episodes.evaluation.semantics import Semantics

MOST = 2000
"""Most propositions, and rules, with all copies; a task of ours has some twenty."""


@dataclass(frozen=True, slots=True)
class UnrolledProposition:
    """A proposition or a copy of one: ``original`` is the index that the task declares.

    ``number`` is what the copy asks for: an int, one int per group, or None where none is given.
    """

    original: int
    proposition: Proposition
    number: Any


@dataclass(frozen=True, slots=True)
class Unrolled:
    """A task's evaluation fields with the copies added."""

    propositions: tuple[UnrolledProposition, ...]
    dependencies: tuple[Dependency, ...]
    constraints: tuple[AnyConstraint, ...]


def unroll(
    propositions: Sequence[Proposition],
    dependencies: Sequence[Dependency],
    constraints: Sequence[Constraint],
    semantics: Semantics,
) -> Unrolled:
    """Add the copies and let dependencies and constraints know of them.

    Raises EvaluationError for constraints that cannot be built, and for too many copies.
    """
    count = len(propositions)
    rules = [build_constraint(constraint, count) for constraint in constraints]
    dependents = [list(dependency.proposition_indices) for dependency in dependencies]
    unrolled = [
        UnrolledProposition(index, proposition, proposition.args.get("number"))
        for index, proposition in enumerate(propositions)
    ]
    for index in range(count):
        number = unrolled[index].number
        if type(number) is not int:
            continue
        if len(unrolled) + number > MOST:
            raise EvaluationError(f"expected {MOST} propositions with copies at most, got more")
        for part in range(1, number):
            copy = len(unrolled)
            unrolled.append(UnrolledProposition(index, propositions[index], part))
            # A new rule is itself unrolled by later copies, so the list is taken as it stands.
            for rule in list(rules):
                rules.extend(rule.unroll(index, copy, semantics))
            if len(rules) > MOST:
                raise EvaluationError(f"expected {MOST} rules with copies at most, got more")
            for members in dependents:
                if index in members:
                    members.append(part if semantics.unroll_dep_index else copy)
    return Unrolled(
        tuple(unrolled),
        tuple(
            msgspec.structs.replace(dependency, proposition_indices=members)
            for dependency, members in zip(dependencies, dependents, strict=True)
        ),
        tuple(rules),
    )
