"""Shapes of things in world coordinates: solid boxes, keypoints, bounds.

Plain tuples of floats rather than arrays: a query touches a handful of boxes, where the overhead
of an array operation is larger than the whole of the arithmetic.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

from episodes.poses import Box, Pose, Quat, Vec3
from episodes.scene import Solid

AXIS_ALIGNED = 1e-12
"""Distance of a matrix from a signed permutation up to which boxes stay axis-aligned."""

SHRINK_M = 1e-3
"""Shrinkage of solids for the evaluator's rays (m), so that touching is not being inside."""

Bounds = tuple[float, float, float, float, float, float]
"""Bounds as x, y, z from; x, y, z to."""
Axes = tuple[Vec3, Vec3, Vec3]
"""The local X, Y and Z axes in world coordinates."""


class Frame(NamedTuple):
    """An oriented box: centre, the three unit axes, half extents along them."""

    cx: float
    cy: float
    cz: float
    ux: float
    uy: float
    uz: float
    vx: float
    vy: float
    vz: float
    wx: float
    wy: float
    wz: float
    hx: float
    hy: float
    hz: float


class Block(NamedTuple):
    """A solid of something in world coordinates; ``entity`` is None for walls.

    It has its bounds, and its frame if that is not simply its bounds.
    """

    x0: float
    y0: float
    z0: float
    x1: float
    y1: float
    z1: float
    frame: Frame | None
    entity: str | None
    part: int | None


def axes_of(rotation: Quat) -> Axes:
    """Return the columns of a rotation's matrix."""
    x, y, z, w = rotation
    xx, yy, zz = x * x, y * y, z * z
    xy, xz, yz, wx, wy, wz = x * y, x * z, y * z, w * x, w * y, w * z
    return (
        (1 - 2 * (yy + zz), 2 * (xy + wz), 2 * (xz - wy)),
        (2 * (xy - wz), 1 - 2 * (xx + zz), 2 * (yz + wx)),
        (2 * (xz + wy), 2 * (yz - wx), 1 - 2 * (xx + yy)),
    )


def quat_of_matrix(m: Sequence[Sequence[float]]) -> Quat:
    """Return the rotation of the upper left 3 x 3 of a row-major matrix (Shepperd's method).

    Scale is not expected; what rounding left of it is divided out.
    """
    (a, b, c), (d, e, f), (g, h, i) = m[0][:3], m[1][:3], m[2][:3]
    trace = a + e + i
    if trace > 0:
        s = 2 * math.sqrt(trace + 1)
        q = ((h - f) / s, (c - g) / s, (d - b) / s, s / 4)
    elif a > e and a > i:
        s = 2 * math.sqrt(1 + a - e - i)
        q = (s / 4, (b + d) / s, (c + g) / s, (h - f) / s)
    elif e > i:
        s = 2 * math.sqrt(1 + e - a - i)
        q = ((b + d) / s, s / 4, (f + h) / s, (c - g) / s)
    else:
        s = 2 * math.sqrt(1 + i - a - e)
        q = ((c + g) / s, (f + h) / s, s / 4, (d - b) / s)
    norm = math.sqrt(sum(v * v for v in q))
    return (q[0] / norm, q[1] / norm, q[2] / norm, q[3] / norm)


def frame_of(box: Box, position: Vec3, axes: Axes) -> Frame:
    """Return a local box at a place in the world."""
    (lx, ly, lz), (gx, gy, gz) = box
    mx, my, mz = (lx + gx) / 2, (ly + gy) / 2, (lz + gz) / 2
    px, py, pz = position
    (ux, uy, uz), (vx, vy, vz), (wx, wy, wz) = axes
    return Frame(
        px + mx * ux + my * vx + mz * wx,
        py + mx * uy + my * vy + mz * wy,
        pz + mx * uz + my * vz + mz * wz,
        ux, uy, uz, vx, vy, vz, wx, wy, wz,
        (gx - lx) / 2, (gy - ly) / 2, (gz - lz) / 2,
    )  # fmt: skip


def block_of(box: Box, position: Vec3, axes: Axes, entity: str | None, part: int | None) -> Block:
    """Return a local box at a place in the world, as a solid of ``entity``."""
    frame = frame_of(box, position, axes)
    cx, cy, cz, ux, uy, uz, vx, vy, vz, wx, wy, wz, hx, hy, hz = frame
    ex = abs(ux) * hx + abs(vx) * hy + abs(wx) * hz
    ey = abs(uy) * hx + abs(vy) * hy + abs(wy) * hz
    ez = abs(uz) * hx + abs(vz) * hy + abs(wz) * hz
    plain = is_axis_aligned(axes)
    return Block(
        cx - ex, cy - ey, cz - ez, cx + ex, cy + ey, cz + ez,
        None if plain else frame, entity, part,
    )  # fmt: skip


def is_axis_aligned(axes: Axes) -> bool:
    """Tell whether boxes turned this way are still axis-aligned."""
    for axis in axes:
        x, y, z = (abs(c) for c in axis)
        if max(x, y, z) < 1 - AXIS_ALIGNED:
            return False
    return True


