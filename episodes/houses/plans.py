"""Floor plans: rooms around a hall, doors between them, windows to the outside.

A plan is a row of rooms to the north, a hall, and a row to the south whose first place the
living room takes together with one end of the hall. Mirrored both ways at random. Rooms are
rectangles between wall centre lines; lengths in metres.
"""

from __future__ import annotations

import random
from typing import Literal, NamedTuple

from episodes.scene import Opening

WALL = 0.12
"""Thickness of every wall (m)."""
HEIGHT = 2.6
DOOR_HEAD = 2.1
DOOR_WIDTH = 1.0
PASSAGE_WIDTH = 1.5
"""Width of the open passages between living room, hall, kitchen and dining room (m)."""

Side = Literal["north", "south", "west", "east"]
"""Of a room: north is -Z, west is -X."""
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
    """A wall along ``axis`` at the other coordinate ``at``, from ``start`` to ``end``."""

    axis: Literal["x", "z"]
    at: float
    start: float
    end: float
    outer: bool


class PlannedRoom(NamedTuple):
    room_id: str
    class_name: str
    bounds: Rect
    """Between wall centre lines."""

    @property
    def interior(self) -> Rect:
        """Between the wall surfaces."""
        return self.bounds.grown(-WALL / 2)


class Plan(NamedTuple):
    rooms: tuple[PlannedRoom, ...]
    walls: tuple[WallLine, ...]
    openings: tuple[Opening, ...]
    entrance: tuple[str, Side]
    """The room and its side with the (closed) front door, in the middle of that side."""


PROGRAMMES: dict[int, list[tuple[tuple[str, ...], tuple[str, ...]]]] = {
    5: [(("kitchen", "bedroom"), ("bathroom",))],
    6: [
        (("kitchen", "dining_room", "bathroom"), ("bedroom",)),
        (("kitchen", "bathroom", "office"), ("bedroom",)),
    ],
    7: [
        (("kitchen", "dining_room", "bedroom"), ("bathroom", "office")),
        (("kitchen", "dining_room", "bedroom"), ("bathroom", "bedroom")),
    ],
    8: [
        (("kitchen", "dining_room", "laundry_room", "bathroom"), ("bedroom", "office")),
        (("kitchen", "dining_room", "bathroom", "office"), ("laundry_room", "bedroom")),
    ],
}
"""Rooms of the north row and of the rest of the south row, by number of rooms in all."""

_WIDTHS = {
    "kitchen": (3.7, 4.2),
    "dining_room": (3.3, 3.7),
    "living_room": (4.8, 5.4),
    "bedroom": (3.6, 4.2),
    "bathroom": (2.5, 2.8),
    "office": (3.0, 3.5),
    "laundry_room": (2.3, 2.6),
}
_OPEN_PLAN = {"kitchen", "dining_room", "living_room", "hallway"}


