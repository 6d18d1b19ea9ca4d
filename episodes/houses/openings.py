"""Openings of a layout: doors, passages, windows and the front door.

Rooms that people walk through (halls, living rooms, kitchens, ...) are joined first, as cheaply as
`_JOIN` says; every other room then gets a door to the best of its neighbours. What people would not
build (a bathroom off the kitchen, a bedroom behind another) has no price, and a layout that needs
it is refused.
"""

from __future__ import annotations

import random
from collections.abc import Sequence

from episodes.houses.plans import (
    DOOR_HEAD,
    DOOR_WIDTH,
    SIDES,
    WALL,
    Entrance,
    PlannedRoom,
    WallLine,
    opening_in,
    outer_stretches,
    shared_wall,
)
from episodes.houses.programmes import ROOM_SIZES
from episodes.scene import Opening

JAMB = WALL / 2 + 0.12
"""Wall that stays between an opening and a corner (m)."""
PASSAGE_WIDTH = (1.4, 2.2)
"""Least and largest width of the open passages between public rooms (m)."""

_JOIN: dict[tuple[str, str], float] = {
    ("hallway", "hallway"): 0.0,
    ("hallway", "living_room"): 0.0,
    ("entryway", "hallway"): 0.0,
    ("entryway", "living_room"): 0.2,
    ("dining_room", "kitchen"): 0.0,
    ("dining_room", "living_room"): 0.2,
    ("kitchen", "living_room"): 0.5,
    ("family_room", "living_room"): 0.5,
    ("family_room", "hallway"): 0.6,
    ("family_room", "kitchen"): 1.0,
    ("dining_room", "family_room"): 1.0,
    ("hallway", "kitchen"): 1.0,
    ("dining_room", "hallway"): 1.0,
    ("entryway", "family_room"): 1.2,
    ("entryway", "kitchen"): 2.0,
    ("dining_room", "entryway"): 2.0,
}
"""Cost of a door or passage between two rooms that people walk through; no door where unlisted."""
_THROUGH = {name for pair in _JOIN for name in pair}
_LOOP = 0.5
"""The highest cost at which a further opening between rooms already joined is made."""

_OFF: dict[str, dict[str, float]] = {
    "bedroom": {"hallway": 0.0, "entryway": 2.5, "living_room": 3.0, "family_room": 3.0},
    "bathroom": {"hallway": 0.0, "bedroom": 0.8, "entryway": 1.5},
    "closet": {"bedroom": 0.0, "entryway": 0.5, "hallway": 0.6},
    "office": {"hallway": 0.0, "living_room": 1.0, "entryway": 1.0, "family_room": 1.5},
    "play_room": {"hallway": 0.0, "family_room": 0.3, "living_room": 0.8, "dining_room": 2.0},
    "laundry_room": {"hallway": 0.3, "kitchen": 0.3, "entryway": 1.0, "family_room": 2.0},
    "garage": {"laundry_room": 0.2, "entryway": 0.3, "hallway": 0.5, "kitchen": 1.0,
               "family_room": 2.0},
}  # fmt: skip
"""Rooms that a room at the end of a way may open off, and what each costs."""

_WINDOWS: dict[str, tuple[float, float, float]] = {
    "kitchen": (1.5, 1.1, 2.1),
    "dining_room": (1.7, 0.8, 2.15),
    "living_room": (2.0, 0.55, 2.2),
    "family_room": (1.8, 0.7, 2.2),
    "play_room": (1.5, 0.8, 2.15),
    "bedroom": (1.5, 0.85, 2.15),
    "bathroom": (0.7, 1.45, 2.1),
    "office": (1.5, 0.9, 2.15),
    "laundry_room": (0.8, 1.35, 2.1),
    "hallway": (0.9, 1.0, 2.15),
    "entryway": (0.7, 1.0, 2.15),
    "garage": (0.9, 1.5, 2.1),
}
"""Width, sill and head of the windows of a room class (m)."""
_SECOND_WINDOW = 4.6
"""Length from which an outer wall gets two windows (m)."""
_FRONT_DOOR = ("entryway", "hallway", "living_room", "family_room", "dining_room", "kitchen")
_FRONT_WIDTH = 1.5


def openings_of(
    rooms: Sequence[PlannedRoom], rng: random.Random
) -> tuple[tuple[Opening, ...], Entrance] | None:
    """Draw doors, windows and the front door; None when the layout cannot have sensible ones."""
    pairs = _joined(rooms)
    if pairs is None:
        return None
    entrance = _front_door(rooms)
    if entrance is None:
        return None
    openings = [_door(a, b, rng) for a, b in pairs]
    windows = _windows(rooms, entrance, rng)
    lit = {window.rooms[0] for window in windows}
    if any(ROOM_SIZES[r.class_name].daylight and r.room_id not in lit for r in rooms):
        return None
    return (*openings, *windows), entrance


