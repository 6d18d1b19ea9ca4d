"""Kitchen furniture beyond the row of counters: islands, dishwashers, freezers."""

from __future__ import annotations

from episodes.catalogue.furniture.storage import (
    BRASS,
    CREAM,
    IRON,
    OAK,
    SAGE,
    SLATE,
    STEEL,
    UP,
    WHITE,
)
from episodes.catalogue.mesh.carpentry import BOARD, Front, Handle, Paint, carcass, door, drawer
from episodes.catalogue.mesh.meshes import box
from episodes.catalogue.mesh.pieces import Piece, bar_handle


def island(variant: int, paint: Paint, top: str, handle: Handle) -> Piece:
    """Build a free-standing counter: cupboard and drawers on one side, an open shelf opposite."""
    p = Piece("island", variant, "furniture", ("is_clean",))
    w, d, h = 0.7, 0.4, 0.9
    front, middle = -d + 0.06, 0.08
    p.panel((-w + 0.04, 0, front + 0.06), (w - 0.04, 0.1, d - 0.08), "#5d564f", bevel=0.0)
    carcass(p, Front(-w + 0.02, w - 0.02, 0.1, h - 0.04), front + BOARD, middle + BOARD, paint)
    p.panel((-w, h - 0.04, -d), (w, h, d), top, "satin", bevel=0.008)
    y0, y1 = 0.105, h - 0.045
    part = door(p, "door", Front(-w + 0.02, 0, y0, y1), front, paint, "left", handle, True, 0.8)
    p.panel((-0.01, 0.12, front + BOARD), (0.01, h - 0.06, middle), paint.inside, bevel=0.0)
    p.within("cupboard", (-0.34, 0.12, -0.12), 0.29, 0.14, 0.68, part)
    for i, (low, high) in enumerate(((0.5, y1), (y0, 0.5))):
        f = Front(0, w - 0.02, low, high)
        drawer(p, f"drawer_{i + 1}", f, front, middle - 0.02, paint, handle, True)
    # At the back: two uprights and a board, open to the room.
    for x0, x1 in ((-w + 0.02, -w + 0.05), (w - 0.05, w - 0.02)):
        p.panel((x0, 0, middle + BOARD), (x1, h - 0.04, d - 0.06), paint.body, bevel=0.004)
    p.panel((-w + 0.05, 0.28, middle + BOARD), (w - 0.05, 0.3, d - 0.06), paint.inside, bevel=0.0)
    p.on("shelf", (0, 0.3, 0.22), w - 0.1, 0.1, 0.5)
    p.on("top", (0, h, 0), w - 0.05, d - 0.05)
    spots = [(-0.45, -0.1), (0.35, 0.15), (0.02, -0.22), (-0.2, 0.24), (0.55, -0.2)]
    p.smudges([((x, h, z), UP) for x, z in spots], 0.06)
    return p


def dishwasher(variant: int, colour: str, worktop: str) -> Piece:
    """Build a free-standing dishwasher: a drop-down door, two racks."""
    p = Piece("dishwasher", variant, "furniture", ("is_powered_on",))
    w, d, h = 0.3, 0.3, 0.9
    front = -d + 0.02
    paint = Paint(colour, colour, "#c3c9cc", STEEL)
    p.panel((-w, 0, front + 0.06), (w, 0.1, d), "#4e4a46", bevel=0.0)
    carcass(p, Front(-w, w, 0.1, h - 0.04), front + BOARD, d, paint)
    p.panel((-w, h - 0.04, -d), (w, h, d), worktop, "satin", bevel=0.008)
    p.panel((-w, 0.76, front), (w, h - 0.045, front + BOARD), colour, "satin", bevel=0.004)
    p.draw(box((-0.2, 0.79, front - 0.003), (0.02, 0.83, front), 0.002), "#2f363b", "satin")
    light = box((0.1, 0.8, front - 0.004), (0.2, 0.82, front - 0.001), 0.001)
    p.draw(light, "#566067", "satin")
    p.show(light.moved(0, 0, -0.002), "#7fe0b0", "glow_cool", "is_powered_on")
    part = p.hinge("door", (0, 0.11, front), (-1.0, 0.0, 0.0), 90)
    p.panel(
        (-w + 0.004, 0.11, front), (w - 0.004, 0.755, front + 0.03), colour, "satin", part, 0.006
    )
    p.draw(bar_handle(0, 0.71, front, 0.4), STEEL, "metal", part)
    for y, name in ((0.16, "rack_lower"), (0.48, "rack_upper")):
        for k in range(5):
            z = -0.19 + 0.1 * k
            bar = box((-w + BOARD, y - 0.012, z - 0.005), (w - BOARD, y, z + 0.005), 0.0)
            p.draw(bar, "#eef0f1", "satin")
        p.solid((-w + BOARD, y - 0.012, -0.2), (w - BOARD, y, d - BOARD))
        p.within(name, (0, y, 0.02), w - 0.05, 0.18, 0.28, part)
    p.on("top", (0, h, 0), w - 0.04, d - 0.05, 0.5)
    return p


