"""Answers of a scripted person to its partner's questions.

They say where a thing of the task is, who sees to it, and what is still wrong: DialFRED's oracle
and the feedback of HELPER, which both know the goal.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from episodes.tasks.words import noun
from server.robots.baselines.expert.goals import Goal
from server.robots.baselines.expert.progress import is_done, missing
from server.robots.baselines.partner.places import room_around
from server.robots.baselines.scripted_player import Change, Put
from server.sessions.core import SessionCore, Tick
from server.sessions.events import Said
from server.sessions.spec import TICK_RATE

NO_IDEA = "I do not know."
ALL_WELL = "No, all is well."
MOST_TOLD = 3
_WHO, _WHETHER = ("take care", "or shall i", "or should i"), ("wrong", "missing", "anything else")
_CHANGED = {
    "clean": "washed",
    "fill": "filled",
    "power_on": "switched on",
    "power_off": "switched off",
}


class PartnerAnswers:
    """Questions that a seat has been asked, and what it has to say to them some time later."""

    def __init__(self, seat: str, after_s: float) -> None:
        self.seat = seat
        self._after = round(after_s * TICK_RATE)
        self._asked = ""
        self._due = 0

    def hear(self, tick: Tick) -> None:
        for event in tick.events:
            if isinstance(event, Said) and event.seat != self.seat and is_question(event.text):
                self._asked, self._due = event.text, tick.tick + self._after

    def due(self, core: SessionCore, goals: Sequence[Goal]) -> str:
        """Return what is to be said now; mostly nothing."""
        if not self._asked or core.tick < self._due:
            return ""
        asked, self._asked = self._asked, ""
        return answer(core, self.seat, goals, asked)


def is_question(text: str) -> bool:
    """Tell whether a line wants an answer.

    Who is asked to do something does it, and says nothing.
    """
    return "?" in text and not text.lower().startswith(("could you", "can you", "would you"))


def answer(core: SessionCore, seat: str, goals: Sequence[Goal], asked: str) -> str:
    """Answer a question, in a sentence or a few."""
    text = asked.lower()
    lacking = missing(core)
    undone = [goal for goal in goals if not is_done(core, goal, lacking)]
    if any(words in text for words in _WHETHER):
        return " ".join(_wanted(core, goal) for goal in undone[:MOST_TOLD]) or ALL_WELL
    named = [goal for goal in (*undone, *goals) if _is_named(core, goal.thing, text)]
    if not named:
        return NO_IDEA
    goal = named[0]
    if any(words in text for words in _WHO):
        return "I do." if goal.for_people else "You, please."
    return f"The {core.names.labels[goal.thing]} is {_where(core, seat, goal.thing)}."


def _is_named(core: SessionCore, thing: str, text: str) -> bool:
    kind = core.simulator.catalogue.of_handle(thing).class_name
    words = {kind.replace("_", " "), noun(kind), core.names.labels[thing]}
    return any(re.search(rf"\b(the|which) {re.escape(word)}\b", text) for word in words)


def _where(core: SessionCore, seat: str, thing: str) -> str:
    holder = core.view.holder(thing)
    if holder is not None:
        return "in my hand" if holder == seat else "in your hand"
    inside, surface = core.shut_in(thing), core.view.receptacle_of(thing)
    room = room_around(core, thing)
    where = "somewhere" if room is None else f"in the {core.names.labels[room.room_id]}"
    if inside is not None:
        return f"in the {core.names.labels[inside]} {where}"
    if surface is not None:
        return f"on the {core.names.labels[surface.furniture.handle]} {where}"
    return f"on the floor {where}"


def _wanted(core: SessionCore, goal: Goal) -> str:
    """Say what is still to be done, as somebody does who knows where things belong."""
    labels = core.names.labels
    what = f"The {labels[goal.thing]}"
    match goal.ways[0][-1]:
        case Change(verb, _):
            return f"{what} has to be {_CHANGED.get(verb, 'seen to')}."
        case Put(target, relation, near):
            beside = f", next to the {labels[near]}" if near else ""
            if not target:
                return f"{what} belongs on the floor{beside}."
            how = {"within": "in the ", "floor": "on the floor of the "}.get(relation, "on the ")
            return f"{what} belongs {how}{labels[target]}{beside}."
    return f"{what} is not as it should be."
