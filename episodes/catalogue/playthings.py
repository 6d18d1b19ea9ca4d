"""Toys: vehicles, creatures, play food and doll's furniture."""

from __future__ import annotations

import math

from episodes.catalogue.meshes import arc, blob, cylinder, lathe, rounded, tube
from episodes.catalogue.pieces import Piece, thing
from episodes.catalogue.sweeps import (
    block,
    curve,
    extruded,
    pebble,
    ring,
    rod,
    round_rect,
    tapered,
    upright,
    wheel,
)

WHITE, BLACK, LEAF = "#f4f1ea", "#2d2f33", "#4f9a45"
RED, YELLOW, BLUE, GREEN = "#d8433b", "#f0b429", "#2f78c9", "#3fa15a"
SKIN = "#e9bf98"


def toy_airplane(variant: int, body: str, wing: str, propeller: bool) -> Piece:
    """Flying towards -Z."""
    p = thing("toy_airplane", variant)
    y = 0.05
    p.draw(
        tapered(
            [
                (0, y, -0.13),
                (0, y, -0.115),
                (0, y, -0.07),
                (0, y + 0.002, 0.05),
                (0, y + 0.014, 0.13),
            ],
            [0.012, 0.026, 0.032, 0.028, 0.006],
            12,
        ),
        body,
        "satin",
    )
    p.draw(
        extruded(
            [
                (-0.15, -0.01),
                (0.15, -0.01),
                (0.14, 0.04),
                (0.03, 0.05),
                (-0.03, 0.05),
                (-0.14, 0.04),
            ],
            y - 0.012,
            y - 0.002,
            0.003,
        ).moved(0, 0, -0.045),
        wing,
        "satin",
    )
    p.draw(
        extruded(
            [(-0.06, 0), (0.06, 0), (0.05, 0.028), (-0.05, 0.028)], y + 0.012, y + 0.019, 0.002
        ).moved(0, 0, 0.1),
        wing,
        "satin",
    )
    fin = extruded([(0.0, 0.0), (0.045, 0.0), (0.045, 0.05), (0.028, 0.05)], -0.0035, 0.0035, 0.001)
    p.draw(upright(fin).turned((0, 1, 0), -90).moved(0, y + 0.014, 0.085), wing, "satin")
    p.draw(pebble(0.036, 0.03, 0.06, (0, y + 0.014, -0.06)), "#bfe0ee", "satin")
    for x in (-0.04, 0.04):
        p.draw(wheel(0.017, 0.012, (x, 0.017, -0.05)), BLACK)
        p.draw(rod((x, 0.017, -0.05), (x * 0.6, y - 0.01, -0.05), 0.003, 6), BLACK)
    p.draw(wheel(0.01, 0.008, (0, 0.032, 0.115)), BLACK)
    if propeller:
        p.draw(
            block(0.012, 0.1, 0.004, (0, y - 0.05, -0.136), 0.002).turned((0, 0, 1), 35, (0, y, 0)),
            YELLOW,
        )
        p.draw(pebble(0.02, 0.02, 0.02, (0, y - 0.01, -0.136)), YELLOW)
    else:
        for x in (-0.075, 0.075):
            p.draw(
                upright(cylinder(0.013, 0.01, 0.06, 12, 0.003), y - 0.022).moved(x, 0, 0),
                "#8b9094",
                "satin",
            )
    return p.settled()


