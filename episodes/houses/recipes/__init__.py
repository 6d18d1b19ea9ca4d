"""Recipes: the furniture of a room of each class, and where people put it."""

from __future__ import annotations

from episodes.houses.furnisher import Furnisher
from episodes.houses.recipes import private_rooms, public_rooms, service_rooms
from episodes.houses.recipes.style import Decoration, Style, draw_style

__all__ = ["Decoration", "Style", "draw_style", "furnish"]


def furnish(f: Furnisher, style: Style, classes: frozenset[str]) -> list[Decoration]:
    """Furnish one room of a house with rooms of these classes; what stands is in ``f.placed``."""
    dines, washes = "dining_room" in classes, "laundry_room" in classes
    match f.room.class_name:
        case "kitchen":
            return public_rooms.kitchen(f, style, dines)
        case "dining_room":
            return public_rooms.dining_room(f, style)
        case "living_room":
            return public_rooms.living_room(f, style, dines)
        case "family_room":
            return public_rooms.family_room(f, style)
        case "bedroom":
            return private_rooms.bedroom(f, style, f.room.room_id == "bedroom.001")
        case "bathroom":
            return private_rooms.bathroom(f, style, washes)
        case "office":
            return private_rooms.office(f, style)
        case "play_room":
            return private_rooms.play_room(f, style)
        case "closet":
            return private_rooms.closet(f, style)
        case "laundry_room":
            return service_rooms.laundry_room(f, style)
        case "garage":
            return service_rooms.garage(f, style, washes)
        case "entryway":
            return service_rooms.entryway(f, style)
        case "hallway":
            return service_rooms.hallway(f, style, "entryway" in classes)
        case other:
            raise ValueError(f"no recipe for a room of class {other!r}")
