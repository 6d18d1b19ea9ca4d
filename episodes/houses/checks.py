"""Checks of a house: everything can be reached, nothing overlaps, every part can open."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
from shapely.geometry import MultiPoint, MultiPolygon, Point
from shapely.geometry import Polygon as Shape
from shapely.geometry import box as rectangle
from shapely.geometry.base import BaseGeometry

from episodes.houses.walkable import as_shape
from episodes.poses import Box, Vec3, compose, to_world
from episodes.scene import (
    Catalogue,
    Furniture,
    Part,
    Polygon,
    Room,
    Scene,
    part_pose,
    receptacle_id,
)

REACH = 2.0
"""Horizontal reach of a body (m)."""
MARGIN = 0.06
"""A body that keeps this much more from everything still gets everywhere (m): other simulators
draw the walkable area on a grid, and a passage that is only just wide enough may not be on it."""
COMFORT = 1.45
"""What a generated house keeps: a receptacle's middle is this near to where one can stand (m)."""
TOUCH = 0.03
"""What hangs is this near to its wall (m)."""
OVERLAP = 0.005
"""Solids may sink into each other by this much (m)."""


class Problem(NamedTuple):
    """Something wrong: ``kind`` is one of ``unreachable``, ``overlap``, ``blocked``,
    ``unsupported``."""

    kind: str
    what: str
    detail: str

    def __str__(self) -> str:
        return f"{self.what}: {self.kind}, {self.detail}"


Bounds = tuple[float, float, float, float]


class _Block(NamedTuple):
    """A solid in the world: its plan, the bounds of that, and its height range."""

    shape: BaseGeometry
    bounds: Bounds
    low: float
    high: float


def check_house(scene: Scene, catalogue: Catalogue) -> list[Problem]:
    """Everything wrong with a house; empty for a good one."""
    return [
        *_unreachable(scene, catalogue),
        *_overlaps(scene, catalogue),
        *_unsupported(scene, catalogue),
    ]


def _unsupported(scene: Scene, catalogue: Catalogue) -> Iterator[Problem]:
    """Furniture stands on the floor, or hangs with its back at a wall."""
    floors = {room.room_id: room.floor_y for room in scene.rooms}
    walls = [_upright([w.box.low, w.box.high]) for w in scene.walls]
    for thing in scene.furniture:
        above = thing.pose.position[1] - floors[thing.room_id]
        if abs(above) <= OVERLAP:
            continue
        low, high = catalogue.templates[thing.template].box
        behind = (low[0], low[1], high[2]), (high[0], high[1], high[2] + TOUCH)
        back = _upright([to_world(thing.pose, corner) for corner in behind])
        held = any(
            wall.shape.intersects(back.shape) and wall.low <= back.low and back.high <= wall.high
            for wall in walls
        )
        if above < 0 or not held:
            yield Problem("unsupported", thing.handle, f"{above:.2f} m above the floor, at no wall")


def _unreachable(scene: Scene, catalogue: Catalogue) -> Iterator[Problem]:
    if not scene.walkable:
        yield Problem("unreachable", scene.scene_id, "no walkable area")
        return
    island = roomy_part(scene.walkable[0])
    for room in scene.rooms:
        floor = island.intersection(Shape(room.polygon))
        here = [f for f in scene.furniture if f.room_id == room.room_id]
        yield from unreachable_in(room, floor, here, catalogue)


def roomy_part(island: Polygon) -> BaseGeometry:
    """The largest part of an island that hangs together with `MARGIN` to spare."""
    left = as_shape(island).buffer(-MARGIN, join_style="mitre")
    return max(left.geoms, key=lambda part: part.area) if isinstance(left, MultiPolygon) else left


def unreachable_in(
    room: Room, floor: BaseGeometry, furniture: Sequence[Furniture], catalogue: Catalogue
) -> Iterator[Problem]:
    """What of a room cannot be reached or opened from the part of its floor where one can walk."""
    if floor.area < 1.0:
        yield Problem("unreachable", room.room_id, f"only {floor.area:.2f} m2 to walk on")
        return
    for thing in furniture:
        template = catalogue.templates[thing.template]
        for receptacle in template.receptacles:
            x, _, z = to_world(thing.pose, receptacle.center)
            distance = float(floor.distance(Point(x, z)))
            if distance > COMFORT:
                what = receptacle_id(thing.handle, receptacle.name)
                yield Problem("unreachable", what, f"{distance:.2f} m from where one can stand")
        for part in template.parts:
            if not _standing_room(thing, catalogue, part, floor):
                what = f"{thing.handle}, {part.name}"
                yield Problem("blocked", what, "nobody can stand in front of it")


def _standing_room(
    furniture: Furniture, catalogue: Catalogue, part: Part, floor: BaseGeometry
) -> bool:
    """Whether one can stand within a metre in front of a part."""
    template = catalogue.templates[furniture.template]
    boxes = [s.box for s in template.solids if s.part == part.index]
    x0, x1 = min(b.low[0] for b in boxes), max(b.high[0] for b in boxes)
    z = template.box.low[2]
    corners = [(x0, z - 1.0), (x1, z - 1.0), (x1, z), (x0, z)]
    plan = [to_world(furniture.pose, (x, 0.0, cz)) for x, cz in corners]
    return bool(floor.intersects(Shape([(p[0], p[2]) for p in plan])))


