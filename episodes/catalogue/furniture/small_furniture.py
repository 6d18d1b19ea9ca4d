"""Stools, shoe racks, chests with lids, filing cabinets and workbenches."""

from __future__ import annotations

import math

from episodes.catalogue.furniture.storage import BRASS, IRON, OAK, STEEL, UP, WALNUT, WHITE
from episodes.catalogue.mesh.carpentry import (
    BOARD,
    Front,
    Paint,
    carcass,
    drawer,
    feet,
    legs,
    round_legs,
    shelf_board,
)
from episodes.catalogue.mesh.meshes import blob, box, cylinder, tube
from episodes.catalogue.mesh.pieces import Piece, bar_handle


def bar_stool(variant: int, wood: str, seat: str) -> Piece:
    """Build a high stool with a foot rest: seat at 0.65 m."""
    p = Piece("stool", variant, "furniture", ())
    r, h = 0.17, 0.65
    for k in range(4):
        a = math.tau * (k + 0.5) / 4
        c, s = math.cos(a), math.sin(a)
        p.draw(tube([(0.2 * c, 0, 0.2 * s), (0.12 * c, h - 0.03, 0.12 * s)], 0.014, 8), wood)
    rest = [
        (
            0.175 * math.cos(math.tau * (k + 0.5) / 4),
            0.22,
            0.175 * math.sin(math.tau * (k + 0.5) / 4),
        )
        for k in range(4)
    ]
    p.draw(tube(rest, 0.009, 6, closed=True), BRASS, "metal")
    p.draw(cylinder(r, h - 0.04, h, 24, 0.015), seat)
    p.solid((-0.15, 0, -0.15), (0.15, h - 0.04, 0.15))
    p.solid((-r, h - 0.04, -r), (r, h, r))
    p.on("seat", (0, h, 0), 0.11, 0.11)
    return p


def low_stool(variant: int, wood: str, seat: str) -> Piece:
    """Build an upholstered footstool: seat at 0.42 m."""
    p = Piece("stool", variant, "furniture", ())
    w, h = 0.22, 0.42
    round_legs(p, w - 0.04, w - 0.04, 0, h - 0.12, 0.018, wood)
    p.solid((-w, h - 0.14, -w), (w, h, w))
    p.draw(box((-w, h - 0.14, -w), (w, h - 0.04, w), 0.03), seat)
    p.draw(blob((0, h - 0.045, 0), (w, 0.045, w), (0.35, 0.25), 8, 20), seat)
    p.on("seat", (0, h, 0), w - 0.05, w - 0.05)
    return p


def shoe_rack(variant: int, body: str, board: str, metal: bool) -> Piece:
    """Build three low boards for shoes, 0.8 m wide; things can be put on the uppermost."""
    p = Piece("shoe_rack", variant, "furniture", ())
    w, d, h = 0.4, 0.15, 0.56
    for x in (-w + 0.012, w - 0.012):
        if metal:
            for z in (-d + 0.012, d - 0.012):
                low, high = (x - 0.012, 0, z - 0.012), (x + 0.012, h, z + 0.012)
                p.panel(low, high, body, "metal", bevel=0.004)
        else:
            p.panel((x - 0.012, 0, -d), (x + 0.012, h, d), body, bevel=0.004)
    inner = w - 0.024
    for i, y in enumerate((0.1, 0.33)):
        p.solid((-inner, y - 0.018, -d), (inner, y, d))
        for k in range(4):
            z = -d + 0.004 + 0.078 * k
            p.draw(box((-inner, y - 0.018, z), (inner, y, z + 0.056), 0.004), board)
        p.on(f"shelf_{i + 1}", (0, y, 0), inner - 0.02, d - 0.02, 0.2)
    p.panel((-w, h - 0.02, -d), (w, h, d), board, bevel=0.006)
    p.on("top", (0, h, 0), w - 0.03, d - 0.02)
    return p


def lidded_chest(variant: int, paint: Paint, planks: int) -> Piece:
    """Build a chest for toys and blankets, its lid hinged at the back."""
    p = Piece("chest", variant, "furniture", ())
    w, d, h = 0.45, 0.24, 0.5
    t = 0.022
    feet(p, w - 0.06, d - 0.05, 0.04, paint.fitting)
    p.panel((-w, 0.04, -d), (w, 0.06, d), paint.inside, bevel=0.0)
    for low, high in (
        ((-w, -d), (-w + t, d)),
        ((w - t, -d), (w, d)),
        ((-w + t, -d), (w - t, -d + t)),
        ((-w + t, d - t), (w - t, d)),
    ):
        p.panel((low[0], 0.06, low[1]), (high[0], h - 0.04, high[1]), paint.body, bevel=0.003)
    step = (h - 0.12) / planks
    for k in range(planks):
        y = 0.07 + k * step
        p.draw(
            box((-w + 0.01, y, -d - 0.006), (w - 0.01, y + step - 0.012, -d), 0.004), paint.front
        )
    lid = p.hinge("lid", (0, h - 0.035, d - 0.05), (1.0, 0.0, 0.0), 75)
    p.panel((-w - 0.008, h - 0.032, -d - 0.012), (w + 0.008, h, d - 0.05), paint.front, part=lid)
    p.panel((-w - 0.008, h - 0.04, d - 0.045), (w + 0.008, h, d), paint.front)
    p.draw(bar_handle(0, h - 0.1, -d - 0.006, 0.12), paint.fitting, "metal")
    p.within("inside", (0, 0.06, 0), w - t - 0.02, d - t - 0.02, 0.36, lid)
    return p


