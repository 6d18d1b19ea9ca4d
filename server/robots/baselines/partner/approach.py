"""Approach of one body to another, as for whoever has called it."""

from __future__ import annotations

import math

from server.skills.body import Body, Script

NEAREST_M = 0.6
FARTHEST_M = 1.3
"""Distances at which it may stop before somebody (m)."""


def come_to(body: Body, seat: str) -> Script:
    """Walk up to the body of a seat."""
    x, y, z = body.core.world.agents[seat].position

    def fits(point: tuple[float, float, float], yaw: float) -> bool:
        return NEAREST_M <= math.hypot(point[0] - x, point[2] - z) <= FARTHEST_M

    yield from body.go((x, y, z), fits)