def _overlaps(scene: Scene, catalogue: Catalogue) -> Iterator[Problem]:
    walls = [_upright([b.low, b.high]) for b in (s.box for s in scene.walls)]
    closed = {f.handle: list(_closed(f, catalogue)) for f in scene.furniture}
    bounds = {h: _bounds(blocks) for h, blocks in closed.items()}
    wall_bounds = np.array([w.bounds for w in walls])
    things = list(scene.furniture)
    for i, a in enumerate(things):
        near = [b for b in things if b is not a and _close(bounds[a.handle], bounds[b.handle], 1.0)]
        for b in near:
            if things.index(b) > i and _clash(closed[a.handle], closed[b.handle]):
                yield Problem("overlap", a.handle, f"with {b.handle}")
        own_walls = [walls[k] for k in np.nonzero(_near(wall_bounds, bounds[a.handle], 1.0))[0]]
        if _clash(closed[a.handle], own_walls):
            yield Problem("overlap", a.handle, "with a wall")
        for part in catalogue.templates[a.template].parts:
            swept = list(_swept(a, catalogue, part))
            for b in near:
                if _clash(swept, closed[b.handle]):
                    yield Problem("blocked", f"{a.handle}, {part.name}", f"opens into {b.handle}")
            if _clash(swept, own_walls):
                yield Problem("blocked", f"{a.handle}, {part.name}", "opens into a wall")


def _closed(furniture: Furniture, catalogue: Catalogue) -> Iterator[_Block]:
    """The solids with all parts closed (furniture is turned by quarter turns: still boxes)."""
    for solid in catalogue.templates[furniture.template].solids:
        box = solid.box
        yield _upright([to_world(furniture.pose, c) for c in (box.low, box.high)])


def _swept(furniture: Furniture, catalogue: Catalogue, part: Part) -> Iterator[_Block]:
    """The solids of a part on its way from closed to open."""
    steps = 4 if part.joint == "hinge" else 2
    for solid in catalogue.templates[furniture.template].solids:
        if solid.part != part.index:
            continue
        for k in range(1, steps + 1):
            turned = compose(furniture.pose, part_pose(part, part.open_value * k / steps))
            yield _block([to_world(turned, c) for c in _corners(solid.box)])


def _corners(box: Box) -> list[Vec3]:
    return [
        (x, y, z)
        for x in (box.low[0], box.high[0])
        for y in (box.low[1], box.high[1])
        for z in (box.low[2], box.high[2])
    ]


def _upright(corners: Sequence[Vec3]) -> _Block:
    """A box that is parallel to the axes, from two opposite corners."""
    xs, ys, zs = zip(*corners, strict=True)
    bounds = (min(xs), min(zs), max(xs), max(zs))
    return _Block(rectangle(*bounds), bounds, min(ys), max(ys))


def _block(points: list[Vec3]) -> _Block:
    hull = MultiPoint([(p[0], p[2]) for p in points]).convex_hull
    return _Block(hull, hull.bounds, min(p[1] for p in points), max(p[1] for p in points))


def _bounds(blocks: list[_Block]) -> Bounds:
    all_bounds = [b.bounds for b in blocks]
    return (
        min(b[0] for b in all_bounds),
        min(b[1] for b in all_bounds),
        max(b[2] for b in all_bounds),
        max(b[3] for b in all_bounds),
    )


def _close(a: Bounds, b: Bounds, by: float) -> bool:
    return a[0] - by < b[2] and b[0] - by < a[2] and a[1] - by < b[3] and b[1] - by < a[3]


def _near(rows: npt.NDArray[np.float64], b: Bounds, by: float) -> npt.NDArray[np.bool_]:
    hit = (rows[:, 0] < b[2] + by) & (rows[:, 2] > b[0] - by)
    return np.asarray(hit & (rows[:, 1] < b[3] + by) & (rows[:, 3] > b[1] - by))


def _clash(first: list[_Block], second: list[_Block]) -> bool:
    """Whether any two solids overlap by more than the tolerance in every direction."""
    for a in first:
        ax0, az0, ax1, az1 = a.bounds
        for b in second:
            if min(a.high, b.high) - max(a.low, b.low) <= OVERLAP:
                continue
            bx0, bz0, bx1, bz1 = b.bounds
            if min(ax1, bx1) - max(ax0, bx0) <= OVERLAP or min(az1, bz1) - max(az0, bz0) <= OVERLAP:
                continue
            shared = a.shape.intersection(b.shape)
            if shared.area > OVERLAP * OVERLAP:
                x0, z0, x1, z1 = shared.bounds
                if x1 - x0 > OVERLAP and z1 - z0 > OVERLAP:
                    return True
    return False
