"""Dependencies: when a proposition is looked at (section 6 of the evaluator specification)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from episodes.dataset.model import Dependency
from episodes.dataset.vocabulary import MODES, RELATIONS
from episodes.evaluation.errors import EvaluationError


@dataclass(slots=True)
class History:
    """Summary of the past rows that dependencies can ask about, per unrolled proposition.

    ``last`` is the latest recorded row, ``ever`` whether it was true in some row, ``fell``
    whether it was true in one row and false in the next. Constant size however long the episode
    is.
    """

    last: list[bool]
    ever: list[bool] = field(default_factory=list)
    fell: list[bool] = field(default_factory=list)

    @classmethod
    def empty(cls, count: int) -> History:
        """Return the history before the first row."""
        return cls([False] * count, [False] * count, [False] * count)

    def record(self, index: int, holds: bool) -> None:
        """Record the value of one proposition in the newest row; unchanged ones may be left out."""
        if holds:
            self.ever[index] = True
        elif self.last[index]:
            self.fell[index] = True
        self.last[index] = holds


def check_dependency(dependency: Dependency, count: int) -> None:
    """Raise EvaluationError for an unknown relation or mode or a head that does not exist."""
    if dependency.relation_type not in RELATIONS:
        raise EvaluationError(
            f"expected a relation of {', '.join(RELATIONS)}, got {dependency.relation_type!r}"
        )
    if dependency.dependency_mode not in MODES:
        raise EvaluationError(
            f"expected a mode of {', '.join(MODES)}, got {dependency.dependency_mode!r}"
        )
    for head in dependency.depends_on:
        if not 0 <= head < count:
            raise EvaluationError(f"expected a head below {count}, got {head}")


def is_fulfilled(dependency: Dependency, history: History) -> bool:
    """Tell whether the past rows fulfil a dependency. With no heads: ``all`` yes, ``any`` no."""
    relation = dependency.relation_type
    wanted = True
    if relation == "while_satisfied":
        values = history.last
    elif relation == "after_satisfied":
        values = history.ever
    elif relation == "after_unsatisfied":
        values = history.fell
    else:
        values = history.ever
        wanted = False
    heads = dependency.depends_on
    if dependency.dependency_mode == "all":
        return all(values[head] is wanted for head in heads)
    return any(values[head] is wanted for head in heads)


def open_propositions(
    count: int, dependencies: Sequence[Dependency], history: History
) -> list[int]:
    """Return the propositions that the next row looks at, ascending."""
    closed = {
        index
        for dependency in dependencies
        if not is_fulfilled(dependency, history)
        for index in dependency.proposition_indices
    }
    return [index for index in range(count) if index not in closed]


def open_after(
    count: int, dependencies: Sequence[Dependency], rows: Iterable[Sequence[bool]]
) -> list[int]:
    """Return the propositions that are looked at after the given rows of recorded values.

    Raises EvaluationError as `check_dependency` does.
    """
    for dependency in dependencies:
        check_dependency(dependency, count)
    history = History.empty(count)
    for row in rows:
        for index, holds in enumerate(row):
            history.record(index, bool(holds))
    return open_propositions(count, dependencies, history)
