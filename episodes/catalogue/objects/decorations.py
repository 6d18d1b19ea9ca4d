"""Ornaments and lights, and what plants need."""

from __future__ import annotations

import math

from episodes.catalogue.mesh.meshes import blob, cylinder, lathe, rounded, tube
from episodes.catalogue.mesh.pieces import Piece, thing
from episodes.catalogue.mesh.sweeps import (
    block,
    curve,
    extruded,
    pebble,
    ring,
    round_rect,
    tapered,
    upright,
)
from episodes.catalogue.objects.groceries import WATER

STEEL, GOLD, BLACK = "#c3c7c9", "#d9ae45", "#2d2f33"


def candle_holder(variant: int, metal: str, wax: str, arms: int) -> Piece:
    """Build a candlestick, or a chandelier for the table with three arms."""
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
    """Build a bust, or a sitting cat."""
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


def pieces() -> list[Piece]:
    return [
        candle_holder(1, GOLD, "#f6efdf", 3),
        candle_holder(2, "#4a4f55", "#c0342c", 1),
        statue(1, "#e9e4da", "#8b9094", True),
        statue(2, "#3a3f45", "#a9713f", False),
        lantern(1, "#33383c", "#ffdf9a", False),
        lantern(2, "#b5392f", "#ffd9a0", True),
        trophy(1, GOLD, "#33302c"),
        trophy(2, STEEL, "#6b4a2f"),
        plant_saucer(1, "#c4663f", "#a9522f"),
        plant_saucer(2, "#e9e4da", "#cfc8ba"),
        watering_can(1, "#5f9a6f", "#3f6f4f"),
        watering_can(2, "#e8b43a", "#c3c7c9"),
    ]