def draw_plan(rng: random.Random) -> Plan:
    """A plan of 5 to 8 rooms."""
    count = rng.choice((5, 6, 7, 7, 8))
    north, south = rng.choice(PROGRAMMES[count])
    north_depth, hall_depth = rng.uniform(3.6, 4.1), rng.uniform(1.85, 2.05)
    south_depth = rng.uniform(3.3, 3.8)
    living = rng.uniform(*_WIDTHS["living_room"])
    north_widths = [rng.uniform(*_WIDTHS[c]) for c in north]
    south_widths = [living, *(rng.uniform(*_WIDTHS[c]) for c in south)]
    width = (sum(north_widths) + sum(south_widths)) / 2
    xs_north = _steps(north_widths, width)
    xs_south = _steps(south_widths, width)
    z1, z2, z3 = _round(north_depth), _round(north_depth + hall_depth), 0.0
    z3 = _round(z2 + south_depth)
    split, width = xs_south[1], xs_north[-1]
    rects = [("living_room", Rect(0, z1, split, z3)), ("hallway", Rect(split, z1, width, z2))]
    rects += [(c, Rect(xs_north[i], 0, xs_north[i + 1], z1)) for i, c in enumerate(north)]
    rects += [(c, Rect(xs_south[i + 1], z2, xs_south[i + 2], z3)) for i, c in enumerate(south)]
    lines = [
        WallLine("x", 0, 0, width, True),
        WallLine("x", z1, 0, width, False),
        WallLine("x", z2, split, width, False),
        WallLine("x", z3, 0, width, True),
        WallLine("z", 0, 0, z3, True),
        WallLine("z", width, 0, z3, True),
        WallLine("z", split, z1, z3, False),
        *(WallLine("z", x, 0, z1, False) for x in xs_north[1:-1]),
        *(WallLine("z", x, z2, z3, False) for x in xs_south[2:-1]),
    ]
    flip_x, flip_z = rng.random() < 0.5, rng.random() < 0.5
    # The origin of the world is the middle of the house.
    mx, mz = _round(width / 2), _round(z3 / 2)
    rooms = _named([(c, _flip(r, mx, mz, flip_x, flip_z)) for c, r in rects])
    walls = tuple(_flip_line(line, mx, mz, flip_x, flip_z) for line in lines)
    openings = _doors(rooms, rng)
    openings += _windows(rooms, walls, rng)
    return Plan(rooms, walls, tuple(openings), ("hallway.001", "west" if flip_x else "east"))


def _round(x: float) -> float:
    return round(x, 2)


def _steps(widths: list[float], total: float) -> list[float]:
    scale, x, out = total / sum(widths), 0.0, [0.0]
    for w in widths[:-1]:
        x += w * scale
        out.append(_round(x))
    return [*out, _round(total)]


def _flip(r: Rect, mx: float, mz: float, flip_x: bool, flip_z: bool) -> Rect:
    xs = sorted((-(r.x0 - mx), -(r.x1 - mx)) if flip_x else (r.x0 - mx, r.x1 - mx))
    zs = sorted((-(r.z0 - mz), -(r.z1 - mz)) if flip_z else (r.z0 - mz, r.z1 - mz))
    return Rect(_round(xs[0]), _round(zs[0]), _round(xs[1]), _round(zs[1]))


def _flip_line(line: WallLine, mx: float, mz: float, flip_x: bool, flip_z: bool) -> WallLine:
    if line.axis == "x":
        r = _flip(Rect(line.start, line.at, line.end, line.at), mx, mz, flip_x, flip_z)
        return WallLine("x", r.z0, r.x0, r.x1, line.outer)
    r = _flip(Rect(line.at, line.start, line.at, line.end), mx, mz, flip_x, flip_z)
    return WallLine("z", r.x0, r.z0, r.z1, line.outer)


def _named(rects: list[tuple[str, Rect]]) -> tuple[PlannedRoom, ...]:
    seen: dict[str, int] = {}
    rooms = []
    for class_name, rect in rects:
        seen[class_name] = seen.get(class_name, 0) + 1
        rooms.append(PlannedRoom(f"{class_name}.{seen[class_name]:03d}", class_name, rect))
    return tuple(rooms)


def _shared(a: Rect, b: Rect) -> WallLine | None:
    """The stretch of wall between two rooms, if they touch."""
    for at, other in ((a.x1, b.x0), (a.x0, b.x1)):
        if abs(at - other) < 1e-6 and min(a.z1, b.z1) - max(a.z0, b.z0) > 0.1:
            return WallLine("z", at, max(a.z0, b.z0), min(a.z1, b.z1), False)
    for at, other in ((a.z1, b.z0), (a.z0, b.z1)):
        if abs(at - other) < 1e-6 and min(a.x1, b.x1) - max(a.x0, b.x0) > 0.1:
            return WallLine("x", at, max(a.x0, b.x0), min(a.x1, b.x1), False)
    return None