def toy_animal(variant: int, coat: str, mane: str, elephant: bool) -> Piece:
    """A plastic horse, or an elephant, looking to -Z."""
    p = thing("toy_animal", variant)
    wide, leg, top = (0.05, 0.017, 0.1) if elephant else (0.03, 0.0095, 0.1)
    p.draw(blob((0, top, 0.01), (wide, wide * 0.95, 0.075), rings=8, segments=14), coat, "satin")
    for x in (-1, 1):
        for z in (-0.042, 0.058):
            p.draw(
                tapered(
                    [
                        (x * wide * 0.6, top - 0.01, z),
                        (x * wide * 0.6, 0.05, z),
                        (x * wide * 0.6, 0.008, z),
                        (x * wide * 0.6, 0, z),
                    ],
                    [leg * 1.3, leg, leg, leg * 1.15],
                    9,
                ),
                coat,
                "satin",
            )
            p.draw(cylinder(leg * 1.2, 0, 0.009, 9).moved(x * wide * 0.6, 0, z), mane)
    if elephant:
        p.draw(blob((0, 0.13, -0.075), (0.036, 0.036, 0.034), rings=8, segments=12), coat, "satin")
        p.draw(
            tapered(
                curve(
                    [(0, 0.12, -0.1), (0, 0.085, -0.125), (0, 0.04, -0.125), (0, 0.03, -0.145)], 3
                ),
                [0.018, 0.017, 0.015, 0.014, 0.012, 0.0115, 0.011, 0.0105, 0.01, 0.01],
                9,
            ),
            coat,
            "satin",
        )
        for s in (-1, 1):
            p.draw(
                blob((s * 0.05, 0.13, -0.06), (0.032, 0.036, 0.007), rings=6, segments=12).turned(
                    (0, 1, 0), s * -25, (s * 0.05, 0, -0.06)
                ),
                mane,
                "satin",
            )
            p.draw(
                tapered([(s * 0.018, 0.11, -0.1), (s * 0.02, 0.1, -0.125)], [0.005, 0.002], 7),
                WHITE,
            )
            p.draw(pebble(0.008, 0.009, 0.006, (s * 0.024, 0.136, -0.104)), BLACK)
    else:
        p.draw(
            tapered(
                [(0, 0.11, -0.045), (0, 0.15, -0.075), (0, 0.175, -0.085)],
                [0.026, 0.019, 0.018],
                10,
            ),
            coat,
            "satin",
        )
        p.draw(blob((0, 0.175, -0.105), (0.016, 0.017, 0.034), rings=7, segments=12), coat, "satin")
        p.draw(
            tube(
                curve(
                    [(0, 0.2, -0.08), (0, 0.185, -0.06), (0, 0.15, -0.045), (0, 0.125, -0.02)], 3
                ),
                0.01,
                7,
            ),
            mane,
        )
        p.draw(
            tapered([(0, 0.11, 0.08), (0, 0.1, 0.1), (0, 0.05, 0.108)], [0.008, 0.012, 0.004], 8),
            mane,
        )
        for s in (-1, 1):
            p.draw(lathe([(0.006, 0), (0, 0.018)], 6).moved(s * 0.01, 0.188, -0.088), coat, "satin")
            p.draw(pebble(0.007, 0.007, 0.005, (s * 0.0145, 0.176, -0.11)), BLACK)
    return p.settled()


def toy_bee(variant: int, yellow: str, stripe: str) -> Piece:
    """A round bee with wings, facing -Z."""
    p = thing("toy_bee", variant)
    y = 0.055
    body = [
        (0.055 * math.sin(math.pi * k / 10), 0.08 * -math.cos(math.pi * k / 10)) for k in range(11)
    ]
    for start, end, colour in (
        (0, 3, yellow),
        (3, 4, stripe),
        (4, 5, yellow),
        (5, 6, stripe),
        (6, 7, yellow),
        (7, 8, stripe),
        (8, 10, yellow),
    ):
        p.draw(upright(lathe(body[start : end + 1], 18), y), colour)
    p.draw(lathe([(0.008, 0), (0, 0.02)], 8).turned((1, 0, 0), 90).moved(0, y, 0.078), stripe)
    for s in (-1, 1):
        wing = blob((s * 0.045, y + 0.06, 0.01), (0.04, 0.004, 0.024), rings=5, segments=12)
        p.draw(wing.turned((0, 0, 1), s * 28, (0, y + 0.05, 0)), "#dceef6", "satin")
        p.draw(pebble(0.014, 0.018, 0.01, (s * 0.02, y + 0.004, -0.074)), BLACK)
        p.draw(pebble(0.005, 0.006, 0.004, (s * 0.018, y + 0.014, -0.0785)), WHITE)
        p.draw(
            tube(
                curve(
                    [
                        (s * 0.014, y + 0.035, -0.058),
                        (s * 0.022, y + 0.065, -0.07),
                        (s * 0.03, y + 0.078, -0.085),
                    ],
                    3,
                ),
                0.0025,
                5,
            ),
            stripe,
        )
        p.draw(pebble(0.011, 0.011, 0.011, (s * 0.031, y + 0.074, -0.087)), stripe)
    return p.settled()


