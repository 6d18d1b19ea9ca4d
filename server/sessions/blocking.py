"""Bodies that block: how a step ends at another body, and when one who pushes passes through.

A rule of profiles with the feature ``bodies_block``, above the simulators: to them bodies are
transparent. The browser's prediction has the same rule in `client/src/world/blocking.ts`; both are
checked against tests/data/blocking_vectors.json.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

from episodes.bodies import RADIUS

Vec2 = tuple[float, float]

APART_M = 2 * RADIUS
"""The distance between the middles of two bodies that touch."""
TOUCHING_M = 1e-6
"""The distance within which bodies count as touching: rounding must not wedge them."""
ALONG_M2 = 1e-9
"""The product of a step and a distance below which the step is not toward a body, but along it."""
PUSH_TICKS = 60
"""The ticks after which one who pushes passes through: 2 s."""
PASS_TICKS = 90
"""The ticks after which a pass is over, even within somebody: 3 s. Who walks along with the one
they pass through would otherwise stay in them for good; from then on steps lead apart only."""
GAP_TICKS = 10
"""The ticks for which one who pushes may let go, to turn for instance, and still count on."""
HELD_UP = 0.5
"""The share of the step that was wanted below which a body is held up."""


class Clipped(NamedTuple):
    """A step as other bodies let it be; ``by`` is the index of the one that was met first."""

    step: Vec2
    by: int | None


def clip(at: Vec2, step: Vec2, others: Sequence[Vec2]) -> Clipped:
    """Shorten a step so that it ends at the other bodies, and slide around the first of them.

    Moving apart is always free, also from within another body. Where nobody is met the step is
    returned as it came.
    """
    x, z = at
    dx, dz = step
    first = _met(x, z, dx, dz, others)
    if first is None:
        return Clipped(step, None)
    t, by = first
    gone_x, gone_z = dx * t, dz * t
    x, z = x + gone_x, z + gone_z
    away_x, away_z = x - others[by][0], z - others[by][1]
    distance = math.hypot(away_x, away_z)
    inward = ((1 - t) * (dx * away_x + dz * away_z)) / (distance * distance)
    dx, dz = dx * (1 - t) - inward * away_x, dz * (1 - t) - inward * away_z
    second = _met(x, z, dx, dz, others)
    if second is not None:
        dx, dz = dx * second[0], dz * second[0]
    return Clipped((gone_x + dx, gone_z + dz), by)


def _met(
    x: float, z: float, dx: float, dz: float, others: Sequence[Vec2]
) -> tuple[float, int] | None:
    """Return the share of a step after which a body is met first, and which one; None: nobody."""
    found: tuple[float, int] | None = None
    squared = dx * dx + dz * dz
    if squared == 0:
        return None
    for i, (ox, oz) in enumerate(others):
        away_x, away_z = x - ox, z - oz
        toward = dx * away_x + dz * away_z
        distance = math.hypot(away_x, away_z)
        # Right on top of each other every way leads apart.
        if toward >= -ALONG_M2 or distance == 0:
            continue
        if distance <= APART_M + TOUCHING_M:
            t = 0.0
        else:
            inside = toward * toward - squared * (distance * distance - APART_M * APART_M)
            if inside <= 0:
                continue
            t = (-toward - math.sqrt(inside)) / squared
            if t >= 1:
                continue
        if found is None or t < found[0]:
            found = (t, i)
    return found


def overlaps(at: Vec2, others: Sequence[Vec2]) -> bool:
    """Tell whether a body stands in one of the others."""
    return any(math.dist(at, other) < APART_M - TOUCHING_M for other in others)


def sinks_in(before: Vec2, after: Vec2, others: Sequence[Vec2]) -> bool:
    """Tell whether a body has come deeper into another, by sliding along a wall for instance."""
    return any(
        math.dist(after, other) < min(math.dist(before, other), APART_M) - TOUCHING_M
        for other in others
    )


def nearest(at: Vec2, others: Sequence[Vec2]) -> int:
    """Return the index of the body nearest to a point."""
    return min(range(len(others)), key=lambda i: math.dist(at, others[i]))
