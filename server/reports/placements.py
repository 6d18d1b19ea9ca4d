"""Placements behind the rows of a report: when what made a row true was put down, and by whom.

Pure; what hands have to do with it is in `hands.py`.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import msgspec

from episodes.dataset.vocabulary import PREDICATES
from episodes.drawing.steps import TaskSteps
from episodes.evaluation import PropositionOutcome, Verdict
from episodes.evaluation.account import Expectation, Named
from server.recording.log_records import Keyframe, Line, TickLine
from server.reports.hands import Hands, StepInHand
from server.reports.step_words import enumerated_rows, recorded_in


class Placement(msgspec.Struct, frozen=True, omit_defaults=True):
    """Fate of a thing that somebody had in the hand when a row came true, or at the end.

    ``tick`` counts from the start of play: the first at which all that made the row true lay where
    it asks; None: never. ``seat`` is who put the last of it down. ``holder`` is who held ``thing``
    at the end while the row held, None: nobody; ``where`` says where, as ``at the table``.
    ``carrier`` is who held ``thing`` there when the row came true, at ``counted``.
    """

    tick: int | None = None
    seat: str | None = None
    holder: str | None = None
    thing: str = ""
    where: str = ""
    carrier: str | None = None
    counted: int | None = None


class _Watch:
    """A row of a verdict while its recording is read; ``number`` is how many things it asks for."""

    def __init__(self, row: PropositionOutcome, step: Expectation, number: int) -> None:
        self.row = row
        self.step = step
        self.hand = StepInHand(step, number)
        self.names = {named.handle: named.name for group in step.groups for named in group}
        self.places = recorded_in(step, row, 1) if len(step.groups) > 1 else []
        self.carried: tuple[str, str, int] | None = None
        """Thing, who had it in the hand, and tick, when the row first came true so."""
        self.placed: int | None = None
        self.seat: str | None = None

    def look(self, tick: int, hands: Hands) -> None:
        if not self.hand.holds or self.placed is not None:
            return
        thing = self.hand.in_hand(hands)
        if thing is None:
            self.placed = tick
            self.seat = self.hand.put_down_by(hands)
        elif self.carried is None:
            self.carried = (thing, hands.holders[thing], tick)

    def placement(self, hands: Hands) -> Placement | None:
        held = self.hand.in_hand(hands) if self.hand.holds else None
        where = _where(self.step, self.places)
        if held is not None:
            holder = hands.holders[held]
            return Placement(self.placed, self.seat, holder, self.names[held], where)
        if self.carried is None:
            return None
        thing, carrier, counted = self.carried
        name = self.names[thing]
        return Placement(self.placed, self.seat, None, name, where, carrier, counted)


def placements(
    steps: TaskSteps, verdict: Verdict, lines: Iterable[Line], start: int
) -> dict[int, Placement]:
    """Return the placements of the rows of a verdict, by index, where a hand had a part in them.

    ``start`` is the session's tick from which play counts.
    """
    watched = _watched(steps, verdict)
    hands = Hands()
    has_begun = False
    for line in lines:
        if isinstance(line, Keyframe) and not has_begun:
            has_begun = True
        elif not isinstance(line, TickLine):
            continue
        hands.take(line.changes)
        if isinstance(line, TickLine):
            for found in line.propositions:
                if found.index in watched:
                    watched[found.index].hand.change(found.holds, found.by_seat, hands)
            for watch in watched.values():
                watch.look(max(0, line.tick - start), hands)
    found_by_row = {index: watch.placement(hands) for index, watch in watched.items()}
    return {index: found for index, found in found_by_row.items() if found is not None}


def _watched(steps: TaskSteps, verdict: Verdict) -> dict[int, _Watch]:
    """Return the rows that came true and ask where things are, by index."""
    found = {}
    for step in (step.expected for step in steps.steps):
        for number, row in enumerated_rows(step, verdict):
            # What is washed may be in a hand.
            if row.satisfied and PREDICATES[step.predicate].state is None:
                found[row.index] = _Watch(row, step, number)
    return found


_RELATIONS = {"is_inside": "in", "is_in_room": "in", "is_next_to": "beside"}


def _where(step: Expectation, places: Sequence[Named]) -> str:
    """Return where a held thing is: ``at the coffee table``; empty where no place is named.

    The rules count a hand that reaches over a corner of it, as one does who stands beside it.
    """
    signature = PREDICATES[step.predicate]
    if signature.second is None or not places:
        return ""
    return f"{_RELATIONS.get(step.predicate, 'at')} {places[0].name}"
