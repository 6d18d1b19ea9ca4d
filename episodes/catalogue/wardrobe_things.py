"""Clothes, and what people carry on them or in their hands."""

from __future__ import annotations

import math

from episodes.catalogue.meshes import arc, blob, box, cylinder, lathe, tube
from episodes.catalogue.pieces import Piece, disc, thing
from episodes.catalogue.sweeps import (
    block,
    curve,
    ellipse,
    extruded,
    pebble,
    ring,
    rod,
    round_rect,
    tapered,
    upright,
)

STEEL, GOLD, BLACK = "#c3c7c9", "#c9a24a", "#2d2f33"


def shirt(variant: int, cloth: str, trim: str, collar: bool) -> Piece:
    """Folded, the collar to +Z."""
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
    """A sock lying on its side."""
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
    """Folded in half, both ends to -Z."""
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
    """Rolled up on its edge."""
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
    """Lying flat, fingers to -Z."""
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


def umbrella(variant: int, cloth: str, grip: str, hooked: bool) -> Piece:
    """Furled, lying."""
    p = thing("umbrella", variant)
    half = 0.2 if hooked else 0.12
    y = 0.026
    p.draw(
        tapered(
            [(-half, y, 0), (-half + 0.02, y, 0), (half - 0.12, y, 0), (half - 0.08, y, 0)],
            [0.006, 0.014, 0.025, 0.02],
            9,
        ),
        cloth,
    )
    for k in range(6):
        fold = tapered(
            [(-half + 0.02, 0, 0.012), (half - 0.13, 0, 0.022), (half - 0.1, 0, 0.016)],
            [0.003, 0.006, 0.003],
            5,
        )
        p.draw(fold.turned((1, 0, 0), 60 * k).moved(0, y, 0), cloth)
    p.draw(rod((-half - 0.02, y, 0), (-half + 0.01, y, 0), 0.004, 7), STEEL, "metal")
    p.draw(rod((half - 0.09, y, 0), (half, y, 0), 0.006, 8), STEEL, "metal")
    p.draw(
        lathe([(0.0265, -0.006), (0.0265, 0.006)], 12)
        .turned((0, 0, 1), 90)
        .moved(half - 0.125, y, 0),
        grip,
    )
    if hooked:
        hook = curve(
            [
                (half, y, 0),
                (half + 0.045, y, 0.0),
                (half + 0.065, y, 0.025),
                (half + 0.045, y, 0.05),
                (half + 0.025, y, 0.046),
            ],
            3,
        )
        p.draw(tube(hook, 0.01, 8), grip, "satin")
    else:
        p.draw(
            tapered(
                [(half, y, 0), (half + 0.02, y, 0), (half + 0.06, y, 0), (half + 0.07, y, 0)],
                [0.01, 0.014, 0.015, 0.009],
                9,
            ),
            grip,
            "satin",
        )
    return p.settled()


def helmet(variant: int, shell: str, trim: str) -> Piece:
    """A bicycle helmet with vents."""
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


def handbag(variant: int, leather: str, clasp: str, soft: bool) -> Piece:
    p = thing("handbag", variant)
    if soft:
        p.draw(blob((0, 0.085, 0), (0.15, 0.085, 0.065), (0.6, 0.55), 9, 20), leather, "satin")
    else:
        side = [(-0.13, 0), (0.13, 0), (0.11, 0.16), (-0.11, 0.16)]
        p.draw(upright(extruded(side, -0.05, 0.05, 0.014)), leather, "satin")
        p.draw(
            upright(
                extruded(
                    [(-0.111, 0.162), (0.111, 0.162), (0.09, 0.08), (0, 0.062), (-0.09, 0.08)],
                    0.048,
                    0.056,
                    0.002,
                )
            ),
            leather,
            "satin",
        )
    p.draw(
        block(0.026, 0.024, 0.008, (0, 0.075, -0.06 if not soft else -0.067), 0.003), clasp, "metal"
    )
    for z in (-0.02, 0.02):
        bow = curve([(-0.07, 0.15, z), (-0.055, 0.24, z), (0.055, 0.24, z), (0.07, 0.15, z)], 4)
        p.draw(tube(bow, 0.006, 7), leather, "satin")
    for x in (-0.07, 0.07):
        p.draw(ring(0.011, 0.003, 0, 12).turned((0, 0, 1), 90).moved(x, 0.155, 0), clasp, "metal")
    return p.settled()