Pair = tuple[PlannedRoom, PlannedRoom]


def _fits(a: PlannedRoom, b: PlannedRoom) -> bool:
    line = shared_wall(a, b)
    return line is not None and line.length >= DOOR_WIDTH + 2 * JAMB


def _joined(rooms: Sequence[PlannedRoom]) -> list[Pair] | None:
    """Return which rooms get a door between them; None when a room cannot be reached sensibly."""
    through = [r for r in rooms if r.class_name in _THROUGH]
    options = sorted(
        (
            (cost, i, j)
            for i, a in enumerate(through)
            for j, b in enumerate(through[:i])
            if (cost := _cost(a, b)) is not None and _fits(a, b)
        )
    )
    group = list(range(len(through)))
    pairs: list[Pair] = []
    for cost, i, j in options:
        if group[i] != group[j]:
            old, new = group[i], group[j]
            group = [new if g == old else g for g in group]
        elif cost > _LOOP:
            continue
        pairs.append((through[i], through[j]))
    if len(set(group)) != 1:
        return None
    for room in rooms:
        if room.class_name not in _THROUGH:
            offers = _OFF[room.class_name]
            beside = [r for r in rooms if r.class_name in offers and _fits(room, r)]
            if not beside:
                return None
            pairs.append((room, min(beside, key=lambda r: offers[r.class_name])))
    baths = [b for a, b in pairs if a.class_name == "bathroom"]
    if all(b.class_name == "bedroom" for b in baths):
        return None
    # No bedroom gets two bathrooms, or two closets, of its own.
    own = [(a.class_name, b.room_id) for a, b in pairs if b.class_name == "bedroom"]
    return pairs if len(set(own)) == len(own) else None


def _cost(a: PlannedRoom, b: PlannedRoom) -> float | None:
    first, second = sorted((a.class_name, b.class_name))
    return _JOIN.get((first, second))


def _door(a: PlannedRoom, b: PlannedRoom, rng: random.Random) -> Opening:
    """Return a door near one end of the common wall, or a passage in the middle of it."""
    line = shared_wall(a, b)
    assert line is not None, f"no wall between {a.room_id} and {b.room_id}"
    cost = _cost(a, b)
    free = line.length - 2 * JAMB
    wide = cost is not None and cost <= _LOOP and free >= PASSAGE_WIDTH[0]
    width = min(PASSAGE_WIDTH[1], max(PASSAGE_WIDTH[0], 0.5 * free)) if wide else DOOR_WIDTH
    share = 0.5 if wide else rng.choice((0.0, 0.12, 0.88, 1.0))
    start = round(line.start + JAMB + (free - width) * share, 2)
    return opening_in("door", (a.room_id, b.room_id), line, start, width, 0.0, DOOR_HEAD)


def _front_door(rooms: Sequence[PlannedRoom]) -> Entrance | None:
    """Put the front door in the shortest outer wall with room for it, of the best suited room."""
    for class_name in _FRONT_DOOR:
        walls = [
            (stretch.length, room.room_id, side, stretch)
            for room in rooms
            if room.class_name == class_name
            for side in SIDES
            for stretch in outer_stretches(room, side, rooms)
            if stretch.length >= _FRONT_WIDTH
        ]
        if walls:
            length, room_id, side, stretch = min(walls)
            # A short wall has the door in its middle, a long one at its end.
            off = length / 2 if length < 3.0 else 0.95
            return Entrance(room_id, side, round(stretch.start + off, 2))
    return None


def _windows(rooms: Sequence[PlannedRoom], entrance: Entrance, rng: random.Random) -> list[Opening]:
    windows: list[Opening] = []
    for room in rooms:
        if room.class_name not in _WINDOWS:
            continue
        width, sill, head = _WINDOWS[room.class_name]
        for side in SIDES:
            for stretch in outer_stretches(room, side, rooms):
                here = entrance[:2] == (room.room_id, side)
                for at in _places(stretch, width, rng):
                    if here and abs(at + width / 2 - entrance.at) < width / 2 + 0.65:
                        continue
                    windows.append(
                        opening_in("window", (room.room_id,), stretch, at, width, sill, head)
                    )
    return windows


def _places(line: WallLine, width: float, rng: random.Random) -> list[float]:
    """Return where the windows of an outer wall start."""
    margin = 0.4
    free = line.length - 2 * margin
    if free < width:
        return []
    if line.length < _SECOND_WINDOW or free < 2 * width + 0.8:
        return [round(line.start + margin + (free - width) * rng.choice((0.5, 0.5, 0.3, 0.7)), 2)]
    quarter = free / 4
    return [round(line.start + margin + k * quarter - width / 2, 2) for k in (1, 3)]
