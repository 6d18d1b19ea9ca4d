"""Toys: play food, bricks, night lights."""

from __future__ import annotations

import math

from episodes.catalogue.mesh.meshes import blob, cylinder, lathe, rounded, tube
from episodes.catalogue.mesh.pieces import Piece, thing
from episodes.catalogue.mesh.sweeps import (
    block,
    curve,
    extruded,
    pebble,
    round_rect,
    tapered,
    upright,
)

WHITE, BLACK, LEAF, SKIN = "#f4f1ea", "#2d2f33", "#4f9a45", "#e9bf98"
RED, YELLOW, BLUE, GREEN = "#d8433b", "#f0b429", "#2f78c9", "#3fa15a"


def toy_construction_set(variant: int, first: str, second: str, third: str) -> Piece:
    """Build bricks with studs: a little tower of them, and one that is left over."""
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


def toy_food(variant: int, kind: str) -> Piece:
    """Build play food: a hamburger, or a slice of pizza."""
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
    """Build toy fruit in a bowl, or on a tray."""
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
    """Build a night light: a mushroom, or a moon."""
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


def pieces() -> list[Piece]:
    return [
        toy_construction_set(1, RED, BLUE, GREEN),
        toy_construction_set(2, "#e8862c", "#7a5fb0", "#9aa5ad"),
        toy_food(1, "burger"),
        toy_food(2, "pizza"),
        toy_fruits(1, "#c99a5b", True),
        toy_fruits(2, "#8fc1d6", False),
        toy_lamp(1, "#f1e6cc", RED, False),
        toy_lamp(2, "#7fa9d6", "#f3dc8a", True),
        toy_pineapple(1, "#e8b43a", "#c98a2a"),
        toy_pineapple(2, "#f0a3b5", "#d9748f"),
    ]