def chest_freezer(variant: int, colour: str) -> Piece:
    """Build a chest freezer whose lid opens upwards."""
    p = Piece("freezer", variant, "furniture", ())
    w, d, h = 0.5, 0.32, 0.85
    wall = 0.06
    p.panel((-w, 0.03, -d), (w, 0.12, d), colour, "satin", bevel=0.01)
    for low, high in (
        ((-w, -d), (-w + wall, d)),
        ((w - wall, -d), (w, d)),
        ((-w + wall, -d), (w - wall, -d + wall)),
        ((-w + wall, d - wall), (w - wall, d)),
    ):
        p.panel((low[0], 0.12, low[1]), (high[0], h - 0.05, high[1]), colour, "satin", bevel=0.0)
    for x in (-w + 0.06, w - 0.06):
        p.panel((x - 0.03, 0, -d + 0.05), (x + 0.03, 0.03, d - 0.05), IRON, bevel=0.0)
    p.draw(box((-w + wall, 0.119, -d + wall), (w - wall, 0.122, d - wall), 0.0), "#dfe8ea", "satin")
    # The lid's hinge is far enough from the wall for the lid's own thickness.
    lid = p.hinge("lid", (0, h - 0.05, d - 0.06), (1.0, 0.0, 0.0), 80)
    p.panel((-w, h - 0.045, -d), (w, h, d - 0.06), colour, "satin", lid, 0.012)
    p.panel((-w, h - 0.05, d - 0.055), (w, h, d), colour, "satin", bevel=0.008)
    p.draw(box((-0.11, h - 0.06, -d - 0.014), (0.11, h - 0.03, -d), 0.006), STEEL, "metal", lid)
    p.within("basket", (0, 0.12, 0), w - wall - 0.02, d - wall - 0.02, 0.6, lid)
    return p


def upright_freezer(variant: int, colour: str) -> Piece:
    """Build an upright freezer, 1.45 m high: a door, three shelves."""
    p = Piece("freezer", variant, "furniture", ())
    w, d, h = 0.3, 0.31, 1.45
    front = -d
    paint = Paint(colour, colour, "#e6eef0", STEEL)
    p.panel((-w + 0.02, 0, front + 0.06), (w - 0.02, 0.06, d - 0.02), IRON, bevel=0.0)
    carcass(p, Front(-w, w, 0.06, h), front + 0.045, d, paint)
    part = p.hinge("door", (-w, 0.06, front), UP, 90)
    p.panel((-w, 0.06, front), (w, h - 0.003, front + 0.045), colour, "satin", part, 0.014)
    p.draw(bar_handle(w - 0.05, 0.95, front, 0.4, True), STEEL, "metal", part)
    p.draw(box((-0.05, 1.3, front - 0.004), (0.05, 1.335, front), 0.002), "#8fb6cf", "satin", part)
    for i, y in enumerate((0.08, 0.53, 0.98)):
        if i:
            low, high = (-w + BOARD, y - 0.012, front + 0.08), (w - BOARD, y, d - BOARD)
            p.panel(low, high, "#d5e3e6", "satin", bevel=0.0)
        p.within(f"shelf_{i + 1}", (0, y, 0.03), w - 0.05, 0.19, 0.4, part)
    return p


def pieces() -> list[Piece]:
    return [
        island(1, Paint(WHITE, SAGE, fitting=BRASS), "#d8c3a0", "bar"),
        island(2, Paint(CREAM, SLATE, fitting=STEEL), "#e8e4dd", "knob"),
        island(3, Paint(OAK, "#d9c2a0", fitting=IRON), "#5f6468", "bar"),
        dishwasher(1, "#e4e7e6", "#d8c3a0"),
        dishwasher(2, "#8b959b", "#e8e4dd"),
        dishwasher(3, "#6d7276", "#5f6468"),
        chest_freezer(1, "#eceff0"),
        upright_freezer(2, "#dfe4e6"),
    ]
