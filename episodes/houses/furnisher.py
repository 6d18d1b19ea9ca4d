"""The furnisher of a room: places furniture against walls, in rows, beside and before each other.

A `Furnisher` keeps what stands where, which floor must stay free (doors, the space in front of
things that open) and which wall a window takes. Every method places something or returns None.
"""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple

from episodes.houses.plans import (
    SIDES,
    Plan,
    PlannedRoom,
    Rect,
    Side,
    openings_on,
    side_line,
    wall_stretch,
)
from episodes.poses import Pose, yaw_quat
from episodes.scene import Catalogue, Furniture, Template

GAP = 0.02
"""Gap between furniture and the wall behind it, for the baseboard (m)."""
STEP = 0.1
"""Spacing of the places tried along a wall (m)."""

QUARTER: dict[Side, int] = {"north": 2, "south": 0, "west": 3, "east": 1}
"""Quarter turns (counter-clockwise) of furniture whose back is to a side of the room."""

FRONT_SPACE: dict[str, float] = {
    "counter": 0.95,
    "cabinet": 0.8,
    "fridge": 0.9,
    "stove": 0.95,
    "sink": 0.8,
    "dishwasher": 0.9,
    "island": 0.9,
    "freezer": 0.8,
    "washer_dryer": 0.8,
    "filing_cabinet": 0.75,
    "workbench": 0.8,
    "chest": 0.65,
    "shoe_rack": 0.5,
    "shower": 0.6,
    "armchair": 0.5,
    "stool": 0.0,
    "chest_of_drawers": 0.8,
    "wardrobe": 0.85,
    "stand": 0.5,
    "shelves": 0.7,
    "couch": 0.6,
    "toilet": 0.6,
    "bathtub": 0.65,
    "bench": 0.5,
    "bed": 0.6,
    "tv": 0.0,
    "table": 0.0,
    "chair": 0.0,
    "floor_lamp": 0.0,
}
"""Floor kept free in front of furniture, for its doors and the person who opens them (m)."""


class PlacedTemplate(NamedTuple):
    template: Template
    quarter: int
    x: float
    y: float
    z: float
    rect: Rect
    room_id: str


def footprint(template: Template, quarter: int, x: float, z: float) -> Rect:
    """Return the floor under a template turned by quarter turns and put at (x, z)."""
    low, high = template.box
    return local_rect(Rect(low[0], low[2], high[0], high[2]), quarter, x, z)


def local_rect(rect: Rect, quarter: int, x: float, z: float) -> Rect:
    """Return where a rectangle of a furniture's frame is on the floor plan."""
    x0, z0, x1, z1 = rect
    if quarter % 4 == 0:
        return Rect(x + x0, z + z0, x + x1, z + z1)
    if quarter % 4 == 1:
        return Rect(x + z0, z - x1, x + z1, z - x0)
    if quarter % 4 == 2:
        return Rect(x - x1, z - z1, x - x0, z - z0)
    return Rect(x - z1, z + x0, x - z0, z + x1)


def turn(quarter: int, x: float, z: float) -> tuple[float, float]:
    """Turn (x, z) counter-clockwise (seen from above) by quarter turns."""
    return ((x, z), (z, -x), (-x, -z), (-z, x))[quarter % 4]


