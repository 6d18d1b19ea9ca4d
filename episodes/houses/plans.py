"""Floor plans as values: rectangles, walls, openings, and the rooms that share a wall.

Rooms are rectangles between wall centre lines; lengths in metres.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, NamedTuple

from episodes.scene import Opening

WALL = 0.12
"""Thickness of every wall (m)."""
HEIGHT = 2.6
DOOR_HEAD = 2.1
DOOR_WIDTH = 1.0

Side = Literal["north", "south", "west", "east"]
"""A side of a room: north is -Z, west is -X."""
SIDES: tuple[Side, ...] = ("north", "south", "west", "east")


class Rect(NamedTuple):
    """An axis-aligned rectangle of the floor plan."""

    x0: float
    z0: float
    x1: float
    z1: float

    def grown(self, by: float) -> Rect:
        return Rect(self.x0 - by, self.z0 - by, self.x1 + by, self.z1 + by)

    def overlaps(self, other: Rect, slack: float = 1e-6) -> bool:
        return (
            self.x0 < other.x1 - slack
            and other.x0 < self.x1 - slack
            and self.z0 < other.z1 - slack
            and other.z0 < self.z1 - slack
        )

    def contains(self, other: Rect, slack: float = 1e-6) -> bool:
        return (
            self.x0 <= other.x0 + slack
            and self.z0 <= other.z0 + slack
            and other.x1 <= self.x1 + slack
            and other.z1 <= self.z1 + slack
        )

    @property
    def middle(self) -> tuple[float, float]:
        return (self.x0 + self.x1) / 2, (self.z0 + self.z1) / 2


class WallLine(NamedTuple):
    """A wall, or a stretch of one, along ``axis`` at the other coordinate ``at``."""

    axis: Literal["x", "z"]
    at: float
    start: float
    end: float

    @property
    def length(self) -> float:
        return self.end - self.start


class PlannedRoom(NamedTuple):
    room_id: str
    class_name: str
    bounds: Rect
    """The rectangle between wall centre lines."""

    @property
    def interior(self) -> Rect:
        """The rectangle between the wall surfaces."""
        return self.bounds.grown(-WALL / 2)


class Entrance(NamedTuple):
    """The (closed) front door: a side of a room, and the door's middle along that side."""

    room_id: str
    side: Side
    at: float


class Plan(NamedTuple):
    rooms: tuple[PlannedRoom, ...]
    openings: tuple[Opening, ...]
    entrance: Entrance

    @property
    def walls(self) -> list[WallLine]:
        return wall_lines(self.rooms)


def wall_lines(rooms: Sequence[PlannedRoom]) -> list[WallLine]:
    """Return all walls, each as long as it goes on straight."""
    return _joined([side_line(room.bounds, side) for room in rooms for side in SIDES])


def _joined(lines: Sequence[WallLine]) -> list[WallLine]:
    """Make one of stretches on one line that touch or overlap."""
    out: list[WallLine] = []
    for line in sorted(lines):
        last = out[-1] if out else None
        if last and last[:2] == line[:2] and line.start <= last.end + 1e-6:
            out[-1] = last._replace(end=max(last.end, line.end))
        else:
            out.append(line)
    return out


def outer_stretches(room: PlannedRoom, side: Side, rooms: Sequence[PlannedRoom]) -> list[WallLine]:
    """Return the stretches of one side of a room that have no other room behind them."""
    line = side_line(room.bounds, side)
    cursor, out = line.start, []
    for piece in sorted(p for other in rooms if (p := shared_wall(room, other)) is not None):
        if piece[:2] == line[:2]:
            if piece.start > cursor + 1e-6:
                out.append(line._replace(start=cursor, end=piece.start))
            cursor = piece.end
    if line.end > cursor + 1e-6:
        out.append(line._replace(start=cursor))
    return out


def facade(rooms: Sequence[PlannedRoom]) -> list[tuple[WallLine, float]]:
    """Return the outer faces of a house, each with the sign of the direction it looks in."""
    out = []
    for sign, sides in ((-1.0, ("north", "west")), (1.0, ("south", "east"))):
        lines = [
            stretch
            for room in rooms
            for side in SIDES
            if side in sides
            for stretch in outer_stretches(room, side, rooms)
        ]
        out += [(line, sign) for line in _joined(lines)]
    return out


def shared_wall(first: PlannedRoom, second: PlannedRoom) -> WallLine | None:
    """Return the stretch of wall between two rooms; None if they do not touch."""
    a, b = first.bounds, second.bounds
    if first is second:
        return None
    for at, other in ((a.x1, b.x0), (a.x0, b.x1)):
        if abs(at - other) < 1e-6 and min(a.z1, b.z1) - max(a.z0, b.z0) > 0.1:
            return WallLine("z", at, max(a.z0, b.z0), min(a.z1, b.z1))
    for at, other in ((a.z1, b.z0), (a.z0, b.z1)):
        if abs(at - other) < 1e-6 and min(a.x1, b.x1) - max(a.x0, b.x0) > 0.1:
            return WallLine("x", at, max(a.x0, b.x0), min(a.x1, b.x1))
    return None


def side_line(rect: Rect, side: Side) -> WallLine:
    """Return one side of a rectangle as a line."""
    if side in ("north", "south"):
        return WallLine("x", rect.z0 if side == "north" else rect.z1, rect.x0, rect.x1)
    return WallLine("z", rect.x0 if side == "west" else rect.x1, rect.z0, rect.z1)


def opening_in(
    kind: Literal["door", "window"],
    rooms: tuple[str, ...],
    line: WallLine,
    start: float,
    width: float,
    sill: float,
    head: float,
) -> Opening:
    end = round(start + width, 2)
    a, b = (
        ((start, line.at), (end, line.at))
        if line.axis == "x"
        else ((line.at, start), (line.at, end))
    )
    return Opening(kind, rooms, a, b, sill, head)


def wall_stretch(opening: Opening) -> WallLine:
    """Return the stretch of wall line that an opening takes."""
    (ax, az), (bx, bz) = opening.start, opening.end
    if abs(az - bz) < 1e-9:
        return WallLine("x", az, min(ax, bx), max(ax, bx))
    return WallLine("z", ax, min(az, bz), max(az, bz))


def openings_on(openings: Sequence[Opening], line: WallLine) -> list[Opening]:
    """Return the openings in a wall (or in one side of a room), in order along it."""
    axis, at, start, end = line
    across = 1 if axis == "x" else 0
    out = []
    for opening in openings:
        # Most openings are in other walls, which one coordinate tells.
        if abs(opening.start[across] - at) < 1e-6:
            s = wall_stretch(opening)
            if s.axis == axis and s.start >= start - 1e-6 and s.end <= end + 1e-6:
                out.append((s.start, opening))
    return [opening for _, opening in sorted(out, key=lambda found: found[0])]
