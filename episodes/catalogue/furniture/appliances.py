"""Appliances: fridges, stoves, washing machines, televisions and standing lamps."""

from __future__ import annotations

import math

import numpy as np

from episodes.catalogue.furniture.storage import (
    BRASS,
    IRON,
    OAK,
    STEEL,
    UP,
)
from episodes.catalogue.mesh.carpentry import BOARD, Front, Paint, carcass, slab
from episodes.catalogue.mesh.meshes import Mesh, arc, blob, box, cylinder, lathe, prism, tube
from episodes.catalogue.mesh.pieces import Piece, bar_handle, disc, knob


def fridge(variant: int, colour: str, retro: bool) -> Piece:
    """Build a fridge-freezer, or a round-shouldered one with a single door."""
    p = Piece("fridge", variant, "furniture", ())
    w, d, h = 0.33, 0.31, 1.78 if not retro else 1.5
    paint = Paint(colour, colour, "#eef1f2", STEEL)
    front = -d
    p.panel((-w + 0.02, 0, front + 0.06), (w - 0.02, 0.06, d - 0.02), IRON, bevel=0.0)
    split = 0.68 if not retro else 0.06
    frame = Front(-w, w, 0.06, h)
    carcass(p, frame, front + 0.045, d, paint)
    b = 0.045
    if not retro:
        p.panel(
            (-w + BOARD, split - 0.02, front + b),
            (w - BOARD, split, d - BOARD),
            "#eef1f2",
            bevel=0.0,
        )
        low = p.hinge("freezer_door", (-w, 0.06, front), UP, 90)
        p.panel((-w, 0.065, front), (w, split - 0.012, front + b), colour, "satin", low, 0.014)
        p.draw(bar_handle(w - 0.05, split - 0.16, front, 0.22, True), STEEL, "metal", low)
        p.within("freezer", (0, 0.08, 0.02), w - 0.05, 0.2, 0.55, low)
    main = p.hinge("door", (-w, split, front), UP, 90)
    bevel = 0.014 if not retro else 0.04
    p.panel((-w, split, front), (w, h - 0.003, front + b), colour, "satin", main, bevel)
    if retro:
        p.draw(
            box((w - 0.16, 0.86, front - 0.035), (w - 0.03, 0.885, front - 0.015), 0.009),
            STEEL,
            "metal",
            main,
        )
        p.draw(
            box((w - 0.06, 0.85, front - 0.025), (w - 0.03, 0.895, front), 0.006),
            STEEL,
            "metal",
            main,
        )
        p.draw(
            cylinder(0.33, -0.3, 0.3, 28, 0.03)
            .scaled(1, 1, 0.18)
            .turned((1, 0, 0), 90)
            .moved(0, h - 0.03, 0.02),
            colour,
            "satin",
        )
    else:
        p.draw(bar_handle(w - 0.05, split + 0.3, front, 0.4, True), STEEL, "metal", main)
    shelf = "#d5e3e6"
    levels = (split + 0.38, split + 0.72) if not retro else (0.48, 0.86, 1.14)
    bottoms = [split + 0.02 if retro else split, *levels]
    for i, y in enumerate(bottoms):
        if i:
            p.panel(
                (-w + BOARD, y - 0.012, front + b + 0.03),
                (w - BOARD, y, d - BOARD),
                shelf,
                "satin",
                bevel=0.0,
            )
        p.within(
            f"shelf_{i + 1}", (0, y, 0.03), w - 0.05, 0.19, 0.25 if retro and i else 0.32, main
        )
    # The bottle shelf on the door is only drawn: nothing can be put on it.
    for y in (split + 0.25, split + 0.6):
        p.draw(
            box((-w + 0.05, y, front + b), (w - 0.05, y + 0.06, front + b + 0.05), 0.01),
            shelf,
            "satin",
            main,
        )
    return p


