"""Clothes."""

from __future__ import annotations

import math

from episodes.catalogue.mesh.meshes import arc, blob, box, cylinder, lathe, tube
from episodes.catalogue.mesh.pieces import Piece, thing
from episodes.catalogue.mesh.sweeps import (
    block,
    curve,
    extruded,
    pebble,
    ring,
    tapered,
)

STEEL, GOLD, BLACK = "#c3c7c9", "#c9a24a", "#2d2f33"


def shirt(variant: int, cloth: str, trim: str, collar: bool) -> Piece:
    """Build a folded shirt, the collar to +Z."""
    p = thing("shirt", variant)
    p.draw(block(0.24, 0.022, 0.3, bevel=0.01), cloth)
    p.draw(block(0.236, 0.02, 0.29, (0, 0.018, 0.003), 0.009), cloth)
    top = 0.0375
    if collar:
        for side in (-1, 1):
            wing = extruded(
                [(0, 0.0), (0.055, 0.03), (0.06, 0.055), (0.0, 0.045)], top, top + 0.008, 0.002
            )
            p.draw(
                (
                    wing if side > 0 else wing.turned((0, 0, 1), 180).moved(0, 2 * top + 0.008, 0)
                ).moved(0, 0, 0.095),
                trim,
            )
        for k in range(4):
            p.draw(cylinder(0.005, top, top + 0.002, 9).moved(0, 0, 0.07 - 0.05 * k), trim)
        p.draw(block(0.06, 0.003, 0.06, (0.06, top - 0.001, 0.02), 0.001), trim)
        p.draw(box((-0.006, top - 0.001, -0.14), (0.006, top + 0.0008, 0.1), 0.0), trim)
    else:
        p.draw(tube(arc((0, top, 0.15), 0.05, 180, 360, "xz", 10), 0.006, 6), trim)
        for k in range(3):
            p.draw(block(0.237, 0.0006, 0.026, (0, top + 0.0003, -0.02 - 0.05 * k), 0.0), trim)
    return p.settled()


def sock(variant: int, wool: str, band: str) -> Piece:
    """Build a sock lying on its side."""
    p = thing("sock", variant)
    line = curve(
        [
            (0.0, 0.014, 0.13),
            (0.0, 0.014, 0.04),
            (0.012, 0.014, -0.03),
            (-0.05, 0.014, -0.07),
            (-0.11, 0.014, -0.085),
        ],
        3,
    )
    n = len(line)
    radii = [0.033 + 0.006 * math.sin(2.6 * i / n) for i in range(n - 1)] + [0.018]
    p.draw(tapered(line, radii, 12).scaled(1, 0.42, 1), wool)
    for z in (0.122, 0.1, 0.078):
        p.draw(
            lathe([(0.0345, -0.006), (0.0352, 0.0), (0.0345, 0.006)], 14)
            .turned((1, 0, 0), 90)
            .scaled(1, 0.43, 1)
            .moved(0, 0.006, z),
            band,
        )
    p.draw(pebble(0.05, 0.024, 0.05, (0.018, 0.0, -0.05)), band)
    p.draw(pebble(0.045, 0.024, 0.05, (-0.105, 0.0, -0.085)), band)
    return p.settled()


def tie(variant: int, silk: str, stripe: str) -> Piece:
    """Build a tie folded in half, both ends to -Z."""
    p = thing("tie", variant)
    wide = [(-0.03, 0.16), (-0.046, -0.14), (0, -0.18), (0.046, -0.14), (0.03, 0.16)]
    p.draw(extruded([(0.75 * x + 0.012, z + 0.03) for x, z in wide], 0, 0.004), silk, "satin")
    p.draw(extruded(wide, 0.005, 0.011, 0.001), silk, "satin")
    p.draw(block(0.058, 0.014, 0.02, (0.002, 0, 0.158), 0.005), silk, "satin")
    for k in range(6):
        band = [(-0.03, -0.012), (0.03, 0.016), (0.03, 0.026), (-0.03, -0.002)]
        p.draw(extruded(band, 0.0106, 0.0116).moved(0, 0, 0.1 - 0.045 * k), stripe)
    return p.settled()


def belt(variant: int, leather: str, buckle: str) -> Piece:
    """Build a belt rolled up, standing on its edge."""
    p = thing("belt", variant)
    turns = 40
    points = [
        ((0.028 + 0.0011 * k) * math.cos(0.5 * k), (0.028 + 0.0011 * k) * math.sin(0.5 * k))
        for k in range(turns)
    ]
    inner = [
        ((r - 0.0034) * math.cos(0.5 * k), (r - 0.0034) * math.sin(0.5 * k))
        for k, r in ((k, 0.028 + 0.0011 * k) for k in reversed(range(turns)))
    ]
    p.draw(extruded([*points, *inner], 0, 0.036), leather, "satin")
    end = points[-1]
    frame = [(-0.022, 0.002, 0), (0.022, 0.002, 0), (0.022, 0.04, 0), (-0.022, 0.04, 0)]
    p.draw(
        tube(frame, 0.004, 6, closed=True)
        .turned((0, 1, 0), 60)
        .moved(end[0] + 0.004, -0.003, end[1] + 0.006),
        buckle,
        "metal",
    )
    return p.settled()


