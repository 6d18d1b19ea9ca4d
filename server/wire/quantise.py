"""Conversions between full precision and the wire: millimetres, milliradians, rotation vectors.

This is the only place where precision is given up. Half a millimetre and half a milliradian are far
below what a screen shows, and integers are short in both codecs.
"""

from __future__ import annotations

import math

from episodes.poses import IDENTITY, Box, Quat, Vec2, Vec3, wrap_angle
from episodes.world import AgentPose
from server.wire.tables import AgentState, Millimetres3, Milliradians3, Ring


def mm(metres: float) -> int:
    return round(metres * 1000)


def mm3(point: Vec3) -> Millimetres3:
    x, y, z = point
    return (round(x * 1000), round(y * 1000), round(z * 1000))


def metres3(point: Millimetres3) -> Vec3:
    x, y, z = point
    return (x / 1000, y / 1000, z / 1000)


def mrad(angle: float) -> int:
    """Return an angle in milliradians, within half a turn either way.

    So it stays short however often a body has turned around.
    """
    return round(wrap_angle(angle) * 1000)


def radians(value: int) -> float:
    return value / 1000


def rotation_vector(rotation: Quat) -> Milliradians3:
    """Return axis times angle.

    A turn about Y alone, by far the most common, is (0, yaw, 0).
    """
    x, y, z, w = rotation
    if w < 0:
        x, y, z, w = -x, -y, -z, -w
    length = math.sqrt(x * x + y * y + z * z)
    if length < 1e-9:
        return (0, 0, 0)
    scale = 2000 * math.atan2(length, w) / length
    return (round(x * scale), round(y * scale), round(z * scale))


def quaternion(vector: Milliradians3) -> Quat:
    """Return the rotation that a rotation vector stands for."""
    x, y, z = vector
    angle = math.sqrt(x * x + y * y + z * z) / 1000
    if angle == 0:
        return IDENTITY
    scale = math.sin(angle / 2) / (angle * 1000)
    return (x * scale, y * scale, z * scale, math.cos(angle / 2))


def agent_state(seat: int, pose: AgentPose) -> AgentState:
    (x, y, z), yaw, pitch = pose
    return AgentState(
        seat, round(x * 1000), round(y * 1000), round(z * 1000), mrad(yaw), round(pitch * 1000)
    )


def ring(points: tuple[Vec2, ...]) -> Ring:
    """Return a closed line of the floor plan: its first point, then differences."""
    values: list[int] = []
    before_x = before_z = 0
    for x, z in points:
        now_x, now_z = mm(x), mm(z)
        values += (now_x - before_x, now_z - before_z)
        before_x, before_z = now_x, now_z
    return tuple(values)


def ring_points(values: Ring) -> list[tuple[int, int]]:
    """Return the points of a ring (mm)."""
    points: list[tuple[int, int]] = []
    x = z = 0
    for dx, dz in zip(values[::2], values[1::2], strict=True):
        x, z = x + dx, z + dz
        points.append((x, z))
    return points


def bounds(box: Box) -> tuple[Millimetres3, Millimetres3]:
    return mm3(box.low), mm3(box.high)
