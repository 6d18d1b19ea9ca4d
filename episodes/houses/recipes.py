"""What stands in a room of each class, and where people put it."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import NamedTuple

from episodes.houses.furnishing import QUARTER, Furnisher, Placed, local_rect, turn
from episodes.houses.plans import Rect, Side, side_line


class Style(NamedTuple):
    """Which variants a house has: its kitchen front, its woods."""

    counter: str
    sink_counter: str
    larder: str
    wall_unit: str
    fridge: str
    stove: str
    sideboard: str
    couch: str
    armchair: str
    coffee_table: str
    media: str
    chair: str
    wardrobe: str
    chest: str
    nightstand: str
    shelves: str
    desk: str
    lamp: str
    bench: str
    vanity: str
    toilet: str
    tub: str
    washer: str


class Decoration(NamedTuple):
    """Something flat that nobody bumps into: a rug on the floor."""

    kind: str
    rect: Rect
    tint: int


def draw_style(rng: random.Random) -> Style:
    """One of the matching sets, with free choices where everything matches."""
    pick = rng.choice
    first = rng.random() < 0.5
    return Style(
        *(
            ("counter_1", "counter_2", "cabinet_2", "cabinet_3")
            if first
            else ("counter_3", "counter_4", "cabinet_5", "cabinet_6")
        ),
        pick(("fridge_1", "fridge_2")),
        "stove_1" if first else "stove_2",
        pick(("cabinet_1", "cabinet_4")),
        pick(("couch_1", "couch_2")),
        "couch_3",
        pick(("table_3", "table_4")),
        pick(("stand_3", "stand_4")),
        pick(("chair_1", "chair_2")),
        pick(("wardrobe_1", "wardrobe_2")),
        pick(("chest_of_drawers_1", "chest_of_drawers_2")),
        pick(("stand_1", "stand_2")),
        pick(("shelves_1", "shelves_2")),
        pick(("table_5", "table_6")),
        pick(("floor_lamp_1", "floor_lamp_2")),
        pick(("bench_1", "bench_2")),
        pick(("sink_1", "sink_2")),
        pick(("toilet_1", "toilet_2")),
        pick(("bathtub_1", "bathtub_2")),
        pick(("washer_dryer_1", "washer_dryer_2")),
    )


def _centred(f: Furnisher) -> Callable[[Side, float], float]:
    def prefer(side: Side, at: float) -> float:
        line = side_line(f.interior, side)
        return abs(at - (line.start + line.end) / 2)

    return prefer


def kitchen(f: Furnisher, style: Style, has_dining_room: bool) -> list[Decoration]:
    s = style
    rows = [
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
    if s.stove not in there:
        f.against(s.stove, others)
    if s.counter not in there:
        f.against(s.counter, others)
    f.against(s.larder, others)
    for p in list(f.placed):
        if p.template.class_name == "counter" and p.template.faucet is None:
            back = next(w for w in f.sides() if _is_back(f, p, w))
            at = p.x if back in ("north", "south") else p.z
            if not f.hides_window(s.wall_unit, back, at, 1.45):
                f.put(s.wall_unit, *f.along(s.wall_unit, back, at, gap=0.002), 1.45)
    _table_in_the_middle(f, "table_2", s.chair, 2 if has_dining_room else 4)
    return []


def _is_back(f: Furnisher, p: Placed, side: Side) -> bool:
    return QUARTER[side] == p.quarter % 4


ROUND_SEATS = [(0.0, 0.6, 0), (0.0, -0.6, 2), (0.6, 0.0, 1), (-0.6, 0.0, 3)]
LONG_SEATS = [(-0.38, 0.47, 0), (0.38, 0.47, 0), (-0.38, -0.47, 2), (0.38, -0.47, 2)]
END_SEATS = [(0.82, 0.0, 1), (-0.82, 0.0, 3)]


def _table_in_the_middle(f: Furnisher, table: str, chair: str, chairs: int) -> Placed | None:
    """A table as near to the middle as leaves 0.95 m to walk round it."""
    r = f.interior
    mx, mz = r.middle
    long_z = r.z1 - r.z0 > r.x1 - r.x0
    offsets = [i * 0.15 for i in range(-7, 8)]
    spots = sorted(
        ((dx, dz) for dx in offsets for dz in offsets), key=lambda d: (d[0] ** 2 + d[1] ** 2, d)
    )
    box = f.template(table).box
    quarter = 1 if long_z else 0
    for dx, dz in spots:
        x, z = mx + dx, mz + dz
        around = local_rect(Rect(box.low[0], box.low[2], box.high[0], box.high[2]), quarter, x, z)
        if not f.interior.contains(around.grown(0.9)):
            continue
        if any(around.grown(0.85).overlaps(p.rect) for p in f.placed):
            continue
        placed = f.put(table, quarter, x, z)
        if placed is None:
            continue
        seats = ROUND_SEATS if table == "table_2" else [*LONG_SEATS, *END_SEATS]
        f.seats(placed, chair, seats, chairs)
        return placed
    return None


def dining_room(f: Furnisher, style: Style) -> list[Decoration]:
    table = _table_in_the_middle(f, "table_1", style.chair, 4) or _table_in_the_middle(
        f, "table_2", style.chair, 4
    )
    f.against(style.sideboard, prefer=_centred(f))
    f.against([style.shelves, style.bench], f.sides())
    if table is None:
        return []
    return [Decoration("rug", table.rect.grown(0.55), f.rng.randrange(4))]


def living_room(f: Furnisher, style: Style, has_dining_room: bool) -> list[Decoration]:
    decorations: list[Decoration] = []
    walls = sorted(f.sides(), key=lambda w: (f.has_window(w), w in f.door_sides))
    stand = f.against(style.media, walls, _centred(f), front=0.6)
    if stand is not None:
        side = next(w for w in f.sides() if _is_back(f, stand, w))
        at = stand.x if side in ("north", "south") else stand.z
        f.put("tv_1", *f.along("tv_1", side, at, gap=0.005), 0.62)
        for distance in (2.5, 2.2, 2.8, 1.9):
            couch = f.in_front(stand, style.couch, distance)
            if couch is not None:
                break
        if couch is not None:
            zone = local_rect(Rect(-0.9, -1.3, 0.9, -0.44), couch.quarter, couch.x, couch.z)
            f.in_front(couch, style.coffee_table, 0.42, facing=False)
            f.keep_free(zone)
            rug = local_rect(Rect(-1.35, -1.75, 1.35, -0.1), couch.quarter, couch.x, couch.z)
            decorations.append(Decoration("rug", rug, f.rng.randrange(4)))
            for hand in (1, -1):
                ox, oz = turn(couch.quarter, hand * 1.75, -1.0)
                quarter = (couch.quarter + (1 if hand > 0 else 3)) % 4
                if f.put(
                    style.armchair, quarter, couch.x + ox, couch.z + oz, ignore_free=True, front=0.0
                ):
                    break
            for hand in (-1, 1):
                if f.beside(couch, style.lamp, 0.12, hand):
                    break
    f.against(style.shelves, prefer=_centred(f))
    f.against(style.chest if has_dining_room else style.sideboard, f.sides())
    if not has_dining_room:
        _table_in_the_middle(f, "table_2", style.chair, 2)
    f.against(style.lamp, f.sides())
    return decorations


def bedroom(f: Furnisher, style: Style) -> list[Decoration]:
    beds = ["bed_1", "bed_2"] if f.rng.random() < 0.5 else ["bed_2", "bed_1"]
    walls = sorted(f.sides(), key=lambda w: (w in f.door_sides, f.has_window(w)))
    bed = f.against(beds, walls, _centred(f), hide_windows=False) or f.against(
        beds, walls, _centred(f), hide_windows=True
    )
    decorations: list[Decoration] = []
    if bed is not None:
        for hand in (-1, 1):
            f.beside(bed, style.nightstand, 0.08, hand)
        b = bed.template.box
        rug = Rect(b.low[0] - 0.55, b.low[2] - 0.35, b.high[0] + 0.55, 0.1)
        decorations.append(
            Decoration("rug", local_rect(rug, bed.quarter, bed.x, bed.z), f.rng.randrange(4))
        )
        for hand in (-1, 1):
            # Room to get in and out of bed.
            strip = (
                Rect(b.high[0], -0.6, b.high[0] + 0.6, 0.55)
                if hand > 0
                else Rect(b.low[0] - 0.6, -0.6, b.low[0], 0.55)
            )
            f.keep_free(local_rect(strip, bed.quarter, bed.x, bed.z))
    f.against(style.wardrobe, f.sides())
    f.against(style.chest, f.sides())
    f.against(style.lamp, f.sides())
    f.against(style.bench, f.sides())
    return decorations


def bathroom(f: Furnisher, style: Style, has_laundry: bool) -> list[Decoration]:
    f.against(style.tub, sorted(f.sides(), key=lambda w: w in f.door_sides))
    sink = f.against(style.vanity, f.sides(), _centred(f))
    f.against(style.toilet, f.sides())
    if not has_laundry:
        f.against(style.washer, f.sides())
    f.against(["stand_2", "bench_1"], f.sides())
    if sink is None:
        return []
    mat = local_rect(Rect(-0.35, -0.85, 0.35, -0.35), sink.quarter, sink.x, sink.z)
    return [Decoration("mat", mat, f.rng.randrange(4))]


def office(f: Furnisher, style: Style) -> list[Decoration]:
    walls = sorted(f.sides(), key=lambda w: (not f.has_window(w), w in f.door_sides))
    desk = f.against(style.desk, walls, _centred(f), front=0.75)
    if desk is not None:
        f.seats(desk, "chair_3", [(-0.2, -0.42, 2)], 1, ignore_free=True)
        f.keep_free(local_rect(Rect(-0.6, -1.2, 0.6, -0.3), desk.quarter, desk.x, desk.z))
    f.against("shelves_1" if style.shelves == "shelves_2" else "shelves_2", f.sides())
    f.against(style.sideboard, f.sides())
    f.against(style.armchair, f.sides(), front=0.4)
    f.against(style.lamp, f.sides())
    r = f.interior
    mx, mz = r.middle
    return [Decoration("rug", Rect(mx - 0.9, mz - 0.7, mx + 0.9, mz + 0.7), f.rng.randrange(4))]


def laundry_room(f: Furnisher, style: Style) -> list[Decoration]:
    walls = sorted(f.sides(), key=lambda w: w in f.door_sides)
    if f.row([style.washer, style.washer, style.sink_counter], walls[0]) is None:
        f.against(style.washer, walls)
        f.against(style.washer, walls)
        f.against(style.sink_counter, walls)
    f.against([style.larder, "chest_of_drawers_1"], f.sides())
    f.against(style.bench, f.sides())
    return []


def hallway(f: Furnisher, style: Style) -> list[Decoration]:
    f.against(style.bench, f.sides(), front=0.6)
    f.against(["stand_1"], f.sides())
    r = f.interior
    if r.x1 - r.x0 > 3.0:
        mz = (r.z0 + r.z1) / 2
        return [
            Decoration(
                "runner", Rect(r.x0 + 0.5, mz - 0.4, r.x1 - 0.5, mz + 0.4), f.rng.randrange(4)
            )
        ]
    return []


def furnish(f: Furnisher, style: Style, classes: frozenset[str]) -> list[Decoration]:
    """Furnish one room of a house with rooms of these classes; what stands is in ``f.placed``."""
    match f.room.class_name:
        case "kitchen":
            return kitchen(f, style, "dining_room" in classes)
        case "dining_room":
            return dining_room(f, style)
        case "living_room":
            return living_room(f, style, "dining_room" in classes)
        case "bedroom":
            return bedroom(f, style)
        case "bathroom":
            return bathroom(f, style, "laundry_room" in classes)
        case "office":
            return office(f, style)
        case "laundry_room":
            return laundry_room(f, style)
        case _:
            return hallway(f, style)
