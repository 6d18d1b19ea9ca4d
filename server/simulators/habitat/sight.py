"""Sight: what can be seen from where, with Bullet to find what is in the way."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from collections.abc import Set as AbstractSet

from episodes.bodies import Body
from episodes.poses import Vec3, rotate, yaw_quat
from episodes.world import AgentPose, eye_of
from server.simulators.habitat.house import LoadedHouse
from server.simulators.household.rays import enters
from server.simulators.household.sight import (
    END_M,
    SLIT_M,
    VIEW_HEIGHT,
    VIEW_RANGE_M,
    VIEW_WIDTH,
)

BEYOND_M = 0.05


def is_clear(house: LoadedHouse, a: Vec3, b: Vec3, ignore: AbstractSet[str]) -> bool:
    """Tell whether the line from ``a`` to just before ``b`` meets nothing.

    Things are grown by a slit's width.
    """
    dx, dy, dz = b[0] - a[0], b[1] - a[1], b[2] - a[2]
    length = math.sqrt(dx * dx + dy * dy + dz * dz)
    if length <= END_M:
        return True
    way = (dx / length, dy / length, dz / length)
    reach = length - END_M
    # The ray goes somewhat beyond: Bullet does not let a ray meet a board that it ends on.
    for thing, distance, _ in house.ray_candidates(a, way, length + BEYOND_M, 0.0):
        if thing is None:
            if distance <= reach:
                return False
        elif thing.entity not in ignore:
            for block in thing.blocks:
                entry = enters(block, a, way, SLIT_M)
                if entry is not None and entry <= reach:
                    return False
    return not any(_meets_wall(house, eye, way, reach) for eye in _around(a, way))


def _meets_wall(house: LoadedHouse, origin: Vec3, way: Vec3, reach: float) -> bool:
    return any(
        thing is None and distance <= reach and abs(normal[1]) < 0.5
        for thing, distance, normal in house.ray_candidates(origin, way, reach, 0.0)
    )


def _around(a: Vec3, way: Vec3) -> Iterator[Vec3]:
    """Return four points a slit's width beside a line.

    The stage is triangles and cannot be grown.
    """
    x, y, z = way
    level = math.hypot(x, z)
    side = (z / level, 0.0, -x / level) if level > 1e-6 else (1.0, 0.0, 0.0)
    up = (y * side[2] - z * side[1], z * side[0] - x * side[2], x * side[1] - y * side[0])
    for dx, dy, dz in (side, up):
        for s in (-SLIT_M, SLIT_M):
            yield (a[0] + s * dx, a[1] + s * dy, a[2] + s * dz)


def points_of(house: LoadedHouse, entity: str) -> list[Vec3]:
    """Return keypoints and, for furniture, the centres of its parts."""
    piece = house.pieces.get(entity)
    if piece is None:
        return list(house.things[entity, None].keypoints)
    points = list(piece.whole.keypoints)
    for part in piece.template.parts:
        thing = house.things.get((entity, part.index))
        if thing is not None:
            points.append(thing.keypoints[0])
    return points


def can_see(house: LoadedHouse, eye: Vec3, entity: str, ignore: AbstractSet[str]) -> bool:
    return _any_clear(house, eye, points_of(house, entity), ignore | {entity})


def _any_clear(
    house: LoadedHouse, eye: Vec3, points: Sequence[Vec3], ignore: AbstractSet[str]
) -> bool:
    return any(is_clear(house, eye, point, ignore) for point in points)


def seen(house: LoadedHouse, body: Body, agent: AgentPose) -> frozenset[str]:
    """Return every entity with an unoccluded point within the view of a body."""
    eye = eye_of(body, agent)
    view = _View(eye, agent)
    found: list[str] = []
    for entity in _everything(house):
        points = [point for point in points_of(house, entity) if view.has(point)]
        if points and _any_clear(house, eye, points, {entity}):
            found.append(entity)
    return frozenset(found)


def _everything(house: LoadedHouse) -> Iterator[str]:
    for entity, part in house.things:
        if part is None and entity not in house.pieces:
            yield entity
    yield from house.pieces


class _View:
    """The part of the world that is before an eye."""

    def __init__(self, eye: Vec3, agent: AgentPose) -> None:
        self._eye = eye
        half = agent.pitch / 2
        pitched = (math.sin(half), 0.0, 0.0, math.cos(half))

        def turned(v: Vec3) -> Vec3:
            return rotate(yaw_quat(agent.yaw), rotate(pitched, v))

        self._right, self._up = turned((1.0, 0.0, 0.0)), turned((0.0, 1.0, 0.0))
        self._ahead = turned((0.0, 0.0, -1.0))
        self._wide, self._tall = math.tan(VIEW_WIDTH / 2), math.tan(VIEW_HEIGHT / 2)

    def has(self, point: Vec3) -> bool:
        ex, ey, ez = self._eye
        v = (point[0] - ex, point[1] - ey, point[2] - ez)
        depth = _dot(v, self._ahead)
        return (
            depth > 0.0
            and abs(_dot(v, self._right)) <= depth * self._wide
            and abs(_dot(v, self._up)) <= depth * self._tall
            and _dot(v, v) <= VIEW_RANGE_M**2
        )


def _dot(a: Vec3, b: Vec3) -> float:
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
