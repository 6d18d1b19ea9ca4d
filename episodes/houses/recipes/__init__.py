"""What stands in a room of each class, and where people put it."""

from __future__ import annotations

from episodes.houses.furnishing import Furnisher
from episodes.houses.recipes import private, public, service
from episodes.houses.recipes.style import Decoration, Style, draw_style

__all__ = ["Decoration", "Style", "draw_style", "furnish"]


def furnish(f: Furnisher, style: Style, classes: frozenset[str]) -> list[Decoration]:
    """Furnish one room of a house with rooms of these classes; what stands is in ``f.placed``."""
    dines, washes = "dining_room" in classes, "laundry_room" in classes
    match f.room.class_name:
        case "kitchen":
            return public.kitchen(f, style, dines)
        case "dining_room":
            return public.dining_room(f, style)
        case "living_room":
            return public.living_room(f, style, dines)
        case "family_room":
            return public.family_room(f, style)
        case "bedroom":
            return private.bedroom(f, style, f.room.room_id == "bedroom.001")
        case "bathroom":
            return private.bathroom(f, style, washes)
        case "office":
            return private.office(f, style)
        case "play_room":
            return private.play_room(f, style)
        case "closet":
            return private.closet(f, style)
        case "laundry_room":
            return service.laundry_room(f, style)
        case "garage":
            return service.garage(f, style, washes)
        case "entryway":
            return service.entryway(f, style)
        case "hallway":
            return service.hallway(f, style, "entryway" in classes)
        case other:
            raise ValueError(f"no recipe for a room of class {other!r}")
