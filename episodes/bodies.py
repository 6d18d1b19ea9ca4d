"""Bodies: a person, and a four-legged robot with an arm."""

from __future__ import annotations

from typing import Literal, NamedTuple

from episodes.poses import Vec3

SeatKind = Literal["human", "robot"]


class Body(NamedTuple):
    """Measures of a body that a simulator and the rules need (m, m/s, rad/s)."""

    kind: SeatKind
    radius: float
    height: float
    eye: Vec3
    """The eye in the body's frame (Y up, -Z forward, origin on the floor)."""
    carry: Vec3
    """The origin of a held object, in the same frame."""
    speed: float
    """The default walking speed."""
    turn: float
    """The fastest turn. A person's view follows the mouse, so this only stops teleports."""


RADIUS = 0.25
"""Radius of both bodies (m): PARTNR plans both on one navigation mesh."""

BODIES: dict[SeatKind, Body] = {
    "human": Body("human", RADIUS, 1.75, (0.0, 1.6, -0.05), (0.16, 1.08, -0.45), 1.5, 12.0),
    "robot": Body("robot", RADIUS, 0.85, (0.0, 0.95, -0.2), (0.0, 0.82, -0.62), 1.5, 12.0),
}
