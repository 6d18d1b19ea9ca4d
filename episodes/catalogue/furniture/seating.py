"""Chairs, couches, beds, benches and tables."""

from __future__ import annotations

from episodes.catalogue.furniture.storage import BRASS, IRON, OAK, UP, WALNUT, WHITE
from episodes.catalogue.mesh.carpentry import Front, Paint, drawer, legs, round_legs
from episodes.catalogue.mesh.meshes import blob, box, cylinder, lathe, tube
from episodes.catalogue.mesh.pieces import Piece


def chair(variant: int, wood: str, seat: str, slats: bool) -> Piece:
    """Build a dining chair: seat at 0.45 m, back up to 0.86 m."""
    p = Piece("chair", variant, "furniture", ())
    w, d, h = 0.21, 0.21, 0.45
    round_legs(p, w - 0.025, d - 0.025, 0, h - 0.03, 0.018, wood)
    p.solid((-w, h - 0.04, -d), (w, h, d))
    if slats:
        p.draw(box((-w, h - 0.035, -d), (w, h, d), 0.015), wood)
    else:
        p.draw(box((-w, h - 0.05, -d), (w, h - 0.02, d), 0.01), wood)
        p.draw(blob((0, h - 0.03, 0), (w, 0.03, d), (0.5, 0.35), 6, 16), seat)
    p.solid((-w, h, d - 0.035), (w, 0.86, d))
    for x in (-w + 0.022, w - 0.022):
        p.draw(
            tube([(x, h - 0.03, d - 0.025), (x, 0.7, d - 0.02), (x, 0.85, d - 0.005)], 0.016), wood
        )
    if slats:
        for i in range(3):
            y = 0.56 + 0.1 * i
            p.draw(box((-w + 0.03, y, d - 0.026), (w - 0.03, y + 0.05, d - 0.01), 0.007), wood)
    else:
        p.draw(box((-w + 0.01, 0.62, d - 0.035), (w - 0.01, 0.86, d), 0.014), seat)
    p.on("seat", (0, h, -0.02), w - 0.03, d - 0.05)
    return p


def office_chair(variant: int, shell: str, seat: str) -> Piece:
    """Build a swivel chair on five castors."""
    p = Piece("chair", variant, "furniture", ())
    for k in range(5):
        arm = box((-0.02, 0.05, 0), (0.02, 0.085, 0.24), 0.01)
        wheel = (
            cylinder(0.027, -0.015, 0.015, 10, 0.005).turned((0, 0, 1), 90).moved(0, 0.027, 0.22)
        )
        p.draw(arm.turned((0, 1, 0), 72 * k), shell)
        p.draw(wheel.turned((0, 1, 0), 72 * k), IRON)
    p.solid((-0.2, 0, -0.2), (0.2, 0.085, 0.2))
    p.draw(cylinder(0.025, 0.06, 0.42, 12), IRON, "metal")
    p.solid((-0.025, 0.085, -0.025), (0.025, 0.42, 0.025))
    p.draw(box((-0.23, 0.41, -0.22), (0.23, 0.48, 0.22), 0.03), seat)
    p.solid((-0.23, 0.41, -0.22), (0.23, 0.48, 0.22))
    p.draw(box((-0.02, 0.4, 0.2), (0.02, 0.62, 0.235), 0.01), shell)
    p.draw(box((-0.21, 0.56, 0.19), (0.21, 0.98, 0.24), 0.03), seat)
    p.solid((-0.21, 0.48, 0.19), (0.21, 0.98, 0.24))
    p.on("seat", (0, 0.48, -0.02), 0.17, 0.15)
    return p


def couch(
    class_name: str, variant: int, cloth: str, pillow: str, wood: str, width: float, rolled: bool
) -> Piece:
    """Build an upholstered seat with arms, for two or three; an armchair when narrow."""
    p = Piece(class_name, variant, "furniture", ())
    w, d = width / 2, 0.44
    round_legs(p, w - 0.09, d - 0.09, 0, 0.13, 0.024, wood)
    arm = 0.15
    p.solid((-w, 0.12, -d), (w, 0.432, d))
    p.draw(box((-w + 0.02, 0.12, -d + 0.03), (w - 0.02, 0.3, d), 0.03), cloth)
    p.solid((-w, 0.432, 0.24), (w, 0.84, d))
    p.draw(box((-w + arm - 0.02, 0.28, 0.26), (w - arm + 0.02, 0.82, d), 0.05), cloth)
    for side in (-1, 1):
        x0, x1 = sorted((side * w, side * (w - arm)))
        p.solid((x0, 0.432, -d + 0.02), (x1, 0.6, 0.24))
        if rolled:
            p.draw(box((x0 + 0.01, 0.14, -d + 0.02), (x1 - 0.01, 0.54, d), 0.03), cloth)
            roll = cylinder(arm / 2, -d + 0.02, d, 14, 0.02).turned((1, 0, 0), 90)
            p.draw(roll.moved((x0 + x1) / 2, 0.53, 0), cloth)
        else:
            p.draw(box((x0, 0.14, -d + 0.01), (x1, 0.6, d), 0.04), cloth)
    seats = 1 if width < 1.2 else 2 if width < 1.9 else 3
    step = (2 * w - 2 * arm) / seats
    for i in range(seats):
        x = -w + arm + step * (i + 0.5)
        p.draw(blob((x, 0.35, -0.09), (step / 2, 0.085, 0.35), (0.35, 0.3), 8, 18), cloth)
        p.draw(
            blob((0, 0, 0), (step / 2 - 0.02, 0.2, 0.07), (0.55, 0.4), 8, 18)
            .turned((1, 0, 0), 12)
            .moved(x, 0.62, 0.23),
            pillow,
        )
    p.on("seat", (0, 0.432, -0.13), w - arm - 0.03, 0.25)
    return p