def toy_cactus(variant: int, green: str, pot: str, flower: str, arms: int) -> Piece:
    p = thing("toy_cactus", variant)
    p.draw(
        lathe(
            [
                (0, 0),
                (0.04, 0),
                (0.05, 0.055),
                (0.056, 0.055),
                (0.056, 0.068),
                (0.046, 0.068),
                (0.045, 0.06),
                (0, 0.06),
            ],
            18,
        ),
        pot,
    )
    p.draw(blob((0, 0.13, 0), (0.034, 0.085, 0.034), (0.7, 1.0), 9, 14), green)
    for k in range(8):
        a = math.tau * k / 8
        p.draw(
            tapered(
                [
                    (0.033 * math.cos(a), 0.075, 0.033 * math.sin(a)),
                    (0.036 * math.cos(a), 0.13, 0.036 * math.sin(a)),
                    (0.02 * math.cos(a), 0.2, 0.02 * math.sin(a)),
                ],
                [0.003, 0.004, 0.002],
                5,
            ),
            LEAF,
        )
    for s in (-1, 1)[:arms]:
        p.draw(
            tapered(
                curve(
                    [
                        (s * 0.03, 0.11, 0),
                        (s * 0.065, 0.115, 0),
                        (s * 0.07, 0.15, 0),
                        (s * 0.07, 0.165, 0),
                    ],
                    3,
                ),
                [0.015] * 8 + [0.013, 0.008],
                9,
            ),
            green,
        )
    for s in (-1, 1):
        p.draw(pebble(0.007, 0.009, 0.005, (s * 0.012, 0.145, -0.035)), BLACK)
    p.draw(tube(arc((0, 0.136, -0.0355), 0.007, 200, 340, "xy", 5), 0.0016, 5), BLACK)
    for k in range(5):
        p.draw(pebble(0.018, 0.006, 0.011, (0.01, 0.213, 0)).turned((0, 1, 0), 72 * k), flower)
    return p.settled()


def toy_construction_set(variant: int, first: str, second: str, third: str) -> Piece:
    """Bricks with studs, built to a little tower, and one that is left over."""
    p = thing("toy_construction_set", variant)

    def brick(x: float, y: float, z: float, nx: int, nz: int, colour: str) -> None:
        p.draw(
            block(0.032 * nx - 0.001, 0.038, 0.032 * nz - 0.001, (x, y, z), 0.002), colour, "satin"
        )
        for i in range(nx):
            for k in range(nz):
                at = (x + 0.032 * (i - (nx - 1) / 2), 0.0, z + 0.032 * (k - (nz - 1) / 2))
                p.draw(cylinder(0.01, y + 0.037, y + 0.045, 9).moved(*at), colour, "satin")

    p.draw(block(0.224, 0.008, 0.16, bevel=0.002), third, "satin")
    brick(-0.032, 0.008, 0, 4, 2, first)
    brick(-0.048, 0.046, 0, 2, 2, second)
    brick(0.0, 0.046, 0, 1, 2, YELLOW)
    brick(-0.048, 0.084, 0, 1, 2, first)
    brick(0.08, 0.008, 0.03, 2, 1, YELLOW)
    brick(0.075, 0.008, -0.045, 1, 1, second)
    return p.settled()


