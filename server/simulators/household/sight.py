"""Sight: what can be seen from where."""

from __future__ import annotations

import math
from collections import deque
from collections.abc import Iterable, Iterator
from collections.abc import Set as AbstractSet

from episodes.bodies import Body
from episodes.poses import Vec3, rotate, yaw_quat
from episodes.world import AgentPose, eye_of
from server.simulators.household.rays import enters, first_blocker
from server.simulators.household.shapes import Block, Thing
from server.simulators.household.space import Space

VIEW_WIDTH = math.radians(90)
VIEW_HEIGHT = math.radians(70)
VIEW_RANGE_M = 10.0
SLIT_M = 0.0025
"""Growth of solids (m): nobody looks through the slits around closed doors (4 mm)."""
END_M = 0.005
"""Distance from the point looked at below which a solid does not hide it (m)."""


def points_of(space: Space, entity: str, thing: Thing) -> list[Vec3]:
    """Return keypoints and, for furniture, the centres of its parts."""
    points = list(thing.keypoints)
    if entity in space.house.pieces:
        points += [part.keypoints[0] for part in space.part_things(entity)]
    return points


def can_see(space: Space, eye: Vec3, entity: str, ignore: AbstractSet[str]) -> bool:
    """Tell whether one of the entity's points is unoccluded. Raises KeyError for an unknown one."""
    thing = space.thing(entity)
    space.settle()
    hide = Hiders()
    return _any_clear(space, eye, points_of(space, entity, thing), ignore | {entity}, hide)


Hiders = deque[Block]
"""Solids that hid something lately, the last first: they probably hide what is next to it."""
RECENT = 4


def _any_clear(
    space: Space, eye: Vec3, points: Iterable[Vec3], ignore: AbstractSet[str], hiders: Hiders
) -> bool:
    ex, ey, ez = eye
    for point in points:
        dx, dy, dz = point[0] - ex, point[1] - ey, point[2] - ez
        length = math.sqrt(dx * dx + dy * dy + dz * dz)
        if length <= END_M:
            return True
        direction = (dx / length, dy / length, dz / length)
        for k, block in enumerate(hiders):
            if block.entity in ignore:
                continue
            t = enters(block, eye, direction, SLIT_M)
            if t is not None and t <= length - END_M:
                if k > 1:
                    del hiders[k]
                    hiders.appendleft(block)
                break
        else:
            found = first_blocker(space, eye, point, ignore, SLIT_M, END_M)
            if found is None:
                return True
            hiders.appendleft(found)
            if len(hiders) > RECENT:
                hiders.pop()
    return False


def seen(space: Space, body: Body, agent: AgentPose) -> frozenset[str]:
    """Return every entity with an unoccluded point within the view of a body."""
    space.settle()
    eye = eye_of(body, agent)
    half = agent.pitch / 2
    rx, ry, rz = _turned(agent.yaw, half, (1.0, 0.0, 0.0))
    ux, uy, uz = _turned(agent.yaw, half, (0.0, 1.0, 0.0))
    fx, fy, fz = _turned(agent.yaw, half, (0.0, 0.0, -1.0))
    wide, tall = math.tan(VIEW_WIDTH / 2), math.tan(VIEW_HEIGHT / 2)
    ex, ey, ez = eye
    result: list[str] = []

    far = VIEW_RANGE_M**2

    def in_view(points: list[Vec3]) -> Iterator[Vec3]:
        for point in points:
            x, y, z = point[0] - ex, point[1] - ey, point[2] - ez
            depth = x * fx + y * fy + z * fz
            if (
                depth > 0.0
                and abs(x * rx + y * ry + z * rz) <= depth * wide
                and abs(x * ux + y * uy + z * uz) <= depth * tall
                and x * x + y * y + z * z <= far
            ):
                yield point

    hiders = Hiders()
    edge = math.hypot(1.0, wide)
    for entity, thing, spare in _everything(space):
        # Things are first taken as balls: most of a house is behind, beside or too far.
        frame = thing.frame
        x, y, z = frame[0] - ex, frame[1] - ey, frame[2] - ez
        radius = math.sqrt(frame[12] ** 2 + frame[13] ** 2 + frame[14] ** 2) + spare
        depth = x * fx + y * fy + z * fz
        if depth < -radius or abs(x * rx + y * ry + z * rz) - depth * wide > radius * edge:
            continue
        if x * x + y * y + z * z > (VIEW_RANGE_M + radius) ** 2:
            continue
        # One after another, as the first that nothing hides is enough.
        points = in_view(points_of(space, entity, thing))
        if _any_clear(space, eye, points, {entity}, hiders):
            result.append(entity)
    return frozenset(result)


def _everything(space: Space) -> list[tuple[str, Thing, float]]:
    """Return all entities, and how far their parts may stick out of their closed box (m)."""
    things = [(handle, thing, 0.0) for handle, thing in space.objects().items()]
    things += [(h, piece.whole, piece.swing_m) for h, piece in space.house.pieces.items()]
    return things


def _turned(yaw: float, half_pitch: float, v: Vec3) -> Vec3:
    pitched = rotate((math.sin(half_pitch), 0.0, 0.0, math.cos(half_pitch)), v)
    return rotate(yaw_quat(yaw), pitched)
