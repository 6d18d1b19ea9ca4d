"""Furniture for storage: counters, cabinets, chests of drawers, shelves, wardrobes, stands."""

from __future__ import annotations

from episodes.catalogue.mesh.carpentry import (
    BOARD,
    Front,
    Handle,
    Paint,
    carcass,
    door,
    drawer,
    feet,
    round_legs,
    shelf_board,
)
from episodes.catalogue.mesh.meshes import arc, box, cylinder, tube
from episodes.catalogue.mesh.pieces import Piece, disc
from episodes.poses import Vec3

OAK, WALNUT, WHITE = "#c4a179", "#8a6549", "#ebe6dc"
SAGE, SLATE, CREAM, CLAY = "#9cae9c", "#72869c", "#e4d8c2", "#b98a6d"
BRASS, STEEL, IRON = "#b08d4f", "#aeb4b8", "#4a4d51"

UP: Vec3 = (0.0, 1.0, 0.0)


def faucet(piece: Piece, x: float, y: float, z: float, reach: float = 0.2) -> None:
    """Add a swan-neck tap with a lever at (x, y, z), its spout ``reach`` m towards -Z."""
    r = reach / 2
    bend = arc((x, y + 0.2, z - r), r, 0, 165, "zy", 8)
    piece.draw(tube([(x, y, z), (x, y + 0.1, z), *bend], 0.013, 8), STEEL, "metal")
    piece.draw(cylinder(0.026, y, y + 0.03, 12, 0.006).moved(x, 0, z), STEEL, "metal")
    piece.draw(
        box((x + 0.02, y + 0.05, z - 0.01), (x + 0.09, y + 0.068, z + 0.01), 0.006), STEEL, "metal"
    )
    piece.solid((x - 0.02, y, z - 0.015), (x + 0.02, y + 0.2 + r, z + 0.015))
    tip = bend[-1]
    piece.faucet = (tip[0], tip[1] - 0.02, tip[2])


def basin(
    piece: Piece, x0: float, x1: float, z0: float, z1: float, top: float, depth: float, colour: str
) -> None:
    """Add a sunk bowl: four walls and a floor, with a drain and a receptacle ``basin``."""
    w = 0.012
    low = top - depth
    piece.panel((x0, low, z0), (x1, low + w, z1), colour, "satin", bevel=0.0)
    for a, b in (
        ((x0, low + w, z0), (x0 + w, top, z1)),
        ((x1 - w, low + w, z0), (x1, top, z1)),
        ((x0 + w, low + w, z0), (x1 - w, top, z0 + w)),
        ((x0 + w, low + w, z1 - w), (x1 - w, top, z1)),
    ):
        piece.panel(a, b, colour, "satin", bevel=0.004)
    x, z = (x0 + x1) / 2, (z0 + z1) / 2
    piece.draw(disc(0.022, low + w + 0.002, x, z, 14), IRON, "metal")
    piece.within("basin", (x, low + w, z), (x1 - x0) / 2 - w - 0.01, (z1 - z0) / 2 - w - 0.01, 0.9)


def counter(variant: int, paint: Paint, top: str, sink: bool, handle: Handle) -> Piece:
    """Build a kitchen base unit, 1.2 m wide: doors and drawers, or doors under a sink."""
    p = Piece("counter", variant, "furniture", ("is_clean",))
    w, d, h = 0.6, 0.3, 0.9
    front = -d + 0.02
    p.panel((-w, 0, front + 0.07), (w, 0.1, d), "#5d564f", bevel=0.0)
    carcass(p, Front(-w, w, 0.1, h - 0.04), front + BOARD, d, paint, top=not sink)
    y0, y1 = 0.105, h - 0.045
    if sink:
        bx, bz0, bz1 = 0.28, -0.2, 0.16
        for low, high in (
            ((-w, h - 0.04, -d), (-bx, h, d)),
            ((bx, h - 0.04, -d), (w, h, d)),
            ((-bx, h - 0.04, -d), (bx, h, bz0)),
            ((-bx, h - 0.04, bz1), (bx, h, d)),
        ):
            p.panel(low, high, top, "satin", bevel=0.004)
        basin(p, -bx, bx, bz0, bz1, h - 0.005, 0.18, "#cdd2d4")
        faucet(p, 0, h, 0.22, 0.22)
        left = door(p, "door_left", Front(-w, 0, y0, y1), front, paint, "left", handle, True, 0.8)
        door(p, "door_right", Front(0, w, y0, y1), front, paint, "right", handle, True, 0.8)
        p.within("cupboard", (0, 0.12, 0.02), w - 0.05, 0.2, 0.5, left)
        p.on("top_left", (-0.44, h, 0), 0.13, 0.25)
        p.on("top_right", (0.44, h, 0), 0.13, 0.25)
        spots = [(-0.45, -0.1), (0.42, 0.05), (-0.38, 0.12), (0.5, -0.16), (0.36, -0.2)]
    else:
        p.panel((-w, h - 0.04, -d), (w, h, d), top, "satin", bevel=0.008)
        part = door(p, "door", Front(-w, 0, y0, y1), front, paint, "left", handle, True, 0.8)
        p.panel((-0.01, 0.12, front + BOARD), (0.01, h - 0.06, d - BOARD), paint.inside, bevel=0.0)
        p.within("cupboard", (-0.3, 0.12, 0.02), 0.24, 0.2, 0.68, part)
        heights = [y0, y0 + 0.29, y0 + 0.54, y1]
        for i in range(3):
            f = Front(0, w, heights[2 - i], heights[3 - i])
            drawer(p, f"drawer_{i + 1}", f, front, d - 0.04, paint, handle, True)
        p.on("top", (0, h, 0), 0.55, 0.25)
        spots = [
            (-0.4, -0.08),
            (0.3, 0.06),
            (0.05, -0.14),
            (-0.12, 0.14),
            (0.47, -0.1),
            (-0.3, 0.1),
        ]
    p.smudges([((x, h, z), UP) for x, z in spots], 0.06)
    return p


