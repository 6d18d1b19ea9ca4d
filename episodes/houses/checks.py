"""Checks of a house: everything can be reached, nothing overlaps, every part can open."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
from shapely import distance, intersects, points, polygons, prepare
from shapely.geometry import MultiPoint, MultiPolygon
from shapely.geometry import Polygon as Shape
from shapely.geometry import box as rectangle
from shapely.geometry.base import BaseGeometry

from episodes.houses.walkable_area import as_shape
from episodes.poses import Box, Vec2, Vec3, compose, to_world
from episodes.scene import (
    Catalogue,
    Furniture,
    Part,
    Polygon,
    Room,
    Scene,
    Template,
    part_pose,
    receptacle_id,
)

REACH = 2.0
"""Horizontal reach of a body (m)."""
MARGIN = 0.06
"""Distance that a body can keep from everything, beyond its radius, and still get everywhere (m).

Other simulators draw the walkable area on a grid, and a passage that is only just wide enough may
not be on it.
"""
COMFORT = 1.45
"""Distance within which a receptacle's middle has a place to stand, in a generated house (m)."""
TOUCH = 0.03
"""Distance from its wall within which a hanging thing counts as being at it (m)."""
OVERLAP = 0.005
"""Depth to which solids may sink into each other (m)."""


class Problem(NamedTuple):
    """A flaw; its kind is ``unreachable``, ``overlap``, ``blocked`` or ``unsupported``."""

    kind: str
    what: str
    detail: str

    def __str__(self) -> str:
        return f"{self.what}: {self.kind}, {self.detail}"


Bounds = tuple[float, float, float, float]


class _Block(NamedTuple):
    """A solid in the world: the bounds of its plan and its height range.

    With the corners of its plan when that is not parallel to the axes.
    """

    bounds: Bounds
    low: float
    high: float
    turned: tuple[Vec2, ...] = ()

    @property
    def shape(self) -> BaseGeometry:
        return MultiPoint(self.turned).convex_hull if self.turned else rectangle(*self.bounds)


def check_house(scene: Scene, catalogue: Catalogue) -> list[Problem]:
    """Return everything wrong with a house; empty for a good one."""
    return [
        *_unreachable(scene, catalogue),
        *_overlaps(scene, catalogue),
        *_unsupported(scene, catalogue),
    ]