def filing_cabinet(variant: int, colour: str, fitting: str) -> Piece:
    """Build three deep drawers, 0.42 m wide and 1.0 m high."""
    p = Piece("filing_cabinet", variant, "furniture", ())
    w, d, h = 0.21, 0.27, 1.0
    paint = Paint(colour, colour, "#c4c9cc", fitting)
    p.panel((-w + 0.02, 0, -d + 0.04), (w - 0.02, 0.05, d - 0.02), IRON, bevel=0.0)
    carcass(p, Front(-w, w, 0.05, h), -d + BOARD, d, paint)
    step = (h - 0.07) / 3
    for k in range(3):
        y0 = 0.055 + (2 - k) * step
        drawer(p, f"drawer_{k + 1}", Front(-w, w, y0, y0 + step), -d, d - 0.03, paint, "bar")
        label = box((-0.05, y0 + step - 0.07, -d - 0.003), (0.05, y0 + step - 0.035, -d), 0.002)
        p.draw(label, "#f2ecdc", part=k)
    p.on("top", (0, h, 0), w - 0.03, d - 0.04)
    return p


def workbench(variant: int, wood: str, frame: str, paint: Paint) -> Piece:
    """Build a bench to work at, 1.5 m wide: a thick top, a drawer, a low shelf, a vice."""
    p = Piece("workbench", variant, "furniture", ("is_clean",))
    w, d, h = 0.75, 0.3, 0.88
    legs(p, w - 0.06, d - 0.05, 0, h - 0.06, 0.08, frame)
    p.panel((-w, h - 0.06, -d), (w, h, d), wood, bevel=0.008)
    shelf_board(p, -w + 0.04, w - 0.04, 0.24, -d + 0.04, d - 0.02, wood)
    frame_of_drawer = Front(-0.62, -0.02, h - 0.24, h - 0.065)
    for x0, x1 in ((-0.64, -0.62), (-0.02, 0.0)):
        p.panel((x0, h - 0.24, -d + 0.03), (x1, h - 0.06, d - 0.05), frame, bevel=0.002)
    drawer(p, "drawer_1", frame_of_drawer, -d + 0.01, d - 0.06, paint, "bar")
    for z0, z1 in ((-d - 0.02, -d), (-d - 0.05, -d - 0.033)):
        p.draw(box((0.4, h - 0.13, z0), (0.58, h - 0.01, z1), 0.006), IRON, "metal")
    y, z = h - 0.07, -d - 0.06
    p.draw(tube([(0.49, y, z), (0.49, y, -d)], 0.012, 8), STEEL, "metal")
    p.draw(tube([(0.43, y, z), (0.55, y, z)], 0.006, 6), STEEL, "metal")
    p.on("top", (0, h, 0), w - 0.04, d - 0.04)
    p.on("shelf", (0, 0.24, 0), w - 0.12, d - 0.1, 0.35)
    spots = [(-0.5, 0.1), (0.2, -0.15), (0.6, 0.12), (-0.1, -0.05), (-0.35, -0.18)]
    p.smudges([((x, h, z), UP) for x, z in spots], 0.055)
    return p


def pieces() -> list[Piece]:
    return [
        bar_stool(1, OAK, "#c4a179"),
        bar_stool(2, IRON, "#8a6549"),
        low_stool(3, WALNUT, "#c98f78"),
        low_stool(4, OAK, "#8da0b3"),
        shoe_rack(1, OAK, "#d7bb93", False),
        shoe_rack(2, IRON, "#94694a", True),
        lidded_chest(1, Paint(OAK, "#d7bb93", fitting=IRON), 3),
        lidded_chest(2, Paint("#7fa3a8", "#e9c46a", "#e9dfcd", "#c9705a"), 2),
        filing_cabinet(1, "#8d979d", STEEL),
        filing_cabinet(2, "#dcd6c8", BRASS),
        workbench(1, "#c09a6b", "#8a6f52", Paint(OAK, "#b98f62", fitting=IRON)),
        workbench(2, "#a9825a", "#4f6b7a", Paint(WHITE, "#5f7f92", fitting=STEEL)),
    ]
