"""The evaluator's geometric primitives over a whole house, fast.

What they mean is `episodes.evaluation.geometry` (section 3 of the specification), which judges
rays that somebody cast. Here the rays are cast and judged in one go, only against what can answer,
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
from server.simulators.household.rays import enters
from server.simulators.household.shapes import Block, Frame, Thing
from server.simulators.household.space import Space

SHRINK_M = 1e-3

_Points = Sequence[Vec3]


def above(space: Space, entity: str) -> frozenset[str]:
    """Every entity that a ray straight down from one of the keypoints meets."""
    this = space.thing(entity)
    space.settle()
    kx0, kz0, kx1, kz1, top = this.x0, this.z0, this.x1, this.z1, this.y1
    points = this.keypoints
    found: set[str | None] = {None, entity}
    static, dynamic, moved = space.house.cells, space.cells, space.moved
    for ix in range(int(kx0 // CELL_M), int(kx1 // CELL_M) + 1):
        for iz in range(int(kz0 // CELL_M), int(kz1 // CELL_M) + 1):
            key = (ix << 16) + iz
            cell = static.get(key)
            if cell is not None:
                for block in cell.blocks:
                    x0, y0, z0, x1, _, z1, _, other, part = block
                    if x0 > kx1 or x1 < kx0 or z0 > kz1 or z1 < kz0 or y0 > top:
                        continue
                    if other in found or (moved and part is not None and (other, part) in moved):
                        continue
                    if _is_under(block, points):
                        found.add(other)
            things = dynamic.get(key)
            if things is not None:
                for thing in things:
                    if thing.x0 > kx1 or thing.x1 < kx0 or thing.z0 > kz1 or thing.z1 < kz0:
                        continue
                    if thing.y0 > top or thing.entity in found:
                        continue
                    for block in thing.blocks:
                        if _is_under(block, points):
                            found.add(thing.entity)
                            break
    found.discard(None)
    found.discard(entity)
    return frozenset(found)  # type: ignore[arg-type]  # None is gone


def shrunk(low: float, high: float) -> tuple[float, float]:
    """An interval less `SHRINK_M` at each end, or half of it."""
    cut = (high - low) / 4
    if cut > SHRINK_M:
        cut = SHRINK_M
    return low + cut, high - cut


def shrunk_block(block: Block) -> Block:
    """A solid as rays meet it."""
    frame = block.frame
    if frame is not None:
        hx, hy, hz = (h - min(SHRINK_M, h / 2) for h in frame[12:])
        return block._replace(frame=Frame(*frame[:12], hx, hy, hz))
    x0, x1 = shrunk(block.x0, block.x1)
    y0, y1 = shrunk(block.y0, block.y1)
    z0, z1 = shrunk(block.z0, block.z1)
    return block._replace(x0=x0, y0=y0, z0=z0, x1=x1, y1=y1, z1=z1)


def _is_under(block: Block, points: _Points) -> bool:
    x0, y0, z0, x1, y1, z1, frame, _, _ = block
    if frame is None:
        cut = (x1 - x0) / 4
        cut = SHRINK_M if cut > SHRINK_M else cut
        x0, x1 = x0 + cut, x1 - cut
        cut = (z1 - z0) / 4
        cut = SHRINK_M if cut > SHRINK_M else cut
        z0, z1 = z0 + cut, z1 - cut
        cut = (y1 - y0) / 4
        y1 -= SHRINK_M if cut > SHRINK_M else cut
        for x, y, z in points:  # noqa: SIM110  # any() takes twice as long
            if x0 <= x <= x1 and z0 <= z <= z1 and y1 <= y:
                return True
        return False
    smaller: Block | None = None
    for point in points:
        x, y, z = point
        if x0 <= x <= x1 and z0 <= z <= z1 and y0 <= y:
            if smaller is None:
                smaller = shrunk_block(block)
            if enters(smaller, point, (0.0, -1.0, 0.0)) is not None:
                return True
    return False


def within(space: Space, entity: str) -> frozenset[str]:
    """Every entity around the centre or around more than two corners.

    Something is around a point only if its bounds are, which leaves few to look at. Fixed bodies
    and parts of furniture vote separately.
    """
    this = space.thing(entity)
    space.settle()
    kx0, ky0, kz0, kx1, ky1, kz1 = this.x0, this.y0, this.z0, this.x1, this.y1, this.z1
    found: set[str] = set()
    static, dynamic, moved = space.house.cells, space.cells, space.moved
    tried: list[Thing] = []
    for ix in range(int(kx0 // CELL_M), int(kx1 // CELL_M) + 1):
        for iz in range(int(kz0 // CELL_M), int(kz1 // CELL_M) + 1):
            key = (ix << 16) + iz
            cell = static.get(key)
            things = dynamic.get(key, ())
            for group in (cell.things, things) if cell is not None else (things,):
                for thing in group:
                    if (
                        thing.x0 > kx1 or thing.x1 < kx0 or thing.z0 > kz1 or thing.z1 < kz0
                        or thing.y0 > ky1 or thing.y1 - SHRINK_M < ky0
                    ):  # fmt: skip
                        continue
                    other = thing.entity
                    if other == entity or other in found or thing in tried:
                        continue
                    part = thing.part
                    if (
                        moved
                        and part is not None
                        and group is not things
                        and ((other, part) in moved)
                    ):
                        continue
                    tried.append(thing)
                    if _is_around(thing, this):
                        found.add(other)
    return frozenset(found)


def _is_around(outer: Thing, inner: Thing) -> bool:
    kx0, ky0, kz0, kx1, ky1, kz1 = inner.x0, inner.y0, inner.z0, inner.x1, inner.y1, inner.z1
    # A ray along an axis from a keypoint only meets what overlaps the keypoints' bounds on the
    # other two.
    blocks = [
        b
        for b in outer.blocks
        if (b[0] <= kx1 and b[3] >= kx0)
        + (b[1] <= ky1 and b[4] >= ky0)
        + (b[2] <= kz1 and b[5] >= kz0)
        >= 2
    ]
    # Entering two solids: one cannot be around anything.
    if len(blocks) < 2:
        return False
    blocks = [shrunk_block(b) for b in blocks]
    points = inner.keypoints
    if _around_point(blocks, points[0]):
        return True
    votes = 0
    for k in range(1, 9):
        if votes + 9 - k < CORNERS_TO_BE_WITHIN:
            return False
        if _around_point(blocks, points[k]):
            votes += 1
            if votes >= CORNERS_TO_BE_WITHIN:
                return True
    return False


_DIRECTIONS: tuple[tuple[int, Vec3], ...] = (
    (1, (1.0, 0.0, 0.0)), (2, (-1.0, 0.0, 0.0)), (4, (0.0, 1.0, 0.0)),
    (8, (0.0, -1.0, 0.0)), (16, (0.0, 0.0, 1.0)), (32, (0.0, 0.0, -1.0)),
)  # fmt: skip


def _around_point(blocks: Sequence[Block], point: Vec3) -> bool:
    """Whether rays both ways along one of the world's axes meet some of the solids."""
    x, y, z = point
    reach = WITHIN_RAY_LENGTH_M
    hits = 0
    for block in blocks:
        x0, y0, z0, x1, y1, z1, frame, _, _ = block
        if frame is not None:
            for bit, direction in _DIRECTIONS:
                if not hits & bit:
                    t = enters(block, point, direction)
                    if t is not None and t <= reach:
                        hits |= bit
            continue
        in_y, in_z = y0 <= y <= y1, z0 <= z <= z1
        if in_y and in_z:
            if x <= x0 <= x + reach:
                hits |= 1
            if x - reach <= x1 <= x:
                hits |= 2
        if x0 <= x <= x1:
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


def gap(space: Space, a: str, b: str) -> float:
    """The horizontal gap between two things, as `episodes.evaluation.geometry.gap`."""
    this, that = space.thing(a), space.thing(b)
    if this.y1 + VERTICAL_TOLERANCE_M < that.y0 or that.y1 + VERTICAL_TOLERANCE_M < this.y0:
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
    """Whether at least a quarter of the keypoints are in a room's volume."""
    this = space.thing(entity)
    if (
        this.x1 < room.low[0] or this.x0 > room.high[0]
        or this.z1 < room.low[1] or this.z0 > room.high[1]
    ):  # fmt: skip
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
    """Whether something rests on the largest indoor island."""
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
