"""Landing of an object that is lowered: a box swept straight down against boxes.

Moving one box along a line, its shadow on each separating axis overlaps the other's over an
interval of the way; where all intervals overlap the boxes do. The upper end of that interval is the
height at which the moving box comes to rest on the other, and the axis that ends it is the normal
of the contact.
"""

from __future__ import annotations

import math
from collections.abc import Set as AbstractSet

from episodes.poses import Pose, Vec3, yaw_of, yaw_quat
from server.simulators.contract import Landing
from server.simulators.household.overlap import (
    TOLERANCE_M,
    axes_between,
    frame_of_block,
    radius_along,
)
from server.simulators.household.shapes import Block, Thing
from server.simulators.household.space import Space

REACH_M = 3.0
SIDE_M = 1e-3
"""Depth to which solids at the side of what is lowered count as touching only, not stopping (m)."""
SAME_M = 1e-6


def rest_on(a: Block, b: Block) -> tuple[float, Vec3] | None:
    """Return by how much ``a`` is raised (negative: lowered) to lie on ``b``, and the normal there.

    None if it passes by, or if it would have to be raised out of ``b`` by more than 5 mm.
    """
    if a[0] >= b[3] - SIDE_M or a[3] <= b[0] + SIDE_M:
        return None
    if a[2] >= b[5] - SIDE_M or a[5] <= b[2] + SIDE_M:
        return None
    if a.frame is None and b.frame is None:
        up = b[4] - a[1]
        return (up, (0.0, 1.0, 0.0)) if up <= TOLERANCE_M else None
    fa, fb = frame_of_block(a), frame_of_block(b)
    dx, dy, dz = fb[0] - fa[0], fb[1] - fa[1], fb[2] - fa[2]
    low, high, normal = -math.inf, math.inf, (0.0, 1.0, 0.0)
    for axis in axes_between(fa, fb):
        x, y, z = axis
        reach = radius_along(fa, axis) + radius_along(fb, axis) - SIDE_M * (1.0 - abs(y))
        apart = dx * x + dy * y + dz * z
        if abs(y) < 1e-9:
            if abs(apart) >= reach:
                return None
            continue
        if y < 0.0:
            x, y, z, apart = -x, -y, -z, -apart
        low = max(low, (apart - reach) / y)
        end = (apart + reach) / y
        # Among equal ends the first is preferred: faces come before edges.
        if end < high - 1e-12:
            high, normal = end, (x, y, z)
    if low >= high or high > TOLERANCE_M:
        return None
    return high, normal


def snap_down(space: Space, handle: str, pose: Pose, ignore: AbstractSet[str]) -> Landing | None:
    """Return where an object comes to rest that is set upright at a pose and lowered."""
    here = space.thing(handle)
    upright = Pose(pose.position, yaw_quat(yaw_of(pose.rotation)))
    thing = Thing(handle, None, here.box, here.solids, upright)
    best, normal, entity, central = -math.inf, (0.0, 1.0, 0.0), None, False
    bottom = min((block.y0 for block in thing.blocks), default=thing.bounds[1])
    x, _, z = thing.keypoints[0]
    x0, _, z0, x1, top, z1 = thing.bounds
    for other in space.blocks_between(x0, z0, x1, z1):
        if other.entity is not None and (other.entity == handle or other.entity in ignore):
            continue
        if other[1] >= top or other[4] < best + bottom - SAME_M:
            continue
        beneath = other[0] <= x <= other[3] and other[2] <= z <= other[5]
        for block in thing.blocks:
            rest = rest_on(block, other)
            if rest is None:
                continue
            # Among surfaces at one height, the one under the middle counts.
            if rest[0] > best + SAME_M or (rest[0] >= best - SAME_M and beneath and not central):
                best, normal = max(best, rest[0]), rest[1]
                entity, central = other.entity, beneath
    house = space.house
    on_plan = house.low[0] <= x <= house.high[0] and house.low[1] <= z <= house.high[1]
    if on_plan and bottom >= house.floor_y - TOLERANCE_M and house.floor_y - bottom > best:
        best, normal, entity = house.floor_y - bottom, (0.0, 1.0, 0.0), None
    if best < -REACH_M:
        return None
    px, py, pz = upright.position
    return Landing(Pose((px, py + best, pz), upright.rotation), entity, normal)
