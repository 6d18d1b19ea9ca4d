"""Objects that make a home: ornaments, lights, soft furnishings, games."""

from __future__ import annotations

import math

from episodes.catalogue.groceries import WATER
from episodes.catalogue.meshes import blob, box, cylinder, lathe, rounded, tube
from episodes.catalogue.pieces import Piece, thing
from episodes.catalogue.sweeps import (
    block,
    curve,
    extruded,
    pebble,
    ring,
    round_rect,
    tapered,
    upright,
)

STEEL, GOLD, BLACK = "#c3c7c9", "#d9ae45", "#2d2f33"


def candle_holder(variant: int, metal: str, wax: str, arms: int) -> Piece:
    """A candlestick, or a chandelier for the table with three arms."""
    p = thing("candle_holder", variant)
    stem = [
        (0, 0),
        (0.05, 0),
        (0.052, 0.006),
        (0.02, 0.02),
        (0.009, 0.035),
        (0.014, 0.06),
        (0.008, 0.085),
        (0.008, 0.13),
    ]
    p.draw(lathe(rounded([*stem, (0, 0.132)]), 18), metal, "metal")
    tops = [(0.0, 0.13)]
    if arms > 1:
        for side in (-1, 1):
            bow = curve(
                [
                    (0, 0.085, 0),
                    (side * 0.045, 0.075, 0),
                    (side * 0.075, 0.095, 0),
                    (side * 0.078, 0.115, 0),
                ],
                3,
            )
            p.draw(tube(bow, 0.005, 7), metal, "metal")
            tops.append((side * 0.078, 0.112))
    for x, y in tops:
        p.draw(
            lathe(
                [
                    (0, y),
                    (0.012, y),
                    (0.022, y + 0.01),
                    (0.013, y + 0.014),
                    (0.013, y + 0.024),
                    (0, y + 0.024),
                ],
                14,
            ).moved(x),
            metal,
            "metal",
        )
        p.draw(cylinder(0.01, y + 0.02, y + 0.1, 12, 0.002).moved(x), wax)
        p.draw(cylinder(0.0014, y + 0.1, y + 0.11, 5).moved(x), BLACK)
    return p.settled()


def statue(variant: int, stone: str, plinth: str, bust: bool) -> Piece:
    """A bust, or a sitting cat."""
    p = thing("statue", variant)
    p.draw(block(0.1, 0.03, 0.1, bevel=0.004), plinth, "satin")
    if bust:
        p.draw(
            lathe([(0, 0.03), (0.03, 0.03), (0.024, 0.05), (0.02, 0.065), (0, 0.066)], 14),
            stone,
            "satin",
        )
        p.draw(blob((0, 0.105, 0), (0.068, 0.045, 0.04), (0.8, 1.0), 7, 14), stone, "satin")
        p.draw(
            tapered([(0, 0.12, 0), (0, 0.16, -0.004), (0, 0.18, -0.004)], [0.024, 0.02, 0.02], 10),
            stone,
            "satin",
        )
        p.draw(
            blob((0, 0.205, -0.004), (0.034, 0.045, 0.041), rings=8, segments=14), stone, "satin"
        )
        p.draw(blob((0, 0.222, 0.008), (0.038, 0.036, 0.041), (1, 1), 7, 12), stone, "satin")
        p.draw(pebble(0.012, 0.02, 0.016, (0, 0.192, -0.046)), stone, "satin")
        for side in (-1, 1):
            p.draw(pebble(0.008, 0.018, 0.014, (side * 0.034, 0.196, 0.002)), stone, "satin")
        return p.settled()
    p.draw(blob((0, 0.085, 0.012), (0.04, 0.058, 0.048), rings=8, segments=14), stone, "satin")
    p.draw(blob((0, 0.12, -0.012), (0.03, 0.055, 0.028), rings=8, segments=12), stone, "satin")
    p.draw(blob((0, 0.185, -0.022), (0.032, 0.028, 0.03), rings=8, segments=14), stone, "satin")
    p.draw(pebble(0.022, 0.016, 0.016, (0, 0.17, -0.05)), stone, "satin")
    for side in (-1, 1):
        p.draw(lathe([(0.013, 0), (0, 0.034)], 4).moved(side * 0.018, 0.2, -0.018), stone, "satin")
        p.draw(
            tapered(
                [
                    (side * 0.018, 0.11, -0.03),
                    (side * 0.017, 0.04, -0.04),
                    (side * 0.017, 0.034, -0.055),
                ],
                [0.012, 0.011, 0.008],
                8,
            ),
            stone,
            "satin",
        )
    p.draw(
        tube(
            curve(
                [
                    (0.02, 0.04, 0.05),
                    (0.05, 0.04, 0.035),
                    (0.05, 0.042, -0.01),
                    (0.035, 0.045, -0.04),
                ],
                3,
            ),
            0.009,
            7,
        ),
        stone,
        "satin",
    )
    return p.settled()


