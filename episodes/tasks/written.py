"""Task that a researcher writes in ten lines, made for a house and ready to be tried."""

from __future__ import annotations

import random
import re
from collections.abc import Iterable, Mapping, Sequence
from difflib import get_close_matches

from episodes.dataset import Task
from episodes.houses.body_starts import NoStartError, floors_of, start_poses
from episodes.scene import Catalogue, Scene
from episodes.tasks.draft import Draft, TaskError
from episodes.tasks.start_places import Place
from episodes.tasks.written_lines import (
    STATES,
    Beside,
    Changed,
    Placed,
    Somewhere,
    Start,
    Then,
    WrittenTask,
    WrittenTaskError,
)

_NUMBER = re.compile(r" [0-9]+")
_KINDS: Mapping[str, str] = {"on": "on", "in": "within"}


def made_task(written: WrittenTask, task_id: str, scene: Scene, catalogue: Catalogue) -> Task:
    """Return the task that was written. Raises WrittenTaskError for what its house lacks."""
    return _Writer(written, scene, catalogue).task(task_id)


class _Writer:
    def __init__(self, written: WrittenTask, scene: Scene, catalogue: Catalogue) -> None:
        self._written, self._scene, self._catalogue = written, scene, catalogue
        self._rng = random.Random(written.seed)
        self._draft = Draft(scene, catalogue, self._rng)
        self._handles: dict[str, str] = {}
        """Handles of things by the names that the lines use."""
        templates = catalogue.templates.values()
        self._objects = {t.class_name for t in templates if t.kind == "object"}
        self._furniture = {
            catalogue.templates[piece.template].class_name for piece in scene.furniture
        }
        self._rooms = {room.room_id.partition(".")[0] for room in scene.rooms}

    def task(self, task_id: str) -> Task:
        draft, floors = self._draft, floors_of(self._scene)
        for goal in self._written.goals:
            if isinstance(goal, Placed):
                draft.goal_furniture.update(self._pieces(goal.line, goal.place))
        for start in self._written.starts:
            self._add(start)
        for goal in self._written.goals:
            self._goal(goal)
        try:
            starts = start_poses(floors, self._rng.sample(sorted(floors), 2), self._rng)
        except (NoStartError, ValueError) as error:
            raise WrittenTaskError(1, f"{self._written.house} has no place to start in") from error
        return draft.task(task_id, self._written.instruction, starts, title=task_id)

    def _add(self, start: Start) -> None:
        class_name = _NUMBER.sub("", start.thing).replace(" ", "_")
        self._known(start.line, "thing", class_name, self._objects)
        if start.thing in self._handles:
            raise WrittenTaskError(
                start.line, f"{start.thing!r} is there already: number them, as `cup 1`, `cup 2`"
            )
        states: dict[str, bool] = {}
        for word in start.states:
            state, value = STATES[word]
            states[state] = value
        places = self._places(start)
        try:
            handle = self._draft.add(class_name, places, **states)
        except TaskError as error:
            raise WrittenTaskError(
                start.line,
                f"{error}: it needs such furniture that is no goal's, with room for it",
            ) from error
        template = self._catalogue.of_handle(handle)
        self._affords(start.line, start.thing, template.affords, states)
        self._handles[start.thing] = handle

    def _goal(self, goal: Placed | Beside | Changed | Then) -> None:
        match goal:
            case Then():
                self._draft.then()
            case Placed(line, thing, relation, place):
                handle, pieces = self._handle(line, thing), self._pieces(line, place)
                if not any(self._draft.fits(handle, p, _KINDS[relation]) for p in pieces):
                    raise WrittenTaskError(
                        line, f"nothing {relation} a {place.furniture} takes a {thing}"
                    )
                name = "is_on_top" if relation == "on" else "is_inside"
                self._draft.goal(name, object_handles=[handle], receptacle_handles=pieces)
            case Beside(line, thing, other):
                first, second = self._handle(line, thing), self._handle(line, other)
                self._draft.goal("is_next_to", entity_handles_a=[first], entity_handles_b=[second])
            case Changed(line, thing, word):
                handle = self._handle(line, thing)
                state, value = STATES[word]
                affords = self._catalogue.of_handle(handle).affords
                self._affords(line, thing, affords, {state: value})
                wanted = {
                    "is_clean": ("is_dirty", "is_clean"),
                    "is_filled": ("is_empty", "is_filled"),
                    "is_powered_on": ("is_powered_off", "is_powered_on"),
                }[state][value]
                self._draft.goal(wanted, object_handles=[handle])

    # Look-ups

    def _places(self, start: Start) -> Sequence[Place]:
        rooms = (start.place.room,) if start.place.room else ()
        self._pieces(start.line, start.place)
        return self._draft.places(start.place.furniture, *rooms, kind=_KINDS[start.relation])

    def _pieces(self, line: int, place: Somewhere) -> list[str]:
        self._known(line, "furniture", place.furniture, self._furniture)
        if place.room is not None:
            self._known(line, "room", place.room, self._rooms)
        found = self._draft.furniture(place.furniture, place.room)
        if not found:
            raise WrittenTaskError(
                line, f"{self._written.house} has no {place.furniture} in such a room"
            )
        return found

    def _handle(self, line: int, thing: str) -> str:
        if thing not in self._handles:
            raise WrittenTaskError(
                line, f"no `start` names {thing!r}, only {', '.join(self._handles)}"
            )
        return self._handles[thing]

    def _known(self, line: int, kind: str, name: str, known: Iterable[str]) -> None:
        names = sorted(known)
        if name not in names:
            near = get_close_matches(name, names, n=1, cutoff=0.5)
            hint = f": did you mean {near[0].replace('_', ' ')!r}?" if near else ""
            raise WrittenTaskError(
                line, f"{self._written.house} knows no {kind} {name.replace('_', ' ')!r}{hint}"
            )

    def _affords(
        self, line: int, thing: str, affords: Iterable[str], states: Mapping[str, bool]
    ) -> None:
        for state in states:
            if state not in affords:
                word = state.removeprefix("is_").replace("_", " ")
                raise WrittenTaskError(line, f"a {thing} cannot be {word}, or not so")
