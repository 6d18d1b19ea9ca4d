"""The order of a task's propositions, from its constraints and dependencies."""

from __future__ import annotations

from graphlib import CycleError, TopologicalSorter

from episodes.dataset import Task
from episodes.dataset.model import Proposition
from episodes.dataset.vocabulary import PREDICATES, TEMPORAL, TERMINAL, PredicateSignature


class UnsolvableError(Exception):
    """A task that the expert has no plan for; the text says which proposition, and why."""


class Order:
    """The propositions of a task as a directed graph without circles."""

    def __init__(self, task: Task) -> None:
        """Sort the propositions. Raises UnsolvableError where the order goes round in a circle."""
        count = len(task.evaluation_propositions)
        edges: list[tuple[int, int]] = []
        for constraint in task.evaluation_constraints:
            if constraint.type == TEMPORAL:
                edges += [(a, b) for a, b in constraint.args.get("dag_edges", ())]
        for dependency in task.evaluation_proposition_dependencies:
            pairs = [(h, p) for h in dependency.depends_on for p in dependency.proposition_indices]
            if dependency.relation_type == "before_satisfied":
                edges += [(p, h) for h, p in pairs]
            elif dependency.relation_type != "while_satisfied":
                edges += pairs
        direct = {i: {a for a, b in edges if b == i} for i in range(count)}
        self.before: list[set[int]] = [set() for _ in range(count)]
        """The propositions that have to be satisfied earlier, by proposition."""
        self.sequence: list[int] = []
        """All propositions, each after those before it; else as in the task."""
        sorter = TopologicalSorter(direct)
        try:
            sorter.prepare()
        except CycleError as error:
            raise UnsolvableError("the constraints go round in a circle") from error
        ready: set[int] = set()
        while sorter.is_active():
            ready |= set(sorter.get_ready())
            index = min(ready)
            ready.remove(index)
            sorter.done(index)
            self.sequence.append(index)
            self.before[index] = direct[index].union(*(self.before[i] for i in direct[index]))
        self.lasting: frozenset[int] = _lasting(task)
        """The propositions that have to hold at the end."""

    def ordered(self, one: int, other: int) -> bool:
        """Tell whether one has to come before the other, either way."""
        return one in self.before[other] or other in self.before[one]


def _lasting(task: Task) -> frozenset[int]:
    for constraint in task.evaluation_constraints:
        if constraint.type == TERMINAL:
            return frozenset(constraint.args["proposition_indices"])
    return frozenset(range(len(task.evaluation_propositions)))


def signature_of(proposition: Proposition) -> PredicateSignature:
    return PREDICATES[proposition.function_name]
