"""Tracker of the state sequence: which propositions are open, what was recorded, what it led to.

The tracker knows nothing of the world. It is handed the answers for a row and keeps only what
dependencies, constraints and credit can ask of the past, so a row costs the same at any tick.
"""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from episodes.dataset.model import Dependency
from episodes.evaluation.constraints import AnyConstraint, Outcomes, Recorded
from episodes.evaluation.dependencies import (
    History,
    check_dependency,
    is_fulfilled,
    open_propositions,
)
from episodes.evaluation.semantics import Semantics
from episodes.evaluation.unrolling import Unrolled


class Progress(msgspec.Struct):
    """Memory of the rows so far, per unrolled proposition; -1 is "never".

    ``is_open`` tells what the newest row looked at, ``turning`` lists what opens or closes with
    the next one.
    """

    last: list[bool]
    ever: list[bool]
    fell: list[bool]
    satisfied_at: list[int]
    satisfied_with: list[Recorded | None]
    satisfied_by: list[str | None]
    changed_at: list[int]
    changed_by: list[str | None]
    is_open: list[bool]
    turning: list[int]
    tick: int = -1
    finished: bool = False

    @classmethod
    def start(cls, count: int) -> Progress:
        return cls(
            last=[False] * count,
            ever=[False] * count,
            fell=[False] * count,
            satisfied_at=[-1] * count,
            satisfied_with=[None] * count,
            satisfied_by=[None] * count,
            changed_at=[-1] * count,
            changed_by=[None] * count,
            is_open=[False] * count,
            turning=[],
        )


class Tracker:
    """Rows of answers, folded into `Progress`, and what the next row looks at."""

    def __init__(
        self, unrolled: Unrolled, semantics: Semantics, progress: Progress | None = None
    ) -> None:
        """Begin, or continue from ``progress``.

        Raises EvaluationError for a dependency that cannot be evaluated.
        """
        self.count = len(unrolled.propositions)
        self.semantics = semantics
        self.constraints: tuple[AnyConstraint, ...] = unrolled.constraints
        self.progress = progress if progress is not None else Progress.start(self.count)
        for dependency in unrolled.dependencies:
            check_dependency(dependency, self.count)
        p = self.progress
        # The history shares its lists with the progress, so that both are one state.
        self._history = History(p.last, p.ever, p.fell)
        self._conditions: list[list[Dependency]] = [[] for _ in range(self.count)]
        self._dependents: list[list[int]] = [[] for _ in range(self.count)]
        for dependency in unrolled.dependencies:
            for index in dependency.proposition_indices:
                if 0 <= index < self.count:
                    self._conditions[index].append(dependency)
                    for head in dependency.depends_on:
                        if index not in self._dependents[head]:
                            self._dependents[head].append(index)
        if progress is None:
            for index in open_propositions(self.count, unrolled.dependencies, self._history):
                p.is_open[index] = True
        self.is_open = p.is_open
        self._flipped: list[int] = []

    def turn(self) -> Sequence[int]:
        """Begin a row: open and close what the past rows decided; return those that turned."""
        turned = self.progress.turning
        if turned:
            self.progress.turning = []
            for index in turned:
                self.is_open[index] = not self.is_open[index]
        return turned

    def differs(self, index: int, holds: bool) -> bool:
        """Tell whether a value is not the one recorded last."""
        return self.progress.last[index] is not holds

    def record(
        self, tick: int, index: int, arguments: Recorded | None, by_seat: str | None
    ) -> None:
        """Record a changed value: satisfied with ``arguments``, or not satisfied (None)."""
        p = self.progress
        holds = arguments is not None
        self._history.record(index, holds)
        p.changed_at[index] = tick
        p.changed_by[index] = by_seat
        if holds and p.satisfied_at[index] == -1:
            p.satisfied_at[index] = tick
            p.satisfied_with[index] = arguments
            p.satisfied_by[index] = by_seat
        if self._dependents[index]:
            self._flipped.append(index)

    def settle(self) -> None:
        """End a row: find out what the next one opens and closes.

        What depends can only be altered by a head whose value changed, so nothing else is looked
        at.
        """
        if not self._flipped:
            return
        affected = {i for head in self._flipped for i in self._dependents[head]}
        self._flipped.clear()
        for index in sorted(affected):
            opens = all(is_fulfilled(d, self._history) for d in self._conditions[index])
            if opens is not self.is_open[index]:
                self.progress.turning.append(index)

    def matrix(self) -> list[list[bool]]:
        """Return one row per constraint, one entry per proposition; false is "invalidated".

        Raises EvaluationError for a tie on an argument that was not recorded.
        """
        p = self.progress
        outcomes = Outcomes(p.satisfied_at, p.satisfied_with, p.last)
        return [rule.valid(outcomes, self.semantics) for rule in self.constraints]