def backpack(variant: int, cloth: str, trim: str) -> Piece:
    p = thing("backpack", variant)
    p.draw(blob((0, 0.2, 0), (0.14, 0.2, 0.08), (0.45, 0.4), 10, 22), cloth)
    p.draw(blob((0, 0.11, -0.07), (0.105, 0.085, 0.045), (0.4, 0.4), 8, 18), trim)
    p.draw(
        tube(
            curve([(-0.085, 0.16, -0.104), (0, 0.172, -0.114), (0.085, 0.16, -0.104)], 4), 0.0035, 5
        ),
        BLACK,
    )
    p.draw(
        tube(
            curve(
                [
                    (-0.132, 0.2, -0.02),
                    (-0.11, 0.345, -0.03),
                    (0, 0.385, -0.034),
                    (0.11, 0.345, -0.03),
                    (0.132, 0.2, -0.02),
                ],
                4,
            ),
            0.0045,
            6,
        ),
        trim,
    )
    p.draw(
        tube(
            curve(
                [(-0.03, 0.39, 0.03), (-0.02, 0.43, 0.03), (0.02, 0.43, 0.03), (0.03, 0.39, 0.03)],
                3,
            ),
            0.007,
            7,
        ),
        trim,
    )
    for side in (-1, 1):
        strap = curve(
            [
                (side * 0.06, 0.38, 0.05),
                (side * 0.075, 0.3, 0.115),
                (side * 0.085, 0.15, 0.11),
                (side * 0.1, 0.04, 0.065),
            ],
            4,
        )
        p.draw(tube(strap, 0.012, 7), trim)
        p.draw(blob((side * 0.14, 0.1, 0), (0.03, 0.07, 0.05), (0.5, 0.6), 6, 12), trim)
    return p.settled()


def carrying_case(variant: int, shell: str, trim: str) -> Piece:
    """A hard case standing on its edge."""
    p = thing("carrying_case", variant)
    p.draw(
        upright(extruded(round_rect(0.16, 0.115, 0.02), -0.05, 0.05, 0.008), 0.115), shell, "satin"
    )
    p.draw(upright(extruded(round_rect(0.162, 0.117, 0.021), -0.005, 0.005), 0.115), trim, "metal")
    p.draw(
        tube(
            curve([(-0.045, 0.228, 0), (-0.04, 0.258, 0), (0.04, 0.258, 0), (0.045, 0.228, 0)], 3),
            0.0085,
            8,
        ),
        BLACK,
    )
    for x in (-0.09, 0.09):
        p.draw(block(0.026, 0.034, 0.012, (x, 0.2, -0.05), 0.003), trim, "metal")
        p.draw(
            upright(extruded(round_rect(0.006, 0.1, 0.004), 0.049, 0.0525), 0.115).moved(
                x * 1.4, 0, 0
            ),
            trim,
            "metal",
        )
    return p.settled()


def wallet(variant: int, leather: str, stitch: str) -> Piece:
    p = thing("wallet", variant)
    for k in range(2):
        p.draw(
            extruded(round_rect(0.056, 0.048, 0.008), 0.011 * k, 0.011 * k + 0.0105, 0.004),
            leather,
            "satin",
        )
    p.draw(
        tube(
            [(x, 0.0215, z) for x, z in round_rect(0.05, 0.042, 0.006, 3)], 0.0012, 4, closed=True
        ),
        stitch,
    )
    p.draw(block(0.088, 0.003, 0.02, (0, 0.0085, 0.044), 0.0), "#8fb98a")
    p.draw(block(0.022, 0.004, 0.02, (-0.047, 0.0205, 0), 0.0015), stitch)
    p.draw(cylinder(0.005, 0.022, 0.026, 9).moved(-0.044, 0, 0.01), GOLD, "metal")
    return p.settled()


def watch(variant: int, strap: str, case: str, face: str) -> Piece:
    """A wrist watch, its strap closed."""
    p = thing("watch", variant)
    loop = lathe([(0.03, -0.011), (0.0325, -0.009), (0.0325, 0.009), (0.03, 0.011)], 22)
    p.draw(loop.turned((0, 0, 1), 90).moved(0, 0.032, 0), strap, "satin")
    p.draw(
        lathe([(0.0302, 0.0105), (0.0302, -0.0105)], 22).turned((0, 0, 1), 90).moved(0, 0.032, 0),
        BLACK,
    )
    head = lathe([(0, 0.06), (0.018, 0.06), (0.0195, 0.063), (0.0195, 0.068), (0.017, 0.07)], 18)
    p.draw(head, case, "metal")
    p.draw(disc(0.0172, 0.0698, segments=18), face)
    p.draw(block(0.0016, 0.001, 0.012, (0, 0.07, 0.005), 0.0), BLACK)
    p.draw(block(0.009, 0.001, 0.0016, (0.004, 0.07, 0), 0.0), BLACK)
    for k in range(12):
        p.draw(
            block(0.001, 0.0008, 0.003, (0, 0.0698, 0.0145), 0.0).turned((0, 1, 0), 30 * k), BLACK
        )
    p.draw(
        cylinder(0.0025, 0.019, 0.023, 8).turned((0, 0, 1), -90).moved(0, 0.0655, 0), case, "metal"
    )
    return p.settled()