def stove(variant: int, colour: str) -> Piece:
    """Build a cooker: four rings on top, an oven with a drop-down door."""
    p = Piece("stove", variant, "furniture", ("is_clean", "is_powered_on"))
    w, d, h = 0.3, 0.3, 0.9
    front = -d + 0.02
    paint = Paint(colour, colour, "#5b5f63", STEEL)
    p.panel((-w, 0, front + 0.06), (w, 0.1, d), "#4e4a46", bevel=0.0)
    carcass(p, Front(-w, w, 0.1, h - 0.03), front + BOARD, d, paint)
    p.panel((-w, h - 0.03, -d), (w, h, d), "#3b3f43", "satin", bevel=0.008)
    p.panel((-w, 0.74, front), (w, h - 0.03, front + BOARD), colour, bevel=0.004)
    for i in range(5):
        p.draw(knob(-0.2 + 0.1 * i, 0.805, front, 0.019), STEEL, "metal")
    part = p.hinge("oven_door", (0, 0.2, front), (-1.0, 0.0, 0.0), 90)
    slab(p, Front(-w + 0.01, w - 0.01, 0.2, 0.73), front, colour, part)
    p.draw(
        box((-0.2, 0.3, front - 0.004), (0.2, 0.56, front + 0.004), 0.003), "#2d3338", "satin", part
    )
    p.draw(bar_handle(0, 0.665, front, 0.44), STEEL, "metal", part)
    p.panel((-w + 0.01, 0.105, front), (w - 0.01, 0.195, front + BOARD), colour, bevel=0.004)
    p.panel(
        (-w + BOARD, 0.36, front + 0.06), (w - BOARD, 0.372, d - BOARD), STEEL, "metal", bevel=0.0
    )
    p.within("oven", (0, 0.372, 0.01), w - 0.05, 0.2, 0.33, part)
    for x, z, r in (
        (-0.14, -0.12, 0.085),
        (0.14, -0.12, 0.07),
        (-0.14, 0.14, 0.07),
        (0.14, 0.14, 0.085),
    ):
        ring = tube(arc((x, h + 0.001, z), r, 0, 360, "xz", 20)[:-1], 0.004, 5, closed=True)
        p.draw(ring, "#6d7276", "metal")
        p.draw(disc(r - 0.012, h + 0.0015, x, z, 20), "#2b2e31", "satin")
        p.show(disc(r - 0.004, h + 0.003, x, z, 20), "#c8452e", "glow_hot", "is_powered_on")
    glow = box((-0.22, h - 0.062, front + 0.08), (0.22, h - 0.055, d - 0.06), 0.002)
    p.show(glow, "#ff8a4a", "glow_hot", "is_powered_on")
    p.on("top", (0, h, 0), w - 0.05, d - 0.06, 0.5)
    p.smudges(
        [
            ((0.02, h, 0.0), UP),
            ((-0.24, h, 0.03), UP),
            ((0.22, h, -0.24), UP),
            ((0.0, h, -0.2), UP),
        ],
        0.045,
    )
    return p


def _holed_plate(half: float, radius: float) -> Mesh:
    """Return a square plate that faces -Z, with a round hole."""
    n = 32
    angles = np.arange(n + 1) * (math.tau / n) + math.pi / 4
    c, s = np.cos(angles), np.sin(angles)
    edge = half / np.maximum(np.abs(c), np.abs(s))
    inner = np.column_stack([radius * c, radius * s, np.zeros(n + 1)])
    outer = np.column_stack([edge * c, edge * s, np.zeros(n + 1)])
    k = np.arange(n)
    m = n + 1
    faces = np.vstack(
        [np.column_stack([k, k + 1, k + m]), np.column_stack([k + 1, k + 1 + m, k + m])]
    )
    normals = np.tile([0.0, 0.0, -1.0], (2 * m, 1))
    return Mesh(np.vstack([inner, outer]), normals, faces)


def washer(variant: int, colour: str) -> Piece:
    """Build a front-loading washing machine with a round door."""
    p = Piece("washer_dryer", variant, "furniture", ("is_powered_on",))
    w, d, h = 0.3, 0.3, 0.86
    front = -d + 0.02
    paint = Paint(colour, colour, "#9aa1a6", STEEL)
    carcass(p, Front(-w, w, 0.0, h), front + BOARD, d, paint)
    for low, high in (
        ((-w, 0.0), (w, 0.2)),
        ((-w, 0.66), (w, h)),
        ((-w, 0.2), (-0.23, 0.66)),
        ((0.23, 0.2), (w, 0.66)),
    ):
        p.panel(
            (low[0], low[1], front), (high[0], high[1], front + BOARD), colour, "satin", bevel=0.003
        )
    p.draw(_holed_plate(0.235, 0.205).moved(0, 0.43, front + 0.004), colour, "satin")
    part = p.hinge("door", (-0.23, 0.2, front - 0.02), UP, 90)
    p.solid((-0.23, 0.2, front - 0.02), (0.23, 0.66, front + BOARD), part)
    turn = ((1.0, 0.0, 0.0), -90.0)
    rim = lathe(
        [(0.15, -0.01), (0.2, -0.01), (0.225, 0.015), (0.2, 0.04), (0.155, 0.035), (0.15, -0.01)],
        30,
    )
    p.draw(rim.turned(*turn).moved(0, 0.43, front + 0.01), "#c3c8cb", "metal", part)
    glass = lathe([(0.155, 0.01), (0.1, 0.03), (0, 0.038)], 24)
    p.draw(glass.turned(*turn).moved(0, 0.43, front + 0.01), "#6f8894", "satin", part)
    p.draw(box((0.17, 0.4, front - 0.05), (0.2, 0.46, front - 0.02), 0.008), STEEL, "metal", part)
    p.draw(box((-w + 0.03, 0.73, front - 0.006), (-0.06, 0.82, front), 0.006), "#dfe3e4", "satin")
    p.draw(knob(0.08, 0.775, front, 0.032), STEEL, "metal")
    p.draw(box((0.16, 0.75, front - 0.003), (0.25, 0.8, front), 0.003), "#3a4045", "satin")
    p.show(
        box((0.165, 0.755, front - 0.006), (0.245, 0.795, front - 0.002), 0.002),
        "#7fc4e8",
        "glow_cool",
        "is_powered_on",
    )
    p.within("drum", (0, 0.2, 0.02), w - 0.06, 0.18, 0.45, part)
    p.panel((-w + BOARD, 0.18, front + BOARD), (w - BOARD, 0.2, d - BOARD), "#9aa1a6", bevel=0.0)
    p.on("top", (0, h, 0), w - 0.04, d - 0.06)
    return p


