"""The released evaluator's way of working, in the plainest form: everything, at every step.

It keeps all rows and looks at all of them again each time. The online evaluator must agree with
it; it is also what the benchmark compares with.
"""

from __future__ import annotations

from itertools import pairwise
from typing import Any

from episodes.dataset.vocabulary import PREDICATES
from episodes.evaluation import DOCUMENTED, EvaluationTask, Facts, Semantics
from episodes.evaluation.constraints import Outcomes
from episodes.evaluation.percent_complete import percent_complete
from episodes.evaluation.unrolling import unroll


class PlainEvaluator:
    def __init__(self, task: EvaluationTask, semantics: Semantics = DOCUMENTED) -> None:
        self.semantics = semantics
        self.unrolled = unroll(task.propositions, task.dependencies, task.constraints, semantics)
        self.rows: list[list[bool]] = []
        self.infos: list[list[Any]] = []
        count = len(self.unrolled.propositions)
        self.satisfied_at = [-1] * count
        self.satisfied_with: list[Any] = [None] * count

    def step(self, facts: Facts) -> None:
        count = len(self.unrolled.propositions)
        row, info = [False] * count, [None] * count
        for index in range(count):
            if self._is_open(index):
                info[index] = self._query(index, facts)
                row[index] = info[index] is not None
        for index in range(count):
            if row[index] and self.satisfied_at[index] == -1:
                self.satisfied_at[index] = len(self.rows)
                self.satisfied_with[index] = info[index]
        self.rows.append(row)
        self.infos.append(info)

    def _is_open(self, index: int) -> bool:
        for dependency in self.unrolled.dependencies:
            if index in dependency.proposition_indices:
                met = [self._met(dependency.relation_type, i) for i in dependency.depends_on]
                if not (all(met) if dependency.dependency_mode == "all" else any(met)):
                    return False
        return True

    def _met(self, relation: str, head: int) -> bool:
        past = [row[head] for row in self.rows]
        if relation == "while_satisfied":
            return bool(past) and past[-1]
        if relation == "after_satisfied":
            return True in past
        if relation == "before_satisfied":
            return True not in past
        return any(a and not b for a, b in pairwise(past))

    def _query(self, index: int, facts: Facts) -> Any:
        unrolled = self.unrolled.propositions[index]
        name, args = unrolled.proposition.function_name, unrolled.proposition.args
        signature = PREDICATES[name]
        number = 1 if unrolled.number is None else unrolled.number
        if name == "is_clustered":
            return self._clustered(args, number, facts)
        first = args[signature.first]
        second = [None] if signature.second is None else args[signature.second]
        same = bool(signature.same and args.get(signature.same, False))

        def info(a: str, b: str | None) -> dict[str, str]:
            found = {signature.first: a}
            if b is not None:
                assert signature.second is not None
                found[signature.second] = b
            return found

        if len(first) == len(second) == 1:
            holds = self._holds(name, args, first[0], second[0], facts)
            enough = number <= 1 or self.semantics.single_number
            return info(first[0], second[0]) if holds and enough else None
        passes = (
            [[(a, b) for a in first] for b in second]
            if same
            else [[(a, b) for a in first for b in second]]
        )
        holds = False
        pair: tuple[str, str | None] | None = None
        for pairs in passes:
            count = 0
            counted: set[str] = set()
            for pair in pairs:
                holds = self._holds(name, args, *pair, facts)
                if holds and (self.semantics.pair_count or pair[0] not in counted):
                    counted.add(pair[0])
                    count += 1
                    if count == number:
                        return info(*pair)
        return info(*pair) if pair and holds and self.semantics.last_pair else None

    def _holds(self, name: str, args: Any, a: str, b: str | None, facts: Facts) -> bool:
        signature = PREDICATES[name]
        if signature.state is not None:
            return facts.state(a, signature.state) is not signature.negated
        if name == "is_on_floor":
            return facts.on_floor(a)
        assert b is not None
        if name == "is_on_top":
            return facts.is_above(a, b)
        if name == "is_inside":
            return facts.is_within(a, b)
        if name == "is_in_room":
            return facts.in_room(a, b)
        if a == b:
            raise AssertionError("next to itself")
        return facts.gap(a, b) <= float(args.get("l2_threshold", 0.5))

    def _clustered(self, args: Any, number: Any, facts: Facts) -> Any:
        if not isinstance(number, list):
            if self.semantics.cluster_number:
                raise TypeError("a number per group")
            number = [number] * len(args["*args"])
        names = list(dict.fromkeys(h for group in args["*args"] for h in group))
        near = {
            (a, b): facts.gap(a, b) <= args.get("l2_threshold", 0.5)
            for i, a in enumerate(names)
            for b in names[i + 1 :]
        }
        parts: list[list[str]] = []
        left = list(names)
        while left:
            part, edge = [], [left[0]]
            while edge:
                at = edge.pop()
                if at in left:
                    left.remove(at)
                    part.append(at)
                    edge += [n for n in left if near.get((at, n), near.get((n, at)))]
            parts.append(part)
        for part in sorted(parts, key=len, reverse=True):
            groups = [[h for h in group if h in part] for group in args["*args"]]
            if all(len(set(g)) >= n for g, n in zip(groups, number, strict=True)):
                return {"*args": groups}
        return None

    def matrix(self) -> list[list[bool]]:
        outcomes = Outcomes(self.satisfied_at, self.satisfied_with, self.rows[-1])
        return [rule.valid(outcomes, self.semantics) for rule in self.unrolled.constraints]

    def percent(self) -> float:
        return percent_complete(self.satisfied_at, self.matrix())