class Furnisher:
    """A room, what stands in it, and what may still be put there."""

    def __init__(
        self, room: PlannedRoom, plan: Plan, catalogue: Catalogue, rng: random.Random
    ) -> None:
        self.room = room
        self.plan = plan
        self.rng = rng
        self.interior = room.interior
        self.placed: list[PlacedTemplate] = []
        self._templates = catalogue.templates
        self._free: list[Rect] = []
        self._doorways: list[Rect] = []
        self._windows: dict[Side, list[tuple[float, float, float]]] = {s: [] for s in SIDES}
        self.door_sides: set[Side] = set()
        for side in SIDES:
            line = side_line(room.bounds, side)
            for opening in openings_on(plan.openings, line):
                s = wall_stretch(opening)
                if opening.kind == "window":
                    self._windows[side].append((s.start, s.end, opening.sill))
                else:
                    self.door_sides.add(side)
                    self._doorways.append(self._strip(side, s.start - 0.1, s.end + 0.1, 0.95))
        if plan.entrance[0] == room.room_id:
            _, side, at = plan.entrance
            self._doorways.append(self._strip(side, at - 0.6, at + 0.6, 1.1))
            self.door_sides.add(side)

    def _strip(self, side: Side, start: float, end: float, depth: float) -> Rect:
        """Return the floor along a stretch of one side."""
        r = self.interior
        if side == "north":
            return Rect(start, r.z0, end, r.z0 + depth)
        if side == "south":
            return Rect(start, r.z1 - depth, end, r.z1)
        if side == "west":
            return Rect(r.x0, start, r.x0 + depth, end)
        return Rect(r.x1 - depth, start, r.x1, end)

    def template(self, name: str) -> Template:
        return self._templates[name]

    def length(self, side: Side) -> float:
        line = side_line(self.interior, side)
        return line.end - line.start

    def sides(self, *preferred: Side) -> list[Side]:
        """Return all sides: preferred ones first, then those without doors, longest first."""
        rest = [s for s in SIDES if s not in preferred]
        self.rng.shuffle(rest)
        rest.sort(key=lambda s: (s in self.door_sides, -round(self.length(s), 2)))
        return [*preferred, *rest]

    def has_window(self, side: Side) -> bool:
        return bool(self._windows[side])

    def keep_free(self, rect: Rect) -> None:
        self._free.append(rect)

    def is_free(self, rect: Rect, low: float, high: float, ignore_free: bool) -> bool:
        """Tell whether a thing between two heights (m) fits somewhere.

        It must be inside the room, clear of things and of doorways, and of the floor kept
        free unless that is ignored.
        """
        if not self.interior.contains(rect):
            return False
        if low < 1.2:
            for kept in (self._doorways,) if ignore_free else (self._doorways, self._free):
                for free in kept:
                    if rect.overlaps(free):
                        return False
        for p in self.placed:
            if rect.overlaps(p.rect):
                box = p.template.box
                if low < p.y + box.high[1] and p.y + box.low[1] < high:
                    return False
        return True

    def put(
        self,
        name: str,
        quarter: int,
        x: float,
        z: float,
        y: float = 0.0,
        front: float | None = None,
        ignore_free: bool = False,
    ) -> PlacedTemplate | None:
        """Put a template at (x, z) if it fits, and keep the floor in front of it free."""
        template = self._templates[name]
        rect = footprint(template, quarter, x, z)
        low, high = y + template.box.low[1], y + template.box.high[1]
        if not self.is_free(rect, low, high, ignore_free):
            return None
        space = FRONT_SPACE.get(template.class_name, 0.0) if front is None else front
        zone = None
        if space > 0 and y < 1.2:
            b = template.box
            zone = local_rect(Rect(b.low[0], b.low[2] - space, b.high[0], b.low[2]), quarter, x, z)
            if not self.interior.contains(zone) or any(zone.overlaps(p.rect) for p in self.placed):
                return None
        placed = PlacedTemplate(
            template, quarter, round(x, 3), y, round(z, 3), rect, self.room.room_id
        )
        self.placed.append(placed)
        if zone is not None:
            self._free.append(zone)
        return placed

    def along(
        self, name: str, side: Side, at: float, y: float = 0.0, gap: float = GAP
    ) -> tuple[int, float, float]:
        """Return the pose of a template with its back to a side, its middle at ``at`` along it."""
        back = self._templates[name].box.high[2] + gap
        r, quarter = self.interior, QUARTER[side]
        if side in ("north", "south"):
            return quarter, at, r.z0 + back if side == "north" else r.z1 - back
        return quarter, r.x0 + back if side == "west" else r.x1 - back, at

    def hides_window(self, name: str, side: Side, at: float, y: float, up_to: float = 0.0) -> bool:
        """Tell whether a thing is before a window.

        Whatever is to hang above it, up to the height ``up_to`` (m), counts too.
        """
        windows = self._windows[side]
        if not windows:
            return False
        box = self._templates[name].box
        half = max(box.high[0], -box.low[0])
        top = max(y + box.high[1], up_to)
        return any(
            at - half < end and start < at + half and top > sill + 0.02
            for start, end, sill in windows
        )

    def against(
        self,
        names: str | Sequence[str],
        sides: Iterable[Side] | None = None,
        prefer: Callable[[Side, float], float] | None = None,
        y: float = 0.0,
        front: float | None = None,
        hide_windows: bool = False,
        up_to: float = 0.0,
    ) -> PlacedTemplate | None:
        """Put the first template that fits with its back to a wall.

        Sides are tried in the given order; along a side the place with the least
        ``prefer(side, position)`` is taken, by default the one nearest to a corner.
        """
        for name in [names] if isinstance(names, str) else names:
            for side in self.sides() if sides is None else sides:
                for at in self._places(name, side, prefer):
                    if not hide_windows and self.hides_window(name, side, at, y, up_to):
                        continue
                    placed = self.put(name, *self.along(name, side, at), y, front)
                    if placed is not None:
                        return placed
        return None

    def _places(
        self, name: str, side: Side, prefer: Callable[[Side, float], float] | None
    ) -> list[float]:
        box = self._templates[name].box
        half = (box.high[0] - box.low[0]) / 2
        line = side_line(self.interior, side)
        low, high = line.start + half + 0.01, line.end - half - 0.01
        if high < low:
            return []
        count = max(1, int((high - low) / STEP))
        places = [low + (high - low) * i / count for i in range(count + 1)]
        if prefer is None:
            # Places are tried from both ends by turns.
            first = places[: len(places) // 2 + 1]
            ends = [at for pair in zip(first, reversed(places), strict=False) for at in pair]
            return ends[: len(places)]
        return sorted(places, key=lambda at: (round(prefer(side, at), 6), at))

    def row(self, names: Sequence[str], side: Side) -> list[PlacedTemplate] | None:
        """Put several templates side by side along a wall; all or none."""
        widths = [self._templates[n].box.high[0] - self._templates[n].box.low[0] for n in names]
        line = side_line(self.interior, side)
        total = sum(widths) + 0.01 * (len(names) - 1)
        room = line.end - line.start - total - 0.04
        if room < 0:
            return None
        steps = max(1, int(room / STEP))
        for i in sorted(range(steps + 1), key=lambda i: min(i, steps - i)):
            at = line.start + 0.02 + room * i / steps
            kept_placed, kept_free = list(self.placed), list(self._free)
            row: list[PlacedTemplate] = []
            for name, width in zip(names, widths, strict=True):
                middle = at + width / 2
                if self.hides_window(name, side, middle, 0.0):
                    break
                placed = self.put(name, *self.along(name, side, middle))
                if placed is None:
                    break
                row.append(placed)
                at += width + 0.01
            if len(row) == len(names):
                return row
            self.placed, self._free = kept_placed, kept_free
        return None

    def beside(
        self, anchor: PlacedTemplate, name: str, gap: float, hand: int, back: bool = True
    ) -> PlacedTemplate | None:
        """Put a template next to another, facing the same way; ``hand`` -1 is its -X side."""
        a, b = anchor.template.box, self._templates[name].box
        dx = hand * ((a.high[0] - a.low[0]) / 2 + gap + (b.high[0] - b.low[0]) / 2)
        dz = (a.high[2] - b.high[2]) if back else 0.0
        ox, oz = turn(anchor.quarter, dx, dz)
        return self.put(name, anchor.quarter, anchor.x + ox, anchor.z + oz)

    def in_front(
        self,
        anchor: PlacedTemplate,
        name: str,
        distance: float,
        sideways: float = 0.0,
        facing: bool = True,
    ) -> PlacedTemplate | None:
        """Put a template ``distance`` in front of another, facing it (or turned as it is)."""
        a, b = anchor.template.box, self._templates[name].box
        depth = -b.low[2] if facing else b.high[2]
        ox, oz = turn(anchor.quarter, sideways, a.low[2] - distance - depth)
        quarter = (anchor.quarter + 2) % 4 if facing else anchor.quarter
        return self.put(name, quarter, anchor.x + ox, anchor.z + oz, ignore_free=True, front=0.0)

    def seats(
        self,
        table: PlacedTemplate,
        name: str,
        places: Sequence[tuple[float, float, int]],
        count: int,
        ignore_free: bool = False,
    ) -> int:
        """Put up to ``count`` chairs at (x, z, quarter turns) in a table's frame; count them.

        Chairs may stand under the table but not in anything else. Returns how many fitted.
        """
        chair, done = self._templates[name], 0
        for px, pz, quarter in places:
            ox, oz = turn(table.quarter, px, pz)
            q = (table.quarter + quarter) % 4
            x, z = table.x + ox, table.z + oz
            rect = footprint(chair, q, x, z)
            others = [*self._doorways, *(p.rect for p in self.placed if p is not table)]
            if not ignore_free:
                others += self._free
            clear = self.interior.contains(rect.grown(0.1))
            if done < count and clear and not any(rect.overlaps(o) for o in others):
                at = (round(x, 3), 0.0, round(z, 3))
                self.placed.append(PlacedTemplate(chair, q, *at, rect, self.room.room_id))
                done += 1
        return done


def furniture(placed: Sequence[PlacedTemplate]) -> tuple[Furniture, ...]:
    """Return placed templates as scene furniture, with handles counted per template."""
    counts: dict[str, int] = {}
    out = []
    for p in placed:
        n = counts.get(p.template.name, 0)
        counts[p.template.name] = n + 1
        yaw = (0.0, math.pi / 2, math.pi, -math.pi / 2)[p.quarter % 4]
        rotation = yaw_quat(yaw)
        rounded = tuple(round(c, 9) + 0.0 for c in rotation)
        pose = Pose((p.x, p.y, p.z), (rounded[0], rounded[1], rounded[2], rounded[3]))
        out.append(Furniture(f"{p.template.name}_:{n:04d}", p.template.name, p.room_id, pose))
    return tuple(out)