def lantern(variant: int, frame: str, glow: str, round_one: bool) -> Piece:
    p = thing("lantern", variant)
    h = 0.19
    p.draw(extruded(round_rect(0.06, 0.06, 0.012), 0, 0.018, 0.004), frame, "metal")
    if round_one:
        p.draw(
            lathe(rounded([(0.03, 0.018), (0.055, 0.05), (0.058, 0.09), (0.035, 0.15)]), 16),
            "#dceaec",
            "glass",
        )
        for k in range(4):
            a = math.radians(90 * k + 45)
            line = curve(
                [
                    (r * math.cos(a), y, r * math.sin(a))
                    for r, y in ((0.04, 0.016), (0.064, 0.06), (0.06, 0.11), (0.032, 0.155))
                ],
                3,
            )
            p.draw(tube(line, 0.0032, 6), frame, "metal")
    else:
        for x in (-0.05, 0.05):
            for z in (-0.05, 0.05):
                p.draw(block(0.012, 0.14, 0.012, (x, 0.016, z), 0.003), frame, "metal")
        p.draw(block(0.09, 0.136, 0.09, (0, 0.018, 0), 0.0), "#dceaec", "glass")
    p.draw(
        lathe(
            [(0.078 if not round_one else 0.045, 0.152), (0.03, 0.176), (0.014, h), (0, h)],
            4 if not round_one else 16,
            math.tau / 8,
        ),
        frame,
        "metal",
    )
    p.draw(ring(0.024, 0.0035, 0, 14).turned((1, 0, 0), 90).moved(0, h + 0.02, 0), frame, "metal")
    p.draw(cylinder(0.02, 0.018, 0.07, 12, 0.003), "#f6efdf")
    flame = lathe([(0, 0.07), (0.011, 0.084), (0.009, 0.1), (0, 0.125)], 10)
    p.show(flame, "#ffd46a", "glow_warm", "is_powered_on")
    if round_one:
        p.show(
            lathe(rounded([(0.029, 0.02), (0.053, 0.05), (0.056, 0.09), (0.034, 0.148)]), 16),
            glow,
            "glow_warm",
            "is_powered_on",
        )
    else:
        p.show(block(0.086, 0.13, 0.086, (0, 0.02, 0), 0.0), glow, "glow_warm", "is_powered_on")
    return p.settled()


def jewelry_box(variant: int, wood: str, velvet: str, opened: bool) -> Piece:
    p = thing("jewelry_box", variant)
    w, d, h = 0.16, 0.11, 0.06
    p.draw(block(w, h, d, bevel=0.005), wood, "satin")
    p.draw(block(0.02, 0.018, 0.004, (0, h - 0.012, -d / 2 - 0.002), 0.001), GOLD, "metal")
    for x in (-1, 1):
        for z in (-1, 1):
            p.draw(pebble(0.018, 0.012, 0.018, (x * 0.07, -0.007, z * 0.045)), GOLD, "metal")
    if opened:
        p.draw(block(w - 0.02, 0.002, d - 0.02, (0, h - 0.0005, 0), 0.0), velvet)
        lid = block(w, 0.02, d, (0, h, 0), 0.005)
        p.draw(lid.turned((1, 0, 0), 80, (0, h, d / 2)), wood, "satin")
        p.draw(
            block(w - 0.02, 0.003, d - 0.02, (0, h - 0.002, 0), 0.0).turned(
                (1, 0, 0), 80, (0, h, d / 2)
            ),
            "#cfe0ea",
            "metal",
        )
        beads = [
            (0.045 * math.cos(a) - 0.02, h + 0.005, 0.03 * math.sin(a))
            for a in (math.tau * k / 14 for k in range(14))
        ]
        for q in beads:
            p.draw(pebble(0.011, 0.011, 0.011, (q[0], q[1] - 0.005, q[2])), "#f4f1ea", "satin")
        p.draw(ring(0.011, 0.0025, h + 0.006, 12).moved(0.05, 0, 0.01), GOLD, "metal")
        p.draw(pebble(0.009, 0.009, 0.009, (0.05, h + 0.005, -0.001)), "#d8433b", "satin")
    else:
        p.draw(block(w + 0.004, 0.022, d + 0.004, (0, h, 0), 0.008), wood, "satin")
        p.draw(block(w - 0.03, 0.001, d - 0.03, (0, h + 0.0215, 0), 0.0), velvet)
        p.draw(pebble(0.03, 0.006, 0.03, (0, h + 0.02, 0)), GOLD, "metal")
    return p.settled()


