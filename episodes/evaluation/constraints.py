"""Constraints over a whole episode: section 7 of the specification, and their unrolling (5).

A constraint says for every proposition whether its completion counts. It looks at when each was
first satisfied, with what, and at the last recorded row.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from graphlib import CycleError, TopologicalSorter
from typing import Any

from episodes.dataset.model import Constraint
from episodes.dataset.vocabulary import DIFFERENT_ARG, GROUPS_ARG, SAME_ARG, TEMPORAL, TERMINAL
from episodes.evaluation.errors import EvaluationError
from episodes.evaluation.semantics import Semantics

Recorded = dict[str, Any]
"""Argument name to the name that satisfied it; groups of ``is_clustered`` under ``*args``."""


@dataclass(frozen=True, slots=True)
class Outcomes:
    """History that constraints judge, per unrolled proposition.

    ``satisfied_at`` is the tick of the first satisfaction or -1, ``satisfied_with`` the
    arguments recorded then (None before), ``last`` the newest recorded row.
    """

    satisfied_at: Sequence[int]
    satisfied_with: Sequence[Recorded | None]
    last: Sequence[bool]


@dataclass(slots=True)
class Temporal:
    """Propositions that must be satisfied strictly after others."""

    edges: set[tuple[int, int]]
    prerequisites: dict[int, frozenset[int]] = field(default_factory=dict)
    type: str = TEMPORAL

    def __post_init__(self) -> None:
        self.prerequisites = _ancestors(self.edges)

    def unroll(self, source: int, copy: int, semantics: Semantics) -> list[AnyConstraint]:
        """Give a copy the edges of its source."""
        if source not in self.prerequisites:
            return []
        self.edges |= {(before, copy) for before, after in self.edges if after == source}
        self.edges |= {(copy, after) for before, after in self.edges if before == source}
        if semantics.unroll_dag_stale:
            self.prerequisites[copy] = self.prerequisites[source]
        else:
            self.prerequisites = _ancestors(self.edges)
        return []

    def direct_predecessors(self, index: int) -> list[int]:
        return sorted(before for before, after in self.edges if after == index)

    def valid(self, outcomes: Outcomes, semantics: Semantics) -> list[bool]:
        at = outcomes.satisfied_at
        result = [True] * len(at)
        for index, before in self.prerequisites.items():
            if before:
                times = [at[i] for i in before]
                result[index] = min(times) != -1 and at[index] > max(times)
        return result


@dataclass(slots=True)
class Tie:
    """Propositions that must be satisfied with the same thing, or with different ones.

    ``names`` gives each member's argument; the last name given for a member wins. ``arg_names``
    is what the task wrote, from which the heading of the explanation is chosen.
    """

    type: str
    members: list[int]
    names: dict[int, str]
    arg_names: tuple[str, ...]

    def unroll(self, source: int, copy: int, semantics: Semantics) -> list[AnyConstraint]:
        """Take a copy in (SameArg), or return a new constraint with it instead (DifferentArg)."""
        if source not in self.names:
            return []
        if self.type == SAME_ARG:
            self.members.append(copy)
            self.names[copy] = self.names[source]
            return []
        members = [copy, *(m for m in self.members if m != source)]
        names = {m: self.names[source if m == copy else m] for m in members}
        return [Tie(self.type, members, names, self.arg_names)]

    def valid(self, outcomes: Outcomes, semantics: Semantics) -> list[bool]:
        at = outcomes.satisfied_at
        result = [True] * len(at)
        done = sorted((m for m in self.members if at[m] != -1), key=lambda m: at[m])
        if len(done) < 2:
            return result
        values = [
            recorded_value(outcomes.satisfied_with[m], self.names[m], semantics) for m in done
        ]
        for position in range(1, len(done)):
            if self.type == SAME_ARG:
                good = values_match(values[0], values[position], semantics)
            else:
                good = not any(
                    values_match(earlier, values[position], semantics)
                    for earlier in values[:position]
                )
            if not good:
                result[done[position]] = False
        return result


@dataclass(slots=True)
class Terminal:
    """Propositions that must still be recorded as true in the last row."""

    members: list[int]
    type: str = TERMINAL

    def unroll(self, source: int, copy: int, semantics: Semantics) -> list[AnyConstraint]:
        if source in self.members:
            self.members.append(copy)
        return []

    def valid(self, outcomes: Outcomes, semantics: Semantics) -> list[bool]:
        result = [True] * len(outcomes.satisfied_at)
        for index in self.members:
            if outcomes.satisfied_at[index] != -1:
                result[index] = outcomes.last[index]
        return result


AnyConstraint = Temporal | Tie | Terminal


def build_constraint(constraint: Constraint, count: int) -> AnyConstraint:
    """Return a constraint that can be unrolled and judged, for ``count`` declared propositions.

    Raises EvaluationError for an unknown type, an index out of range, a cycle, or ties whose
    lists differ in length.
    """
    args = constraint.args
    declared = args.get("n_propositions")
    limit = count if declared is None else min(count, declared)
    if constraint.type == TEMPORAL:
        edges = {(before, after) for before, after in args["dag_edges"]}
        _in_range((i for edge in edges for i in edge), limit)
        return Temporal(edges)
    if constraint.type not in (SAME_ARG, DIFFERENT_ARG, TERMINAL):
        raise EvaluationError(f"expected a known constraint type, got {constraint.type!r}")
    members = list(args["proposition_indices"])
    _in_range(members, limit)
    if constraint.type == TERMINAL:
        return Terminal(members)
    names = args["arg_names"]
    if len(names) != len(members):
        raise EvaluationError(f"expected {len(members)} argument names, got {len(names)}")
    return Tie(constraint.type, members, dict(zip(members, names, strict=True)), tuple(names))


def _in_range(indices: Iterable[int], limit: int) -> None:
    for index in indices:
        if not 0 <= index < limit:
            raise EvaluationError(f"expected proposition indices below {limit}, got {index}")


def _ancestors(edges: set[tuple[int, int]]) -> dict[int, frozenset[int]]:
    sorter: TopologicalSorter[int] = TopologicalSorter()
    before: dict[int, set[int]] = {}
    for first, second in edges:
        if first == second:
            raise EvaluationError(f"expected edges without a cycle, got [{first}, {second}]")
        sorter.add(second, first)
        before.setdefault(first, set())
        before.setdefault(second, set()).add(first)
    try:
        order = list(sorter.static_order())
    except CycleError as error:
        raise EvaluationError(f"expected edges without a cycle, got {error.args[1]}") from None
    result: dict[int, frozenset[int]] = {}
    for index in order:
        found = set(before[index])
        for first in before[index]:
            found |= result[first]
        result[index] = frozenset(found)
    return result


def recorded_value(recorded: Recorded | None, name: str, semantics: Semantics) -> Any:
    """Return the value that a satisfied proposition recorded under ``name``.

    ``*args_i`` is group i of a cluster (10.7). Raises EvaluationError for a name that was not
    recorded.
    """
    group = name.removeprefix(f"{GROUPS_ARG}_")
    if recorded is not None:
        if name in recorded:
            value = recorded[name]
            if name == GROUPS_ARG:
                return [handle for members in value for handle in members]
            return value
        groups = recorded.get(GROUPS_ARG)
        if (
            groups is not None
            and not semantics.star_arg_error
            and group.isdecimal()
            and int(group) < len(groups)
        ):
            return groups[int(group)]
    raise EvaluationError(f"expected a recorded argument, got {name!r}")


def values_match(a: Any, b: Any, semantics: Semantics) -> bool:
    """Tell whether two recorded values are the same thing, or share one (10.4)."""
    if semantics.char_overlap:
        return not set(a).isdisjoint(b)
    left = {a} if isinstance(a, str) else set(a)
    right = {b} if isinstance(b, str) else set(b)
    return not left.isdisjoint(right)
