"""Navigate and Explore, and where to go for something."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

from episodes.names import floor_key
from episodes.poses import Vec3, to_world
from episodes.scene import Room
from server.sessions.placement import Spot, candidates
from server.skills.body import Body, NoWayError, Script, SkillError
from server.skills.insides import Insides
from server.skills.standing_places import MARGIN_M, Fits, middle, to_touch

NEAR_M = 1.8
"""The distance from its target within which PARTNR's Navigate ends."""
ROOM_SAMPLES = 40
CLOSE_M = 0.6
CLOSE_WEIGHT = 3.0


def near_m(body: Body) -> float:
    """Return how near a skill goes, to be able to do there whatever it wants to do next (m)."""
    return min(NEAR_M, body.rules.reach_m - MARGIN_M, body.rules.state_reach_m - MARGIN_M)


def go_to(body: Body, entity: str, wishes: Sequence[Fits] = ()) -> Script:
    """Walk to where an entity can be reached and seen, and face it. Raises NoWayError.

    For an object that is hidden in furniture that is where the furniture can be reached. ``wishes``
    are as in `Body.go`.
    """
    view = body.core.view
    shut = view.shut_in(entity)
    if shut is None:
        try:
            yield from _walk_up(body, entity, wishes)
        except NoWayError:
            inside = view.receptacle_of(entity)
            if inside is None or inside.receptacle.kind != "within":
                raise
            shut = inside.furniture.handle
    if shut is not None:
        yield from _walk_up(body, shut, wishes)
    if view.template(entity).kind == "object":
        yield from body.look_into(to_world(view.pose(entity), view.template(entity).box.center))


def _walk_up(body: Body, entity: str, wishes: Sequence[Fits]) -> Script:
    touch = to_touch(body.core, body.seat, entity, near_m(body))
    yield from body.go(middle(body.core, entity), touch, _closer(body, entity), wishes)


def _closer(body: Body, entity: str) -> Callable[[Vec3], float]:
    """Return how much of a detour it is worth to stand closer to an entity (m).

    From far away a body cannot look into what it has opened.
    """
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
    """Find a walkable point of a room, near its middle if that is free."""
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
    """Look up the room of a room id or of the key of its floor."""
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
    """Walk to an object, furniture, room or floor. Raises NoWayError.

    The body stands where what it holds can be put down, and not where something was tried with the
    target in vain.
    """
    room = room_of(body, target)
    if room is not None:
        yield from go_to_room(body, room)
        return
    yield from go_to(body, target, [*body.elsewhere(target), *_next(body, target)])
    body.forgive(target)


def _next(body: Body, target: str) -> list[Fits]:
    """Return the wishes at a target: to put down there what is held, else to look into it."""
    if target not in body.core.surfaces.of:
        return []
    if body.held is not None:
        return _to_put(body, target, body.held)
    return Insides(body, target, opening=True).wishes()


def _to_put(body: Body, furniture: str, held: str) -> list[Fits]:
    """Return the wish to stand where what the hand holds could be put down on and in furniture.

    Doors may still be opened. Nothing where there is no room for it.
    """
    core = body.core
    rng = body.rng_for(held, furniture)
    spots: list[list[Spot]] = []
    for kind in ("on", "within"):
        among = [s for s in core.surfaces.of[furniture] if s.receptacle.kind == kind]
        drawn = list(candidates(core.view, held, among, rng, closed_too=True))
        if drawn:
            spots.append(drawn)

    def puts(point: Vec3, yaw: float) -> bool:
        return all(any(can_put(body, held, spot, point, yaw) for spot in drawn) for drawn in spots)

    return [puts] if spots else []


def can_put(body: Body, held: str, spot: Spot, point: Vec3, yaw: float) -> bool:
    """Tell whether a body that stood at a point could put what it holds at a spot."""
    dx, dz = spot.point[0] - point[0], spot.point[2] - point[2]
    if math.hypot(dx, dz) > body.rules.reach_m - MARGIN_M:
        return False
    view = body.core.view
    return view.sees_spot_from(view.eye_at(body.seat, point, yaw), held, spot.placement)


def explore(body: Body, room: Room) -> Script:
    """Walk to every piece of furniture of a room in turn, its floor first.

    What cannot be reached is left out. Raises NoWayError where the room itself cannot be reached.
    """
    yield from go_to_room(body, room)
    for furniture in body.core.simulator.scene.furniture:
        if furniture.room_id == room.room_id:
            insides = Insides(body, furniture.handle)
            try:
                yield from go_to(body, furniture.handle, insides.wishes())
            except NoWayError:
                continue
            yield from insides.glance()
