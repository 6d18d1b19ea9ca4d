"""Overlap of boxes: the separating axis test for oriented boxes.

Two boxes are apart if on one of fifteen axes (the faces' normals and the cross products of the
edges) their shadows are; the smallest overlap of the shadows is how deep they are in each other.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from collections.abc import Set as AbstractSet

from episodes.poses import Pose, Vec3
from server.simulators.household.shapes import Block, Frame, Thing
from server.simulators.household.space import Space

TOLERANCE_M = 0.005
STAGE = "stage"


def frame_of_block(block: Block) -> Frame:
    """Return a block's oriented box."""
    if block.frame is not None:
        return block.frame
    x0, y0, z0, x1, y1, z1 = block[:6]
    return Frame(
        (x0 + x1) / 2, (y0 + y1) / 2, (z0 + z1) / 2,
        1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0,
        (x1 - x0) / 2, (y1 - y0) / 2, (z1 - z0) / 2,
    )  # fmt: skip


def axes_between(a: Frame, b: Frame) -> Iterator[Vec3]:
    """Return the unit axes on which two boxes may be apart."""
    ua, va, wa = a[3:6], a[6:9], a[9:12]
    ub, vb, wb = b[3:6], b[6:9], b[9:12]
    yield from (ua, va, wa, ub, vb, wb)
    for p in (ua, va, wa):
        for q in (ub, vb, wb):
            x, y, z = (
                p[1] * q[2] - p[2] * q[1],
                p[2] * q[0] - p[0] * q[2],
                p[0] * q[1] - p[1] * q[0],
            )
            length = math.sqrt(x * x + y * y + z * z)
            # Two parallel edges give no axis of their own.
            if length > 1e-6:
                yield (x / length, y / length, z / length)


def radius_along(frame: Frame, axis: Vec3) -> float:
    """Return half the length of a box's shadow on an axis."""
    _, _, _, ux, uy, uz, vx, vy, vz, wx, wy, wz, hx, hy, hz = frame
    x, y, z = axis
    return (
        abs(ux * x + uy * y + uz * z) * hx
        + abs(vx * x + vy * y + vz * z) * hy
        + abs(wx * x + wy * y + wz * z) * hz
    )


def depth(a: Block, b: Block) -> float:
    """Return how deep two solids are in each other (m); 0 or less: apart by at least one axis."""
    least = min(
        min(a[3], b[3]) - max(a[0], b[0]),
        min(a[4], b[4]) - max(a[1], b[1]),
        min(a[5], b[5]) - max(a[2], b[2]),
    )
    if least <= 0.0 or (a.frame is None and b.frame is None):
        return least
    fa, fb = frame_of_block(a), frame_of_block(b)
    dx, dy, dz = fb[0] - fa[0], fb[1] - fa[1], fb[2] - fa[2]
    least = math.inf
    for axis in axes_between(fa, fb):
        x, y, z = axis
        shadow = radius_along(fa, axis) + radius_along(fb, axis) - abs(dx * x + dy * y + dz * z)
        if shadow < least:
            least = shadow
            if least <= 0.0:
                return least
    return least


def overlapping(space: Space, handle: str, pose: Pose, ignore: AbstractSet[str]) -> list[str]:
    """Return what an object would overlap at a pose by more than 5 mm, sorted."""
    here = space.thing(handle)
    there = Thing(handle, None, here.box, here.solids, pose)
    found: set[str] = set()
    floor = space.house.floor_y
    if any(block.y0 < floor - TOLERANCE_M for block in there.blocks):
        found.add(STAGE)
    blocks = there.blocks
    x0, y0, z0, x1, y1, z1 = there.bounds
    for other in space.blocks_between(x0, z0, x1, z1):
        entity = STAGE if other.entity is None else other.entity
        if other[1] >= y1 or other[4] <= y0 or entity in found:
            continue
        if entity == handle or entity in ignore:
            continue
        if any(depth(block, other) > TOLERANCE_M for block in blocks):
            found.add(entity)
    return sorted(found)