def low_cabinet(variant: int, paint: Paint) -> Piece:
    """Build a sideboard: two doors, a shelf inside, 1.1 m wide and 0.85 m high."""
    p = Piece("cabinet", variant, "furniture", ())
    w, d, h = 0.55, 0.22, 0.85
    front = -d
    feet(p, w - 0.08, d - 0.06, 0.12, paint.fitting)
    carcass(p, Front(-w, w, 0.12, h - 0.025), front + BOARD, d, paint)
    p.panel((-w - 0.01, h - 0.025, -d - 0.01), (w + 0.01, h, d), paint.body, bevel=0.008)
    shelf_board(p, -w + BOARD, w - BOARD, 0.49, front + BOARD + 0.02, d - BOARD, paint.inside)
    left = door(p, "door_left", Front(-w, 0, 0.12, h - 0.03), front, paint, "left", "knob")
    right = door(p, "door_right", Front(0, w, 0.12, h - 0.03), front, paint, "right", "knob")
    p.within("shelf_lower", (-0.01, 0.14, 0.01), w - 0.04, 0.15, 0.32, left)
    p.within("shelf_upper", (-0.01, 0.49, 0.01), w - 0.04, 0.15, 0.3, right)
    p.on("top", (0, h, 0), w - 0.04, d - 0.04)
    return p


def tall_cabinet(variant: int, paint: Paint) -> Piece:
    """Build a larder, 0.8 m wide and 1.9 m high: two doors, four shelves."""
    p = Piece("cabinet", variant, "furniture", ())
    w, d, h = 0.4, 0.22, 1.9
    front = -d
    p.panel((-w, 0, front + 0.05), (w, 0.08, d), "#5d564f", bevel=0.0)
    carcass(p, Front(-w, w, 0.08, h), front + BOARD, d, paint)
    p.draw(box((-w - 0.015, h - 0.01, -d - 0.01), (w + 0.015, h + 0.02, d), 0.008), paint.body)
    left = door(p, "door_left", Front(-w, 0, 0.08, h), front, paint, "left", "bar")
    right = door(p, "door_right", Front(0, w, 0.08, h), front, paint, "right", "bar")
    for i, y in enumerate((0.1, 0.55, 0.98, 1.41)):
        if i:
            shelf_board(p, -w + BOARD, w - BOARD, y, front + BOARD + 0.02, d - BOARD, paint.inside)
        p.within(f"shelf_{i + 1}", (0, y, 0.01), w - 0.05, 0.15, 0.4, left if i % 2 else right)
    return p


def wall_cabinet(variant: int, paint: Paint) -> Piece:
    """Build a kitchen wall unit, 0.8 m wide and 0.65 m high, hung above a counter."""
    p = Piece("cabinet", variant, "furniture", ())
    w, d, h = 0.4, 0.16, 0.65
    front = -d
    carcass(p, Front(-w, w, 0, h), front + BOARD, d, paint)
    shelf_board(p, -w + BOARD, w - BOARD, 0.34, front + BOARD + 0.02, d - BOARD, paint.inside)
    left = door(p, "door_left", Front(-w, 0, 0, h), front, paint, "left", "bar", True, 0.2)
    right = door(p, "door_right", Front(0, w, 0, h), front, paint, "right", "bar", True, 0.2)
    p.within("shelf_lower", (0, BOARD, 0.01), w - 0.05, 0.11, 0.28, left)
    p.within("shelf_upper", (0, 0.34, 0.01), w - 0.05, 0.11, 0.27, right)
    return p


