"""Geometry along wall lines: faces with holes, boxes, strips of floor."""

from __future__ import annotations

import math
from collections.abc import Sequence

from episodes.catalogue.mesh.meshes import Mesh, box, quad
from episodes.houses.plans import HEIGHT, WALL, Plan, Rect, Side, WallLine, wall_stretch
from episodes.poses import Vec3
from episodes.scene import Opening

TRIM = "#f4f0e8"
"""The colour of frames, baseboards and sills."""

INWARD: dict[Side, tuple[int, int]] = {
    "north": (0, 1),
    "south": (0, -1),
    "west": (1, 0),
    "east": (-1, 0),
}
"""The (x, z) direction from a side into the room."""

Blocks = Sequence[tuple[Rect, float]]
"""Footprints of furniture with the height of their tops (m)."""


def wall_point(line: WallLine, along: float, y: float, off: float) -> Vec3:
    """Return a point at ``along`` a wall line, ``off`` to its +Z (or +X) side."""
    return (along, y, line.at + off) if line.axis == "x" else (line.at + off, y, along)


def wall_box(
    line: WallLine,
    a: float,
    b: float,
    low: float,
    high: float,
    off0: float,
    off1: float,
    bevel: float = 0.004,
) -> Mesh:
    """Return a box along a wall line, between two heights and two distances from it."""
    p, q = wall_point(line, a, low, off0), wall_point(line, b, high, off1)
    lows = (min(p[0], q[0]), min(p[1], q[1]), min(p[2], q[2]))
    highs = (max(p[0], q[0]), max(p[1], q[1]), max(p[2], q[2]))
    return box(lows, highs, bevel)


def wall_faces(
    openings: Sequence[Opening], start: float, end: float
) -> list[tuple[float, float, float, float]]:
    """Return the (start, end, low, high) rectangles of a wall face round its openings."""
    faces = []
    cursor = start
    for opening in openings:
        s = wall_stretch(opening)
        faces.append((cursor, s.start, 0.0, HEIGHT))
        if opening.sill > 0:
            faces.append((s.start, s.end, 0.0, opening.sill))
        faces.append((s.start, s.end, opening.head, HEIGHT))
        cursor = s.end
    faces.append((cursor, end, 0.0, HEIGHT))
    return [f for f in faces if f[1] - f[0] > 1e-6]


def wall_sheet(
    line: WallLine, a: float, b: float, low: float, high: float, off: float, out: float
) -> Mesh:
    """Return a wall face, ``off`` from the line, that looks towards the side of sign ``out``."""
    corners = [
        wall_point(line, a, low, off),
        wall_point(line, b, low, off),
        wall_point(line, b, high, off),
        wall_point(line, a, high, off),
    ]
    # Corners turn towards +Z along X, and towards -X along Z.
    towards = 1.0 if line.axis == "x" else -1.0
    ring = corners if towards == math.copysign(1.0, out) else corners[::-1]
    return quad(*ring)


def wall_strip(line: WallLine, a: float, b: float, inward: float, depth: float) -> Rect:
    p, q = wall_point(line, a, 0.0, 0.0), wall_point(line, b, 0.0, inward * (WALL / 2 + depth))
    return Rect(min(p[0], q[0]), min(p[2], q[2]), max(p[0], q[0]), max(p[2], q[2]))


def inward_of(plan: Plan, opening: Opening) -> float:
    room = next(r for r in plan.rooms if r.room_id == opening.rooms[0])
    line = wall_stretch(opening)
    middle = room.bounds.middle
    return 1.0 if (middle[1] if line.axis == "x" else middle[0]) > line.at else -1.0
