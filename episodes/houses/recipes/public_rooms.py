"""Recipes of public rooms: kitchens, dining rooms, living rooms and family rooms."""

from __future__ import annotations

from episodes.houses.furnisher import Furnisher, local_rect
from episodes.houses.plans import Rect
from episodes.houses.recipes.arrangement import (
    centred,
    desk_by_the_window,
    in_the_middle,
    table_in_the_middle,
    television_corner,
    wall_behind,
)
from episodes.houses.recipes.style import Decoration, Style


def kitchen(f: Furnisher, style: Style, has_dining_room: bool) -> list[Decoration]:
    s = style
    rows = [
        [s.counter, s.sink_counter, s.dishwasher, s.stove],
        [s.stove, s.counter, s.sink_counter, s.dishwasher],
        [s.counter, s.sink_counter, s.stove],
        [s.sink_counter, s.stove, s.counter],
        [s.counter, s.sink_counter],
        [s.sink_counter, s.stove],
        [s.sink_counter],
    ]
    sides = sorted(f.sides(), key=lambda w: (w in f.door_sides, not f.has_window(w)))
    row, side = next(
        ((r, w) for names in rows for w in sides if (r := f.row(names, w)) is not None),
        (None, sides[0]),
    )
    there = {p.template.name for p in row or ()}
    others = [w for w in f.sides() if w != side]
    f.against(s.fridge, others)
    for name in (s.stove, s.counter, s.larder, s.dishwasher):
        if name not in there:
            f.against(name, others)
    for p in list(f.placed):
        if p.template.name == s.counter:
            back, at = wall_behind(f, p)
            if not f.hides_window(s.wall_unit, back, at, 1.45):
                f.put(s.wall_unit, *f.along(s.wall_unit, back, at, gap=0.002), 1.45)
    if has_dining_room and f.rng.random() < 0.7:
        island = in_the_middle(f, s.island, 0.95)
        if island is not None:
            f.seats(island, s.stool, ((-0.35, 0.62, 0), (0.35, 0.62, 0)), 2, ignore_free=True)
            return []
    chairs = 2 if has_dining_room else 4
    for table, walk in (("table_1", 1.0), ("table_2", 0.85), ("table_2", 0.6)):
        if table_in_the_middle(f, table, s.chair, chairs, walk):
            break
    return []


def dining_room(f: Furnisher, style: Style) -> list[Decoration]:
    table = table_in_the_middle(f, "table_1", style.chair, 6) or table_in_the_middle(
        f, "table_2", style.chair, 4
    )
    f.against(style.sideboard, prefer=centred(f))
    f.against([style.shelves, style.bench], f.sides())
    f.against(style.lamp, f.sides())
    if table is None:
        return []
    return [Decoration("rug", table.rect.grown(0.55), f.rng.randrange(4))]


def living_room(f: Furnisher, style: Style, has_dining_room: bool) -> list[Decoration]:
    decorations = television_corner(f, style)
    if not any(p.template.class_name == "couch" for p in f.placed):
        # A couch may stand below a window.
        couch = f.against(style.couch, f.sides(), centred(f), front=1.2, hide_windows=True)
        if couch is not None:
            f.in_front(couch, style.coffee_table, 0.42, facing=False)
    f.against(style.shelves, prefer=centred(f))
    f.against(style.chest_of_drawers if has_dining_room else style.sideboard, f.sides())
    if not has_dining_room and table_in_the_middle(f, "table_2", style.chair, 2) is None:
        desk_by_the_window(f, style)
    f.against(style.armchair, f.sides(), front=0.4)
    f.against(style.lamp, f.sides())
    return decorations


def family_room(f: Furnisher, style: Style) -> list[Decoration]:
    """Furnish a second, more relaxed living room; where no couch fits, one to read in."""
    decorations = television_corner(f, style)
    f.against(style.shelves, prefer=centred(f))
    f.against(style.chest, f.sides())
    f.against(style.shelves, prefer=centred(f))
    chair = f.against(style.armchair, f.sides(), front=0.9)
    if chair is not None:
        seat = local_rect(Rect(-0.5, -1.1, 0.5, -0.3), chair.quarter, chair.x, chair.z)
        f.in_front(chair, style.footstool, 0.2)
        f.keep_free(seat)
    f.against(style.lamp, f.sides())
    return decorations
