"""The evaluator's geometric primitives over a whole house, fast.

What they mean is `episodes.evaluation.geometry` (section 3 of the specification), which judges rays
that somebody cast. Here the rays are cast and judged in one go, only against what can answer,
because a question may take no more than some ten microseconds. The tests hold the two together.

A ray meets a solid where it enters it, and solids are taken `SHRINK_M` smaller on every side (but
never by more than half), so that lying on a table is not being inside it.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from episodes.evaluation.geometry import (
    CORNERS_TO_BE_WITHIN,
    FLOOR_TOLERANCE_M,
    NAVMESH_CELL_HEIGHT_M,
    REGION_SHARE,
    VERTICAL_TOLERANCE_M,
    WITHIN_RAY_LENGTH_M,
)
from episodes.poses import Vec3
from server.simulators.household.house import CELL_M, RoomVolume
from server.simulators.household.rays import FAR, enters
from server.simulators.household.shapes import SHRINK_M, Block, Frame, Thing
from server.simulators.household.space import Space

UPRIGHT = 1 - 1e-12
"""Y of a box's Y axis from which the box counts as turned about that axis only."""
_DOWN: Vec3 = (0.0, -1.0, 0.0)

_Points = Sequence[Vec3]


def above(space: Space, entity: str) -> frozenset[str]:
    """Return every entity that a ray straight down from one of the keypoints meets."""
    this = space.thing(entity)
    space.settle()
    kx0, _, kz0, kx1, top, kz1 = this.bounds
    points = this.keypoints
    found: set[str | None] = {None, entity}
    static, dynamic, moved = space.house.cells, space.cells, space.moved
    for ix in range(int(kx0 // CELL_M), int(kx1 // CELL_M) + 1):
        for iz in range(int(kz0 // CELL_M), int(kz1 // CELL_M) + 1):
            key = (ix << 16) + iz
            cell = static.get(key)
            if cell is not None:
                for block in cell.cores:
                    x0, y0, z0, x1, _, z1, _, other, part = block
                    if x0 > kx1 or x1 < kx0 or z0 > kz1 or z1 < kz0 or y0 > top or other in found:
                        continue
                    if moved and part is not None and (other, part) in moved:
                        continue
                    if _is_under(block, points):
                        found.add(other)
            for thing in dynamic.get(key, ()):
                x0, y0, z0, x1, _, z1 = thing.bounds
                if x0 > kx1 or x1 < kx0 or z0 > kz1 or z1 < kz0 or y0 > top:
                    continue
                if thing.entity in found:
                    continue
                for block in thing.cores:
                    if _is_under(block, points):
                        found.add(thing.entity)
                        break
    found.discard(None)
    found.discard(entity)
    return frozenset(found)  # type: ignore[arg-type]  # None is gone


def _is_under(block: Block, points: _Points) -> bool:
    x0, y0, z0, x1, y1, z1, frame, _, _ = block
    if frame is None:
        for x, y, z in points:  # noqa: SIM110  # any() takes twice as long
            if x0 <= x <= x1 and z0 <= z <= z1 and y1 <= y:
                return True
        return False
    cx, cy, cz, ux, _, uz, _, vy, _, wx, _, wz, hx, hy, hz = frame
    if vy > UPRIGHT:
        y1 = cy + hy
        for x, y, z in points:
            if y1 <= y:
                x, z = x - cx, z - cz
                if -hx <= x * ux + z * uz <= hx and -hz <= x * wx + z * wz <= hz:
                    return True
        return False
    for point in points:
        x, y, z = point
        if x0 <= x <= x1 and z0 <= z <= z1 and y0 <= y and enters(block, point, _DOWN) is not None:
            return True
    return False


def within(space: Space, entity: str) -> frozenset[str]:
    """Return every entity around the centre or around more than two corners.

    Fixed bodies and parts of furniture vote separately.
    """
    this = space.thing(entity)
    space.settle()
    kx0, ky0, kz0, kx1, ky1, kz1 = this.bounds
    found: set[str] = set()
    static, dynamic, moved = space.house.cells, space.cells, space.moved
    tried: list[Thing] = []
    for ix in range(int(kx0 // CELL_M), int(kx1 // CELL_M) + 1):
        for iz in range(int(kz0 // CELL_M), int(kz1 // CELL_M) + 1):
            key = (ix << 16) + iz
            cell = static.get(key)
            if cell is not None:
                for thing in cell.hollow:
                    x0, y0, z0, x1, y1, z1 = thing.bounds
                    if x0 > kx1 or x1 < kx0 or z0 > kz1 or z1 < kz0 or y0 > ky1:
                        continue
                    if y1 - SHRINK_M < ky0 or thing.entity in found or thing.entity == entity:
                        continue
                    if moved and thing.part is not None and (thing.entity, thing.part) in moved:
                        continue
                    if thing not in tried:
                        tried.append(thing)
                        if _is_around(thing, this):
                            found.add(thing.entity)
            for thing in dynamic.get(key, ()):
                # Rays both ways enter two solids: one solid cannot be around anything.
                if len(thing.solids) < 2:
                    continue
                x0, y0, z0, x1, y1, z1 = thing.bounds
                if x0 > kx1 or x1 < kx0 or z0 > kz1 or z1 < kz0 or y0 > ky1 or y1 < ky0:
                    continue
                if thing.entity in found or thing.entity == entity:
                    continue
                if thing not in tried:
                    tried.append(thing)
                    if _is_around(thing, this):
                        found.add(thing.entity)
    return frozenset(found)


def _is_around(outer: Thing, inner: Thing) -> bool:
    """Tell whether one thing is around the other's centre or at least three of its corners.

    What is outside a convex box that holds all solids cannot have some on two opposite sides.
    """
    cx, cy, cz, ux, uy, uz, vx, vy, vz, wx, wy, wz, hx, hy, hz = outer.frame
    inside: list[Vec3] = []
    centre = False
    for k, point in enumerate(inner.keypoints):
        x, y, z = point
        x, y, z = x - cx, y - cy, z - cz
        if (
            -hx < x * ux + y * uy + z * uz < hx
            and -hy < x * vx + y * vy + z * vz < hy
            and -hz < x * wx + y * wy + z * wz < hz
        ):
            if k == 0:
                centre = True
            else:
                inside.append(point)
    if not centre and len(inside) < CORNERS_TO_BE_WITHIN:
        return False
    kx0, ky0, kz0, kx1, ky1, kz1 = inner.bounds
    # A ray along an axis from a keypoint meets only what overlaps the keypoints' bounds on the
    # other two.
    blocks = [
        b
        for b in outer.cores
        if (b[0] <= kx1 and b[3] >= kx0)
        + (b[1] <= ky1 and b[4] >= ky0)
        + (b[2] <= kz1 and b[5] >= kz0)
        >= 2
    ]
    if len(blocks) < 2:
        return False
    if centre and _around_point(blocks, inner.keypoints[0]):
        return True
    missing = CORNERS_TO_BE_WITHIN
    left = len(inside)
    for point in inside:
        if left < missing:
            return False
        left -= 1
        if _around_point(blocks, point):
            missing -= 1
            if missing == 0:
                return True
    return False


def _around_point(blocks: Sequence[Block], point: Vec3) -> bool:
    """Tell whether rays both ways along one of the world's axes meet some of the solids.

    In ``hits``, bits 1 and 2 stand for +x and -x, 4 and 8 for y, 16 and 32 for z.
    """
    x, y, z = point
    reach = WITHIN_RAY_LENGTH_M
    hits = 0
    for block in blocks:
        x0, y0, z0, x1, y1, z1, frame, _, _ = block
        in_x, in_y, in_z = x0 <= x <= x1, y0 <= y <= y1, z0 <= z <= z1
        if frame is not None:
            # A line runs inside from ``low`` to ``high``: forwards it is entered at ``low``,
            # backwards at ``-high``.
            if in_y and in_z:
                low, high = _stretch(frame, x, y, z, 0)
                hits |= (0 <= low <= reach and low <= high) + 2 * (low <= high <= 0 <= high + reach)
            if in_x and in_z:
                low, high = _stretch(frame, x, y, z, 1)
                hits |= 4 * (0 <= low <= reach and low <= high)
                hits |= 8 * (low <= high <= 0 <= high + reach)
            if in_x and in_y:
                low, high = _stretch(frame, x, y, z, 2)
                hits |= 16 * (0 <= low <= reach and low <= high)
                hits |= 32 * (low <= high <= 0 <= high + reach)
            continue
        if in_y and in_z:
            if x <= x0 <= x + reach:
                hits |= 1
            if x - reach <= x1 <= x:
                hits |= 2
        if in_x:
            if in_z:
                if y <= y0 <= y + reach:
                    hits |= 4
                if y - reach <= y1 <= y:
                    hits |= 8
            if in_y:
                if z <= z0 <= z + reach:
                    hits |= 16
                if z - reach <= z1 <= z:
                    hits |= 32
    return hits & 3 == 3 or hits & 12 == 12 or hits & 48 == 48


def _stretch(frame: Frame, x: float, y: float, z: float, axis: int) -> tuple[float, float]:
    """Return between which distances a line along a world axis is inside a box."""
    cx, cy, cz, ux, uy, uz, vx, vy, vz, wx, wy, wz, hx, hy, hz = frame
    x, y, z = x - cx, y - cy, z - cz
    o, d = x * ux + y * uy + z * uz, frame[3 + axis]
    i = 1.0 / d if d > 1e-12 or d < -1e-12 else FAR
    a, b = (-hx - o) * i, (hx - o) * i
    low, high = (a, b) if a < b else (b, a)
    o, d = x * vx + y * vy + z * vz, frame[6 + axis]
    i = 1.0 / d if d > 1e-12 or d < -1e-12 else FAR
    a, b = (-hy - o) * i, (hy - o) * i
    if a > b:
        a, b = b, a
    if a > low:
        low = a
    if b < high:
        high = b
    o, d = x * wx + y * wy + z * wz, frame[9 + axis]
    i = 1.0 / d if d > 1e-12 or d < -1e-12 else FAR
    a, b = (-hz - o) * i, (hz - o) * i
    if a > b:
        a, b = b, a
    return (a if a > low else low), (b if b < high else high)


def gap(space: Space, a: str, b: str) -> float:
    """Return the horizontal gap between two things, as `episodes.evaluation.geometry.gap`."""
    this, that = space.thing(a), space.thing(b)
    a_bounds, b_bounds = this.bounds, that.bounds
    if (
        a_bounds[4] + VERTICAL_TOLERANCE_M < b_bounds[1]
        or b_bounds[4] + VERTICAL_TOLERANCE_M < a_bounds[1]
    ):
        return math.inf
    fa, fb = this.frame, that.frame
    dx, dz = fb[0] - fa[0], fb[2] - fa[2]
    distance = math.hypot(dx, dz)
    if distance == 0.0:
        return 0.0
    dx, dz = dx / distance, dz / distance
    clear = distance - _half_size(fa, dx, dz) - _half_size(fb, dx, dz)
    return clear if clear > 0.0 else 0.0


def _half_size(frame: Frame, dx: float, dz: float) -> float:
    _, _, _, ux, _, uz, vx, _, vz, wx, _, wz, hx, hy, hz = frame
    return math.hypot((ux * dx + uz * dz) * hx, (vx * dx + vz * dz) * hy, (wx * dx + wz * dz) * hz)


def in_room(space: Space, entity: str, room: RoomVolume) -> bool:
    """Tell whether at least a quarter of the keypoints are in a room's volume."""
    this = space.thing(entity)
    x0, _, z0, x1, _, z1 = this.bounds
    low, high = room.low, room.high
    if x1 < low[0] or x0 > high[0] or z1 < low[1] or z0 > high[1]:
        return False
    need = REGION_SHARE * 9
    inside = 0
    for point in this.keypoints:
        if room.contains(point):
            inside += 1
            if inside >= need:
                return True
    return False


def on_floor(space: Space, entity: str) -> bool:
    """Tell whether something rests on the largest indoor island."""
    this = space.thing(entity)
    frame = this.frame
    house = space.house
    cx, cy, cz = frame[0], frame[1], frame[2]
    half = math.hypot(frame.uy * frame.hx, frame.vy * frame.hy, frame.wy * frame.hz)
    reach = half + NAVMESH_CELL_HEIGHT_M / 2 + FLOOR_TOLERANCE_M
    height = cy - house.floor_y
    if abs(height) > reach:
        return False
    x, z = house.island.nearest(cx, cz)
    return math.dist((x, house.floor_y, z), (cx, cy, cz)) <= reach
