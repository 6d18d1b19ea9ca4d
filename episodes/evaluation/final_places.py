"""Places of things at the end of an episode, and what a player calls them: for explanations.

Explanations name rooms and surfaces, which the evaluator never asks about. `Surroundings` is all
that is needed of a scene, as a plain value: it fits into a log, so that an episode that is scored
again is explained in the same words without its house.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from typing import Literal, NamedTuple, Protocol

import msgspec

from episodes.poses import Vec2, Vec3, in_polygon
from episodes.scene import Catalogue, Scene, receptacle_id, split_receptacle_id
from episodes.world import FLOOR, WorldState

Relation = Literal["on", "within", "floor"]
Name = Callable[[str], str]
"""Function from a handle or room id to what a player calls it."""


class Place(NamedTuple):
    """Support of a thing: ``entity`` is furniture or an object, None for the floor."""

    relation: Relation
    entity: str | None


class WhereIs(Protocol):
    """World at the end. Furniture has a room and states, but no place and no holder."""

    def place(self, thing: str) -> Place | None:
        """Return what a thing rests on; None for furniture, and for what is in a hand."""
        ...

    def room(self, thing: str) -> str | None:
        """Return the room id of a thing; of a held thing, where its holder stands."""
        ...

    def holder(self, thing: str) -> str | None:
        """Return the seat that holds a thing."""
        ...

    def states(self, thing: str) -> Mapping[str, bool]:
        """Return the states that a thing can have, by name."""
        ...


class RoomArea(msgspec.Struct, frozen=True, array_like=True):
    """A room's outline."""

    room_id: str
    polygon: tuple[Vec2, ...]
    floor_y: float
    height: float


class Surroundings(msgspec.Struct, frozen=True):
    """Parts of a scene that explanations and the error log need.

    ``within`` has the receptacles inside furniture, each with the part that must be open to
    reach it (None: it is always open).
    """

    labels: dict[str, str]
    rooms: tuple[RoomArea, ...]
    furniture_rooms: dict[str, str]
    within: dict[str, int | None]

    def room_at(self, point: Vec3) -> str | None:
        """Return the room whose outline is around a point; of several floors, at its height."""
        x, y, z = point
        best: tuple[float, str] | None = None
        for room in self.rooms:
            if in_polygon(room.polygon, x, z):
                off = max(room.floor_y - y, 0.0, y - room.floor_y - room.height)
                if best is None or off < best[0]:
                    best = (off, room.room_id)
        return None if best is None else best[1]


def surroundings_of(scene: Scene, catalogue: Catalogue, labels: dict[str, str]) -> Surroundings:
    """Return the surroundings of a scene; ``labels`` are those of `episodes.names.name_things`."""
    return Surroundings(
        labels,
        tuple(RoomArea(r.room_id, r.polygon, r.floor_y, r.height) for r in scene.rooms),
        {f.handle: f.room_id for f in scene.furniture},
        {
            receptacle_id(f.handle, r.name): r.part
            for f in scene.furniture
            for r in catalogue.templates[f.template].receptacles
            if r.kind == "within"
        },
    )


class WorldWhere:
    """`WhereIs` from the state of a world."""

    def __init__(self, world: WorldState, surroundings: Surroundings) -> None:
        self._world = world
        self._about = surroundings

    def place(self, thing: str) -> Place | None:
        support = self._world.supports.get(thing)
        if support is None or thing in self._world.holders:
            return None
        if support == FLOOR:
            return Place("floor", None)
        if "|" not in support:
            return Place("on", support)
        relation: Relation = "within" if support in self._about.within else "on"
        return Place(relation, split_receptacle_id(support)[0])

    def room(self, thing: str) -> str | None:
        fixed = self._about.furniture_rooms.get(thing)
        if fixed is not None:
            return fixed
        if thing not in self._world.objects:
            return None
        # A cup on a table is where the table is, even where its own middle is over a threshold.
        place = self.place(thing)
        if place is not None and place.entity in self._about.furniture_rooms:
            return self._about.furniture_rooms[place.entity]
        return self._about.room_at(self._world.pose(thing).position)

    def holder(self, thing: str) -> str | None:
        return self._world.holders.get(thing)

    def states(self, thing: str) -> Mapping[str, bool]:
        return {n: value for (handle, n), value in self._world.states.items() if handle == thing}


def player_names(surroundings: Surroundings, where: WhereIs) -> Name:
    """Return the labels, with the room added where another thing of the scene looks alike.

    ``the cup``; ``cup 2 in the kitchen`` where there are several. A name that the scene does
    not have is given as it is.
    """
    labels = surroundings.labels
    rooms = {room.room_id for room in surroundings.rooms}
    alike = Counter(_words(label) for key, label in labels.items() if key not in rooms)

    def name(key: str) -> str:
        label = labels.get(key)
        if label is None:
            return key
        if key in rooms or alike[_words(label)] < 2:
            return _with_article(label)
        room = where.room(key)
        if room is None:
            return _with_article(label)
        return f"{_with_article(label)} in {_with_article(labels.get(room, room))}"

    return name


def _words(label: str) -> str:
    """Return a label without its number."""
    words, _, last = label.rpartition(" ")
    return words if words and last.isdecimal() else label


def _with_article(label: str) -> str:
    return label if _words(label) != label else f"the {label}"
