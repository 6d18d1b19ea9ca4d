"""Places in a house, as a conversation asks for them."""

from __future__ import annotations

from episodes.scene import Room
from server.sessions.core import SessionCore


def has_surface(core: SessionCore, furniture: str, kind: str) -> bool:
    """Tell whether a piece of furniture has a place of a kind, ``on`` or ``within``."""
    return any(s.receptacle.kind == kind for s in core.surfaces.of.get(furniture, ()))


def is_turned(core: SessionCore, furniture: str, opening: bool) -> bool:
    """Tell whether all doors and drawers are open, or none is."""
    parts = core.view.template(furniture).parts
    values = [core.world.joints.get((furniture, part.index), 0.0) for part in parts]
    return all((value != 0.0) == opening for value in values)


def furniture_of(core: SessionCore, thing: str) -> str | None:
    """Return the furniture that a thing lies on or in; None: none."""
    surface = core.view.receptacle_of(thing)
    return None if surface is None else surface.furniture.handle


def room_id_of(core: SessionCore, furniture: str) -> str:
    """Return the room in which a piece of furniture stands; empty for what is no furniture."""
    rooms = (f.room_id for f in core.simulator.scene.furniture if f.handle == furniture)
    return next(rooms, "")


def room_named(core: SessionCore, key: str) -> Room | None:
    """Return the room of a key; None: it is no room."""
    return next((r for r in core.simulator.scene.rooms if r.room_id == key), None)