def corners_of(frame: Frame) -> tuple[Vec3, ...]:
    """Return the centre and the eight corners, in the order of the evaluator's keypoints."""
    cx, cy, cz, ux, uy, uz, vx, vy, vz, wx, wy, wz, hx, hy, hz = frame
    ax, ay, az = ux * hx, uy * hx, uz * hx
    bx, by, bz = vx * hy, vy * hy, vz * hy
    dx, dy, dz = wx * hz, wy * hz, wz * hz
    # The order is low and high along local Y, then -X and +X, then +Z (back) and -Z (front).
    lx, ly, lz = cx - bx, cy - by, cz - bz
    gx, gy, gz = cx + bx, cy + by, cz + bz
    lmx, lmy, lmz, lpx, lpy, lpz = lx - ax, ly - ay, lz - az, lx + ax, ly + ay, lz + az
    gmx, gmy, gmz, gpx, gpy, gpz = gx - ax, gy - ay, gz - az, gx + ax, gy + ay, gz + az
    return (
        (cx, cy, cz),
        (lmx + dx, lmy + dy, lmz + dz),
        (lpx + dx, lpy + dy, lpz + dz),
        (gpx + dx, gpy + dy, gpz + dz),
        (gmx + dx, gmy + dy, gmz + dz),
        (gmx - dx, gmy - dy, gmz - dz),
        (gpx - dx, gpy - dy, gpz - dz),
        (lpx - dx, lpy - dy, lpz - dz),
        (lmx - dx, lmy - dy, lmz - dz),
    )


class Thing:
    """A rigid thing: an object, a part of furniture, the fixed body of one, or one as a whole.

    ``move`` only finds the bounds; blocks and keypoints are made when first asked for, because
    most moves (an object carried through a room) are never asked about.
    """

    __slots__ = (
        "_blocks",
        "_cores",
        "_keypoints",
        "axes",
        "bounds",
        "box",
        "entity",
        "frame",
        "part",
        "pose",
        "solids",
    )

    def __init__(
        self, entity: str, part: int | None, box: Box, solids: tuple[Box, ...], pose: Pose
    ) -> None:
        self.entity = entity
        self.part = part
        self.box = box
        self.solids = solids
        self.move(pose)

    def move(self, pose: Pose) -> None:
        """Put it at ``pose``."""
        self.pose = pose
        self._blocks: tuple[Block, ...] | None = None
        self._cores: tuple[Block, ...] | None = None
        self._keypoints: tuple[Vec3, ...] | None = None
        self.axes = axes = axes_of(pose.rotation)
        self.frame = frame = frame_of(self.box, pose.position, axes)
        """The thing's box in the world."""
        cx, cy, cz, ux, uy, uz, vx, vy, vz, wx, wy, wz, hx, hy, hz = frame
        ex = abs(ux) * hx + abs(vx) * hy + abs(wx) * hz
        ey = abs(uy) * hx + abs(vy) * hy + abs(wy) * hz
        ez = abs(uz) * hx + abs(vz) * hy + abs(wz) * hz
        self.bounds: Bounds = (cx - ex, cy - ey, cz - ez, cx + ex, cy + ey, cz + ez)

    @property
    def blocks(self) -> tuple[Block, ...]:
        """The thing's solids in the world."""
        blocks = self._blocks
        if blocks is None:
            position, axes = self.pose.position, self.axes
            entity, part = self.entity, self.part
            blocks = self._blocks = tuple(
                [block_of(box, position, axes, entity, part) for box in self.solids]
            )
        return blocks

    @property
    def cores(self) -> tuple[Block, ...]:
        """The thing's solids as the evaluator's rays meet them; see `SHRINK_M`."""
        cores = self._cores
        if cores is None:
            cores = self._cores = tuple([shrunk_block(block) for block in self.blocks])
        return cores

    @property
    def keypoints(self) -> tuple[Vec3, ...]:
        """Centre and corners of its box in the world, in the evaluator's order."""
        points = self._keypoints
        if points is None:
            points = self._keypoints = corners_of(self.frame)
        return points


def shrunk_block(block: Block) -> Block:
    """Return a solid `SHRINK_M` smaller on every side, but never by more than half."""
    x0, y0, z0, x1, y1, z1, frame, entity, part = block
    if frame is not None:
        hx, hy, hz = (h - min(SHRINK_M, h / 2) for h in frame[12:])
        frame = Frame(*frame[:12], hx, hy, hz)
        return Block(x0, y0, z0, x1, y1, z1, frame, entity, part)
    sx, sy, sz = (min(SHRINK_M, d / 4) for d in (x1 - x0, y1 - y0, z1 - z0))
    return Block(
        x0 + sx, y0 + sy, z0 + sz, x1 - sx, y1 - sy, z1 - sz, None, entity, part
    )  # fmt: skip


def bounds(boxes: Sequence[Box]) -> Box:
    """Return the smallest box around boxes."""
    lows, highs = [b.low for b in boxes], [b.high for b in boxes]
    return Box(
        (min(p[0] for p in lows), min(p[1] for p in lows), min(p[2] for p in lows)),
        (max(p[0] for p in highs), max(p[1] for p in highs), max(p[2] for p in highs)),
    )


def solids_of(solids: Sequence[Solid], part: int | None) -> tuple[Box, ...]:
    """Return the boxes that a part (None: the fixed body) carries."""
    return tuple(s.box for s in solids if s.part == part)
