"""Placements behind the rows of a report: when what made a row true was put down, and by whom.

The evaluator judges a held thing where the hand holds it, so a row can come true while its thing is
carried by. Players read *done* as *put down*. Pure.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

import msgspec

from episodes.dataset.vocabulary import PREDICATES
from episodes.drawing.steps import TaskSteps
from episodes.evaluation import PropositionOutcome, Verdict
from episodes.evaluation.account import Expectation, Named
from episodes.world import HolderChanged
from server.recording.log_records import Keyframe, Line, TickLine
from server.reports.step_words import recorded_in


class Placement(msgspec.Struct, frozen=True, omit_defaults=True):
    """Fate of a thing that somebody had in the hand when a row came true, or at the end.

    ``tick`` counts from the start of play: the first at which all that made the row true lay where
    it asks; None: never. ``seat`` is who put the last of it down. ``holder`` is who held ``thing``
    at the end while the row held, None: nobody; ``over`` then says where, as ``over the table``.
    """

    tick: int | None = None
    seat: str | None = None
    holder: str | None = None
    thing: str = ""
    over: str = ""


class _Watch:
    """A row of a verdict while its recording is read."""

    def __init__(self, row: PropositionOutcome, step: Expectation) -> None:
        groups = [recorded_in(step, row, n) for n in range(len(step.groups))]
        self.row = row
        self.step = step
        self.things: Mapping[str, Named] = {named.handle: named for g in groups for named in g}
        self.places = groups[1] if len(groups) > 1 else []
        self.holds = False
        self.was_held = False
        """Whether one of its things was in a hand when it came true."""
        self.placed: int | None = None
        self.seat: str | None = None

    def look(self, tick: int, holders: Mapping[str, str], last: Mapping[str, str]) -> None:
        """Take note of a tick; ``last`` says who had a thing in the hand last."""
        if not self.holds or self.placed is not None:
            return
        in_hand = holders.keys() & self.things.keys()
        if in_hand:
            self.was_held = True
            return
        self.placed = tick
        dropped = [thing for thing in self.things if thing in last]
        self.seat = last[dropped[-1]] if dropped else None

    def placement(self, holders: Mapping[str, str]) -> Placement | None:
        held = [thing for thing in self.things if thing in holders]
        is_held = self.holds and bool(held)
        if not self.was_held and not is_held:
            return None
        if not is_held:
            return Placement(self.placed, self.seat)
        thing = held[0]
        where = _over(self.step, self.places)
        return Placement(self.placed, self.seat, holders[thing], self.things[thing].name, where)


def placements(
    steps: TaskSteps, verdict: Verdict, lines: Iterable[Line], start: int
) -> dict[int, Placement]:
    """Return the placements of the rows of a verdict, by index, where a hand had a part in them.

    ``start`` is the session's tick from which play counts.
    """
    expected = {step.expected.index: step.expected for step in steps.steps}
    watched = {
        row.index: _Watch(row, expected[row.original])
        for row in verdict.propositions
        if row.satisfied and _is_about_places(expected.get(row.original))
    }
    holders: dict[str, str] = {}
    last: dict[str, str] = {}
    has_begun = False
    for line in lines:
        if isinstance(line, Keyframe) and not has_begun:
            has_begun = True
        elif not isinstance(line, TickLine):
            continue
        for change in line.changes:
            if not isinstance(change, HolderChanged):
                continue
            # Who puts down last comes last.
            last.pop(change.handle, None)
            if change.seat is None:
                dropped = holders.pop(change.handle, None)
                if dropped is not None:
                    last[change.handle] = dropped
            else:
                holders[change.handle] = change.seat
        if isinstance(line, TickLine):
            for found in line.propositions:
                if found.index in watched:
                    watched[found.index].holds = found.holds
            for watch in watched.values():
                watch.look(max(0, line.tick - start), holders, last)
    found_by_row = {index: watch.placement(holders) for index, watch in watched.items()}
    return {index: found for index, found in found_by_row.items() if found is not None}


def _is_about_places(step: Expectation | None) -> bool:
    """Tell whether a step asks where a thing is: what is washed may be in a hand."""
    return step is not None and PREDICATES[step.predicate].state is None


_OVER = {"is_inside": "in", "is_in_room": "in", "is_next_to": "beside"}


def _over(step: Expectation, places: Sequence[Named]) -> str:
    """Return where a held thing is: ``over the coffee table``; empty where no place is named."""
    signature = PREDICATES[step.predicate]
    if signature.second is None or not places:
        return ""
    return f"{_OVER.get(step.predicate, 'over')} {places[0].name}"
