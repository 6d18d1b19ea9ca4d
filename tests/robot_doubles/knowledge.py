"""Knowledge of model doubles: one source for all of them, whichever policy asks.

A double knows what the instruction asks for (the goals of the task as it believes it, which may be
misread: see `errors`), what the instruction says of where things are, and common sense: in which
furniture such things are usually shut in. It does not know where anything is. That, and what has
been done, it reads from the prompt of its policy.
"""

from __future__ import annotations

from episodes.catalogue.table import OBJECT_CLASSES
from server.sessions.core import SessionCore

_WHERE = ("in", "from")
"""Words before a room in an instruction that say where a thing is."""


def room_told(core: SessionCore, thing: str) -> str | None:
    """Return the id of the room in which a thing starts, if the instruction names that room."""
    rooms = {f.handle: f.room_id for f in core.simulator.scene.furniture}
    start = core.task.name_to_receptacle.get(thing, "").partition("|")[0]
    room = rooms.get(start, "")
    said = room.rpartition(".")[0].replace("_", " ")
    is_told = said and any(f"{word} the {said}" in core.task_text for word in _WHERE)
    return room if is_told else None


def may_be_shut_in(core: SessionCore, thing: str) -> list[str]:
    """Return all furniture that can be opened, the likeliest for a thing first.

    First what is in the room that the instruction names, then where such things are usual.
    """
    told = room_told(core, thing)
    classes = {room.room_id: room.class_name for room in core.simulator.scene.rooms}
    names = core.names.graph
    kind = OBJECT_CLASSES.get(_stem(names[thing]))

    def unlikely(furniture: str, room: str) -> tuple[bool, bool, bool]:
        usual = () if kind is None else kind.furniture_in(classes[room])
        is_usual_room = kind is not None and classes[room] in kind.rooms
        return (told is not None and room != told, _stem(names[furniture]) not in usual,
                not is_usual_room)  # fmt: skip

    opens = [
        f
        for f in core.simulator.scene.furniture
        if any(surface.part is not None for surface in core.surfaces.of.get(f.handle, ()))
    ]
    return [f.handle for f in sorted(opens, key=lambda f: unlikely(f.handle, f.room_id))]


def _stem(name: str) -> str:
    stem, _, number = name.rpartition("_")
    return stem if number.isdigit() else name