def toy_fire_truck(variant: int, red: str, trim: str) -> Piece:
    """With a ladder on its back, driving towards -Z."""
    p = thing("toy_fire_truck", variant)
    p.draw(block(0.09, 0.02, 0.26, (0, 0.022, 0), 0.005), BLACK)
    p.draw(block(0.092, 0.075, 0.085, (0, 0.035, -0.085), 0.012), red, "satin")
    p.draw(block(0.092, 0.055, 0.165, (0, 0.035, 0.045), 0.006), red, "satin")
    p.draw(block(0.078, 0.03, 0.004, (0, 0.07, -0.127), 0.002), "#bfe0ee", "satin")
    for s in (-1, 1):
        p.draw(block(0.004, 0.028, 0.04, (s * 0.0455, 0.07, -0.09), 0.002), "#bfe0ee", "satin")
        p.draw(block(0.004, 0.012, 0.16, (s * 0.0455, 0.055, 0.045), 0.001), trim, "satin")
        p.draw(pebble(0.016, 0.014, 0.008, (s * 0.03, 0.04, -0.127)), YELLOW)
    p.draw(block(0.03, 0.014, 0.016, (0, 0.108, -0.085), 0.004), BLUE, "satin")
    p.draw(cylinder(0.026, 0.09, 0.102, 14).moved(0, 0, 0.08), trim, "satin")
    lift = ((1.0, 0.0, 0.0), 9.0, (0.0, 0.1, 0.1))
    for x in (-0.018, 0.018):
        p.draw(block(0.006, 0.008, 0.23, (x, 0.105, 0.0), 0.002).turned(*lift), trim, "satin")
    for k in range(8):
        p.draw(
            block(0.036, 0.005, 0.005, (0, 0.107, -0.1 + 0.028 * k), 0.001).turned(*lift),
            trim,
            "satin",
        )
    for z in (-0.08, 0.03, 0.09):
        for x in (-0.045, 0.045):
            p.draw(wheel(0.026, 0.02, (x, 0.026, z)), BLACK)
            p.draw(wheel(0.012, 0.023, (x, 0.026, z), 10), "#c3c7c9")
    return p.settled()


def toy_food(variant: int, kind: str) -> Piece:
    """Play food: a hamburger, or a slice of pizza."""
    p = thing("toy_food", variant)
    if kind == "burger":
        p.draw(
            lathe([(0, 0), (0.045, 0), (0.052, 0.008), (0.05, 0.018), (0, 0.018)], 18),
            "#d99b4f",
            "satin",
        )
        p.draw(cylinder(0.054, 0.018, 0.03, 18, 0.004), "#5f3522")
        p.draw(block(0.086, 0.003, 0.086, (0, 0.03, 0), 0.0).turned((0, 1, 0), 20), "#f3c43a")
        frill = [
            (
                (0.058 + 0.005 * (-1) ** k) * math.cos(math.tau * k / 20),
                (0.058 + 0.005 * (-1) ** k) * math.sin(math.tau * k / 20),
            )
            for k in range(20)
        ]
        p.draw(extruded(frill, 0.032, 0.037), "#7fb84a")
        p.draw(cylinder(0.05, 0.037, 0.045, 18, 0.003), RED, "satin")
        p.draw(
            lathe(
                rounded([(0, 0.045), (0.053, 0.045), (0.053, 0.058), (0.035, 0.08), (0, 0.088)]), 18
            ),
            "#d99b4f",
            "satin",
        )
        for k in range(9):
            a, r = 2.4 * k, 0.008 + 0.0035 * k
            p.draw(
                pebble(0.006, 0.004, 0.004, (r * math.cos(a), 0.0865 - 9 * r * r, r * math.sin(a))),
                WHITE,
            )
        return p.settled()
    slice_ = [
        (0, -0.085),
        (0.065, 0.055),
        (0.035, 0.068),
        (0, 0.073),
        (-0.035, 0.068),
        (-0.065, 0.055),
    ]
    p.draw(extruded(slice_, 0, 0.01, 0.002), "#dfae62")
    p.draw(extruded([(0.88 * x, 0.9 * z - 0.004) for x, z in slice_], 0.009, 0.0135), "#f4cf5a")
    p.draw(
        tube(
            [
                (x, 0.012, z)
                for x, z in (
                    (0.066, 0.055),
                    (0.035, 0.07),
                    (0, 0.075),
                    (-0.035, 0.07),
                    (-0.066, 0.055),
                )
            ],
            0.0125,
            8,
        ),
        "#c98a42",
    )
    for x, z in ((0.0, -0.035), (-0.02, 0.02), (0.025, 0.03)):
        p.draw(cylinder(0.014, 0.013, 0.0165, 12, 0.001).moved(x, 0, z), "#b5342a")
    for x, z in ((0.02, -0.005), (-0.005, 0.045), (-0.03, 0.044)):
        p.draw(pebble(0.012, 0.006, 0.006, (x, 0.013, z)), LEAF)
    return p.settled()