def slipper(variant: int, felt: str, fur: str) -> Piece:
    p = thing("slipper", variant)
    sole = [
        (0.046 * math.cos(a) * (1 + 0.12 * math.sin(-a)), 0.13 * math.sin(a))
        for a in (math.tau * k / 22 for k in range(22))
    ]
    p.draw(extruded(sole, 0, 0.018, 0.004), "#6b5a4a")
    p.draw(extruded([(0.92 * x, 0.95 * z) for x, z in sole], 0.017, 0.024, 0.002), fur)
    p.draw(blob((0, 0.022, -0.055), (0.05, 0.05, 0.075), (0.8, 0.85), 8, 16), felt)
    p.draw(tube(arc((0, 0.02, 0.012), 0.045, 5, 175, "xy", 10), 0.011, 7), fur)
    return p.settled()


def glove(variant: int, leather: str, cuff: str, mitten: bool) -> Piece:
    """Build a glove lying flat, fingers to -Z."""
    p = thing("glove", variant)
    p.draw(blob((0, 0.016, 0.0), (0.045, 0.016, 0.055), (0.7, 0.6), 7, 16), leather)
    if mitten:
        p.draw(blob((0, 0.016, -0.055), (0.044, 0.016, 0.05), (0.8, 0.8), 7, 16), leather)
    else:
        for k, long in enumerate((0.055, 0.068, 0.064, 0.048)):
            x = 0.021 * (k - 1.5)
            lean = 5 * (k - 1.5)
            finger = tapered(
                [(x, 0.014, -0.035), (x, 0.014, -0.045 - long * 0.8), (x, 0.014, -0.045 - long)],
                [0.0115, 0.0105, 0.005],
                9,
            )
            p.draw(finger.turned((0, 1, 0), -lean, (x, 0, -0.03)), leather)
    thumb = tapered(
        [(0.035, 0.014, 0.01), (0.06, 0.014, -0.02), (0.068, 0.014, -0.045)],
        [0.014, 0.0125, 0.006],
        9,
    )
    p.draw(thumb, leather)
    p.draw(block(0.078, 0.031, 0.05, (0, 0.0005, 0.07), 0.012), cuff)
    for z in (0.06, 0.075):
        p.draw(block(0.0795, 0.0322, 0.006, (0, 0.0, z), 0.012), leather)
    return p.settled()


def scarf(variant: int, wool: str, stripe: str, coiled: bool) -> Piece:
    p = thing("scarf", variant)
    if coiled:
        for k in range(3):
            p.draw(ring(0.1 - 0.03 * k, 0.026, 0.024 + 0.012 * k, 20), stripe if k == 1 else wool)
    else:
        p.draw(block(0.16, 0.03, 0.26, bevel=0.013), wool)
        p.draw(block(0.156, 0.028, 0.256, (0, 0.026, 0), 0.012), wool)
        for k in range(4):
            p.draw(block(0.162, 0.055, 0.022, (0, 0.0005, -0.09 + 0.06 * k), 0.013), stripe)
    for k in range(9):
        x = (0.015 * (k - 4)) if not coiled else 0.01 * (k - 4)
        z = -0.145
        p.draw(block(0.007, 0.006, 0.05, (x, 0.004, z), 0.002), stripe if k % 2 else wool)
    return p.settled()


def helmet(variant: int, shell: str, trim: str) -> Piece:
    """Build a bicycle helmet with vents."""
    p = thing("helmet", variant)
    half = [
        (0.1 * math.cos(a), 0.125 * math.sin(a) + 0.02)
        for a in (math.pi / 2 * k / 7 for k in range(8))
    ]
    p.draw(
        lathe([(0.092, 0.012), (0.1, 0.02), *half[1:-1], (0, 0.145)], 22).scaled(1, 1, 1.25),
        shell,
        "satin",
    )
    p.draw(ring(0.098, 0.008, 0.018, 22).scaled(1, 1, 1.25), trim)
    p.draw(lathe([(0.09, 0.012), (0.085, 0.06), (0, 0.09)][::-1], 16).scaled(1, 1, 1.25), BLACK)
    for x in (-0.045, 0, 0.045):
        line = [
            (
                x * 0.9,
                0.02 + 0.125 * math.sqrt(max(0, 1 - (x / 0.1) ** 2 - (z / 0.125) ** 2)) + 0.0005,
                z,
            )
            for z in (-0.075, -0.03, 0.02, 0.07)
        ]
        p.draw(tapered(line, [0.003, 0.008, 0.008, 0.003], 7).scaled(1, 1, 1), trim)
    for side in (-1, 1):
        p.draw(
            tube(
                curve(
                    [(side * 0.09, 0.02, 0.0), (side * 0.07, 0.006, 0.01), (0.0, 0.004, 0.02)], 3
                ),
                0.004,
                6,
            ),
            BLACK,
        )
    return p.settled()


def pieces() -> list[Piece]:
    return [
        shirt(1, "#8fb9dc", "#f4f4f0", True),
        shirt(2, "#d9603f", "#f4e6c4", False),
        sock(1, "#d8433b", "#f4f1ea"),
        sock(2, "#5f7f9f", "#33506b"),
        tie(1, "#8e2436", "#d9ae45"),
        tie(2, "#2f4f8a", "#bcd3e8"),
        belt(1, "#5a3722", GOLD),
        belt(2, "#2d2f33", STEEL),
        slipper(1, "#8a6fa8", "#f1e6ec"),
        slipper(2, "#8a5a36", "#f1e6cc"),
        glove(1, "#6b4326", "#4a2f1c", False),
        glove(2, "#c0342c", "#f4f1ea", True),
        scarf(1, "#3f7a5f", "#f1e6cc", False),
        scarf(2, "#d9607f", "#f7d9e2", True),
        helmet(1, "#e04f3d", "#f4f1ea"),
        helmet(2, "#3f9ac0", "#22303a"),
    ]
