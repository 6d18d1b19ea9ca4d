"""Objects of the bathroom: soap, brushes for teeth, paper."""

from __future__ import annotations

import math

from episodes.catalogue.mesh.meshes import blob, box, cylinder, lathe, rounded, tube, vessel
from episodes.catalogue.mesh.pieces import Piece, disc, thing
from episodes.catalogue.mesh.sweeps import (
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

STEEL, WHITE = "#c3c7c9", "#f4f4f0"


def soap(variant: int, colour: str, stamp: str) -> Piece:
    p = thing("soap", variant)
    p.draw(blob((0, 0.015, 0), (0.045, 0.015, 0.03), (0.5, 0.6), 7, 18), colour, "satin")
    p.draw(extruded(ellipse(0.026, 0.014, 14), 0.0285, 0.0308), stamp, "satin")
    return p.settled()


def soap_dish(variant: int, colour: str, bar: str, oval: bool) -> Piece:
    """Build a ridged dish with a sliver of soap in it."""
    p = thing("soap_dish", variant)
    outline = ellipse(0.068, 0.047, 22) if oval else round_rect(0.066, 0.046, 0.016)
    p.draw(extruded(outline, 0, 0.01, 0.003), colour, "satin")
    rim = [(x * 0.97, 0.014, z * 0.97) for x, z in outline]
    p.draw(tube(rim, 0.0065, 6, closed=True), colour, "satin")
    for k in range(5):
        p.draw(block(0.005, 0.006, 0.06, (0.018 * (k - 2), 0.009, 0), 0.002), colour, "satin")
    p.draw(blob((0.004, 0.021, 0), (0.035, 0.009, 0.024), (0.5, 0.6), 6, 14), bar, "satin")
    return p.settled()


def soap_dispenser(variant: int, tint: str, pump: str, liquid: str, square: bool) -> Piece:
    p = thing("soap_dispenser", variant)
    if square:
        p.draw(extruded(round_rect(0.034, 0.034, 0.01), 0, 0.125, 0.004), tint, "glass")
        p.draw(extruded(round_rect(0.034, 0.034, 0.01), 0, 0.008), tint, "satin")
        p.show(
            extruded(round_rect(0.031, 0.031, 0.008), 0.008, 0.095), liquid, "satin", "is_filled"
        )
    else:
        wall = [(0, 0), (0.034, 0), (0.038, 0.008), (0.038, 0.09), (0.022, 0.118), (0.018, 0.125)]
        p.draw(lathe(wall, 18), tint, "glass")
        p.draw(cylinder(0.034, 0, 0.008, 18), tint, "satin")
        p.show(
            lathe([(0, 0.008), (0.035, 0.01), (0.035, 0.088), (0, 0.089)], 16),
            liquid,
            "satin",
            "is_filled",
        )
    p.draw(cylinder(0.019, 0.123, 0.14, 14, 0.003), pump, "metal")
    p.draw(cylinder(0.005, 0.14, 0.165, 8), pump, "metal")
    p.draw(cylinder(0.014, 0.162, 0.172, 12, 0.003), pump, "metal")
    p.draw(
        tube([(0, 0.168, 0), (0, 0.17, -0.03), (0, 0.166, -0.042), (0, 0.156, -0.046)], 0.005, 7),
        pump,
        "metal",
    )
    return p.settled()


def toothbrush(variant: int, colour: str, bristle: str, electric: bool) -> Piece:
    p = thing("toothbrush", variant)
    if electric:
        p.draw(cylinder(0.026, 0, 0.022, 16, 0.005), WHITE, "satin")
        p.draw(
            lathe(
                [
                    (0.014, 0.02),
                    (0.017, 0.06),
                    (0.015, 0.14),
                    (0.006, 0.155),
                    (0.004, 0.2),
                    (0, 0.2),
                ],
                14,
            ),
            colour,
            "satin",
        )
        p.draw(upright(cylinder(0.009, -0.006, 0.004, 12), 0.204), WHITE, "satin")
        p.draw(upright(cylinder(0.008, 0.004, 0.014, 12), 0.204), bristle)
        p.draw(upright(disc(0.005, 0.0172, 0, 0.09, 8)), "#3f7fc4")
        return p.settled()
    line = curve(
        [
            (-0.095, 0.006, 0),
            (-0.05, 0.006, 0),
            (0.02, 0.009, 0),
            (0.05, 0.006, 0),
            (0.095, 0.006, 0),
        ],
        3,
    )
    n = len(line)
    radii = [0.0035 + 0.0028 * math.sin(math.pi * min(1.0, i / (0.7 * n))) for i in range(n)]
    p.draw(tapered(line, radii, 8), colour, "satin")
    p.draw(block(0.03, 0.006, 0.012, (0.085, 0.003, 0), 0.002), colour, "satin")
    for k in range(5):
        p.draw(
            block(0.004, 0.011, 0.01, (0.074 + 0.0055 * k, 0.008, 0), 0.001),
            bristle if k % 2 else WHITE,
        )
    return p.settled()


def toothpaste(variant: int, tube_colour: str, stripe: str, cap: str) -> Piece:
    """Build a tube lying on its side: flat at the crimp, round at the cap."""
    p = thing("toothpaste", variant)
    p.draw(
        tapered(
            [(-0.075, 0.018, 0), (-0.06, 0.018, 0), (0.04, 0.018, 0), (0.055, 0.018, 0)],
            [0.021, 0.021, 0.02, 0.011],
            14,
        ).scaled(1, 0.85, 1),
        tube_colour,
        "satin",
    )
    wedge = [(-0.1, 0.0135), (-0.1, 0.0175), (-0.06, 0.032), (-0.06, 0.0)]
    p.draw(upright(extruded(wedge, -0.021, 0.021)), tube_colour, "satin")
    p.draw(
        cylinder(0.011, 0.052, 0.075, 12, 0.002).turned((0, 0, 1), -90).moved(0, 0.0155, 0),
        cap,
        "satin",
    )
    p.draw(block(0.075, 0.002, 0.014, (-0.015, 0.0318, 0), 0.0), stripe)
    p.draw(block(0.02, 0.0024, 0.018, (-0.035, 0.0316, 0), 0.0), cap)
    return p.settled()


def toothbrush_holder(variant: int, colour: str, first: str, second: str) -> Piece:
    """Build a mug with two brushes in it."""
    p = thing("toothbrush_holder", variant)
    full = vessel([(0, 0), (0.034, 0), (0.037, 0.006), (0.037, 0.1)], 0.004, 0.05)
    p.draw(lathe(full, 18), colour, "satin")
    p.draw(lathe([(0.0378, 0.04), (0.0378, 0.052)], 18), first)
    for turn, brush in ((20, first), (200, second)):
        stick = rod((0, 0.02, 0), (0, 0.17, 0), 0.0042, 6)
        head = block(0.011, 0.03, 0.007, (0, 0.16, 0), 0.002)
        hair = block(0.009, 0.026, 0.01, (0, 0.162, -0.008), 0.001)
        for mesh, c in ((stick, brush), (head, brush), (hair, WHITE)):
            p.draw(mesh.turned((1, 0, 0), 11, (0, 0.03, 0)).turned((0, 1, 0), turn), c)
    return p.settled()


def toiletry(variant: int, bottle: str, cap: str, label: str, pump: bool) -> Piece:
    p = thing("toiletry", variant)
    p.draw(extruded(ellipse(0.042, 0.026, 20), 0, 0.15, 0.008), bottle, "satin")
    p.draw(upright(extruded(round_rect(0.026, 0.04, 0.008), 0.0, 0.003), 0.075, -0.0245), label)
    p.draw(block(0.03, 0.008, 0.002, (0, 0.085, -0.0278), 0.0), cap)
    if pump:
        p.draw(cylinder(0.013, 0.15, 0.164, 12), cap)
        p.draw(cylinder(0.004, 0.164, 0.185, 7), cap)
        p.draw(block(0.02, 0.01, 0.05, (0, 0.183, -0.014), 0.004), cap)
    else:
        p.draw(extruded(ellipse(0.03, 0.02, 16), 0.15, 0.185, 0.005), cap, "satin")
    return p.settled()


def toilet_paper(variant: int, paper: str, core: str, wrapped: str | None) -> Piece:
    p = thing("toilet_paper", variant)
    r, h = 0.055, 0.1
    p.draw(
        lathe([(0.021, 0.002), (0.024, 0), (r, 0), (r, h), (0.024, h), (0.021, h - 0.002)], 22),
        paper,
    )
    p.draw(lathe([(0.021, h - 0.002), (0.02, 0.05), (0.021, 0.002)], 16), core)
    p.draw(
        box((0.0, 0.004, -r - 0.001), (r * 0.9, h - 0.004, -r + 0.001), 0.0).turned((0, 1, 0), -14),
        paper,
    )
    if wrapped:
        p.draw(lathe([(r + 0.0012, 0.012), (r + 0.0012, h - 0.012)], 22), wrapped)
        p.draw(lathe([(r + 0.002, 0.04), (r + 0.002, 0.056)], 22), paper)
    return p.settled()


def plunger(variant: int, rubber: str, stick: str) -> Piece:
    p = thing("plunger", variant)
    cup = [
        (0.06, 0),
        (0.066, 0.004),
        (0.058, 0.035),
        (0.03, 0.06),
        (0.018, 0.075),
        (0.014, 0.085),
        (0, 0.085),
    ]
    p.draw(lathe(rounded(cup), 20), rubber, "satin")
    p.draw(ring(0.06, 0.006, 0.006, 20), rubber, "satin")
    p.draw(cylinder(0.0105, 0.07, 0.4, 10), stick)
    p.draw(pebble(0.03, 0.026, 0.03, (0, 0.392, 0)), stick)
    return p.settled()


def pieces() -> list[Piece]:
    return [
        soap(1, "#f3e3ec", "#e8b7cf"),
        soap(2, "#cfe3b8", "#a5c987"),
        soap_dish(1, "#e9e4da", "#e8b7cf", True),
        soap_dish(2, "#7fa9b5", "#f4e6b0", False),
        soap_dispenser(1, "#e3efe8", STEEL, "#6fbf9a", False),
        soap_dispenser(2, "#e9dff0", "#3b4045", "#a987c9", True),
        toothbrush(1, "#3f8fd0", "#8fd0ff", False),
        toothbrush(2, "#e06a8a", "#bfe0f4", True),
        toothpaste(1, WHITE, "#d8433b", "#3f7fc4"),
        toothpaste(2, "#3fa38a", "#f4f4f0", "#f4f4f0"),
        toothbrush_holder(1, "#e9e4da", "#3f8fd0", "#d8433b"),
        toothbrush_holder(2, "#8fb9c4", "#f0b429", "#7fb069"),
        toiletry(1, "#f0a3b5", "#f7f2e7", "#fbe6ec", False),
        toiletry(2, "#4f9a8f", "#33383c", "#e9f0e4", True),
        toilet_paper(1, WHITE, "#b9936a", None),
        toilet_paper(2, "#f7efe4", "#b9936a", "#8fb9d6"),
        plunger(1, "#b5392f", "#d9b27a"),
        plunger(2, "#33383c", "#e9e4da"),
    ]