def trophy(variant: int, metal: str, plinth: str) -> Piece:
    p = thing("trophy", variant)
    p.draw(block(0.09, 0.045, 0.09, bevel=0.005), plinth, "satin")
    p.draw(block(0.06, 0.022, 0.003, (0, 0.011, -0.046), 0.001), metal, "metal")
    cup = [
        (0, 0.045),
        (0.03, 0.045),
        (0.014, 0.06),
        (0.009, 0.085),
        (0.014, 0.095),
        (0.045, 0.13),
        (0.055, 0.19),
        (0.058, 0.192),
        (0.052, 0.188),
        (0.03, 0.12),
        (0, 0.115),
    ]
    p.draw(lathe(cup, 20), metal, "metal")
    for side in (-1, 1):
        bow = curve(
            [
                (side * 0.052, 0.175, 0),
                (side * 0.088, 0.17, 0),
                (side * 0.082, 0.13, 0),
                (side * 0.045, 0.125, 0),
            ],
            3,
        )
        p.draw(tube(bow, 0.005, 7), metal, "metal")
    star = [
        (
            (0.016 if k % 2 == 0 else 0.007) * math.sin(math.pi * k / 5),
            0.157 + (0.016 if k % 2 == 0 else 0.007) * math.cos(math.pi * k / 5),
        )
        for k in range(10)
    ]
    p.draw(upright(extruded(star, 0.0495, 0.054)), plinth)
    return p.settled()


def plant_saucer(variant: int, clay: str, inside: str) -> Piece:
    p = thing("plant_saucer", variant)
    wall = [
        (0, 0),
        (0.07, 0),
        (0.076, 0.005),
        (0.085, 0.026),
        (0.09, 0.027),
        (0.09, 0.033),
        (0.082, 0.033),
    ]
    p.draw(lathe(wall, 24), clay)
    p.draw(lathe([(0.082, 0.033), (0.072, 0.007), (0, 0.006)], 24), inside)
    for r in (0.03, 0.052):
        p.draw(ring(r, 0.002, 0.0065, 20), clay)
    return p.settled()


def watering_can(variant: int, body: str, trim: str) -> Piece:
    p = thing("watering_can", variant)
    wall = [(0, 0), (0.078, 0), (0.082, 0.006), (0.075, 0.13), (0.062, 0.14)]
    p.draw(lathe(wall, 20), body, "satin")
    p.draw(lathe([(0.062, 0.14), (0.058, 0.139), (0.064, 0.1), (0, 0.099)], 20), trim, "satin")
    p.draw(ring(0.078, 0.0035, 0.1, 20), trim, "satin")
    p.draw(
        tapered([(-0.06, 0.04, 0), (-0.11, 0.09, 0), (-0.165, 0.165, 0)], [0.02, 0.013, 0.01], 10),
        body,
        "satin",
    )
    rose = lathe([(0.01, 0), (0.028, 0.024), (0.026, 0.03), (0, 0.032)], 14).turned((0, 0, 1), 38)
    p.draw(rose.moved(-0.162, 0.162, 0), trim, "metal")
    p.draw(
        tube(
            curve(
                [
                    (0.03, 0.138, 0),
                    (0.04, 0.185, 0),
                    (0.1, 0.17, 0),
                    (0.12, 0.1, 0),
                    (0.075, 0.05, 0),
                ],
                3,
            ),
            0.0085,
            8,
        ),
        trim,
        "satin",
    )
    p.fill(0.061, 0.132, WATER)
    for k in range(3):
        drop = pebble(0.012, 0.012, 0.012, (-0.19 - 0.007 * k, 0.165 - 0.022 * k, 0.012 * (k - 1)))
        p.show(drop, WATER, "satin", "is_filled")
    return p.settled()


def blanket(variant: int, wool: str, stripe: str, rolled: bool) -> Piece:
    p = thing("blanket", variant)
    if rolled:
        p.draw(cylinder(0.08, -0.19, 0.19, 20, 0.02).turned((0, 0, 1), 90).moved(0, 0.08, 0), wool)
        for x in (-0.12, -0.04, 0.04, 0.12):
            p.draw(
                lathe([(0.081, -0.016), (0.081, 0.016)], 20)
                .turned((0, 0, 1), 90)
                .moved(x, 0.08, 0),
                stripe,
            )
        for side in (-1, 1):
            spiral = [
                (side * 0.19, 0.08 + 0.0032 * k * math.sin(0.7 * k), 0.0032 * k * math.cos(0.7 * k))
                for k in range(2, 19)
            ]
            p.draw(tube(spiral, 0.004, 5), stripe)
        return p.settled()
    for k in range(4):
        p.draw(
            block(0.38 - 0.006 * (k % 2), 0.035, 0.28 - 0.006 * k, (0, 0.033 * k, 0), 0.016), wool
        )
    for z in (-0.09, -0.03, 0.03, 0.09):
        p.draw(block(0.381, 0.1345, 0.022, (0, 0.001, z), 0.014), stripe)
    for k in range(14):
        p.draw(block(0.03, 0.008, 0.006, (0.2, 0.115, 0.018 * (k - 6.5)), 0.002), wool)
    return p.settled()