def chest_of_drawers(variant: int, paint: Paint, columns: int, rows: int, width: float) -> Piece:
    """Build a chest on feet with a grid of drawers."""
    p = Piece("chest_of_drawers", variant, "furniture", ())
    w, d = width / 2, 0.24
    h = 0.14 + 0.23 * rows
    feet(p, w - 0.07, d - 0.06, 0.12, paint.fitting)
    carcass(p, Front(-w, w, 0.12, h - 0.02), -d + BOARD, d, paint)
    p.panel((-w - 0.012, h - 0.02, -d - 0.012), (w + 0.012, h + 0.005, d), paint.body, bevel=0.008)
    step = (h - 0.02 - 0.125) / rows
    for r in range(rows):
        for c in range(columns):
            x0 = -w + 0.005 + c * (2 * w - 0.01) / columns
            y0 = 0.125 + (rows - 1 - r) * step
            f = Front(x0, x0 + (2 * w - 0.01) / columns, y0, y0 + step)
            drawer(p, f"drawer_{r * columns + c + 1}", f, -d, d - 0.03, paint, "knob")
    p.on("top", (0, h + 0.005, 0), w - 0.03, d - 0.03)
    return p


def shelves(variant: int, paint: Paint, width: float, levels: int, metal: bool) -> Piece:
    """Build an open bookcase."""
    p = Piece("shelves", variant, "furniture", ())
    w, d = width / 2, 0.16
    h = 0.08 + 0.36 * levels
    if metal:
        for x in (-w + 0.015, w - 0.015):
            for z in (-d + 0.015, d - 0.015):
                p.panel(
                    (x - 0.015, 0, z - 0.015),
                    (x + 0.015, h, z + 0.015),
                    paint.fitting,
                    "metal",
                    bevel=0.005,
                )
    else:
        p.panel((-w, 0, -d), (-w + 0.025, h, d), paint.body)
        p.panel((w - 0.025, 0, -d), (w, h, d), paint.body)
        p.panel((-w + 0.025, 0.06, d - 0.012), (w - 0.025, h, d), paint.inside, bevel=0.0)
    inner = w if metal else w - 0.025
    for i in range(levels + 1):
        y = 0.08 + 0.36 * i
        back = d if metal else d - 0.012
        p.panel((-inner, y - 0.025, -d), (inner, y, back), paint.front, bevel=0.005)
        if i < levels:
            p.on(f"shelf_{i + 1}", (0, y, -0.006), inner - 0.04, d - 0.025, 0.32)
    p.on("top", (0, h, 0), inner - 0.04, d - 0.03)
    return p


def wardrobe(variant: int, paint: Paint, drawers: bool) -> Piece:
    """Build a wardrobe, 1.0 m wide and 2.0 m high: two doors, a shelf, a rail, perhaps a drawer."""
    p = Piece("wardrobe", variant, "furniture", ())
    w, d, h = 0.5, 0.29, 2.0
    base = 0.32 if drawers else 0.1
    p.panel((-w + 0.03, 0, -d + 0.05), (w - 0.03, 0.08, d - 0.02), "#5d564f", bevel=0.0)
    carcass(p, Front(-w, w, 0.08, h), -d + BOARD, d, paint)
    p.draw(box((-w - 0.02, h - 0.01, -d - 0.02), (w + 0.02, h + 0.025, d), 0.01), paint.body)
    if drawers:
        shelf_board(p, -w + BOARD, w - BOARD, base, -d + BOARD, d - BOARD, paint.inside)
        drawer(p, "drawer_1", Front(-w, w, 0.08, base - 0.01), -d, d - 0.03, paint, "knob", True)
    left = door(p, "door_left", Front(-w, 0, base, h), -d, paint, "left", "knob")
    right = door(p, "door_right", Front(0, w, base, h), -d, paint, "right", "knob")
    shelf_board(p, -w + BOARD, w - BOARD, 1.3, -d + BOARD + 0.02, d - BOARD, paint.inside)
    p.draw(tube([(-w + 0.02, 1.88, 0), (w - 0.02, 1.88, 0)], 0.012, 8), STEEL, "metal")
    p.within("bottom", (0, base if drawers else 0.1, 0.01), w - 0.05, 0.22, 0.9, left)
    p.within("shelf", (0, 1.3, 0.01), w - 0.05, 0.22, 0.5, right)
    return p


