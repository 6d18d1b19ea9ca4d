"""Where to go for something, and Navigate and Explore."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

from episodes.names import floor_key
from episodes.poses import Vec3, to_world
from episodes.scene import Room
from server.sessions.placing import Spot, candidates
from server.skills.body import Body, NoWayError, Script, SkillError
from server.skills.walking import MARGIN_M, Fits, middle, to_touch

NEAR_M = 1.8
"""PARTNR's Navigate ends within this distance of its target."""
ROOM_SAMPLES = 40
CLOSE_M = 0.6
CLOSE_WEIGHT = 3.0
GRID = (-0.6, 0.0, 0.6)
SHARES = (0.1, 0.5, 1.0)
LOW_M = 0.1
"""So far above the bottom of something one looks to see what lies in it."""


def near_m(body: Body) -> float:
    """So near a skill goes, to be able to do there whatever it wants to do next (m)."""
    return min(NEAR_M, body.rules.reach_m - MARGIN_M, body.rules.state_reach_m - MARGIN_M)


def go_to(body: Body, entity: str, *wishes: Fits) -> Script:
    """Walk to where an entity can be reached and seen, and face it; to the furniture of an object
    that is hidden in it. ``wishes`` are given up one by one, from the last on, where no place
    fulfils them. Raises NoWayError."""
    for count in range(len(wishes), 0, -1):
        try:
            yield from _go_to(body, entity, wishes[:count])
        except NoWayError:
            continue
        return
    yield from _go_to(body, entity, ())


def _go_to(body: Body, entity: str, wishes: Sequence[Fits]) -> Script:
    view = body.core.view
    shut = view.shut_in(entity)
    if shut is None:
        try:
            yield from _walk_up(body, entity, wishes)
        except NoWayError:
            shut = view.inside(entity)
            if shut is None:
                raise
    if shut is not None:
        yield from _walk_up(body, shut, wishes)
    if view.template(entity).kind == "object":
        yield from body.look_into(to_world(view.pose(entity), view.template(entity).box.center))


def _walk_up(body: Body, entity: str, wishes: Sequence[Fits]) -> Script:
    touch = to_touch(body.core, body.seat, entity, near_m(body))

    def fits(point: Vec3, yaw: float) -> bool:
        return touch(point, yaw) and all(wish(point, yaw) for wish in wishes)

    yield from body.go(middle(body.core, entity), fits, _closer(body, entity))


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
    """To an object, furniture, room or floor: where what is held can be put down on it, and not to
    where something was tried with it in vain. Raises NoWayError."""
    room = room_of(body, target)
    if room is not None:
        yield from go_to_room(body, room)
        return
    wishes = [body.elsewhere(target), _to_put(body, target)]
    yield from go_to(body, target, *(wish for wish in wishes if wish is not None))
    body.forgive(target)


def _to_put(body: Body, furniture: str) -> Fits | None:
    """Whether what the hand holds could be put down from somewhere, on (and in) furniture: doors
    may still be opened. None where nothing can be."""
    core, held = body.core, body.held
    if held is None or furniture not in core.surfaces.of:
        return None
    rng = body.rng_for(held, furniture)
    spots: list[list[Spot]] = []
    for kind in ("on", "within"):
        among = [s for s in core.surfaces.of[furniture] if s.receptacle.kind == kind]
        drawn = list(candidates(core.view, held, among, rng, closed_too=True))
        if drawn:
            spots.append(drawn)
    if not spots:
        return None
    return lambda point, yaw: all(
        any(can_put(body, held, spot, point, yaw) for spot in drawn) for drawn in spots
    )


def can_put(body: Body, held: str, spot: Spot, point: Vec3, yaw: float) -> bool:
    """Whether a body that stood at a point could put what it holds at a spot."""
    dx, dz = spot.point[0] - point[0], spot.point[2] - point[2]
    if math.hypot(dx, dz) > body.rules.reach_m - MARGIN_M:
        return False
    view = body.core.view
    return view.sees_spot_from(view.eye_at(body.seat, point, yaw), held, spot.placement)


def explore(body: Body, room: Room) -> Script:
    """To every piece of furniture of a room in turn, its floor first; what cannot be reached is
    left out. Raises NoWayError where the room itself cannot be reached."""
    yield from go_to_room(body, room)
    for furniture in body.core.simulator.scene.furniture:
        if furniture.room_id == room.room_id:
            try:
                yield from _look_over(body, furniture.handle)
            except NoWayError:
                continue


def _look_over(body: Body, furniture: str) -> Script:
    """Go to furniture and look into what is open of it: basins, tubs, shelves."""
    view, joints = body.core.view, body.core.world.joints
    open_now = [
        s
        for s in body.core.surfaces.of[furniture]
        if s.receptacle.kind == "within" and s.is_open(joints)
    ]
    points = [s.point(joints, u, v, LOW_M) for s in open_now for u in GRID for v in GRID]

    def sees(share: float) -> Fits:
        def fits(point: Vec3, yaw: float) -> bool:
            eye, aside = view.eye_at(body.seat, point, yaw), view.carried()
            return sum(view.is_clear(eye, p, aside) for p in points) >= share * len(points)

        return fits

    yield from go_to(body, furniture, *(sees(share) for share in SHARES if points))
    for surface in open_now:
        yield from body.glance_into(surface.point(joints, 0.0, 0.0, LOW_M))
