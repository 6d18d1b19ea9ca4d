"""Names of things: one function makes what planners call them and what players read."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import NamedTuple

from episodes.catalogue.table import OBJECT_CLASSES
from episodes.scene import Catalogue, Scene


class Names(NamedTuple):
    """Names by room id, furniture handle and object handle; floors are keyed by `floor_key`."""

    graph: dict[str, str]
    """PARTNR's names at run time: ``kitchen_1``, ``floor_kitchen_1``, ``table_22``, ``cup_3``."""
    labels: dict[str, str]
    """Names that players read: ``cup``, ``cup 2``, ``living room 2``.

    They are unique among things, and among rooms.
    """


def floor_key(room_id: str) -> str:
    """Return the key under which the floor of a room is named (floors have no handle)."""
    return f"floor|{room_id}"


def name_things(scene: Scene, catalogue: Catalogue, objects: Iterable[str]) -> Names:
    """Name all rooms, floors, furniture and objects, objects in the order given.

    In PARTNR's graph rooms count from 1 within their class; a piece of furniture's number is
    that of all furniture before it, floors (first, one per room) included; an object's that of
    all objects before it. A label has a number only from the second of its class on.
    """
    graph: dict[str, str] = {}
    labels: dict[str, str] = {}
    rooms: Counter[str] = Counter()
    for room in scene.rooms:
        rooms[room.class_name] += 1
        graph[room.room_id] = f"{room.class_name}_{rooms[room.class_name]}"
        labels[room.room_id] = _label(noun_of(room.class_name), rooms[room.class_name])
    for room in scene.rooms:
        graph[floor_key(room.room_id)] = f"floor_{graph[room.room_id]}"
        labels[floor_key(room.room_id)] = f"floor of the {labels[room.room_id]}"
    count = len(scene.rooms)
    # Furniture and objects share one count per label, so that no label means two things.
    things: Counter[str] = Counter()
    for furniture in scene.furniture:
        class_name = catalogue.templates[furniture.template].class_name
        noun = noun_of(class_name)
        things[noun] += 1
        graph[furniture.handle] = f"{class_name}_{count}"
        labels[furniture.handle] = _label(noun, things[noun])
        count += 1
    for number, handle in enumerate(objects):
        class_name = catalogue.of_handle(handle).class_name
        noun = noun_of(class_name)
        things[noun] += 1
        graph[handle] = f"{class_name}_{number}"
        labels[handle] = _label(noun, things[noun])
    return Names(graph, labels)


def noun_of(class_name: str) -> str:
    """Return what people call one of a class of objects, furniture or rooms: ``spray bottle``."""
    row = OBJECT_CLASSES.get(class_name)
    if row is not None:
        return row.noun
    return " ".join("TV" if word == "tv" else word for word in class_name.split("_"))


def _label(noun: str, number: int) -> str:
    return noun if number == 1 else f"{noun} {number}"
