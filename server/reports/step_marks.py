"""Marks of a timeline's steps: when each was done, or undone again. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from episodes.drawing.steps import Step, TaskSteps
from episodes.drawing.timeline import StepMark
from episodes.evaluation.verdict import PropositionChange
from server.recording.log_records import Keyframe, TickLine
from server.reports.hands import Hands, StepInHand


class StepMarks:
    """Reader of a recording that marks steps where they were done: what is held is put down first.

    Marks of copies ("2 of 3") are parts of their step's and left out.
    """

    def __init__(self, steps: TaskSteps) -> None:
        self._hands = Hands()
        self._steps = {step.expected.index: _Marked(step) for step in steps.steps}
        self._ticks: tuple[int, int] | None = None
        """A tick of the session at which something changed, and that tick of the episode."""

    def begin(self, keyframe: Keyframe) -> None:
        self._hands.take(keyframe.changes)

    def read(self, line: TickLine) -> None:
        self._hands.take(line.changes)
        for found in line.propositions:
            self._ticks = (line.tick, found.tick)
            if found.index in self._steps:
                self._steps[found.index].change(found, self._hands)
        if self._ticks is not None:
            tick = line.tick - self._ticks[0] + self._ticks[1]
            for marked in self._steps.values():
                marked.look(tick, self._hands)

    def marks(self, names: dict[str, str]) -> Iterator[StepMark]:
        """Yield all marks; ``names`` are those of the seats."""
        for marked in self._steps.values():
            for tick, holds, seat, is_held in marked.marks():
                name = names.get(seat or "")
                step = marked.step
                yield StepMark(tick, step.number, holds, step.status, name, is_held)


Found = tuple[int, bool, str | None, bool]
"""A mark: its tick, whether the step holds, through whom, and whether it was in a hand."""


class _Marked:
    """A step while its recording is read."""

    def __init__(self, step: Step) -> None:
        self.step = step
        self._hand = StepInHand(step.expected, step.expected.numbers[0])
        self._found: list[Found] = []
        self._waiting: PropositionChange | None = None
        """The change by which it holds, while that is in a hand."""
        self._carried: Found | None = None
        """Mark of the first time that it held and was in a hand."""

    def change(self, found: PropositionChange, hands: Hands) -> None:
        self._hand.change(found.holds, found.by_seat, hands)
        if found.holds:
            self._waiting = found
            return
        if self._waiting is None and self._found:
            self._found.append((found.tick, False, found.by_seat, False))
        self._waiting = None

    def look(self, tick: int, hands: Hands) -> None:
        found = self._waiting
        if found is None:
            return
        held = self._hand.in_hand(hands)
        if held is not None:
            self._carried = self._carried or (found.tick, True, hands.holders[held], True)
            return
        # Who put it down did it; where nobody had it in a hand, who is credited with it.
        seat = found.by_seat if tick == found.tick else self._hand.put_down_by(hands)
        self._found.append((tick, True, seat, False))
        self._waiting = None

    def marks(self) -> Iterable[Found]:
        if not self._found and self._carried is not None:
            return [self._carried]
        return self._found
