"""The walkable area: where the point of a body may be."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
from shapely import box as rectangles
from shapely import unary_union
from shapely.geometry import MultiPolygon, Point
from shapely.geometry import Polygon as Shape
from shapely.geometry import box as rectangle
from shapely.geometry.base import BaseGeometry

from episodes.bodies import RADIUS
from episodes.houses.plans import WALL, Rect, wall_stretch
from episodes.poses import Vec2, rotate
from episodes.scene import Catalogue, Furniture, Opening, Polygon, Room

SMALLEST_ISLAND = 0.3
"""Area below which islands are dropped (m2)."""
TOLERANCE = 0.004
"""Distance by which simplification may move the outline inwards or outwards (m)."""

ARC_STEPS = 4
"""Straight pieces that make a quarter of a rounded corner."""


def footprint(furniture: Furniture, catalogue: Catalogue) -> Rect:
    """Return the floor under a piece of furniture, parts closed."""
    box = catalogue.templates[furniture.template].box
    xs, zs = [], []
    for x in (box.low[0], box.high[0]):
        for z in (box.low[2], box.high[2]):
            px, _, pz = rotate(furniture.pose.rotation, (x, 0.0, z))
            xs.append(px + furniture.pose.position[0])
            zs.append(pz + furniture.pose.position[2])
    return Rect(min(xs), min(zs), max(xs), max(zs))


def walkable_area(
    rooms: Sequence[Room],
    openings: Sequence[Opening],
    furniture: Sequence[Furniture],
    catalogue: Catalogue,
) -> tuple[Polygon, ...]:
    """Return room interiors and door passages less furniture, shrunk by a body's radius.

    The largest island comes first.
    """
    floors: list[BaseGeometry] = [Shape(room.polygon) for room in rooms]
    for opening in openings:
        if opening.kind == "door":
            s = wall_stretch(opening)
            half = WALL / 2 + 0.01
            across = (s.at - half, s.at + half)
            if s.axis == "x":
                floors.append(rectangle(s.start, across[0], s.end, across[1]))
            else:
                floors.append(rectangle(across[0], s.start, across[1], s.end))
    things = np.array([footprint(f, catalogue) for f in furniture]).reshape(-1, 4)
    free = unary_union(floors).difference(unary_union(rectangles(*things.T)))
    # The area is shrunk a little more: neither simplification nor the chords of the rounded
    # corners let a body touch anything.
    chord = RADIUS * (1 - math.cos(math.pi / 4 / ARC_STEPS))
    area = free.buffer(-(RADIUS + TOLERANCE + chord), quad_segs=ARC_STEPS).simplify(TOLERANCE)
    shapes = list(area.geoms) if isinstance(area, MultiPolygon) else [area]
    islands = sorted((s for s in shapes if s.area >= SMALLEST_ISLAND), key=lambda s: -s.area)
    return tuple(_polygon(s) for s in islands)


def _polygon(shape: Shape) -> Polygon:
    oriented = shape.normalize()
    return Polygon(
        _ring(oriented.exterior.coords), tuple(_ring(h.coords) for h in oriented.interiors)
    )


def _ring(coords: Sequence[tuple[float, ...]]) -> tuple[Vec2, ...]:
    """Return a ring without its repeated last point, to the tenth of a millimetre."""
    return tuple((round(c[0], 4) + 0.0, round(c[1], 4) + 0.0) for c in list(coords)[:-1])


def as_shape(polygon: Polygon) -> Shape:
    """Convert a scene polygon for shapely."""
    return Shape(polygon.outer, [list(h) for h in polygon.holes])


def contains(walkable: Sequence[Polygon], point: Vec2) -> bool:
    """Tell whether a point is on the largest island."""
    return bool(walkable) and as_shape(walkable[0]).covers(Point(point))
