"""Contacts of an object: what it would touch, with the object put there for a moment."""

from __future__ import annotations

import math
from collections.abc import Iterator
from collections.abc import Set as AbstractSet
from typing import Any, NamedTuple

from episodes.poses import Box, Pose, Vec3, to_world, yaw_of, yaw_quat
from server.simulators.contract import Landing
from server.simulators.habitat import engine
from server.simulators.habitat.house import LoadedHouse
from server.simulators.household.rays import enters, normal_at
from server.simulators.household.shapes import Thing

STAGE = "stage"
TOLERANCE_M = 0.005
REACH_M = 3.0
SIDE_M = 1e-3
SAME_M = 1e-6
LIGHT_M = 1e-3
"""Depth (m) by which something lowered rests in what it rests on."""
SPACING_M = 0.05
"""Spacing of the rays under an object (m); contacts find what passes between them."""
_DOWN: Vec3 = (0.0, -1.0, 0.0)


class Contact(NamedTuple):
    entity: str
    depth: float
    up: float
    """The share of the contact's normal that points up."""


def contacts(house: LoadedHouse, handle: str, pose: Pose) -> list[Contact]:
    """Return what an object touches at a pose; the object is put back where it was."""
    here = house.things[handle, None].pose
    body = house.object(handle)
    groups = engine.habitat_sim.physics.CollisionGroups
    house.move(handle, pose)
    # Kinematic bodies ignore what stands still unless they are told otherwise.
    body.override_collision_group(groups.Default)
    body.awake = True
    try:
        house.sim.perform_discrete_collision_detection()
        found = [
            contact
            for contact in house.sim.get_physics_contact_points()
            if body.object_id in (contact.object_id_a, contact.object_id_b)
        ]
        return [_contact(house, body.object_id, contact) for contact in found]
    finally:
        body.override_collision_group(groups.Kinematic)
        house.move(handle, here)


def _contact(house: LoadedHouse, own_id: int, c: Any) -> Contact:
    first = c.object_id_a == own_id
    other, link = (c.object_id_b, c.link_id_b) if first else (c.object_id_a, c.link_id_a)
    key = house.key(other, link)
    up = float(c.contact_normal_on_b_in_ws[1])
    return Contact(STAGE if key is None else key[0], -float(c.contact_distance), up)


def overlapping(house: LoadedHouse, handle: str, pose: Pose, ignore: AbstractSet[str]) -> list[str]:
    """Return what an object would overlap at a pose by more than 5 mm, sorted."""
    found = {
        contact.entity
        for contact in contacts(house, handle, pose)
        if contact.depth > TOLERANCE_M and contact.entity not in ignore
    }
    here = house.things[handle, None]
    there = Thing(handle, None, here.box, here.solids, pose)
    # The floor is a thin slab: whatever is below it is in the ground.
    if min(block.y0 for block in there.blocks) < house.floor_y - TOLERANCE_M:
        found.add(STAGE)
    return sorted(found)


class _Support(NamedTuple):
    up: float
    """The height by which the object is raised (negative: lowered) to lie on it (m)."""
    entity: str | None
    normal: Vec3
    beneath: bool
    """Whether it is under the object's middle."""


def snap_down(
    house: LoadedHouse, handle: str, pose: Pose, ignore: AbstractSet[str]
) -> Landing | None:
    """Return where an object comes to rest that is set upright at a pose and lowered."""
    here = house.things[handle, None]
    upright = Pose(pose.position, yaw_quat(yaw_of(pose.rotation)))
    supports = list(_supports(house, here, upright, ignore))
    if not supports:
        return None
    best = max(support.up for support in supports)
    level = [support for support in supports if support.up >= best - SAME_M]
    support = next((s for s in level if s.beneath), level[0])
    x, y, z = upright.position
    rest = Pose((x, y + best, z), upright.rotation)
    return _clear_of_edges(house, handle, upright, Landing(rest, support.entity, support.normal),
                           ignore)  # fmt: skip


def _supports(
    house: LoadedHouse, thing: Thing, pose: Pose, ignore: AbstractSet[str]
) -> Iterator[_Support]:
    mx, _, mz = to_world(pose, thing.box.center)
    for solid in thing.solids:
        for local in _grid(solid):
            x, bottom, z = to_world(pose, local)
            origin = (x, bottom + TOLERANCE_M, z)
            for met, distance, normal in house.ray_candidates(origin, _DOWN, REACH_M + TOLERANCE_M):
                if met is None:
                    on_middle = math.dist((x, z), (mx, mz)) < SIDE_M
                    yield _Support(TOLERANCE_M - distance, None, normal, on_middle)
                    continue
                if met.entity == thing.entity or met.entity in ignore:
                    continue
                for block in met.blocks:
                    way = enters(block, origin, _DOWN)
                    if way is None or way > REACH_M + TOLERANCE_M:
                        continue
                    beneath = block.x0 <= mx <= block.x1 and block.z0 <= mz <= block.z1
                    face = normal_at(block, (x, origin[1] - way, z))
                    yield _Support(TOLERANCE_M - way, met.entity, face, beneath)


def _grid(box: Box) -> Iterator[Vec3]:
    """Return points of a solid's base: its corners, drawn in a little, and a grid between them."""
    (x0, y, z0), (x1, _, z1) = box
    for x in _between(x0, x1):
        for z in _between(z0, z1):
            yield (x, y, z)


def _between(low: float, high: float) -> list[float]:
    inset = min(SIDE_M, (high - low) / 4)
    low, high = low + inset, high - inset
    count = max(2, math.ceil((high - low) / SPACING_M))
    count += count % 2
    return [low + (high - low) * i / count for i in range(count + 1)]


def _clear_of_edges(
    house: LoadedHouse, handle: str, start: Pose, landing: Landing, ignore: AbstractSet[str]
) -> Landing:
    """Return a landing, or a higher one where something narrow that no ray met is in the way."""

    def in_the_way(pose: Pose, passed: AbstractSet[str]) -> list[Contact]:
        return [
            c
            for c in contacts(house, handle, pose)
            if c.depth > LIGHT_M and c.entity not in passed and c.entity != STAGE
        ]

    found = in_the_way(landing.pose, ignore)
    if not found:
        return landing
    # An object is lowered out of what it is in from the start, not onto it.
    passed = set(ignore) | {c.entity for c in in_the_way(start, ignore)}
    found = [c for c in found if c.entity not in passed]
    if not found:
        return landing
    (x, low, z), rotation = landing.pose
    high, blocker = start.position[1], found[0]
    for _ in range(12):
        middle = (low + high) / 2
        now = in_the_way(Pose((x, middle, z), rotation), passed)
        if now:
            low, blocker = middle, now[0]
        else:
            high = middle
    # A contact counts from a millimetre on: stand that much higher, not in the support.
    height = min(high + LIGHT_M, start.position[1])
    normal = (0.0, abs(blocker.up), math.sqrt(max(0.0, 1.0 - blocker.up**2)))
    return Landing(Pose((x, height, z), rotation), blocker.entity, normal)
