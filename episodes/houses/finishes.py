"""Finishes of a house: its wood, its tiles, its carpets, the colours of its walls."""

from __future__ import annotations

import random
from typing import NamedTuple


class Wood(NamedTuple):
    """Shades of planks, and of what is seen between them."""

    planks: tuple[str, ...]
    gap: str
    threshold: str


class Tiles(NamedTuple):
    """Two shades, that of the joints between them, and the side of a tile (m)."""

    first: str
    second: str
    joint: str
    side: float


class Carpet(NamedTuple):
    colour: str


Floor = Wood | Tiles | Carpet


class Finishes(NamedTuple):
    """Coverings of the floor and the walls of each class of rooms."""

    floors: dict[str, Floor]
    wood: Wood
    paint: dict[str, str]


_OAK = Wood(("#b58b60", "#ba9166", "#b1875c", "#be966b", "#ab8157"), "#8a6643", "#a17c54")
_ASH = Wood(("#cbb592", "#d1bc9a", "#c6af8b", "#d4c1a1", "#c1a985"), "#9d8867", "#b39b77")
_WALNUT = Wood(("#8d6a4c", "#946f50", "#876446", "#997556", "#7f5e42"), "#5f4630", "#745539")
_WOODS = (_OAK, _ASH, _WALNUT, _OAK)

_KITCHEN = (
    Tiles("#d9d3c7", "#d3ccbf", "#b9b2a5", 0.4),
    Tiles("#c7ccc9", "#bdc3c0", "#a0a6a3", 0.45),
    Tiles("#e0d8c6", "#c9a98a", "#b0a38c", 0.3),
)
_BATH = (
    Tiles("#c9d6d6", "#bfcdcd", "#a3b2b2", 0.4),
    Tiles("#d7dbd6", "#b7c2bc", "#a1aca6", 0.25),
    Tiles("#d5cfc6", "#cbc4ba", "#aea79c", 0.35),
)
_LAUNDRY = Tiles("#d5d2cb", "#cbc8c0", "#b0aca3", 0.4)
_SLATE = Tiles("#9b9d98", "#92948f", "#7b7d78", 0.5)
_CONCRETE = Tiles("#b4b3ae", "#b1b0ab", "#8f8e8a", 1.3)
_CORK = Tiles("#cfae82", "#c8a578", "#b4935f", 0.6)
_CARPETS = (Carpet("#c9c0b2"), Carpet("#b5bcc0"), Carpet("#c4b6a6"))

_PAINT = {
    "living_room": ("#e8dfce", "#dfe3da", "#e6d9cb"),
    "kitchen": ("#dde3d6", "#e9e2d2", "#d7e0e2"),
    "dining_room": ("#e6d6c3", "#d9dfd2", "#e3d8d0"),
    "bedroom": ("#d3dce2", "#dedbe4", "#dfe0d0"),
    "bathroom": ("#d6e4e2", "#dfe7ea", "#e6e6dc"),
    "office": ("#dcd9d0", "#d3dad6", "#e0d5c8"),
    "hallway": ("#ebe4d6", "#e8e6df", "#e9e2d4"),
    "laundry_room": ("#dfe6e8", "#e6e6de", "#dbe4dd"),
    "family_room": ("#dcd5c4", "#d6ddd6", "#e2d3c6"),
    "play_room": ("#e9e0c4", "#d4e2e6", "#e6d6d2"),
    "entryway": ("#dfe0d4", "#e7ddcd", "#dbe1e2"),
    "closet": ("#e6e1da", "#e3e4e0", "#e9e3d8"),
    "garage": ("#d9d8d4", "#dcdad2", "#d5d8d8"),
}


def draw_finishes(seed: int) -> Finishes:
    """Draw the finishes of the house of a seed."""
    rng = random.Random(f"cohabit finishes {seed}")
    wood = rng.choice(_WOODS)
    floors: dict[str, Floor] = dict.fromkeys(_PAINT, wood)
    floors |= {"kitchen": rng.choice(_KITCHEN), "bathroom": rng.choice(_BATH)}
    floors |= {"laundry_room": _LAUNDRY, "garage": _CONCRETE}
    if rng.random() < 0.5:
        carpet = rng.choice(_CARPETS)
        floors |= {"bedroom": carpet, "closet": carpet}
    if rng.random() < 0.6:
        floors["entryway"] = _SLATE
    if rng.random() < 0.6:
        floors["play_room"] = _CORK
    return Finishes(floors, wood, {name: rng.choice(shades) for name, shades in _PAINT.items()})