def bed(variant: int, wood: str, cover: str, pillow: str, width: float, padded: bool) -> Piece:
    """Build a bed, head to the back: mattress top at 0.52 m, 2.05 m long."""
    p = Piece("bed", variant, "furniture", ())
    w, d = width / 2, 1.03
    round_legs(p, w - 0.08, d - 0.08, 0, 0.2, 0.03, wood)
    p.panel((-w, 0.18, -d), (w, 0.3, d - 0.05), wood, bevel=0.015)
    p.solid((-w + 0.03, 0.3, -d + 0.03), (w - 0.03, 0.525, d - 0.06))
    p.draw(box((-w + 0.03, 0.29, -d + 0.03), (w - 0.03, 0.5, d - 0.06), 0.05), "#efeae1")
    p.draw(box((-w + 0.005, 0.27, -d + 0.01), (w - 0.005, 0.52, 0.42), 0.05), cover)
    p.draw(box((-w, 0.36, 0.34), (w, 0.528, 0.52), 0.03), "#f3efe7")
    for x in (-w / 2, w / 2) if width > 1.2 else (0.0,):
        p.draw(
            blob((x, 0.565, 0.74), (min(0.34, w - 0.12), 0.075, 0.19), (0.6, 0.35), 8, 18), pillow
        )
    p.solid((-w, 0, d - 0.06), (w, 1.0, d))
    if padded:
        p.draw(box((-w, 0.05, d - 0.07), (w, 1.0, d), 0.03), wood)
        for i in range(4):
            x = -w + (i + 0.5) * width / 4
            p.draw(
                box(
                    (x - width / 8 + 0.006, 0.45, d - 0.1),
                    (x + width / 8 - 0.006, 0.97, d - 0.05),
                    0.025,
                ),
                wood,
            )
    else:
        p.draw(box((-w, 0.05, d - 0.05), (w, 0.82, d), 0.012), wood)
        p.draw(box((-w - 0.015, 0.82, d - 0.065), (w + 0.015, 1.0, d), 0.02), wood)
    p.on("top", (0, 0.525, -0.28), w - 0.12, 0.62)
    return p


def bench(variant: int, wood: str, seat: str | None) -> Piece:
    """Build a hall bench, perhaps upholstered."""
    p = Piece("bench", variant, "furniture", ())
    w, d, h = 0.5, 0.18, 0.45
    legs(p, w - 0.05, d - 0.04, 0, h - 0.05, 0.045, wood)
    p.solid((-w, h - 0.05, -d), (w, h, d))
    if seat is None:
        for i in range(3):
            z = -d + i * 0.122
            p.draw(box((-w, h - 0.04, z), (w, h, z + 0.115), 0.01), wood)
        p.draw(box((-w + 0.04, h - 0.09, -0.02), (w - 0.04, h - 0.04, 0.02), 0.006), wood)
    else:
        p.draw(box((-w, h - 0.06, -d), (w, h - 0.03, d), 0.008), wood)
        p.draw(blob((0, h - 0.03, 0), (w, 0.03, d), (0.4, 0.25), 6, 20), seat)
    p.on("top", (0, h, 0), w - 0.03, d - 0.02)
    return p


TABLE_DIRT = [(-0.5, 0.3), (0.35, -0.4), (0.1, 0.45), (-0.2, -0.15), (0.6, 0.25), (-0.65, -0.4)]


def _dirty_top(p: Piece, half_x: float, half_z: float, y: float) -> None:
    p.smudges([((x * half_x, y, z * half_z), UP) for x, z in TABLE_DIRT], 0.055)


def table(variant: int, wood: str, leg: str, half_x: float, half_z: float, h: float) -> Piece:
    """Build a rectangular table on four legs."""
    p = Piece("table", variant, "furniture", ("is_clean",))
    p.panel((-half_x, h - 0.035, -half_z), (half_x, h, half_z), wood, bevel=0.012)
    apron = 0.07 if h > 0.6 else 0.04
    inset = 0.06
    for low, high in (
        ((-half_x + inset, -half_z + inset), (half_x - inset, -half_z + inset + 0.02)),
        ((-half_x + inset, half_z - inset - 0.02), (half_x - inset, half_z - inset)),
        ((-half_x + inset, -half_z + inset), (-half_x + inset + 0.02, half_z - inset)),
        ((half_x - inset - 0.02, -half_z + inset), (half_x - inset, half_z - inset)),
    ):
        p.draw(box((low[0], h - 0.035 - apron, low[1]), (high[0], h - 0.035, high[1]), 0.004), leg)
    legs(p, half_x - 0.07, half_z - 0.07, 0, h - 0.035, 0.065 if h > 0.6 else 0.05, leg)
    p.on("top", (0, h, 0), half_x - 0.04, half_z - 0.04)
    _dirty_top(p, half_x, half_z, h)
    return p


