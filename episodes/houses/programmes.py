"""Programmes: the rooms that a house has, and how large they are (classes, areas, least sides)."""

from __future__ import annotations

import random
from typing import NamedTuple


class RoomSize(NamedTuple):
    """Measures of rooms of a class between wall centre lines (m, m2)."""

    area: tuple[float, float]
    least_side: float
    aspect: float = 1.9
    """The longer side over the shorter one, at most."""
    daylight: bool = True
    """Whether the room has to have a window."""


ROOM_SIZES: dict[str, RoomSize] = {
    "living_room": RoomSize((20.0, 29.0), 4.0, 1.9),
    "kitchen": RoomSize((13.0, 18.0), 3.0),
    "dining_room": RoomSize((10.5, 14.5), 3.0),
    "family_room": RoomSize((16.0, 21.0), 3.8),
    "bedroom": RoomSize((13.0, 18.0), 3.2, 1.6),
    "bathroom": RoomSize((5.8, 8.5), 2.2, 2.0, daylight=False),
    "hallway": RoomSize((0.0, 24.0), 1.6, 9.0, daylight=False),
    "entryway": RoomSize((5.0, 8.5), 2.0, 2.2, daylight=False),
    "office": RoomSize((8.5, 12.5), 2.6),
    "play_room": RoomSize((11.0, 15.5), 3.0),
    "laundry_room": RoomSize((5.6, 8.5), 2.2, 2.0, daylight=False),
    "closet": RoomSize((4.2, 6.4), 1.9, 2.0, daylight=False),
    "garage": RoomSize((17.0, 24.0), 3.4, 1.9, daylight=False),
}
"""Sizes of the thirteen classes of rooms."""

COUNTS = (5, 6, 6, 7, 7, 8, 8, 9, 9, 10, 11, 12)
"""Numbers of rooms, each as often as it is to be drawn."""

_BASE = ("living_room", "kitchen", "bedroom", "bathroom", "hallway")
_MORE: dict[str, tuple[float, ...]] = {
    "hallway": (2.5,),
    "dining_room": (6.0,),
    "bedroom": (6.0, 3.0),
    "bathroom": (4.0, 1.0),
    "office": (4.0,),
    "laundry_room": (4.0,),
    "entryway": (4.0,),
    "closet": (3.0, 1.0),
    "garage": (3.0,),
    "family_room": (2.5,),
    "play_room": (2.5,),
}
"""Weights of a first, second, ... further room of a class."""


def draw_programme(rng: random.Random) -> tuple[str, ...]:
    """Draw the classes of 5 to 12 rooms: a home's five, and what else there is room for."""
    rooms = list(_BASE)
    added = dict.fromkeys(_MORE, 0)
    count = rng.choice(COUNTS)
    while len(rooms) < count:
        options = {
            name: weights[added[name]]
            for name, weights in _MORE.items()
            if added[name] < len(weights) and _sensible(name, rooms)
        }
        name = rng.choices(list(options), list(options.values()))[0]
        added[name] += 1
        rooms.append(name)
    return tuple(rooms)


def _sensible(name: str, rooms: list[str]) -> bool:
    """Tell whether one more room of a class suits a home with these rooms."""
    if name == "bathroom":
        return rooms.count("bathroom") < rooms.count("bedroom")
    if name == "closet":
        return rooms.count("closet") < rooms.count("bedroom")
    if name == "hallway":
        return len(rooms) >= 7
    if name in ("family_room", "garage"):
        return len(rooms) >= 6
    return True