def pillow(variant: int, case: str, edge: str) -> Piece:
    """A bed pillow."""
    p = thing("pillow", variant)
    p.draw(blob((0, 0.06, 0), (0.215, 0.06, 0.155), (0.85, 0.35), 10, 28), case)
    p.draw(blob((0, 0.06, 0), (0.222, 0.006, 0.162), (0.9, 0.3), 4, 28), edge)
    for x in (-0.16, 0.16):
        p.draw(box((x - 0.004, 0.04, -0.11), (x + 0.004, 0.094, 0.11), 0.003), edge)
    return p.settled()


def board_game(variant: int, lid: str, title: str, dark: str, on_table: bool) -> Piece:
    """A box with a board printed on it, or the board itself with its men."""
    p = thing("board_game", variant)
    if on_table:
        p.draw(block(0.3, 0.016, 0.3, bevel=0.003), lid)
        for i in range(8):
            for j in range(8):
                if (i + j) % 2:
                    p.draw(
                        block(
                            0.033,
                            0.0008,
                            0.033,
                            (0.033 * (i - 3.5), 0.0158, 0.033 * (j - 3.5)),
                            0.0,
                        ),
                        dark,
                    )
        for i in range(12):
            row, col = divmod(i, 4)
            for side, colour in ((-1, title), (1, dark)):
                x, z = 0.033 * (2 * col + (row % 2) - 3.5), side * 0.033 * (3.5 - row)
                p.draw(
                    cylinder(0.012, 0.016, 0.024, 10, 0.002).moved(x if side < 0 else -x, 0, z),
                    colour,
                )
        return p.settled()
    p.draw(block(0.27, 0.05, 0.27, bevel=0.002), "#f1e6cc")
    p.draw(block(0.276, 0.038, 0.276, (0, 0.015, 0), 0.003), lid)
    p.draw(block(0.2, 0.0008, 0.05, (0, 0.0526, 0.08), 0.0), title)
    for i in range(4):
        for j in range(4):
            p.draw(
                block(
                    0.028, 0.0008, 0.028, (0.03 * (i - 1.5), 0.0526, 0.03 * (j - 1.5) - 0.04), 0.0
                ),
                dark if (i + j) % 2 else title,
            )
    p.draw(
        block(0.026, 0.026, 0.026, (0.095, 0.0525, -0.09), 0.003).turned(
            (0, 1, 0), 25, (0.095, 0, -0.09)
        ),
        "#f7f4ec",
        "satin",
    )
    p.draw(
        lathe([(0, 0.0525), (0.012, 0.0525), (0.005, 0.075), (0, 0.076)], 10).moved(-0.1, 0, -0.06),
        "#d8433b",
        "satin",
    )
    p.draw(pebble(0.016, 0.016, 0.016, (-0.1, 0.07, -0.06)), "#d8433b", "satin")
    for x in (-1, 1):
        p.draw(block(0.001, 0.02, 0.15, (x * 0.1382, 0.024, 0), 0.0), title)
    return p.settled()


def pieces() -> list[Piece]:
    return [
        candle_holder(1, GOLD, "#f6efdf", 3),
        candle_holder(2, "#4a4f55", "#c0342c", 1),
        statue(1, "#e9e4da", "#8b9094", True),
        statue(2, "#3a3f45", "#a9713f", False),
        lantern(1, "#33383c", "#ffdf9a", False),
        lantern(2, "#b5392f", "#ffd9a0", True),
        jewelry_box(1, "#7b3f2f", "#b0304a", True),
        jewelry_box(2, "#e8c9cf", "#7a5a9f", False),
        trophy(1, GOLD, "#33302c"),
        trophy(2, STEEL, "#6b4a2f"),
        plant_saucer(1, "#c4663f", "#a9522f"),
        plant_saucer(2, "#e9e4da", "#cfc8ba"),
        watering_can(1, "#5f9a6f", "#3f6f4f"),
        watering_can(2, "#e8b43a", "#c3c7c9"),
        blanket(1, "#b0413e", "#f1e6cc", False),
        blanket(2, "#5f7f9f", "#e9e4da", True),
        pillow(1, "#f1ece0", "#d9cfba"),
        pillow(2, "#a9c4d6", "#7f9fb5"),
        board_game(1, "#2f6f9f", "#f0c34b", "#c0342c", False),
        board_game(2, "#e3c08c", "#f4efe2", "#6b3f24", True),
    ]
