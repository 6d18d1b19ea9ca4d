"""Walls as solid boxes with the openings left free."""

from __future__ import annotations

from collections.abc import Sequence

from episodes.houses.plans import HEIGHT, WALL, Plan, WallLine, openings_on, wall_stretch
from episodes.poses import Box
from episodes.scene import Solid


def wall_solids(plan: Plan) -> tuple[Solid, ...]:
    """Return axis-aligned boxes in world coordinates: piers, parapets under windows, lintels."""
    boxes: list[Box] = []
    for line in plan.walls:
        for stretch in _stretches(line, plan.walls):
            cursor = stretch.start
            for opening in openings_on(plan.openings, stretch):
                s = wall_stretch(opening)
                boxes.append(_box(line, cursor, s.start, 0.0, HEIGHT))
                if opening.sill > 0:
                    boxes.append(_box(line, s.start, s.end, 0.0, opening.sill))
                boxes.append(_box(line, s.start, s.end, opening.head, HEIGHT))
                cursor = s.end
            boxes.append(_box(line, cursor, stretch.end, 0.0, HEIGHT))
    return tuple(Solid(b) for b in boxes)


def _stretches(line: WallLine, walls: Sequence[WallLine]) -> list[WallLine]:
    """Cut a wall into the pieces between the walls it meets, so that no two solids overlap.

    Walls along X take the corners and crossings, walls along Z end at their faces.
    """
    h = WALL / 2
    if line.axis == "x":
        return [line._replace(start=line.start - h, end=line.end + h)]
    cuts = sorted(
        w.at
        for w in walls
        if w.axis == "x"
        and w.start - h <= line.at <= w.end + h
        and line.start - h <= w.at <= line.end + h
    )
    pieces, cursor = [], line.start - h
    for at in cuts:
        pieces.append((cursor, at - h))
        cursor = at + h
    pieces.append((cursor, line.end + h))
    return [line._replace(start=a, end=b) for a, b in pieces if b - a > 1e-6]


def _box(line: WallLine, start: float, end: float, low: float, high: float) -> Box:
    a, b = line.at - WALL / 2, line.at + WALL / 2
    if line.axis == "x":
        low_corner, high_corner = (start, low, a), (end, high, b)
    else:
        low_corner, high_corner = (a, low, start), (b, high, end)
    x0, y0, z0 = low_corner
    x1, y1, z1 = high_corner
    return Box((round(x0, 4), y0, round(z0, 4)), (round(x1, 4), y1, round(z1, 4)))