def _doors(rooms: tuple[PlannedRoom, ...], rng: random.Random) -> list[Opening]:
    """A door from every room to the hall (else to the living room), and open passages."""
    by_class = {r.class_name: r for r in rooms}
    hall, living = by_class["hallway"], by_class["living_room"]
    pairs = [(living, hall)]
    for room in rooms:
        if room in (hall, living):
            continue
        line = _shared(room.bounds, hall.bounds)
        wide_enough = line is not None and line.end - line.start > DOOR_WIDTH + 0.5
        pairs.append((room, hall if wide_enough else living))
    if "dining_room" in by_class:
        pairs.append((by_class["kitchen"], by_class["dining_room"]))
    doors = []
    for a, b in pairs:
        line = _shared(a.bounds, b.bounds)
        assert line is not None, f"no wall between {a.room_id} and {b.room_id}"
        open_plan = {a.class_name, b.class_name} <= _OPEN_PLAN
        free = line.end - line.start - 2 * (WALL / 2 + 0.12)
        width = min(PASSAGE_WIDTH, free) if open_plan else DOOR_WIDTH
        slack = free - width
        share = 0.5 if {a, b} == {hall, living} else rng.choice((0.15, 0.35, 0.65, 0.85))
        start = _round(line.start + WALL / 2 + 0.12 + slack * share)
        doors.append(_opening("door", (a.room_id, b.room_id), line, start, width, 0.0, DOOR_HEAD))
    return doors


_WINDOWS: dict[str, tuple[float, float, float]] = {
    "kitchen": (1.5, 1.1, 2.1),
    "dining_room": (1.7, 0.8, 2.15),
    "living_room": (2.0, 0.55, 2.2),
    "bedroom": (1.5, 0.85, 2.15),
    "bathroom": (0.7, 1.45, 2.1),
    "office": (1.5, 0.9, 2.15),
    "laundry_room": (0.8, 1.35, 2.1),
}
"""Width, sill and head of the windows of a room class (m)."""


def _windows(
    rooms: tuple[PlannedRoom, ...], walls: tuple[WallLine, ...], rng: random.Random
) -> list[Opening]:
    windows = []
    for room in rooms:
        if room.class_name not in _WINDOWS:
            continue
        width, sill, head = _WINDOWS[room.class_name]
        for side in SIDES:
            line = side_line(room.bounds, side)
            outer = any(w.outer and w.axis == line.axis and w.at == line.at for w in walls)
            free = line.end - line.start - 0.8
            if not outer or free < width:
                continue
            start = line.start + 0.4 + (free - width) * rng.choice((0.5, 0.5, 0.3, 0.7))
            windows.append(
                _opening("window", (room.room_id,), line, _round(start), width, sill, head)
            )
    return windows


def side_line(rect: Rect, side: Side) -> WallLine:
    """One side of a rectangle as a line."""
    if side in ("north", "south"):
        return WallLine("x", rect.z0 if side == "north" else rect.z1, rect.x0, rect.x1, False)
    return WallLine("z", rect.x0 if side == "west" else rect.x1, rect.z0, rect.z1, False)


def _opening(
    kind: Literal["door", "window"],
    rooms: tuple[str, ...],
    line: WallLine,
    start: float,
    width: float,
    sill: float,
    head: float,
) -> Opening:
    end = _round(start + width)
    a, b = (
        ((start, line.at), (end, line.at))
        if line.axis == "x"
        else ((line.at, start), (line.at, end))
    )
    return Opening(kind, rooms, a, b, sill, head)


def span(opening: Opening) -> WallLine:
    """The stretch of wall line that an opening takes."""
    (ax, az), (bx, bz) = opening.start, opening.end
    if abs(az - bz) < 1e-9:
        return WallLine("x", az, min(ax, bx), max(ax, bx), False)
    return WallLine("z", ax, min(az, bz), max(az, bz), False)


def openings_on(openings: tuple[Opening, ...], line: WallLine) -> list[Opening]:
    """The openings in a wall (or in one side of a room), in order along it."""
    out = []
    for opening in openings:
        s = span(opening)
        inside = s.start >= line.start - 1e-6 and s.end <= line.end + 1e-6
        if s.axis == line.axis and abs(s.at - line.at) < 1e-6 and inside:
            out.append(opening)
    return sorted(out, key=lambda o: span(o).start)
