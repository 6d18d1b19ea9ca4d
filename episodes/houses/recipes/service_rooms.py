"""Recipes of service rooms: halls, entryways, laundry rooms and garages."""

from __future__ import annotations

from episodes.houses.furnisher import Furnisher
from episodes.houses.plans import Rect
from episodes.houses.recipes.style import Decoration, Style

RUNNER = 3.6
"""The longest rug of a hall (m)."""


def hallway(f: Furnisher, style: Style, has_entryway: bool) -> list[Decoration]:
    f.against(style.bench, f.sides(), front=0.6)
    f.against("stand_1", f.sides())
    if not has_entryway:
        f.against(style.shoe_rack, f.sides())
    r = f.interior
    if max(r.x1 - r.x0, r.z1 - r.z0) < 3.0:
        return []
    mx, mz = r.middle
    wide = r.x1 - r.x0 > r.z1 - r.z0
    half = min(RUNNER / 2, max(r.x1 - r.x0, r.z1 - r.z0) / 2 - 0.6)
    x, z = (half, 0.36) if wide else (0.36, half)
    rect = Rect(mx - x, mz - z, mx + x, mz + z)
    return [Decoration("runner", rect, f.rng.randrange(4))]


def entryway(f: Furnisher, style: Style) -> list[Decoration]:
    f.against(style.shoe_rack, f.sides())
    f.against(style.bench, f.sides())
    f.against([style.sideboard, "stand_1"], f.sides())
    f.against("stand_2", f.sides())
    return []


def laundry_room(f: Furnisher, style: Style) -> list[Decoration]:
    walls = sorted(f.sides(), key=lambda w: w in f.door_sides)
    if f.row([style.washer, style.washer, style.sink_counter], walls[0]) is None:
        f.against(style.washer, walls)
        f.against(style.washer, walls)
        f.against(style.sink_counter, walls)
    f.against([style.larder, "chest_of_drawers_1"], f.sides())
    f.against([style.freezer, style.bench], f.sides())
    return []


def garage(f: Furnisher, style: Style, has_laundry: bool) -> list[Decoration]:
    walls = sorted(f.sides(), key=lambda w: (w in f.door_sides, f.has_window(w)))
    f.against(style.workbench, walls)
    f.against("shelves_2", f.sides())
    f.against(style.freezer, f.sides())
    f.against("shelves_2", f.sides())
    f.against("cabinet_2", f.sides())
    if not has_laundry:
        f.against(style.washer, f.sides())
    f.against("chest_1", f.sides())
    f.against("stool_2", f.sides())
    return []
