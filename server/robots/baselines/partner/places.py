"""Places in a house, as a conversation asks for them."""

from __future__ import annotations

from episodes.scene import Room
from server.robots.baselines.partner.request import Relation
from server.robots.baselines.scripted_player import Put
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


def room_around(core: SessionCore, key: str) -> Room | None:
    """Return the room that a thing, a piece of furniture or a body is in now; None: none."""
    is_body = key in core.world.agents
    at = core.world.agents[key].position if is_body else core.view.pose(key).position
    return core.simulator.scene.room_around(at)


def room_id_around(core: SessionCore, key: str) -> str:
    """Return the id of the room that something is in now; empty: none."""
    room = room_around(core, key)
    return "" if room is None else room.room_id


def room_named(core: SessionCore, key: str) -> Room | None:
    """Return the room of a key; None: it is no room."""
    return next((r for r in core.simulator.scene.rooms if r.room_id == key), None)


def put_at(core: SessionCore, seat: str, relation: Relation, targets: list[str]) -> Put | None:
    """Return the step with which a seat puts something at the first of some targets."""
    target = targets[0]
    room = room_named(core, target)
    if room is not None:
        at = core.world.agents[seat].position
        inside = [
            f.handle
            for f in core.simulator.scene.furniture
            if f.room_id == room.room_id and has_surface(core, f.handle, "on")
        ]
        nearest = min(inside, key=lambda h: core.view.distance_from(at, h), default=None)
        return Put(room.room_id, "floor") if nearest is None else Put(nearest, "on")
    if target in core.world.objects:
        surface = core.view.receptacle_of(target)
        if surface is None:
            return Put("", "floor", target)
        return Put(surface.furniture.handle, surface.receptacle.kind, target)
    wanted = "within" if relation == "within" else "on"
    kinds = [k for k in (wanted, "on", "within") if has_surface(core, target, k)]
    return Put(target, "within" if kinds[0] == "within" else "on") if kinds else None
