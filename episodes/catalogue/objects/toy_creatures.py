"""Toys: animals and other creatures, a rattle."""

from __future__ import annotations

import math

from episodes.catalogue.mesh.meshes import arc, blob, cylinder, lathe, tube
from episodes.catalogue.mesh.pieces import Piece, thing
from episodes.catalogue.mesh.sweeps import (
    curve,
    pebble,
    ring,
    tapered,
    upright,
)
from episodes.catalogue.objects.toy_food_and_bricks import BLACK, BLUE, LEAF, RED, WHITE, YELLOW


def toy_animal(variant: int, coat: str, mane: str, elephant: bool) -> Piece:
    """Build a plastic horse, or an elephant, looking to -Z."""
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
    """Build a round bee with wings, facing -Z."""
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


def toy_rattle(variant: int, handle: str, first: str, second: str) -> Piece:
    p = thing("toy_rattle", variant)
    y = 0.034
    half = [
        (0.034 * math.sin(math.pi * k / 8), -0.034 * math.cos(math.pi * k / 8)) for k in range(9)
    ]
    for low, high, colour in ((0, 3, first), (3, 5, WHITE), (5, 8, second)):
        p.draw(
            lathe(half[low : high + 1], 16).turned((0, 0, 1), 90).moved(-0.06, y, 0),
            colour,
            "satin",
        )
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
        toy_animal(1, "#a9713f", "#3f2a1c", False),
        toy_animal(2, "#8b98a5", "#b5a0a8", True),
        toy_bee(1, "#f3c43a", "#33302c"),
        toy_bee(2, "#e8a9bd", "#6b4a7f"),
        toy_cactus(1, "#5fae5a", "#d0693f", "#e86f9b", 2),
        toy_cactus(2, "#7fbf8a", "#5f86b5", "#f0c34b", 1),
        toy_rattle(1, "#8fc1d6", RED, BLUE),
        toy_rattle(2, "#f0c34b", "#d9607f", "#7a5fb0"),
    ]
