"""Generator of floor plans: draws programme, layout, doors and windows until one is sensible."""

from __future__ import annotations

import random
from collections.abc import Sequence

from episodes.houses.layouts import Cell, draw_layout
from episodes.houses.openings import openings_of
from episodes.houses.plans import Plan, PlannedRoom, Side, outer_stretches
from episodes.houses.schemes import draw_scheme

TRIES = 120
"""Layouts that are tried with one scheme."""
SCHEMES_TRIED = 12
BARE = 0.8
"""Length (m) for which a hall may have garden on both sides."""


def draw_plan(programme: Sequence[str], rng: random.Random) -> Plan | None:
    """Draw a plan with these classes of rooms, the origin in the middle of the house.

    None when no scheme among a few gives one.
    """
    for _ in range(SCHEMES_TRIED):
        scheme = draw_scheme(programme, rng)
        for _ in range(TRIES):
            cells = draw_layout(programme, scheme, rng)
            if cells is None:
                continue
            rooms = _named(cells)
            if any(_sticks_out(r, rooms) for r in rooms if r.class_name == "hallway"):
                continue
            found = openings_of(rooms, rng)
            if found is not None:
                return Plan(rooms, *found)
    return None


def _sticks_out(hall: PlannedRoom, rooms: tuple[PlannedRoom, ...]) -> bool:
    """Tell whether a hall goes on where there are rooms on neither side of it."""
    b = hall.bounds
    sides: tuple[Side, Side] = ("north", "south") if b.x1 - b.x0 > b.z1 - b.z0 else ("west", "east")
    first, second = (outer_stretches(hall, side, rooms) for side in sides)
    return any(min(p.end, q.end) - max(p.start, q.start) > BARE for p in first for q in second)


def _named(cells: list[Cell]) -> tuple[PlannedRoom, ...]:
    seen: dict[str, int] = {}
    rooms = []
    for class_name, rect in cells:
        seen[class_name] = seen.get(class_name, 0) + 1
        rooms.append(PlannedRoom(f"{class_name}.{seen[class_name]:03d}", class_name, rect))
    return tuple(rooms)