def nightstand(variant: int, paint: Paint, rounded: bool) -> Piece:
    """Build a bedside stand with a drawer over an open shelf."""
    p = Piece("stand", variant, "furniture", ())
    w, d, h = 0.23, 0.2, 0.52
    if rounded:
        round_legs(p, w - 0.03, d - 0.03, 0, 0.28, 0.02, paint.body)
        frame = Front(-w, w, 0.28, h - 0.02)
    else:
        p.panel((-w, 0, -d + 0.02), (-w + BOARD, 0.3, d), paint.body)
        p.panel((w - BOARD, 0, -d + 0.02), (w, 0.3, d), paint.body)
        shelf_board(p, -w + BOARD, w - BOARD, 0.08, -d + 0.02, d, paint.body)
        p.on("shelf", (0, 0.08, 0), w - 0.05, d - 0.04, 0.2)
        frame = Front(-w, w, 0.3, h - 0.02)
    carcass(p, frame, -d + BOARD, d, paint)
    p.panel((-w - 0.008, h - 0.02, -d - 0.008), (w + 0.008, h, d), paint.body)
    drawer(p, "drawer_1", frame, -d, d - 0.03, paint, "knob")
    p.on("top", (0, h, 0), w - 0.02, d - 0.02)
    return p


def media_stand(variant: int, paint: Paint) -> Piece:
    """Build a low stand for the television wall: two drawers and an open bay, 1.5 m wide."""
    p = Piece("stand", variant, "furniture", ())
    w, d, h = 0.75, 0.2, 0.46
    round_legs(p, w - 0.1, d - 0.05, 0, 0.12, 0.022, paint.fitting)
    carcass(p, Front(-w, w, 0.12, h), -d + BOARD, d, paint)
    for x in (-0.27, 0.27):
        p.panel(
            (x - 0.01, 0.14, -d + BOARD), (x + 0.01, h - 0.02, d - BOARD), paint.body, bevel=0.0
        )
    drawer(p, "drawer_1", Front(-w, -0.27, 0.12, h), -d, d - 0.03, paint, "bar")
    drawer(p, "drawer_2", Front(0.27, w, 0.12, h), -d, d - 0.03, paint, "bar")
    p.on("shelf", (0, 0.14, 0), 0.23, 0.15, 0.27)
    p.on("top", (0, h, 0), w - 0.04, d - 0.03)
    return p


def pieces() -> list[Piece]:
    sage = Paint(WHITE, SAGE, fitting=BRASS)
    slate = Paint(CREAM, SLATE, fitting=STEEL)
    oak = Paint(OAK, "#d9c2a0", fitting=IRON)
    return [
        counter(1, sage, "#d8c3a0", False, "bar"),
        counter(2, sage, "#d8c3a0", True, "bar"),
        counter(3, slate, "#e8e4dd", False, "knob"),
        counter(4, slate, "#e8e4dd", True, "knob"),
        counter(5, oak, "#5f6468", False, "bar"),
        counter(6, oak, "#5f6468", True, "bar"),
        low_cabinet(1, Paint(OAK, "#d9c2a0", fitting=IRON)),
        tall_cabinet(2, sage),
        wall_cabinet(3, sage),
        low_cabinet(4, Paint(WALNUT, "#a37f62", fitting=BRASS)),
        tall_cabinet(5, slate),
        wall_cabinet(6, slate),
        tall_cabinet(7, oak),
        wall_cabinet(8, oak),
        chest_of_drawers(1, Paint(OAK, "#d7bb93", fitting=WALNUT), 1, 3, 0.8),
        chest_of_drawers(2, Paint(WHITE, "#c9d3d6", fitting=BRASS), 2, 3, 1.1),
        shelves(1, Paint(OAK, "#cdb08a", "#e3d3b8"), 0.9, 4, False),
        shelves(2, Paint(IRON, "#94694a", fitting="#54575b"), 1.0, 4, True),
        wardrobe(1, Paint(WHITE, CREAM, fitting=BRASS), True),
        wardrobe(2, Paint(WALNUT, "#9b7759", fitting=BRASS), False),
        nightstand(1, Paint(OAK, "#d9c2a0", fitting=IRON), True),
        nightstand(2, Paint(WHITE, "#b7c4c9", fitting=BRASS), False),
        media_stand(3, Paint(WALNUT, "#9b7759", fitting=IRON)),
        media_stand(4, Paint(WHITE, CLAY, fitting=BRASS)),
    ]
