"""Rays against solids.

A ray meets a solid where it enters it: a ray that starts inside passes out of it unnoticed, as with
the convex shapes of a physics engine.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from collections.abc import Set as AbstractSet
from typing import NamedTuple

from episodes.poses import Vec3
from server.simulators.household.house import CELL_M
from server.simulators.household.shapes import Block, Frame
from server.simulators.household.space import Space

FAR = 1e30
"""Stand-in for the inverse of zero: large, and still a number when multiplied by zero."""


class Hit(NamedTuple):
    """The point where a ray enters the first solid; ``block`` is None for the floor."""

    distance: float
    block: Block | None


def inverse(d: float) -> float:
    """Return 1/d, or a very large number."""
    return 1.0 / d if d > 1e-12 or d < -1e-12 else (FAR if d >= 0 else -FAR)


def enters(block: Block, origin: Vec3, direction: Vec3, pad: float = 0.0) -> float | None:
    """Return the distance at which a ray enters a solid grown by ``pad``; None if it does not."""
    if block.frame is not None:
        return _enters_frame(block.frame, origin, direction, pad)
    x0, y0, z0, x1, y1, z1, _, _, _ = block
    ox, oy, oz = origin
    dx, dy, dz = direction
    i = 1.0 / dx if dx > 1e-12 or dx < -1e-12 else FAR
    low, high = (x0 - pad - ox) * i, (x1 + pad - ox) * i
    if low > high:
        low, high = high, low
    i = 1.0 / dz if dz > 1e-12 or dz < -1e-12 else FAR
    a, b = (z0 - pad - oz) * i, (z1 + pad - oz) * i
    if a > b:
        a, b = b, a
    if a > low:
        low = a
    if b < high:
        high = b
    if high < 0.0 or low > high:
        return None
    i = 1.0 / dy if dy > 1e-12 or dy < -1e-12 else FAR
    a, b = (y0 - pad - oy) * i, (y1 + pad - oy) * i
    if a > b:
        a, b = b, a
    if a > low:
        low = a
    if b < high:
        high = b
    return low if 0.0 <= low <= high else None


def _enters_frame(frame: Frame, origin: Vec3, direction: Vec3, pad: float) -> float | None:
    cx, cy, cz, ux, uy, uz, vx, vy, vz, wx, wy, wz, hx, hy, hz = frame
    ox, oy, oz = origin
    dx, dy, dz = direction
    ox, oy, oz, hx, hy, hz = ox - cx, oy - cy, oz - cz, hx + pad, hy + pad, hz + pad
    o, d = ox * ux + oy * uy + oz * uz, dx * ux + dy * uy + dz * uz
    i = 1.0 / d if d > 1e-12 or d < -1e-12 else FAR
    low, high = (-hx - o) * i, (hx - o) * i
    if low > high:
        low, high = high, low
    o, d = ox * vx + oy * vy + oz * vz, dx * vx + dy * vy + dz * vz
    i = 1.0 / d if d > 1e-12 or d < -1e-12 else FAR
    a, b = (-hy - o) * i, (hy - o) * i
    if a > b:
        a, b = b, a
    if a > low:
        low = a
    if b < high:
        high = b
    if high < 0.0 or low > high:
        return None
    o, d = ox * wx + oy * wy + oz * wz, dx * wx + dy * wy + dz * wz
    i = 1.0 / d if d > 1e-12 or d < -1e-12 else FAR
    a, b = (-hz - o) * i, (hz - o) * i
    if a > b:
        a, b = b, a
    if a > low:
        low = a
    if b < high:
        high = b
    return low if 0.0 <= low <= high else None


def normal_at(block: Block, point: Vec3) -> Vec3:
    """Return the outward normal of the face of a solid on which a point lies."""
    frame = block.frame
    x, y, z = point
    if frame is None:
        x0, y0, z0, x1, y1, z1 = block[:6]
        gaps = (
            (abs(x - x0), (-1.0, 0.0, 0.0)), (abs(x - x1), (1.0, 0.0, 0.0)),
            (abs(y - y0), (0.0, -1.0, 0.0)), (abs(y - y1), (0.0, 1.0, 0.0)),
            (abs(z - z0), (0.0, 0.0, -1.0)), (abs(z - z1), (0.0, 0.0, 1.0)),
        )  # fmt: skip
        return min(gaps, key=lambda g: g[0])[1]
    cx, cy, cz, ux, uy, uz, vx, vy, vz, wx, wy, wz, hx, hy, hz = frame
    x, y, z = x - cx, y - cy, z - cz
    best, normal = math.inf, (0.0, 1.0, 0.0)
    for ax, ay, az, h in ((ux, uy, uz, hx), (vx, vy, vz, hy), (wx, wy, wz, hz)):
        o = x * ax + y * ay + z * az
        gap = abs(abs(o) - h)
        if gap < best:
            sign = 1.0 if o >= 0 else -1.0
            best, normal = gap, (ax * sign, ay * sign, az * sign)
    return normal


def cells_along(
    x: float, z: float, dx: float, dz: float, length: float
) -> Iterator[tuple[int, float, float]]:
    """Return the cells that a ray passes, in order: key, and the distances of entry and exit."""
    ix, iz = math.floor(x / CELL_M), math.floor(z / CELL_M)
    far = math.inf
    step_x, step_z = (1 if dx > 0 else -1), (1 if dz > 0 else -1)
    each_x = CELL_M / abs(dx) if abs(dx) > 1e-12 else far
    each_z = CELL_M / abs(dz) if abs(dz) > 1e-12 else far
    next_x = ((ix + (dx > 0)) * CELL_M - x) / dx if each_x < far else far
    next_z = ((iz + (dz > 0)) * CELL_M - z) / dz if each_z < far else far
    t = 0.0
    while True:
        leave = next_x if next_x < next_z else next_z
        yield (ix << 16) + iz, t, (leave if leave < length else length)
        if leave >= length:
            return
        t = leave
        if next_x < next_z:
            ix += step_x
            next_x += each_x
        else:
            iz += step_z
            next_z += each_z


def first_hit(
    space: Space, origin: Vec3, direction: Vec3, length: float, ignore: AbstractSet[str]
) -> Hit | None:
    """Return the first solid along a unit direction, or the floor."""
    space.settle()
    ox, oy, oz = origin
    dx, dy, dz = direction
    best, found = length, None
    hit_floor = False
    house = space.house
    if dy < -1e-12 and oy >= house.floor_y:
        t = (house.floor_y - oy) / dy
        x, z = ox + dx * t, oz + dz * t
        if t <= best and house.low[0] <= x <= house.high[0] and house.low[1] <= z <= house.high[1]:
            best, hit_floor = t, True
    for block, t in _candidates(space, origin, direction, length, 0.0, ignore):
        if t < best or (t == best and found is None):
            best, found, hit_floor = t, block, False
    if found is None and not hit_floor:
        return None
    return Hit(best, found)


def first_blocker(
    space: Space, a: Vec3, b: Vec3, ignore: AbstractSet[str], pad: float, end: float
) -> Block | None:
    """Return some solid, grown by ``pad``, between two points.

    The straight line from ``a`` enters it more than ``end`` before ``b``.
    """
    dx, dy, dz = b[0] - a[0], b[1] - a[1], b[2] - a[2]
    length = math.sqrt(dx * dx + dy * dy + dz * dz)
    if length <= end:
        return None
    direction = (dx / length, dy / length, dz / length)
    for block, _ in _candidates(space, a, direction, length - end, pad, ignore):
        return block
    return None


def _candidates(
    space: Space,
    origin: Vec3,
    direction: Vec3,
    length: float,
    pad: float,
    ignore: AbstractSet[str],
) -> Iterator[tuple[Block, float]]:
    """Return solids that a ray enters within ``length``, cell by cell; some more than once.

    After the cell in which one was found no more come: a later cell cannot have a nearer one.
    """
    ox, oy, oz = origin
    dx, dy, dz = direction
    ix, iz = inverse(dx), inverse(dz)
    # The faces of bounds that a ray meets first and last.
    nx, fx = (0, 3) if ix > 0 else (3, 0)
    nz, fz = (2, 5) if iz > 0 else (5, 2)
    px, pz = math.copysign(pad, ix), math.copysign(pad, iz)
    static, dynamic, moved = space.house.cells, space.cells, space.moved
    nearest = length
    for key, t0, t1 in cells_along(ox, oz, dx, dz, length):
        if t0 > nearest:
            return
        ya, yb = oy + dy * t0, oy + dy * t1
        low_y, high_y = (ya - pad, yb + pad) if ya < yb else (yb - pad, ya + pad)
        cell = static.get(key)
        if cell is not None:
            for block in cell.blocks:
                if block[4] < low_y:
                    break
                if block[1] > high_y:
                    continue
                through = enters(block, origin, direction, pad)
                if through is None or through > nearest:
                    continue
                entity = block[7]
                if entity is not None and (
                    entity in ignore
                    or (moved and block[8] is not None and (entity, block[8]) in moved)
                ):
                    continue
                nearest = through
                yield block, through
        things = dynamic.get(key)
        if things is not None:
            for thing in things:
                bounds = thing.bounds
                if bounds[4] < low_y or bounds[1] > high_y:
                    continue
                low, high = (bounds[nx] - px - ox) * ix, (bounds[fx] + px - ox) * ix
                t = (bounds[nz] - pz - oz) * iz
                if t > low:
                    low = t
                t = (bounds[fz] + pz - oz) * iz
                if t < high:
                    high = t
                if high < 0.0 or low > high or low > nearest or thing.entity in ignore:
                    continue
                for block in thing.blocks:
                    through = enters(block, origin, direction, pad)
                    if through is not None and through <= nearest:
                        nearest = through
                        yield block, through
