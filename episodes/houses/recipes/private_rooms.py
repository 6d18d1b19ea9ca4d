"""Recipes of private rooms: bedrooms, bathrooms, offices, play rooms and closets."""

from __future__ import annotations

from episodes.houses.furnisher import Furnisher, PlacedTemplate, local_rect
from episodes.houses.plans import Rect
from episodes.houses.recipes.arrangement import (
    LOW_SEATS,
    centred,
    desk_by_the_window,
    in_the_middle,
    middle_rug,
)
from episodes.houses.recipes.style import Decoration, Style


def bedroom(f: Furnisher, style: Style, first: bool) -> list[Decoration]:
    """Furnish a bedroom; the first has a double bed, others may be a child's or a guest's."""
    single = not first and f.rng.random() < 0.55
    beds = ["bed_3", "bed_4"] if single else ["bed_1", "bed_2"]
    f.rng.shuffle(beds)
    walls = sorted(f.sides(), key=lambda w: (w in f.door_sides, f.has_window(w)))
    prefer = None if single else centred(f)
    bed = f.against(beds, walls, prefer) or f.against(beds, walls, prefer, hide_windows=True)
    if bed is not None:
        _floor_beside(f, bed)
    f.against(style.wardrobe, f.sides())
    decorations = [] if bed is None else _round_the_bed(f, style, bed)
    f.against(style.chest_of_drawers, f.sides())
    if single:
        desk_by_the_window(f, style)
        f.against(style.chest, f.sides())
    f.against(style.lamp, f.sides())
    f.against(style.bench, f.sides())
    return decorations


def _floor_beside(f: Furnisher, bed: PlacedTemplate) -> None:
    """Keep floor free to get in and out of bed."""
    b = bed.template.box
    for hand in (-1, 1):
        x0, x1 = sorted((hand * b.high[0], hand * (b.high[0] + 0.6)))
        f.keep_free(local_rect(Rect(x0, b.low[2] - 0.6, x1, 0.55), bed.quarter, bed.x, bed.z))


def _round_the_bed(f: Furnisher, style: Style, bed: PlacedTemplate) -> list[Decoration]:
    """Put stands at the head, a lamp beside one of them, and a rug."""
    b = bed.template.box
    stands = [p for hand in (-1, 1) if (p := f.beside(bed, style.nightstand, 0.08, hand))]
    for stand, hand in zip(stands, (-1, 1), strict=False):
        if f.beside(stand, style.lamp, 0.06, hand):
            break
    rug = Rect(b.low[0] - 0.55, b.low[2] - 0.35, b.high[0] + 0.55, 0.1)
    place = local_rect(rug, bed.quarter, bed.x, bed.z)
    return [Decoration("rug", place, f.rng.randrange(4))]


def bathroom(f: Furnisher, style: Style, has_laundry: bool) -> list[Decoration]:
    walls = sorted(f.sides(), key=lambda w: w in f.door_sides)
    bath = [style.tub, style.shower] if f.rng.random() < 0.6 else [style.shower, style.tub]
    f.against(bath, walls)
    sink = f.against(style.vanity, f.sides(), centred(f))
    f.against(style.toilet, f.sides())
    if not has_laundry:
        f.against(style.washer, f.sides())
    f.against(["stand_2", "bench_1"], f.sides())
    if sink is None:
        return []
    mat = local_rect(Rect(-0.35, -0.85, 0.35, -0.35), sink.quarter, sink.x, sink.z)
    return [Decoration("mat", mat, f.rng.randrange(4))]


def office(f: Furnisher, style: Style) -> list[Decoration]:
    desk = desk_by_the_window(f, style)
    if desk is None or not any(
        f.beside(desk, style.filing, 0.05, hand) for hand in f.rng.sample((-1, 1), 2)
    ):
        f.against(style.filing, f.sides())
    f.against("shelves_1" if style.shelves == "shelves_2" else "shelves_2", f.sides())
    f.against(style.sideboard, f.sides())
    f.against(style.armchair, f.sides(), front=0.4)
    f.against(style.lamp, f.sides())
    return [middle_rug(f, 1.8, 1.4)]


def play_room(f: Furnisher, style: Style) -> list[Decoration]:
    """Furnish a play room: a low table with stools in the middle, chests and shelves round it."""
    chests = ["chest_2", "chest_1"]
    f.against("chest_2", f.sides(), centred(f))
    f.against(style.shelves, f.sides())
    table = in_the_middle(f, style.coffee_table, 1.2)
    if table is not None:
        f.seats(table, style.footstool, LOW_SEATS, 3, ignore_free=True)
    f.against(chests, f.sides())
    f.against([style.couch, style.armchair], f.sides(), centred(f))
    f.against("shelves_1", f.sides())
    f.against(style.chest_of_drawers, f.sides())
    f.against(style.lamp, f.sides())
    return [middle_rug(f, 2.4, 1.8)]


def closet(f: Furnisher, style: Style) -> list[Decoration]:
    """Furnish a room to dress in."""
    f.against(style.wardrobe, f.sides())
    f.against([style.shelves, "shelves_1"], f.sides())
    f.against(style.shoe_rack, f.sides())
    f.against(["chest_of_drawers_1", style.chest], f.sides())
    f.against(style.footstool, f.sides())
    return []