def round_table(variant: int, wood: str, leg: str, radius: float, h: float) -> Piece:
    """Build a round table on one turned foot; for rays its top is three crossing boxes."""
    p = Piece("table", variant, "furniture", ("is_clean",))
    p.draw(cylinder(radius, h - 0.035, h, 36, 0.012), wood)
    r = radius
    for hx, hz in ((r * 0.92, r * 0.38), (r * 0.71, r * 0.7), (r * 0.38, r * 0.92)):
        p.solid((-hx, h - 0.035, -hz), (hx, h, hz))
    foot = 0.55 * radius
    p.draw(
        lathe(
            [
                (0, 0),
                (foot, 0),
                (foot, 0.025),
                (foot * 0.6, 0.05),
                (0.05, 0.1),
                (0.045, h * 0.5),
                (0.06, h * 0.7),
                (0.05, h - 0.09),
                (0.14, h - 0.04),
                (0, h - 0.035),
            ],
            24,
        ),
        leg,
    )
    p.solid((-foot * 0.85, 0, -foot * 0.85), (foot * 0.85, 0.05, foot * 0.85))
    p.solid((-0.06, 0.05, -0.06), (0.06, h - 0.035, 0.06))
    side = 0.66 * radius
    p.on("top", (0, h, 0), side, side)
    _dirty_top(p, side, side, h)
    return p


def desk(variant: int, wood: str, paint: Paint) -> Piece:
    """Build a desk, 1.3 m wide, with two drawers beside the knees."""
    p = Piece("table", variant, "furniture", ("is_clean",))
    w, d, h = 0.65, 0.32, 0.74
    p.panel((-w, h - 0.03, -d), (w, h, d), wood, bevel=0.01)
    for z in (-d + 0.05, d - 0.05):
        p.panel((-w + 0.03, 0, z - 0.022), (-w + 0.075, h - 0.03, z + 0.022), paint.body)
    x0, x1 = 0.2, w - 0.02
    for low, high in (
        ((x0, 0.0, -d + 0.04), (x0 + 0.02, h - 0.03, d - 0.02)),
        ((x1 - 0.02, 0.0, -d + 0.04), (x1, h - 0.03, d - 0.02)),
        ((x0 + 0.02, 0.2, d - 0.04), (x1 - 0.02, h - 0.03, d - 0.02)),
    ):
        p.panel(low, high, paint.body, bevel=0.004)
    p.panel((-w + 0.075, h - 0.22, d - 0.05), (x0, h - 0.03, d - 0.03), paint.body, bevel=0.004)
    for i, (y0, y1) in enumerate(((0.48, 0.7), (0.22, 0.48))):
        drawer(p, f"drawer_{i + 1}", Front(x0, x1, y0, y1), -d + 0.02, d - 0.05, paint, "bar")
    p.on("top", (0, h, 0), w - 0.04, d - 0.04)
    _dirty_top(p, w, d, h)
    return p


def pieces() -> list[Piece]:
    return [
        chair(1, OAK, "#7d9a94", False),
        chair(2, WALNUT, "#8a6549", True),
        office_chair(3, "#5a5e63", "#6d8390"),
        couch("couch", 1, "#8fa3ab", "#c9b27f", WALNUT, 2.0, False),
        couch("couch", 2, "#b9836a", "#e3d5bf", OAK, 1.7, True),
        couch("couch", 3, "#7f8c72", "#e6d3b3", WALNUT, 2.0, True),
        couch("armchair", 1, "#a8ab86", "#e0d6c0", WALNUT, 0.9, False),
        couch("armchair", 2, "#c08a5f", "#efe2cc", OAK, 0.86, True),
        bed(1, OAK, "#8da0b3", "#f4f0e8", 1.6, False),
        bed(2, "#a99a8f", "#c98f78", "#f1e6d8", 1.4, True),
        bed(3, WHITE, "#e0a96d", "#f4f0e8", 1.0, False),
        bed(4, OAK, "#8fb0a3", "#f4f0e8", 1.0, False),
        bench(1, OAK, None),
        bench(2, WALNUT, "#a3b09a"),
        table(1, "#c9a67c", "#b58f66", 0.8, 0.45, 0.75),
        round_table(2, "#9a7355", "#8a6549", 0.55, 0.75),
        table(3, "#b78f68", "#6e5545", 0.55, 0.3, 0.42),
        round_table(4, "#dccbb0", "#c4a179", 0.42, 0.42),
        desk(5, "#c9a67c", Paint(WHITE, "#dfe3e2", fitting=BRASS)),
        desk(6, "#8f6a4d", Paint("#6a6d70", "#8b9297", fitting=BRASS)),
    ]