def television(variant: int, frame: str, width: float) -> Piece:
    """Build a flat screen on the wall; its base is the lower edge."""
    p = Piece("tv", variant, "furniture", ("is_powered_on",))
    w, h = width / 2, width * 0.57
    p.panel((-w, 0, -0.03), (w, h, 0.02), frame, "satin", bevel=0.008)
    p.draw(
        box((-w + 0.015, 0.02, -0.034), (w - 0.015, h - 0.015, -0.028), 0.002), "#23282c", "satin"
    )
    z = -0.036
    p.show(
        box((-w + 0.02, 0.025, z), (w - 0.02, h - 0.02, z + 0.002), 0.0),
        "#9fd0ee",
        "glow_cool",
        "is_powered_on",
    )
    p.show(
        disc(h * 0.17, 0).turned((1, 0, 0), -90).moved(w * 0.45, h * 0.66, z - 0.001),
        "#ffd98a",
        "glow_warm",
        "is_powered_on",
    )
    hill = [
        (-w + 0.02, 0.025),
        (w - 0.02, 0.025),
        (w - 0.02, 0.2 * h),
        (0.3 * w, 0.42 * h),
        (-0.2 * w, 0.22 * h),
        (-0.6 * w, 0.38 * h),
        (-w + 0.02, 0.24 * h),
    ]
    p.show(
        prism(hill, 0, 0.001).turned((1, 0, 0), -90).moved(0, 0, z - 0.001),
        "#4f8f6a",
        "glow_cool",
        "is_powered_on",
    )
    return p


def floor_lamp(variant: int, metal: str, shade: str, bowed: bool) -> Piece:
    """Build a standing lamp, 1.6 m high."""
    p = Piece("floor_lamp", variant, "furniture", ("is_powered_on",))
    p.solid((-0.14, 0, -0.14), (0.14, 0.03, 0.14))
    p.solid((-0.015, 0.03, -0.015), (0.015, 1.28, 0.015))
    p.solid((-0.17, 1.28, -0.17), (0.17, 1.6, 0.17))
    if bowed:
        for k in range(3):
            a = math.radians(120 * k + 90)
            c, s = math.cos(a), math.sin(a)
            p.draw(tube([(0.18 * c, 0, 0.18 * s), (0.02 * c, 1.25, 0.02 * s)], 0.013, 8), metal)
        profile = [
            (0.12, 1.28),
            (0.2, 1.3),
            (0.17, 1.58),
            (0.165, 1.58),
            (0.19, 1.31),
            (0.12, 1.29),
        ]
    else:
        p.draw(cylinder(0.14, 0, 0.025, 22, 0.01), metal, "metal")
        p.draw(cylinder(0.012, 0.02, 1.4, 10), metal, "metal")
        profile = [(0.17, 1.28), (0.11, 1.6), (0.105, 1.6), (0.165, 1.285), (0.17, 1.28)]
    p.draw(lathe(profile, 24), shade)
    p.draw(blob((0, 1.41, 0), (0.04, 0.05, 0.04)), "#f4ead2", "satin")
    p.show(blob((0, 1.41, 0), (0.05, 0.06, 0.05)), "#fff1c9", "glow_warm", "is_powered_on")
    glow = [(r + 0.002, y) for r, y in profile[1 if bowed else 0 : 3 if bowed else 2]]
    p.show(lathe(glow, 24), shade, "glow_warm", "is_powered_on")
    return p


def pieces() -> list[Piece]:
    return [
        fridge(1, "#e4e7e6", False),
        fridge(2, "#a9c4bf", True),
        stove(1, "#dcdad4"),
        stove(2, "#7a8790"),
        washer(1, "#eceeed"),
        washer(2, "#aab4ba"),
        television(1, "#33383c", 1.1),
        television(2, "#55504b", 0.9),
        floor_lamp(1, BRASS, "#efe3cb", False),
        floor_lamp(2, OAK, "#d9b9a0", True),
    ]
