"""Online evaluator: what PARTNR computes at every step, at the cost of what changed."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

import msgspec

from episodes.evaluation.constraints import Recorded
from episodes.evaluation.credit import credited_seat
from episodes.evaluation.facts import Facts
from episodes.evaluation.partnr_explanation import ClassOf, describe, forgiving, structure
from episodes.evaluation.partnr_explanation import text as explanation_text
from episodes.evaluation.percent_complete import is_success, percent_complete
from episodes.evaluation.predicates import Cell, CellTable, Query, bind
from episodes.evaluation.semantics import DOCUMENTED, Semantics, semantics_named
from episodes.evaluation.state_tracker import Progress, Tracker
from episodes.evaluation.task import EvaluationTask
from episodes.evaluation.unrolling import unroll
from episodes.evaluation.verdict import (
    Cause,
    ConstraintOutcome,
    PropositionChange,
    PropositionOutcome,
    Verdict,
)


class EvaluatorState(msgspec.Struct):
    """State that an evaluator remembers, for a keyframe: see `Evaluator.state`."""

    progress: Progress
    movers: dict[str, tuple[int, str]]
    changes: list[PropositionChange]
    held: dict[int, list[int]] = {}
    """Cells by which each query held when it was asked last; older recordings have none."""


def _copy(state: EvaluatorState) -> EvaluatorState:
    return msgspec.msgpack.decode(msgspec.msgpack.encode(state), type=EvaluatorState)


@dataclass(slots=True)
class _Touched:
    """Cells and queries that a change of one handle makes unknown.

    ``cells`` are forgotten, and their ``queries`` looked at again. ``counted`` holds the cells
    of queries that count, by query: nearly all of them have to be asked again in any case, so
    that is done first, and the counting only if an answer changed.
    """

    cells: list[int] = field(default_factory=list)
    queries: set[int] = field(default_factory=set)
    counted: dict[int, list[int]] = field(default_factory=dict)


class Evaluator:
    """Evaluator of one episode of a task, tick by tick.

    Call `observe` with the first tick before anything happens, then after every tick. A call
    may be left out only for a tick in which nothing changed while `needs_observation` is false.
    Ticks take the place of PARTNR's steps: where every tick is observed, or left out by that
    rule, the results are those of a full evaluation at every tick.
    """

    def __init__(
        self,
        task: EvaluationTask,
        *,
        semantics: Semantics | str = DOCUMENTED,
        state: EvaluatorState | None = None,
    ) -> None:
        """Begin, or continue from the ``state`` of an evaluator of the same task and semantics.

        Raises EvaluationError for a task that cannot be evaluated (see
        `validate_evaluation`, which finds such tasks when a data set is read).
        """
        if isinstance(semantics, str):
            semantics = semantics_named(semantics)
        self.task = task
        self.semantics = semantics
        class_of = task.class_of
        self._class_of: ClassOf = class_of if callable(class_of) else class_of.__getitem__
        self.unrolled = unroll(task.propositions, task.dependencies, task.constraints, semantics)
        # The state is copied, so that several evaluators can continue from one keyframe.
        kept = _copy(state) if state is not None else None
        self._tracker = Tracker(self.unrolled, semantics, kept.progress if kept else None)
        self._movers: dict[str, tuple[int, str]] = kept.movers if kept else {}
        self._changes: list[PropositionChange] = kept.changes if kept else []
        self._held: dict[int, list[int]] = kept.held if kept else {}
        self._table = CellTable()
        self._queries: list[Query] = [bind(p, self._table) for p in task.propositions]
        # The members of a query are the original proposition and its copies.
        self._members: list[list[int]] = [[] for _ in self._queries]
        for index, unrolled in enumerate(self.unrolled.propositions):
            self._members[unrolled.original].append(index)
        self._numbers = [unrolled.number for unrolled in self.unrolled.propositions]
        self._touched: dict[str, _Touched] = {}
        self._index_handles()
        self._dirty: set[int] = set(range(len(self._queries)))
        self._needs = not self._tracker.progress.finished
        self._percent: float | None = None

    def _index_handles(self) -> None:
        users: dict[int, set[int]] = {}
        for number, query in enumerate(self._queries):
            for cell in query.cells():
                users.setdefault(cell, set()).add(number)
        for cell, queries in users.items():
            for name in dict.fromkeys(self._table.cells[cell].names):
                touched = self._touched.setdefault(name, _Touched())
                first = min(queries)
                if len(queries) == 1 and len(self._members[first]) > 1:
                    touched.counted.setdefault(first, []).append(cell)
                else:
                    touched.cells.append(cell)
                    touched.queries |= queries

    @property
    def needs_observation(self) -> bool:
        """Whether the next tick must be observed even if nothing changes in it."""
        return self._needs

    @property
    def finished(self) -> bool:
        return self._tracker.progress.finished

    @property
    def changes(self) -> Sequence[PropositionChange]:
        """Every change of a recorded value so far, oldest first."""
        return self._changes

    @property
    def watched(self) -> frozenset[str]:
        """The handles whose changes matter (room ids may be among them)."""
        return frozenset(self._touched)

    @property
    def questions(self) -> tuple[Cell, ...]:
        """Every primitive this task can ask, for a log from which it can be evaluated again."""
        return tuple(self._table.cells)

    @property
    def last_tick(self) -> int:
        """The tick of the newest recorded row; -1 before the first observation."""
        return self._tracker.progress.tick

    @property
    def open_now(self) -> tuple[int, ...]:
        """The propositions that the newest row looked at."""
        return tuple(i for i, is_open in enumerate(self._tracker.is_open) if is_open)

    @property
    def row(self) -> tuple[bool, ...]:
        """The newest recorded row, one value per unrolled proposition."""
        return tuple(self._tracker.progress.last)

    @property
    def satisfied_at(self) -> tuple[int, ...]:
        """The tick at which each unrolled proposition was first satisfied, or -1."""
        return tuple(self._tracker.progress.satisfied_at)

    @property
    def satisfied_with(self) -> tuple[Recorded | None, ...]:
        """The arguments recorded at that tick."""
        return tuple(self._tracker.progress.satisfied_with)

    @property
    def percent_complete(self) -> float:
        """Percent complete so far, in [0, 1]; computed again only after a change."""
        if self._percent is None:
            progress = self._tracker.progress
            self._percent = percent_complete(progress.satisfied_at, self._tracker.matrix())
        return self._percent

    def observe(
        self, tick: int, facts: Facts, changed: Mapping[str, str | None]
    ) -> tuple[PropositionChange, ...]:
        """Evaluate the world at ``tick``; return the values that changed, by proposition.

        ``changed`` maps each entity that moved, opened, closed or changed state since the
        previous observation to the seat whose event did it, or None; naming more than that
        does no harm. ``facts`` answers for the world as it is now and is kept until the
        next call. Raises ValueError for a tick that is not after the last one,
        EvaluationError or whatever the facts raise where the task cannot be evaluated,
        after which the evaluator is spent. Does nothing once finished.
        """
        if not changed and not self._needs:
            return ()
        progress = self._tracker.progress
        if progress.finished:
            return ()
        if tick <= progress.tick:
            raise ValueError(f"expected a tick after {progress.tick}, got {tick}")
        table = self._table
        table.facts = facts
        dirty = self._dirty
        touched_by = self._touched
        for handle, seat in changed.items():
            touched = touched_by.get(handle)
            if touched is not None:
                if seat is not None:
                    self._movers[handle] = (tick, seat)
                table.forget(touched.cells)
                dirty |= touched.queries
                for number, cells in touched.counted.items():
                    if number in dirty:
                        table.forget(cells)
                    elif not self._is_watched(number):
                        # A proposition is looked at when it opens; until then nothing is asked.
                        table.forget(cells)
                    elif table.ask_again(cells):
                        dirty.add(number)
        progress.tick = tick
        if not dirty and not self._needs:
            return ()
        return self._row(tick)

    def _is_watched(self, number: int) -> bool:
        is_open = self._tracker.is_open
        return any(is_open[index] for index in self._members[number])

    def _row(self, tick: int) -> tuple[PropositionChange, ...]:
        tracker = self._tracker
        turned = tracker.turn()
        changes: list[PropositionChange] = []
        for index in turned:
            if tracker.is_open[index]:
                self._dirty.add(self.unrolled.propositions[index].original)
            elif tracker.differs(index, False):
                self._record(tick, index, None, "dependency", changes)
        is_open, last = tracker.is_open, tracker.progress.last
        for number in sorted(self._dirty):
            query = self._queries[number]
            members = self._members[number]
            if len(members) == 1:
                index = members[0]
                if is_open[index]:
                    arguments = query.answer(self._numbers[index], self._table, self.semantics)
                    if (arguments is not None) is not last[index]:
                        cause: Cause = "dependency" if index in turned else "world"
                        self._record(tick, index, arguments, cause, changes)
                    if arguments is not None:
                        self._held[number] = self._table.holding(query.cells())
                continue
            members = [index for index in members if is_open[index]]
            if not members:
                continue
            numbers = [self._numbers[index] for index in members]
            answers = query.answers(numbers, self._table, self.semantics)
            for index, arguments in zip(members, answers, strict=True):
                if (arguments is not None) is not last[index]:
                    cause = "dependency" if index in turned else "world"
                    self._record(tick, index, arguments, cause, changes)
            if any(arguments is not None for arguments in answers):
                self._held[number] = self._table.holding(query.cells())
        self._dirty.clear()
        tracker.settle()
        self._needs = bool(tracker.progress.turning)
        if not changes:
            return ()
        changes.sort(key=lambda change: change.index)
        self._changes += changes
        self._percent = None
        return tuple(changes)

    def _record(
        self,
        tick: int,
        index: int,
        arguments: Recorded | None,
        cause: Cause,
        changes: list[PropositionChange],
    ) -> None:
        number = self.unrolled.propositions[index].original
        names: Iterable[str] = self._queries[number].names
        if arguments is None and cause == "world":
            # Not who walks with a thing that is named, too, but who moved what it held by.
            lost = self._table.lost(self._held.get(number, ()))
            names = [name for cell in lost for name in self._table.cells[cell].names] or names
        seat = credited_seat(self._movers, arguments, names)
        self._tracker.record(tick, index, arguments, seat)
        changes.append(
            PropositionChange(
                tick,
                index,
                arguments is not None,
                seat,
                cause,
            )
        )

    def finish(self, tick: int, facts: Facts | None = None) -> tuple[PropositionChange, ...]:
        """Repeat the last observation once, as PARTNR does when an episode ends, and freeze.

        ``tick`` is the last tick of the episode, in which nothing changed that has not been
        observed; the repeated row counts as the tick after it. ``facts`` replaces those of the
        last observation. Returns the values that changed. Does nothing when already finished.
        Raises ValueError for a tick before the last one or when nothing was ever observed, and
        otherwise as `observe` does.
        """
        progress = self._tracker.progress
        if progress.finished:
            return ()
        if progress.tick < 0 or tick < progress.tick:
            raise ValueError(f"expected a tick of at least {max(progress.tick, 0)}, got {tick}")
        if facts is not None:
            self._table.facts = facts
        changes: tuple[PropositionChange, ...] = ()
        if self._needs and tick > progress.tick:
            progress.tick = tick
            changes = self._row(tick)
        progress.tick = tick + 1
        if self._needs:
            changes += self._row(tick + 1)
        progress.finished = True
        self._needs = False
        return changes

    def state(self) -> EvaluatorState:
        """Copy everything remembered, so that ``Evaluator(task, state=...)`` continues from it.

        The first observation of the evaluator made from it asks every question again.
        """
        return _copy(
            EvaluatorState(self._tracker.progress, self._movers, self._changes, self._held)
        )

    def verdict(self) -> Verdict:
        """Return the result so far; after `finish` the final one. Changes nothing.

        Raises EvaluationError where PARTNR would: a tie on an argument that was not
        recorded, a thing of unknown class in the explanation.
        """
        progress = self._tracker.progress
        matrix = self._tracker.matrix()
        percent = percent_complete(progress.satisfied_at, matrix)
        explained = structure(self.unrolled.constraints, progress.satisfied_at, matrix)
        propositions = [unrolled.proposition for unrolled in self.unrolled.propositions]
        return Verdict(
            status="ok",
            percent_complete=percent,
            success=is_success(percent),
            propositions=tuple(
                self._outcome(index, all(row[index] for row in matrix))
                for index in range(len(propositions))
            ),
            constraints=tuple(
                ConstraintOutcome(
                    number,
                    rule.type,
                    all(row),
                    tuple(row),
                    tuple(i for i, good in enumerate(row) if not good),
                )
                for number, (rule, row) in enumerate(
                    zip(self.unrolled.constraints, matrix, strict=True)
                )
            ),
            explanation=explanation_text(explained, propositions, self._class_of),
            explanation_structure=explained,
            semantics=self.semantics.name,
            finished=progress.finished,
        )

    def _outcome(self, index: int, valid: bool) -> PropositionOutcome:
        progress = self._tracker.progress
        unrolled = self.unrolled.propositions[index]
        class_of = forgiving(self._class_of)
        at = progress.satisfied_at[index]
        changed_at = progress.changed_at[index]
        holds = progress.last[index]
        broken = at != -1 and not holds
        return PropositionOutcome(
            index=index,
            original=unrolled.original,
            text=describe(unrolled.proposition, class_of),
            should_text=describe(unrolled.proposition, class_of, should=True),
            satisfied=at != -1,
            satisfied_tick=None if at == -1 else at,
            satisfied_with=progress.satisfied_with[index],
            by_seat=progress.satisfied_by[index],
            holds_now=holds,
            valid=valid,
            last_changed_tick=None if changed_at == -1 else changed_at,
            broken_tick=changed_at if broken else None,
            broken_by_seat=progress.changed_by[index] if broken else None,
        )