def toy_fruits(variant: int, bowl_colour: str, basket: bool) -> Piece:
    """Toy fruit in a bowl, or on a tray."""
    p = thing("toy_fruits", variant)
    if basket:
        wall = [(0, 0), (0.06, 0), (0.085, 0.045), (0.08, 0.045), (0.056, 0.012), (0, 0.01)]
        p.draw(lathe(wall, 18), bowl_colour, "satin")
        high = 0.02
    else:
        p.draw(extruded(round_rect(0.095, 0.075, 0.02), 0, 0.01, 0.003), bowl_colour, "satin")
        high = 0.009
    for x, z, colour in ((-0.035, -0.02, RED), (0.03, -0.03, "#ef8a1f"), (0.0, 0.035, "#8fb83a")):
        p.draw(pebble(0.052, 0.05, 0.052, (x, high, z)), colour, "satin")
        p.draw(pebble(0.02, 0.004, 0.01, (x + 0.006, high + 0.049, z)), LEAF)
    p.draw(
        tapered(
            curve(
                [(0.06, high + 0.03, -0.03), (0.05, high + 0.05, 0.01), (0.02, high + 0.06, 0.045)],
                3,
            ),
            [0.005, 0.013, 0.015, 0.015, 0.014, 0.01, 0.004],
            8,
        ),
        "#f2cf3a",
        "satin",
    )
    for k in range(7):
        p.draw(
            pebble(
                0.019,
                0.019,
                0.019,
                (
                    -0.04 + 0.012 * math.cos(2.2 * k),
                    high + 0.018 + 0.006 * (k % 3),
                    0.032 + 0.013 * math.sin(2.2 * k),
                ),
            ),
            "#7a3f8a",
            "satin",
        )
    return p.settled()


def toy_lamp(variant: int, base: str, shade: str, moon: bool) -> Piece:
    """A night light: a mushroom, or a moon."""
    p = thing("toy_lamp", variant)
    if moon:
        p.draw(cylinder(0.05, 0, 0.02, 18, 0.006), base, "satin")
        outer = [
            (0.06 * math.cos(a), 0.06 * math.sin(a))
            for a in (math.radians(d) for d in range(50, 311, 20))
        ]
        inner = [
            (0.03 + 0.052 * math.cos(a), 0.052 * math.sin(a))
            for a in (math.radians(d) for d in range(290, 69, -20))
        ]
        crescent = [*outer, *inner]
        p.draw(upright(extruded(crescent, -0.014, 0.014, 0.004), 0.078), shade, "satin")
        p.draw(pebble(0.008, 0.01, 0.004, (-0.028, 0.085, -0.016)), BLACK)
        p.show(
            upright(
                extruded([(1.03 * x, 1.03 * z) for x, z in crescent], -0.0155, 0.0155, 0.003), 0.078
            ),
            "#fff0b8",
            "glow_warm",
            "is_powered_on",
        )
        return p.settled()
    p.draw(
        lathe([(0, 0), (0.032, 0), (0.034, 0.006), (0.026, 0.04), (0.024, 0.07), (0, 0.07)], 16),
        base,
        "satin",
    )
    cap = rounded([(0.02, 0.062), (0.066, 0.064), (0.07, 0.075), (0.05, 0.115), (0, 0.13)])
    p.draw(lathe(cap, 18), shade, "satin")
    for k, (rise, r) in enumerate(
        ((0.098, 0.0605), (0.105, 0.0555), (0.095, 0.061), (0.11, 0.052), (0.1, 0.059))
    ):
        a = math.tau * k / 5
        p.draw(pebble(0.022, 0.016, 0.022, (r * math.cos(a), rise - 0.008, r * math.sin(a))), WHITE)
    for s in (-1, 1):
        p.draw(pebble(0.006, 0.008, 0.004, (s * 0.01, 0.04, -0.0275)), BLACK)
    p.show(lathe([(1.02 * r, y) for r, y in cap], 18), "#ffcf8a", "glow_warm", "is_powered_on")
    return p.settled()


