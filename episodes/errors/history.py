"""Shared history of an episode in symbols: what held when, and who ended it.

States are indexed by step: 0 is the start, and every change of the world makes a new one. All seats
share one history, because what one did is why another's action fails.
"""

from __future__ import annotations

import copy
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from episodes.errors.literals import Literal, SymbolicState
from episodes.world import Change


class Step(NamedTuple):
    """Origin of a state in the state before it."""

    tick: int
    changes: tuple[Change, ...]
    by: str | None
    action: str
    near: tuple[str, str] | None = None


class Since(NamedTuple):
    """A turn of a literal: the step, its tick, and the seat and action that did it."""

    step: int
    tick: int
    by: str | None
    action: str


class History:
    """Steps of an episode, folded into the newest state.

    Questions about the past fold the steps again, since errors are rare.
    """

    def __init__(
        self, start: Iterable[Change] = (), within: Mapping[str, int | None] | None = None
    ) -> None:
        self._start = SymbolicState(within)
        for change in start:
            self._start.apply(change)
        self.now = copy.deepcopy(self._start)
        self.steps: list[Step] = []

    def add(
        self,
        tick: int,
        changes: Iterable[Change],
        by: str | None = None,
        action: str = "",
        near: tuple[str, str] | None = None,
    ) -> None:
        """Add the next state. ``near`` is a seat and what it has just proven to be near."""
        step = Step(tick, tuple(changes), by, action, near)
        self.steps.append(step)
        _fold(self.now, step)

    def states(self) -> Iterator[SymbolicState]:
        """Yield every state, the start first, as one object that is folded on."""
        state = copy.deepcopy(self._start)
        yield state
        for step in self.steps:
            _fold(state, step)
            yield state

    def joint(self, literals: Sequence[Literal]) -> bool:
        """Tell whether an earlier state had all literals; what symbols do not tell is not had."""
        if not literals:
            return False
        past = list(self._values(literals))[:-1]
        return any(all(row) for row in past)

    def each(self, literals: Sequence[Literal]) -> bool:
        """Tell whether each literal was true in some earlier state, perhaps not the same one."""
        if not literals:
            return False
        past = list(self._values(literals))[:-1]
        return all(any(row[i] for row in past) for i in range(len(literals)))

    def _values(self, literals: Sequence[Literal]) -> Iterator[list[bool]]:
        for state in self.states():
            yield [bool(literal.holds(state)) for literal in literals]

    def _turn(self, literal: Literal, to: bool) -> Since | None:
        """Return the latest step that turned a literal to a value; None if it never turned."""
        found: Since | None = None
        before: bool | None = None
        for number, state in enumerate(self.states()):
            value = bool(literal.holds(state))
            if before is not None and value is to and before is not to:
                step = self.steps[number - 1]
                found = Since(number, step.tick, step.by, step.action)
            before = value
        return found

    def broken(self, literal: Literal) -> Since | None:
        """Return since when a literal is no longer true, and through whom."""
        return self._turn(literal, False)

    def made(self, literal: Literal) -> Since | None:
        """Return since when a literal is true, and through whom; None if true from the start."""
        return self._turn(literal, True)

    def held_at(self, literal: Literal, tick: int) -> bool:
        """Tell whether a literal was true after all that happened up to a tick."""
        count = bisect_right([step.tick for step in self.steps], tick)
        for number, state in enumerate(self.states()):
            if number == count:
                return bool(literal.holds(state))
        return False


def _fold(state: SymbolicState, step: Step) -> None:
    for change in step.changes:
        state.apply(change)
    if step.near is not None:
        state.near[step.near[0]] = step.near[1]
