"""A reader of PARTNR's failure text, as an `Account` in which only classes are known."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from typing import Final

from episodes.evaluation.account import (
    Account,
    Breach,
    Expectation,
    Late,
    Named,
    Shortfall,
    Situation,
    TieRule,
    Undone,
    Used,
)
from episodes.evaluation.final_places import WhereIs
from server.sessions.core import SessionCore

_STATES: Final = "clean|dirty|filled|empty|powered on|powered off"
_LINE = re.compile(
    r"^(?:Object )?(?P<first>[^a-z]*\"[^\"]*\"(?: or \"[^\"]*\")*)(?: should have been)? "
    r"(?P<verb>moved to the|placed inside the|placed on top of the|placed on the floor"
    rf"|placed next to|{_STATES})(?: (?P<second>\"[^\"]*\"(?: or \"[^\"]*\")*))?$"
)
_PREDICATES: Final = {
    "moved to the": "is_in_room",
    "placed inside the": "is_inside",
    "placed on top of the": "is_on_top",
    "placed on the floor": "is_on_floor",
    "placed next to": "is_next_to",
}


class TextReader:
    """A reader of a text in a scene, of which the reader has seen the end of the first try."""

    def __init__(self, core: SessionCore, end: WhereIs) -> None:
        self.end = end
        scene = core.simulator.scene
        self.classes: dict[str, list[Named]] = {}
        self.rooms: dict[str, list[Named]] = {}
        for room in scene.rooms:
            name = room.room_id.partition(".")[0].replace("_", " ")
            self.rooms.setdefault(room.room_id.partition(".")[0], []).append(
                Named(room.room_id, name)
            )
            self.rooms.setdefault(name, self.rooms[room.room_id.partition(".")[0]])
        handles = [*core.world.objects, *(f.handle for f in scene.furniture)]
        for handle in handles:
            name = core.view.template(handle).class_name.replace("_", " ")
            self.classes.setdefault(name, []).append(Named(handle, name))
        self.steps: dict[str, Expectation] = {}

    def read(self, text: str) -> Account:
        """Read the account; leave out lines that cannot be read."""
        lines = text.split("\n")
        shortfalls: list[Shortfall] = []
        breaches: list[Breach] = []
        if lines and lines[0].endswith("Missing steps:"):
            counted = Counter(line.removeprefix(" - ") for line in lines[1:])
            for line, number in counted.items():
                step = self._step(line, number)
                if step is not None:
                    now = self._now(step)
                    shortfalls.append(Shortfall(step.index, "never", 0, now, "", ()))
        else:
            breaches = list(self._sections(lines[1:]))
        return Account(tuple(self.steps.values()), tuple(shortfalls), tuple(breaches))

    def _step(self, line: str, number: int = 1) -> Expectation | None:
        found = self.steps.get(line)
        if found is not None:
            return found
        parts = _LINE.match(line.strip())
        if parts is None:
            return None
        verb = parts["verb"]
        predicate = _PREDICATES.get(verb, f"is_{verb.replace(' ', '_')}")
        groups = [self._things(parts["first"], self.classes)]
        if parts["second"] is not None:
            table = self.rooms if predicate == "is_in_room" else self.classes
            groups.append(self._things(parts["second"], table))
        step = Expectation(len(self.steps), predicate, tuple(groups), (number,), "")
        self.steps[line] = step
        return step

    def _things(self, words: str, table: dict[str, list[Named]]) -> tuple[Named, ...]:
        names = re.findall(r'"([^"]*)"', words)
        return tuple(thing for name in names for thing in table.get(name, ()))

    def _now(self, step: Expectation) -> tuple[Situation, ...]:
        found = []
        for thing in step.groups[0]:
            states = dict(self.end.states(thing.handle))
            place = self.end.place(thing.handle)
            if place is None:
                found.append(Situation(thing, "unknown", states=states))
            else:
                entity = None if place.entity is None else Named(place.entity, "")
                found.append(Situation(thing, place.relation, entity, states=states))
        return tuple(found)

    def _sections(self, lines: Sequence[str]) -> list[Breach]:
        breaches: list[Breach] = []
        heading = ""
        items: list[tuple[str, list[str]]] = []
        for line in [*lines, "end:"]:
            if line.startswith("   - "):
                items[-1][1].append(line.removeprefix("   - "))
            elif line.startswith(" - "):
                item = line.removeprefix(" - ")
                items.append((item.removesuffix(" should have been completed after:"), []))
            else:
                if items:
                    breaches.append(self._breach(heading, items))
                heading, items = line, []
        return breaches

    def _breach(self, heading: str, items: list[tuple[str, list[str]]]) -> Breach:
        read = [(self._step(line), [self._step(b) for b in before]) for line, before in items]
        if heading.startswith("Steps were completed out of order"):
            late = tuple(
                Late(step.index, 0, None, tuple(b.index for b in before if b is not None))
                for step, before in read
                if step is not None
            )
            return Breach("order", "", (), late=late)
        if heading.startswith("Completed steps were later undone"):
            undone = tuple(
                Undone(step.index, 0, None, None, None, self._now(step))
                for step, _ in read
                if step is not None
            )
            return Breach("undone", "", (), undone=undone)
        same = "ifferent" not in heading
        group = 0 if "object" in heading.lower().split(" should")[0] else 1
        members = tuple(Used(step.index, group) for step, _ in read if step is not None)
        return Breach("same" if same else "different", "", (), tie=TieRule(same, members))
