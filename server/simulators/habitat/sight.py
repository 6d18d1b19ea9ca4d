"""What can be seen from where: Bullet finds what is in the way."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from collections.abc import Set as AbstractSet

from episodes.bodies import Body
from episodes.poses import Pose, Vec3, rotate, to_world, yaw_quat
from episodes.world import AgentPose
from server.simulators.habitat.house import LoadedHouse
from server.simulators.household.rays import enters
from server.simulators.household.sight import (
    END_M,
    SLIT_M,
    VIEW_HEIGHT,
    VIEW_RANGE_M,
    VIEW_WIDTH,
)

_NOBODY: AbstractSet[str] = frozenset()


def is_clear(
    house: LoadedHouse, a: Vec3, b: Vec3, ignore: AbstractSet[str], pad: float, end: float
) -> bool:
    """Whether nothing, grown by ``pad``, is on the line from ``a`` to ``end`` before ``b``."""
    dx, dy, dz = b[0] - a[0], b[1] - a[1], b[2] - a[2]
    length = math.sqrt(dx * dx + dy * dy + dz * dz)
    if length <= end:
        return True
    direction = (dx / length, dy / length, dz / length)
    reach = length - end
    for thing, distance, _ in house.met(a, direction, reach):
        if thing is None:
            if distance <= reach:
                return False
        elif thing.entity not in ignore:
            for block in thing.blocks:
                entry = enters(block, a, direction, pad)
                if entry is not None and entry <= reach:
                    return False
    return True


def points_of(house: LoadedHouse, entity: str) -> list[Vec3]:
    """Keypoints and, for furniture, the centres of its parts."""
    standing = house.standing.get(entity)
    if standing is None:
        return list(house.things[entity, None].keypoints)
    points = list(standing.whole.keypoints)
    for part in standing.template.parts:
        thing = house.things.get((entity, part.index))
        if thing is not None:
            points.append(thing.keypoints[0])
    return points


def can_see(house: LoadedHouse, eye: Vec3, entity: str, ignore: AbstractSet[str]) -> bool:
    return _any_clear(house, eye, points_of(house, entity), ignore | {entity})


def _any_clear(
    house: LoadedHouse, eye: Vec3, points: Sequence[Vec3], ignore: AbstractSet[str]
) -> bool:
    return any(is_clear(house, eye, point, ignore, SLIT_M, END_M) for point in points)


def eye_of(house: LoadedHouse, body: Body, agent: AgentPose) -> Vec3:
    """A body's eye, drawn back to its neck where it would poke through something."""
    at = Pose(agent.position, yaw_quat(agent.yaw))
    eye, neck = to_world(at, body.eye), to_world(at, (0.0, body.eye[1], 0.0))
    return eye if is_clear(house, neck, eye, _NOBODY, 0.0, 0.0) else neck


def seen(house: LoadedHouse, body: Body, agent: AgentPose) -> frozenset[str]:
    """Every entity with an unoccluded point within the view of a body."""
    eye = eye_of(house, body, agent)
    view = _View(eye, agent)
    found: list[str] = []
    for entity in _everything(house):
        points = [point for point in points_of(house, entity) if view.has(point)]
        if points and _any_clear(house, eye, points, {entity}):
            found.append(entity)
    return frozenset(found)


def _everything(house: LoadedHouse) -> Iterator[str]:
    for entity, part in house.things:
        if part is None and entity not in house.standing:
            yield entity
    yield from house.standing


class _View:
    """What is before an eye."""

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
