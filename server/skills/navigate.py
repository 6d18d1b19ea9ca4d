"""Where to go for something, and Navigate and Explore."""

from __future__ import annotations

from collections.abc import Callable

from episodes.names import floor_key
from episodes.poses import Vec3
from episodes.scene import Room
from server.skills.body import Body, NoWayError, Script, SkillError
from server.skills.walking import MARGIN_M, Fits, middle, to_touch

NEAR_M = 1.8
"""PARTNR's Navigate ends within this distance of its target."""
ROOM_SAMPLES = 40
CLOSE_M = 0.6
CLOSE_WEIGHT = 3.0


def near_m(body: Body) -> float:
    """So near a skill goes, to be able to do there whatever it wants to do next (m)."""
    return min(NEAR_M, body.rules.reach_m - MARGIN_M, body.rules.state_reach_m - MARGIN_M)


def go_to(body: Body, entity: str) -> Script:
    """Walk to where an entity can be reached and seen; to the furniture of an object that is
    hidden in it. Raises NoWayError."""
    core = body.core
    shut = core.shut_in(entity)
    around = middle(core, entity)
    try:
        if shut is None:
            fits = to_touch(core, body.seat, entity, near_m(body))
            yield from body.go(around, fits, _closer(body, entity))
            return
    except NoWayError:
        shut = core.view.inside(entity)
        if shut is None:
            raise
    fits = to_touch(core, body.seat, shut, near_m(body))
    yield from body.go(middle(core, shut), fits, _closer(body, shut))


def _closer(body: Body, entity: str) -> Callable[[Vec3], float]:
    """One walks up to things: from far away one cannot look into what one has opened."""
    view = body.core.view
    return lambda point: CLOSE_WEIGHT * max(0.0, view.distance_from(point, entity) - CLOSE_M)


def go_to_room(body: Body, room: Room) -> Script:
    """Walk to about the middle of a room, if the body is not in it already. Raises NoWayError."""
    if room.contains(body.position):
        return
    target = middle_of(body, room)
    if target is None or not (yield from body.walk_to(target)):
        raise NoWayError(f"{body.seat} finds no way to {room.room_id}")


def middle_of(body: Body, room: Room) -> Vec3 | None:
    """A walkable point of a room, near its middle if that is free."""
    xs, zs = [x for x, _ in room.polygon], [z for _, z in room.polygon]
    wish = room.middle
    rng = body.rng_for(room.room_id)
    nearest = body.core.simulator.nearest_walkable
    for _ in range(ROOM_SAMPLES):
        point = nearest(wish)
        if point is not None and room.contains(point):
            return point
        wish = (
            rng.uniform(min(xs), max(xs)),
            room.floor_y,
            rng.uniform(min(zs), max(zs)),
        )
    return None


def room_of(body: Body, key: str) -> Room | None:
    """The room of a room id or of the key of its floor."""
    for room in body.core.simulator.scene.rooms:
        if key in (room.room_id, floor_key(room.room_id)):
            return room
    return None


def go_to_tap(body: Body) -> Script:
    """Walk to where some tap can be used, the nearest first. Raises SkillError."""
    core, view = body.core, body.core.view
    near = body.rules.faucet_m - MARGIN_M
    here = body.position

    def fits_for(tap: str) -> Fits:
        def fits(point: Vec3, yaw: float) -> bool:
            if view.distance_from(point, tap) > near:
                return False
            return core.simulator.can_see(view.eye_at(body.seat, point, yaw), tap, view.carried())

        return fits

    for tap in sorted(view.taps, key=lambda t: view.distance_from(here, t)):
        try:
            yield from body.go(middle(core, tap), fits_for(tap))
        except NoWayError:
            continue
        return
    raise SkillError(f"{body.seat} finds no tap")


# The skills


def navigate(body: Body, target: str) -> Script:
    """To an object, furniture, room or floor. Raises NoWayError."""
    room = room_of(body, target)
    if room is None:
        yield from go_to(body, target)
    else:
        yield from go_to_room(body, room)


def explore(body: Body, room: Room) -> Script:
    """To every piece of furniture of a room in turn, its floor first; what cannot be reached is
    left out. Raises NoWayError where the room itself cannot be reached."""
    yield from go_to_room(body, room)
    for furniture in body.core.simulator.scene.furniture:
        if furniture.room_id == room.room_id:
            try:
                yield from go_to(body, furniture.handle)
            except NoWayError:
                continue
