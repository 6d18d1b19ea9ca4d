"""Vectors, quaternions, poses and boxes.

Axes are Habitat's and three.js's: metres, right-handed, Y up. Yaw 0 faces -Z and grows
counter-clockwise seen from above. Quaternions are x, y, z, w.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

Vec3 = tuple[float, float, float]
Vec2 = tuple[float, float]
"""A point on the floor plan: (x, z)."""
Quat = tuple[float, float, float, float]

IDENTITY: Quat = (0.0, 0.0, 0.0, 1.0)


class Pose(NamedTuple):
    """A rigid pose: where the local origin is, and how the local axes are turned."""

    position: Vec3
    rotation: Quat


class Box(NamedTuple):
    """An axis-aligned box in local coordinates (m)."""

    low: Vec3
    high: Vec3

    @property
    def center(self) -> Vec3:
        (ax, ay, az), (bx, by, bz) = self
        return ((ax + bx) / 2, (ay + by) / 2, (az + bz) / 2)

    @property
    def half_size(self) -> Vec3:
        (ax, ay, az), (bx, by, bz) = self
        return ((bx - ax) / 2, (by - ay) / 2, (bz - az) / 2)


def yaw_quat(yaw: float) -> Quat:
    """Return the rotation by ``yaw`` radians about +Y."""
    return (0.0, math.sin(yaw / 2), 0.0, math.cos(yaw / 2))


def yaw_of(rotation: Quat) -> float:
    """Return the heading of a rotation's -Z axis (rad, in (-pi, pi])."""
    x, y, z, w = rotation
    return math.atan2(2 * (w * y + x * z), 1 - 2 * (y * y + x * x))


def forward(yaw: float) -> Vec2:
    """Return the unit (x, z) direction that ``yaw`` faces."""
    return (-math.sin(yaw), -math.cos(yaw))


def rotate(rotation: Quat, v: Vec3) -> Vec3:
    """Turn ``v`` by ``rotation``."""
    x, y, z, w = rotation
    vx, vy, vz = v
    tx, ty, tz = 2 * (y * vz - z * vy), 2 * (z * vx - x * vz), 2 * (x * vy - y * vx)
    return (
        vx + w * tx + y * tz - z * ty,
        vy + w * ty + z * tx - x * tz,
        vz + w * tz + x * ty - y * tx,
    )


def conjugate(rotation: Quat) -> Quat:
    """Return the inverse of a unit rotation."""
    x, y, z, w = rotation
    return (-x, -y, -z, w)


def multiply(a: Quat, b: Quat) -> Quat:
    """Return the rotation that turns by ``b`` first and then by ``a``."""
    ax, ay, az, aw = a
    bx, by, bz, bw = b
    return (
        aw * bx + ax * bw + ay * bz - az * by,
        aw * by - ax * bz + ay * bw + az * bx,
        aw * bz + ax * by - ay * bx + az * bw,
        aw * bw - ax * bx - ay * by - az * bz,
    )


def to_world(pose: Pose, local: Vec3) -> Vec3:
    """Convert a local point of ``pose`` to world coordinates."""
    x, y, z = rotate(pose.rotation, local)
    px, py, pz = pose.position
    return (x + px, y + py, z + pz)


def to_local(pose: Pose, world: Vec3) -> Vec3:
    """Convert a world point to the local coordinates of ``pose``."""
    px, py, pz = pose.position
    return rotate(conjugate(pose.rotation), (world[0] - px, world[1] - py, world[2] - pz))


def compose(outer: Pose, inner: Pose) -> Pose:
    """Return the world pose of a thing that stands at ``inner`` in the frame of ``outer``."""
    return Pose(to_world(outer, inner.position), multiply(outer.rotation, inner.rotation))


def wrap_angle(angle: float) -> float:
    """Bring ``angle`` into (-pi, pi]."""
    wrapped = math.remainder(angle, math.tau)
    return math.pi if wrapped == -math.pi else wrapped


def in_polygon(polygon: Sequence[Vec2], x: float, z: float) -> bool:
    """Tell whether a point of the floor plan lies in a polygon (even-odd rule)."""
    inside = False
    for (x0, z0), (x1, z1) in zip(polygon, (*polygon[1:], polygon[0]), strict=True):
        if (z0 > z) != (z1 > z) and x < x0 + (z - z0) / (z1 - z0) * (x1 - x0):
            inside = not inside
    return inside