def toy_pineapple(variant: int, fruit: str, diamond: str) -> Piece:
    p = thing("toy_pineapple", variant)
    p.draw(blob((0, 0.062, 0), (0.045, 0.062, 0.045), (0.75, 1.0), 10, 16), fruit, "satin")
    for row in range(5):
        y = 0.02 + 0.021 * row
        r = 0.0455 * math.sqrt(max(0.1, 1 - ((y - 0.062) / 0.068) ** 4))
        for k in range(9):
            a = math.tau * (k + 0.5 * (row % 2)) / 9
            p.draw(
                pebble(0.014, 0.013, 0.014, (r * math.cos(a), y - 0.006, r * math.sin(a))), diamond
            )
    for k in range(9):
        leaf = blob((0, 0.03, 0), (0.009, 0.036, 0.003), rings=5, segments=7)
        p.draw(
            leaf.turned((1, 0, 0), 12 + 12 * (k % 3)).turned((0, 1, 0), 137 * k).moved(0, 0.115, 0),
            LEAF,
        )
    return p.settled()


def toy_rattle(variant: int, handle: str, first: str, second: str) -> Piece:
    p = thing("toy_rattle", variant)
    y = 0.034
    half = [
        (0.034 * math.sin(math.pi * k / 8), -0.034 * math.cos(math.pi * k / 8)) for k in range(9)
    ]
    for a, b, colour in ((0, 3, first), (3, 5, WHITE), (5, 8, second)):
        p.draw(lathe(half[a : b + 1], 16).turned((0, 0, 1), 90).moved(-0.06, y, 0), colour, "satin")
    p.draw(
        tapered([(-0.03, y, 0), (0.0, y, 0), (0.045, y, 0)], [0.009, 0.007, 0.009], 9),
        handle,
        "satin",
    )
    p.draw(ring(0.022, 0.007, 0, 16).turned((1, 0, 0), 60).moved(0.068, y, 0), handle, "satin")
    for k in range(5):
        a = math.tau * k / 5
        p.draw(
            pebble(
                0.008, 0.008, 0.008, (-0.06, y + 0.034 * math.sin(a) - 0.004, 0.034 * math.cos(a))
            ),
            YELLOW,
        )
    return p.settled()


def pieces() -> list[Piece]:
    return [
        toy_airplane(1, RED, WHITE, True),
        toy_airplane(2, WHITE, BLUE, False),
        toy_animal(1, "#a9713f", "#3f2a1c", False),
        toy_animal(2, "#8b98a5", "#b5a0a8", True),
        toy_bee(1, "#f3c43a", "#33302c"),
        toy_bee(2, "#e8a9bd", "#6b4a7f"),
        toy_cactus(1, "#5fae5a", "#d0693f", "#e86f9b", 2),
        toy_cactus(2, "#7fbf8a", "#5f86b5", "#f0c34b", 1),
        toy_construction_set(1, RED, BLUE, GREEN),
        toy_construction_set(2, "#e8862c", "#7a5fb0", "#9aa5ad"),
        toy_fire_truck(1, "#d3302c", "#e9e4da"),
        toy_fire_truck(2, "#e8862c", "#c3c7c9"),
        toy_food(1, "burger"),
        toy_food(2, "pizza"),
        toy_fruits(1, "#c99a5b", True),
        toy_fruits(2, "#8fc1d6", False),
        toy_lamp(1, "#f1e6cc", RED, False),
        toy_lamp(2, "#7fa9d6", "#f3dc8a", True),
        toy_pineapple(1, "#e8b43a", "#c98a2a"),
        toy_pineapple(2, "#f0a3b5", "#d9748f"),
        toy_rattle(1, "#8fc1d6", RED, BLUE),
        toy_rattle(2, "#f0c34b", "#d9607f", "#7a5fb0"),
    ]
