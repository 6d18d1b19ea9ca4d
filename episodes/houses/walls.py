"""Walls as solid boxes with the openings left free."""

from __future__ import annotations

from episodes.houses.plans import HEIGHT, WALL, Plan, WallLine, openings_on, span
from episodes.poses import Box
from episodes.scene import Solid


def wall_solids(plan: Plan) -> tuple[Solid, ...]:
    """Axis-aligned boxes in world coordinates: piers, parapets under windows, lintels."""
    boxes: list[Box] = []
    for line in plan.walls:
        # Walls along X take the corners, walls along Z end at their faces: nothing overlaps.
        reach = WALL / 2 if line.axis == "x" else -WALL / 2
        cursor = line.start - reach
        for opening in openings_on(plan.openings, line):
            s = span(opening)
            boxes.append(_box(line, cursor, s.start, 0.0, HEIGHT))
            if opening.sill > 0:
                boxes.append(_box(line, s.start, s.end, 0.0, opening.sill))
            boxes.append(_box(line, s.start, s.end, opening.head, HEIGHT))
            cursor = s.end
        boxes.append(_box(line, cursor, line.end + reach, 0.0, HEIGHT))
    return tuple(Solid(b) for b in boxes)


def _box(line: WallLine, start: float, end: float, low: float, high: float) -> Box:
    a, b = line.at - WALL / 2, line.at + WALL / 2
    if line.axis == "x":
        low_corner, high_corner = (start, low, a), (end, high, b)
    else:
        low_corner, high_corner = (a, low, start), (b, high, end)
    x0, y0, z0 = low_corner
    x1, y1, z1 = high_corner
    return Box((round(x0, 4), y0, round(z0, 4)), (round(x1, 4), y1, round(z1, 4)))