def spectacles(variant: int, frame: str, lens: str, round_one: bool) -> Piece:
    p = thing("spectacles", variant)
    for side in (-1, 1):
        shape = ellipse(0.024, 0.024, 18) if round_one else round_rect(0.028, 0.02, 0.009)
        rim = [(x + side * 0.033, 0.024 + z, -0.06) for x, z in shape]
        p.draw(tube(rim, 0.0024, 6, closed=True), frame, "satin")
        p.draw(
            upright(
                extruded([(0.95 * x, 0.95 * z) for x, z in shape], 0.0593, 0.0607), 0.024
            ).moved(side * 0.033, 0, 0),
            lens,
            "glass",
        )
        arm = [
            (side * 0.061, 0.032, -0.06),
            (side * 0.066, 0.032, 0.04),
            (side * 0.064, 0.006, 0.075),
        ]
        p.draw(tube(arm, 0.0024, 6), frame, "satin")
    p.draw(tube(arc((0, 0.024, -0.06), 0.0095, 20, 160, "xy", 5), 0.002, 6), frame, "satin")
    return p.settled()


def keychain(variant: int, tag: str, key: str, tag_round: bool) -> Piece:
    """Keys and a tag on a ring, lying."""
    p = thing("keychain", variant)
    p.draw(ring(0.016, 0.0018, 0.004, 18), STEEL, "metal")
    for turn, long in ((20, 0.05), (55, 0.056)):
        blade = [
            (0.03, -0.004),
            (0.03 + long, -0.004),
            (0.034 + long, 0),
            (0.03 + long, 0.004),
            (0.024 + long, 0.001),
            (0.018 + long, 0.004),
            (0.03, 0.004),
        ]
        one = extruded(blade, 0.002, 0.0045)
        p.draw(one.turned((0, 1, 0), turn), key, "metal")
        bow = ring(0.0085, 0.003, 0.0035, 12).moved(0.022, 0, 0)
        p.draw(bow.turned((0, 1, 0), turn), key, "metal")
    shape = extruded(
        ellipse(0.02, 0.02, 18) if tag_round else round_rect(0.026, 0.014, 0.005), 0, 0.006, 0.002
    )
    p.draw(shape.moved(-0.042, 0, 0.004), tag, "satin")
    p.draw(disc(0.008, 0.0063, -0.042, 0.004, 12), "#f7f2e7")
    return p.settled()


def credit_card(variant: int, colour: str, band: str) -> Piece:
    p = thing("credit_card", variant)
    p.draw(extruded(round_rect(0.043, 0.027, 0.004), 0, 0.0024), colour, "satin")
    p.draw(block(0.086, 0.0004, 0.011, (0, 0.0023, 0.013), 0.0), band)
    p.draw(block(0.012, 0.0006, 0.009, (-0.024, 0.0023, -0.002), 0.0), GOLD, "metal")
    for k in range(4):
        p.draw(block(0.014, 0.0005, 0.004, (-0.027 + 0.018 * k, 0.0023, -0.016), 0.0), "#f4f1ea")
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
        umbrella(1, "#b0304a", "#6b4326", True),
        umbrella(2, "#2f5f8a", "#2d2f33", False),
        helmet(1, "#e04f3d", "#f4f1ea"),
        helmet(2, "#3f9ac0", "#22303a"),
        handbag(1, "#a8452f", GOLD, False),
        handbag(2, "#6f8f7a", GOLD, True),
        backpack(1, "#33608a", "#e8862c"),
        backpack(2, "#7a8a5a", "#4f5a3a"),
        carrying_case(1, "#33383c", STEEL),
        carrying_case(2, "#b9713f", GOLD),
        wallet(1, "#6b4326", "#c99a5b"),
        wallet(2, "#3a3f45", "#8b9094"),
        watch(1, "#6b4326", GOLD, "#f7f2e7"),
        watch(2, "#3f5f8a", STEEL, "#dce8f4"),
        spectacles(1, "#33302c", "#cfe6ee", False),
        spectacles(2, "#c98b3b", "#5a6f80", True),
        keychain(1, "#d8433b", STEEL, True),
        keychain(2, "#3f7a5f", GOLD, False),
        credit_card(1, "#2f6fb0", "#22303a"),
        credit_card(2, "#d9ae45", "#5a3f24"),
    ]