def _unsupported(scene: Scene, catalogue: Catalogue) -> Iterator[Problem]:
    """Find furniture that neither stands on the floor nor hangs with its back at a wall."""
    floors = {room.room_id: room.floor_y for room in scene.rooms}
    walls = [_upright(w.box.low, w.box.high) for w in scene.walls]
    for thing in scene.furniture:
        above = thing.pose.position[1] - floors[thing.room_id]
        if abs(above) <= OVERLAP:
            continue
        low, high = catalogue.templates[thing.template].box
        behind = (low[0], low[1], high[2]), (high[0], high[1], high[2] + TOUCH)
        back = _upright(*(to_world(thing.pose, corner) for corner in behind))
        held = any(
            _touch(wall.bounds, back.bounds) and wall.low <= back.low and back.high <= wall.high
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
    """Return the largest part of an island that hangs together with `MARGIN` to spare."""
    left = as_shape(island).buffer(-MARGIN, join_style="mitre")
    return max(left.geoms, key=lambda part: part.area) if isinstance(left, MultiPolygon) else left


def unreachable_in(
    room: Room, floor: BaseGeometry, furniture: Sequence[Furniture], catalogue: Catalogue
) -> Iterator[Problem]:
    """Find what in a room cannot be reached or opened from the floor people can walk on."""
    if floor.area < 1.0:
        yield Problem("unreachable", room.room_id, f"only {floor.area:.2f} m2 to walk on")
        return
    templates = [catalogue.templates[thing.template] for thing in furniture]
    # All are asked at once: shapely answers for a row of shapes as fast as for one.
    centers = [
        to_world(thing.pose, receptacle.center)[::2]
        for thing, template in zip(furniture, templates, strict=True)
        for receptacle in template.receptacles
    ]
    fronts = [
        _front(thing, template, part)
        for thing, template in zip(furniture, templates, strict=True)
        for part in template.parts
    ]
    distances = iter(distance(floor, points(centers)) if centers else ())
    prepare(floor)
    stand = iter(intersects(floor, polygons(fronts)) if fronts else ())
    for thing, template in zip(furniture, templates, strict=True):
        for receptacle in template.receptacles:
            away = next(distances)
            if away > COMFORT:
                what = receptacle_id(thing.handle, receptacle.name)
                yield Problem("unreachable", what, f"{away:.2f} m from where one can stand")
        for part in template.parts:
            if not next(stand):
                what = f"{thing.handle}, {part.name}"
                yield Problem("blocked", what, "nobody can stand in front of it")


def _front(furniture: Furniture, template: Template, part: Part) -> list[Vec2]:
    """Return the floor up to a metre in front of a part."""
    boxes = [s.box for s in template.solids if s.part == part.index]
    x0, x1 = min(b.low[0] for b in boxes), max(b.high[0] for b in boxes)
    z = template.box.low[2]
    corners = [(x0, z - 1.0), (x1, z - 1.0), (x1, z), (x0, z)]
    return [to_world(furniture.pose, (x, 0.0, cz))[::2] for x, cz in corners]


def _overlaps(scene: Scene, catalogue: Catalogue) -> Iterator[Problem]:
    walls = [_upright(b.low, b.high) for b in (s.box for s in scene.walls)]
    things = scene.furniture
    closed = [list(_closed(f, catalogue)) for f in things]
    bounds = [_bounds(blocks) for blocks in closed]
    wall_rows, thing_rows = np.array([w.bounds for w in walls]), np.array(bounds)
    for i, a in enumerate(things):
        near = [int(k) for k in np.nonzero(_near(thing_rows, bounds[i], 1.0))[0] if k != i]
        for k in near:
            if k > i and _clash(closed[i], closed[k]):
                yield Problem("overlap", a.handle, f"with {things[k].handle}")
        own_walls = [walls[k] for k in np.nonzero(_near(wall_rows, bounds[i], 1.0))[0]]
        if _clash(closed[i], own_walls):
            yield Problem("overlap", a.handle, "with a wall")
        for part in catalogue.templates[a.template].parts:
            swept = list(_swept(a, catalogue, part))
            around = _bounds(swept)
            for k in near:
                if _touch(around, bounds[k]) and _clash(swept, closed[k]):
                    what = f"opens into {things[k].handle}"
                    yield Problem("blocked", f"{a.handle}, {part.name}", what)
            if _clash(swept, own_walls):
                yield Problem("blocked", f"{a.handle}, {part.name}", "opens into a wall")


def _closed(furniture: Furniture, catalogue: Catalogue) -> Iterator[_Block]:
    """Return the solids with all parts closed (turned by quarter turns they are still boxes)."""
    for solid in catalogue.templates[furniture.template].solids:
        pose, box = furniture.pose, solid.box
        yield _upright(to_world(pose, box.low), to_world(pose, box.high))


def _swept(furniture: Furniture, catalogue: Catalogue, part: Part) -> Iterator[_Block]:
    """Return the solids of a part on its way from closed to open."""
    slides = part.joint == "slide"
    steps = 2 if slides else 4
    poses = [
        compose(furniture.pose, part_pose(part, part.open_value * k / steps))
        for k in range(1, steps + 1)
    ]
    for solid in catalogue.templates[furniture.template].solids:
        if solid.part != part.index:
            continue
        for pose in poses:
            if slides:
                yield _upright(to_world(pose, solid.box.low), to_world(pose, solid.box.high))
            else:
                yield _block([to_world(pose, c) for c in _corners(solid.box)])


def _corners(box: Box) -> list[Vec3]:
    return [
        (x, y, z)
        for x in (box.low[0], box.high[0])
        for y in (box.low[1], box.high[1])
        for z in (box.low[2], box.high[2])
    ]


def _upright(first: Vec3, second: Vec3) -> _Block:
    """Return a box parallel to the axes, from two opposite corners."""
    (ax, ay, az), (bx, by, bz) = first, second
    bounds = (min(ax, bx), min(az, bz), max(ax, bx), max(az, bz))
    return _Block(bounds, min(ay, by), max(ay, by))


def _block(corners: Sequence[Vec3]) -> _Block:
    """Return a box turned about any axis, from its corners."""
    xs, ys, zs = zip(*corners, strict=True)
    bounds = (min(xs), min(zs), max(xs), max(zs))
    return _Block(bounds, min(ys), max(ys), tuple(zip(xs, zs, strict=True)))


def _bounds(blocks: list[_Block]) -> Bounds:
    all_bounds = [b.bounds for b in blocks]
    return (
        min(b[0] for b in all_bounds),
        min(b[1] for b in all_bounds),
        max(b[2] for b in all_bounds),
        max(b[3] for b in all_bounds),
    )


def _touch(a: Bounds, b: Bounds) -> bool:
    return a[0] <= b[2] and b[0] <= a[2] and a[1] <= b[3] and b[1] <= a[3]


def _near(rows: npt.NDArray[np.float64], b: Bounds, by: float) -> npt.NDArray[np.bool_]:
    hit = (rows[:, 0] < b[2] + by) & (rows[:, 2] > b[0] - by)
    return np.asarray(hit & (rows[:, 1] < b[3] + by) & (rows[:, 3] > b[1] - by))


def _clash(first: list[_Block], second: list[_Block]) -> bool:
    """Tell whether any two solids overlap by more than the tolerance in every direction."""
    for a in first:
        ax0, az0, ax1, az1 = a.bounds
        for b in second:
            if min(a.high, b.high) - max(a.low, b.low) <= OVERLAP:
                continue
            bx0, bz0, bx1, bz1 = b.bounds
            if min(ax1, bx1) - max(ax0, bx0) <= OVERLAP or min(az1, bz1) - max(az0, bz0) <= OVERLAP:
                continue
            if not a.turned and not b.turned:
                return True
            shared = a.shape.intersection(b.shape)
            if shared.area > OVERLAP * OVERLAP:
                x0, z0, x1, z1 = shared.bounds
                if x1 - x0 > OVERLAP and z1 - z0 > OVERLAP:
                    return True
    return False
