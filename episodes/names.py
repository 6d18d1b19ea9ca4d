"""Names of things: one function makes what planners call them and what players read."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Literal, NamedTuple

from episodes.catalogue.table import OBJECT_CLASSES
from episodes.people_names import furniture_labels, numbered, object_labels
from episodes.scene import Catalogue, Scene

Naming = Literal["numbers", "people"]
"""The labels of things: the noun of their class and a number, or what people say.

``numbers`` are those of recordings, prompts and trials of before; sessions with people have
``people``.
"""


class Names(NamedTuple):
    """Names by room id, furniture handle and object handle; floors are keyed by `floor_key`."""

    graph: dict[str, str]
    """PARTNR's names at run time: ``kitchen_1``, ``floor_kitchen_1``, ``table_22``, ``cup_3``."""
    labels: dict[str, str]
    """Names that players read: ``red cup``, ``left nightstand``, ``living room 2``.

    They are unique among things, and among rooms.
    """


def floor_key(room_id: str) -> str:
    """Return the key under which the floor of a room is named (floors have no handle)."""
    return f"floor|{room_id}"


def name_things(
    scene: Scene, catalogue: Catalogue, objects: Iterable[str], naming: Naming = "numbers"
) -> Names:
    """Name all rooms, floors, furniture and objects, objects in the order given.

    In PARTNR's graph rooms count from 1 within their class; a piece of furniture's number is
    that of all furniture before it, floors (first, one per room) included; an object's that of
    all objects before it. Labels are unique; with ``numbers`` a label has a number from the second
    of its class on (``cup``, ``cup 2``).
    """
    objects = list(objects)
    graph: dict[str, str] = {}
    rooms: Counter[str] = Counter()
    for room in scene.rooms:
        rooms[room.class_name] += 1
        graph[room.room_id] = f"{room.class_name}_{rooms[room.class_name]}"
    for room in scene.rooms:
        graph[floor_key(room.room_id)] = f"floor_{graph[room.room_id]}"
    count = len(scene.rooms)
    for number, furniture in enumerate(scene.furniture, count):
        class_name = catalogue.templates[furniture.template].class_name
        graph[furniture.handle] = f"{class_name}_{number}"
    for number, handle in enumerate(objects):
        graph[handle] = f"{catalogue.of_handle(handle).class_name}_{number}"
    return Names(graph, _labels(scene, catalogue, objects, naming))


def _labels(
    scene: Scene, catalogue: Catalogue, objects: Sequence[str], naming: Naming
) -> dict[str, str]:
    rooms = numbered({room.room_id: noun_of(room.class_name) for room in scene.rooms})
    floors = {floor_key(room): f"floor of the {label}" for room, label in rooms.items()}
    if naming == "people":
        things = furniture_labels(scene, catalogue, rooms, noun_of)
        things |= object_labels(objects, catalogue, things.values(), noun_of)
    else:
        # Furniture and objects share one count per label, so that no label means two things.
        templates = {f.handle: catalogue.templates[f.template] for f in scene.furniture}
        templates |= {handle: catalogue.of_handle(handle) for handle in objects}
        things = numbered({key: noun_of(made.class_name) for key, made in templates.items()})
    return {**rooms, **floors, **things}


def noun_of(class_name: str) -> str:
    """Return what people call one of a class of objects, furniture or rooms: ``spray bottle``."""
    row = OBJECT_CLASSES.get(class_name)
    if row is not None:
        return row.noun
    return " ".join("TV" if word == "tv" else word for word in class_name.split("_"))
