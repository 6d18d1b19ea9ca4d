"""Predicates over lists: section 4 of the evaluator specification, with answers kept.

A `CellTable` holds every primitive about named things that a task can ask, each asked for at most
once until something that it names changes. A query is one proposition's arguments bound to cells;
the unrolled copies of a proposition share it, since they differ only in their number.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from functools import partial
from operator import methodcaller
from typing import Any, Final

from episodes.dataset.model import Proposition
from episodes.dataset.vocabulary import (
    DEFAULT_L2_THRESHOLD_M,
    GROUPS_ARG,
    PREDICATES,
    PredicateSignature,
)
from episodes.evaluation.constraints import Recorded
from episodes.evaluation.errors import EvaluationError
from episodes.evaluation.facts import Facts
from episodes.evaluation.list_completion import can_fill, completions, components
from episodes.evaluation.semantics import DOCUMENTED, Semantics

_METHODS: Final = {
    "is_on_top": "is_above",
    "is_inside": "is_within",
    "is_in_room": "in_room",
    "is_on_floor": "on_floor",
    "is_next_to": "gap",
    "is_clustered": "gap",
}


@dataclass(frozen=True, slots=True)
class Cell:
    """A primitive: the method of `Facts`, its arguments, and how the answer becomes a bool.

    ``threshold`` (m) makes a distance a bool, ``negated`` turns a state round.
    """

    method: str
    args: tuple[str, ...]
    threshold: float | None = None
    negated: bool = False

    @property
    def names(self) -> tuple[str, ...]:
        """The handles (and the room id) that the answer is about."""
        return self.args[:1] if self.method == "state" else self.args


def _beside_itself(name: str, facts: Facts) -> float:
    raise EvaluationError(f"expected two things, got {name!r} beside itself")


@dataclass(slots=True)
class CellTable:
    """All cells of a task; ``values[i]`` is None until cell i has been asked for."""

    cells: list[Cell] = field(default_factory=list)
    values: list[bool | None] = field(default_factory=list)
    facts: Facts | None = None
    _calls: list[tuple[Callable[[Any], Any], float | None, bool]] = field(default_factory=list)
    _index: dict[Cell, int] = field(default_factory=dict)

    def add(self, cell: Cell) -> int:
        """Return the position of a cell, which is added if it is new."""
        found = self._index.get(cell)
        if found is None:
            found = self._index[cell] = len(self.cells)
            self.cells.append(cell)
            self.values.append(None)
            # Asking is most of what a tick costs; a methodcaller saves the look-up by name.
            call: Callable[[Any], Any] = methodcaller(cell.method, *cell.args)
            if cell.method == "gap" and cell.args[0] == cell.args[1]:
                call = partial(_beside_itself, cell.args[0])
            self._calls.append((call, cell.threshold, cell.negated))
        return found

    def ask(self, position: int) -> bool:
        """Ask the facts for a cell and keep the answer."""
        call, threshold, negated = self._calls[position]
        found = call(self.facts)
        value = bool(found) is not negated if threshold is None else bool(found <= threshold)
        self.values[position] = value
        return value

    def ask_again(self, positions: Iterable[int]) -> bool:
        """Ask once more for cells that have been asked for; tell whether an answer changed."""
        values = self.values
        changed = False
        for position in positions:
            value = values[position]
            if value is not None and self.ask(position) is not value:
                changed = True
        return changed

    def holding(self, positions: Iterable[int]) -> list[int]:
        """Return the cells among these that are known to hold."""
        return [position for position in positions if self.values[position]]

    def lost(self, positions: Iterable[int]) -> list[int]:
        """Return the cells among these that hold no longer."""
        values = self.values
        return [
            position
            for position in positions
            if not (self.ask(position) if values[position] is None else values[position])
        ]

    def forget(self, positions: Iterable[int]) -> None:
        """Make cells unknown again."""
        values = self.values
        for position in positions:
            values[position] = None


@dataclass(slots=True)
class ListQuery:
    """A predicate over one or two lists, bound to cells.

    ``order`` lists the cells in the order in which they are asked for when one is enough.
    """

    signature: PredicateSignature
    names: tuple[str, ...]
    rows: list[list[int]]
    owners: list[int]
    same: bool
    arguments: dict[int, Recorded]
    order: list[int]

    def cells(self) -> Iterable[int]:
        return self.order

    def answer(self, number: Any, table: CellTable, semantics: Semantics) -> Recorded | None:
        """Return the recorded arguments if ``number`` hold, else None. Raises as `answers` does."""
        if number is not None and number != 1:
            return self.answers([number], table, semantics)[0]
        # One is enough: the first that holds. The result of the last pair (10.1) adds nothing.
        values = table.values
        for cell in self.order:
            value = values[cell]
            if value is None:
                value = table.ask(cell)
            if value:
                return self.arguments[cell]
        return None

    def answers(
        self, numbers: Sequence[Any], table: CellTable, semantics: Semantics
    ) -> list[Recorded | None]:
        """Return, for each number, the recorded arguments if that many hold, else None.

        Raises EvaluationError for a number below 1 with lists longer than one.
        """
        wanted = [1 if number is None else number for number in numbers]
        if min(wanted) < 1 and len(self.order) != 1:
            raise EvaluationError(f"expected a number of at least 1, got {min(wanted)}")
        done = completions(
            self.rows, self.owners, self.same, max(wanted), table.values, table.ask, semantics
        )
        return [self.arguments.get(done[max(number, 1) - 1]) for number in wanted]


@dataclass(slots=True)
class ClusterQuery:
    """``is_clustered``, bound to the cells of every pair of its things."""

    names: tuple[str, ...]
    groups: tuple[tuple[str, ...], ...]
    pairs: dict[tuple[int, int], int]

    def cells(self) -> Iterable[int]:
        return self.pairs.values()

    def answer(self, number: Any, table: CellTable, semantics: Semantics) -> Recorded | None:
        """Return `answers` for one number."""
        return self.answers([number], table, semantics)[0]

    def answers(
        self, numbers: Sequence[Any], table: CellTable, semantics: Semantics
    ) -> list[Recorded | None]:
        """Return, for each number (per group), the things of each group in a component with all.

        Raises EvaluationError where the released code needs a list and has none.
        """
        wanted = [self._per_group(number, semantics) for number in numbers]

        def near(i: int, j: int) -> bool:
            cell = self.pairs[i, j]
            value = table.values[cell]
            return table.ask(cell) if value is None else value

        found = [
            [[name for name in group if name in members] for group in self.groups]
            for component in components(self.names, near)
            for members in ({self.names[i] for i in component},)
        ]
        return [self._first(found, number, semantics) for number in wanted]

    def _per_group(self, number: Any, semantics: Semantics) -> list[int]:
        if isinstance(number, list):
            if len(number) != len(self.groups):
                raise EvaluationError(
                    f"expected {len(self.groups)} numbers, one per group, got {number!r}"
                )
            return number
        if semantics.cluster_number:
            raise EvaluationError(f"expected a list of numbers, got {number!r}")
        return [1 if number is None else number] * len(self.groups)

    def _first(
        self, found: list[list[list[str]]], numbers: list[int], semantics: Semantics
    ) -> Recorded | None:
        for groups in found:
            # A name that a group lists twice is one thing.
            members = [list(dict.fromkeys(group)) for group in groups]
            if any(len(m) < n for m, n in zip(members, numbers, strict=True)):
                continue
            if not semantics.cluster_overlap:
                place = {name: i for i, name in enumerate(self.names)}
                if not can_fill([[place[name] for name in m] for m in members], numbers):
                    continue
            return {GROUPS_ARG: groups}
        return None


Query = ListQuery | ClusterQuery


def bind(proposition: Proposition, table: CellTable) -> Query:
    """Bind a proposition's arguments to cells of ``table``.

    Raises EvaluationError for an unknown predicate.
    """
    signature = PREDICATES.get(proposition.function_name)
    if signature is None:
        raise EvaluationError(f"expected a known predicate, got {proposition.function_name!r}")
    args = proposition.args
    threshold = None
    if signature.has_threshold:
        threshold = float(args.get("l2_threshold", DEFAULT_L2_THRESHOLD_M))
    if signature.is_clustered:
        return _bind_cluster(args, threshold, table)
    first: list[str] = list(args[signature.first])
    second: list[str] | None = None if signature.second is None else list(args[signature.second])
    rows: list[list[int]] = []
    arguments: dict[int, Recorded] = {}
    for a in first:
        row: list[int] = []
        for b in second if second is not None else [None]:
            if signature.state is not None:
                cell = Cell("state", (a, signature.state), negated=signature.negated)
            else:
                names = (a,) if b is None else (a, b)
                cell = Cell(_METHODS[signature.name], names, threshold)
            position = table.add(cell)
            row.append(position)
            recorded: Recorded = {signature.first: a}
            if signature.second is not None:
                recorded[signature.second] = b
            arguments[position] = recorded
        rows.append(row)
    same = signature.same is not None and bool(args.get(signature.same, False))
    by_column = [[row[column] for row in rows] for column in range(len(rows[0]) if rows else 0)]
    return ListQuery(
        signature,
        tuple(dict.fromkeys([*first, *(second or ())])),
        rows,
        [first.index(a) for a in first],
        same,
        arguments,
        [cell for line in (by_column if same else rows) for cell in line],
    )


def _bind_cluster(args: dict[str, Any], threshold: float | None, table: CellTable) -> ClusterQuery:
    groups = tuple(tuple(group) for group in args[GROUPS_ARG])
    names = tuple(dict.fromkeys(name for group in groups for name in group))
    pairs = {
        (i, j): table.add(Cell("gap", (names[i], names[j]), threshold))
        for i in range(len(names))
        for j in range(i + 1, len(names))
    }
    return ClusterQuery(names, groups, pairs)


def holds(
    proposition: Proposition, facts: Facts, semantics: Semantics = DOCUMENTED
) -> Recorded | None:
    """Evaluate one proposition by itself: the arguments that satisfy it, or None.

    Raises EvaluationError for a proposition that cannot be evaluated, and whatever the facts
    raise.
    """
    table = CellTable(facts=facts)
    query = bind(proposition, table)
    return query.answer(proposition.args.get("number"), table, semantics)
