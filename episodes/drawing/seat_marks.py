"""Outlines of the marks of seats: shapes alone tell the seats of a team apart.

Round ones are people, cornered ones robots. ``client/src/world/seat_looks.ts`` has the same, and so
have the style sheets of pages; `y` points down, and outlines lie within -1 to 1.
"""

from __future__ import annotations

import math
from collections.abc import Callable

Outline = tuple[tuple[float, float], ...]

_CORNERS = 16


def _round(at: Callable[[float, float], tuple[float, float]]) -> Outline:
    """Return the outline that a function gives for angles from the top clockwise."""
    angles = [2 * math.pi * n / _CORNERS for n in range(_CORNERS)]
    return tuple(at(math.sin(a), -math.cos(a)) for a in angles)


def _star() -> Outline:
    corners = []
    for n in range(10):
        away, angle = (1.0 if n % 2 == 0 else 0.42), 2 * math.pi * n / 10
        corners.append((away * math.sin(angle), -away * math.cos(angle)))
    return tuple(corners)


_CROSS = (
    (-0.36, -1.0),
    (0.36, -1.0),
    (0.36, -0.36),
    (1.0, -0.36),
    (1.0, 0.36),
    (0.36, 0.36),
    (0.36, 1.0),
    (-0.36, 1.0),
    (-0.36, 0.36),
    (-1.0, 0.36),
    (-1.0, -0.36),
    (-0.36, -0.36),
)

OUTLINES: dict[str, Outline] = {
    "human-1": _round(lambda x, y: (x, y)),
    "human-2": _round(lambda x, y: (0.82 * x * (1 + y), y) if y < 0 else (0.82 * x, y)),
    "human-3": _round(lambda x, y: (x, 0.5 * y)),
    "human-4": _round(lambda x, y: (x, 1.3 * y + 0.5 if y < 0 else 0.5)),
    "human-5": _round(lambda x, y: (0.5 * x, y)),
    "robot-1": ((-0.84, -0.84), (0.84, -0.84), (0.84, 0.84), (-0.84, 0.84)),
    "robot-2": ((0.0, -1.0), (1.0, 0.0), (0.0, 1.0), (-1.0, 0.0)),
    "robot-3": ((0.0, -1.0), (1.0, 0.84), (-1.0, 0.84)),
    "robot-4": _CROSS,
    "robot-5": _star(),
}
"""Outlines by the key of a look (`episodes.seat_names.look_of`)."""
