"""Objects of washing and cleaning: toiletries, linen, what stands under the sink."""

from __future__ import annotations

import math

from episodes.catalogue.groceries import WATER
from episodes.catalogue.meshes import arc, blob, box, cylinder, lathe, rounded, tube, vessel
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

STEEL, WHITE, BLACK = "#c3c7c9", "#f4f4f0", "#2d2f33"


def soap(variant: int, colour: str, stamp: str) -> Piece:
    p = thing("soap", variant)
    p.draw(blob((0, 0.015, 0), (0.045, 0.015, 0.03), (0.5, 0.6), 7, 18), colour, "satin")
    p.draw(extruded(ellipse(0.026, 0.014, 14), 0.0285, 0.0308), stamp, "satin")
    return p.settled()


def soap_dish(variant: int, colour: str, bar: str, oval: bool) -> Piece:
    """A ridged dish with a sliver of soap in it."""
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
    """A tube lying on its side: flat at the crimp, round at the cap."""
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
    """A mug with two brushes in it."""
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


def hairbrush(variant: int, back: str, pad: str, round_one: bool) -> Piece:
    p = thing("hairbrush", variant)
    p.draw(
        tapered(
            [(0.03, 0.012, 0), (0.06, 0.012, 0), (0.115, 0.012, 0), (0.125, 0.012, 0)],
            [0.008, 0.009, 0.0115, 0.006],
            9,
        ),
        back,
        "satin",
    )
    if round_one:
        p.draw(
            cylinder(0.012, -0.085, 0.03, 12, 0.003).turned((0, 0, 1), 90).moved(-0.055, 0.024, 0),
            back,
            "satin",
        )
        for k in range(10):
            for a in range(6):
                x = -0.075 + 0.0095 * k
                y, z = math.sin(1.05 * a + 0.5 * (k % 2)), math.cos(1.05 * a + 0.5 * (k % 2))
                p.draw(
                    box((x - 0.001, -0.001, 0.0), (x + 0.001, 0.001, 0.0235), 0.0)
                    .turned((1, 0, 0), -math.degrees(math.atan2(y, z)))
                    .moved(0, 0.024, 0),
                    pad,
                )
        return p.settled()
    p.draw(
        extruded(ellipse(0.062, 0.034, 20), 0.004, 0.018, 0.005).moved(-0.03, 0, 0), back, "satin"
    )
    p.draw(extruded(ellipse(0.05, 0.026, 18), 0.017, 0.021, 0.002).moved(-0.03, 0, 0), pad)
    for k in range(6):
        for j in range(4):
            x, z = -0.03 + 0.015 * (k - 2.5), 0.011 * (j - 1.5)
            if (x + 0.03) ** 2 / 0.0022 + z * z / 0.0006 < 1:
                p.draw(
                    box((x - 0.0012, 0.02, z - 0.0012), (x + 0.0012, 0.034, z + 0.0012), 0.0), BLACK
                )
    return p.settled()


def comb(variant: int, colour: str, handled: bool) -> Piece:
    p = thing("comb", variant)
    p.draw(
        box((-0.085, 0, -0.018), (0.05 if handled else 0.085, 0.006, -0.006), 0.002),
        colour,
        "satin",
    )
    if handled:
        p.draw(
            extruded(round_rect(0.028, 0.009, 0.008), 0, 0.006, 0.002).moved(0.075, 0, -0.012),
            colour,
            "satin",
        )
    for k in range(18 if handled else 24):
        x = -0.081 + 0.007 * k
        p.draw(box((x - 0.0018, 0.001, -0.008), (x + 0.0018, 0.005, 0.018), 0.0), colour, "satin")
    return p.settled()


def hair_dryer(variant: int, body: str, trim: str) -> Piece:
    """Lying on its side; hot wind glows in the nozzle when it is on."""
    p = thing("hair_dryer", variant)
    barrel = [
        (0, -0.075),
        (0.026, -0.072),
        (0.036, -0.055),
        (0.036, 0.0),
        (0.027, 0.055),
        (0.027, 0.1),
        (0, 0.1),
    ]
    p.draw(lathe(rounded(barrel), 18).turned((0, 0, 1), 90).moved(0, 0.036, 0), body, "satin")
    p.draw(cylinder(0.029, 0.085, 0.105, 18, 0.002).turned((0, 0, 1), 90).moved(0, 0.036, 0), trim)
    p.draw(cylinder(0.027, -0.078, -0.07, 16, 0.002).turned((0, 0, 1), 90).moved(0, 0.036, 0), trim)
    p.draw(
        tapered(
            [(0.02, 0.034, 0.02), (0.025, 0.03, 0.06), (0.032, 0.024, 0.12), (0.034, 0.022, 0.135)],
            [0.018, 0.0165, 0.018, 0.012],
            10,
        ),
        body,
        "satin",
    )
    p.draw(block(0.012, 0.008, 0.024, (0.026, 0.044, 0.06), 0.003), trim)
    p.draw(
        tube(
            curve(
                [
                    (0.034, 0.02, 0.135),
                    (0.03, 0.006, 0.165),
                    (-0.02, 0.005, 0.16),
                    (-0.06, 0.005, 0.12),
                ],
                3,
            ),
            0.004,
            6,
        ),
        BLACK,
    )
    glow = cylinder(0.023, 0.104, 0.1075, 14).turned((0, 0, 1), 90).moved(0, 0.036, 0)
    p.show(glow, "#ff7a3a", "glow_hot", "is_powered_on")
    p.show(
        block(0.01, 0.004, 0.01, (0.026, 0.0515, 0.06), 0.001),
        "#7fe08a",
        "glow_cool",
        "is_powered_on",
    )
    p.show(
        lathe([(0.0372, -0.03), (0.0372, -0.012)], 18).turned((0, 0, 1), 90).moved(0, 0.036, 0),
        "#ff9a4d",
        "glow_hot",
        "is_powered_on",
    )
    return p.settled()


def hand_mirror(variant: int, frame: str, back: str) -> Piece:
    p = thing("hand_mirror", variant)
    p.draw(extruded(ellipse(0.065, 0.065, 26), 0, 0.014, 0.005).moved(-0.05, 0, 0), frame, "satin")
    p.draw(disc(0.054, 0.0145, -0.05, 0, 26), "#cfe0ea", "metal")
    p.draw(
        box((-0.075, 0.0147, -0.02), (-0.04, 0.0152, -0.012), 0.0).turned(
            (0, 1, 0), 35, (-0.05, 0, 0)
        ),
        WHITE,
    )
    p.draw(
        tapered(
            [(0.01, 0.007, 0), (0.04, 0.007, 0), (0.115, 0.007, 0), (0.13, 0.007, 0)],
            [0.0065, 0.007, 0.009, 0.004],
            9,
        ).scaled(1, 0.9, 1.6),
        back,
        "satin",
    )
    return p.settled()


def tissue_box(variant: int, card: str, pattern: str, cube: bool) -> Piece:
    p = thing("tissue_box", variant)
    w, h, d = (0.115, 0.12, 0.115) if cube else (0.23, 0.08, 0.12)
    p.draw(block(w, h, d, bevel=0.003), card)
    for k in range(3):
        p.draw(block(w + 0.001, h * 0.1, d + 0.001, (0, h * (0.18 + 0.26 * k), 0), 0.0), pattern)
    p.draw(extruded(ellipse(0.04 if cube else 0.06, 0.02, 16), h - 0.001, h + 0.001), BLACK)
    for turn, tall in ((0, 0.06), (70, 0.045), (140, 0.052)):
        sheet = blob((0, h + tall / 2, 0), (0.028, tall / 2, 0.004), (0.8, 0.8), 6, 8)
        p.draw(sheet.turned((0, 1, 0), turn), WHITE)
    return p.settled()


def bath_towel(variant: int, cloth: str, border: str) -> Piece:
    """A big towel rolled up."""
    p = thing("bath_towel", variant)
    spiral = []
    for k in range(23):
        a, r = 0.62 * k, 0.012 + 0.0024 * k
        spiral.append((r * math.cos(a), r * math.sin(a)))
    p.draw(cylinder(0.07, -0.2, 0.2, 18, 0.016).turned((0, 0, 1), 90).moved(0, 0.07, 0), cloth)
    for side in (-1, 1):
        line = [(side * 0.2, 0.07 + y, z) for y, z in spiral]
        p.draw(tube(line, 0.0045, 5), border)
    for x in (-0.14, 0.14):
        p.draw(
            lathe([(0.071, -0.012), (0.071, 0.012)], 18).turned((0, 0, 1), 90).moved(x, 0.07, 0),
            border,
        )
    return p.settled()


def hand_towel(variant: int, cloth: str, stripe: str) -> Piece:
    """Folded twice, with a fringe at one end."""
    p = thing("hand_towel", variant)
    for k in range(2):
        p.draw(block(0.2 - 0.006 * k, 0.022, 0.13, (0.003 * k, 0.021 * k, 0), 0.01), cloth)
    for x in (-0.07, -0.05):
        p.draw(block(0.008, 0.0435, 0.1315, (x, 0, 0), 0.009), stripe)
    for k in range(12):
        p.draw(block(0.014, 0.004, 0.005, (-0.105, 0.002, 0.0105 * (k - 5.5)), 0.001), stripe)
    return p.settled()


def cloth(variant: int, colour: str, check: str, crumpled: bool) -> Piece:
    p = thing("cloth", variant)
    if crumpled:
        for k in range(7):
            a = math.tau * k / 7
            lump = blob(
                (0.045 * math.cos(a), 0.018 + 0.006 * (k % 2), 0.04 * math.sin(a)),
                (0.046, 0.018, 0.026),
                (0.7, 0.8),
                6,
                10,
            )
            p.draw(
                lump.turned((0, 1, 0), 40 * k, (0.04 * math.cos(a), 0, 0.04 * math.sin(a))),
                colour if k % 3 else check,
            )
        p.draw(blob((0, 0.03, 0), (0.05, 0.024, 0.04), (0.7, 0.7), 6, 12), colour)
        return p.settled()
    p.draw(block(0.2, 0.006, 0.2, bevel=0.002), colour)
    p.draw(block(0.2, 0.007, 0.1, (0, 0.005, -0.05), 0.003), colour)
    for k in range(4):
        p.draw(
            box((-0.08 + 0.05 * k, 0.0001, -0.1003), (-0.065 + 0.05 * k, 0.0124, 0.0), 0.0), check
        )
        p.draw(
            box((-0.08 + 0.05 * k, 0.0001, 0.0), (-0.065 + 0.05 * k, 0.0065, 0.1003), 0.0), check
        )
    return p.settled()


def spray_bottle(variant: int, tint: str, head: str, liquid: str) -> Piece:
    p = thing("spray_bottle", variant)
    wall = [(0.036, 0.004), (0.04, 0.02), (0.04, 0.09), (0.022, 0.14), (0.016, 0.17)]
    p.draw(lathe(rounded(wall), 18), tint, "glass")
    p.draw(lathe([(0, 0), (0.034, 0), (0.0365, 0.006), (0, 0.007)], 18), tint, "satin")
    p.draw(cylinder(0.018, 0.165, 0.19, 14, 0.003), head)
    p.draw(block(0.026, 0.034, 0.085, (0, 0.188, -0.016), 0.009), head, "satin")
    p.draw(upright(cylinder(0.008, 0.056, 0.068, 10), 0.208), BLACK)
    p.draw(
        tube(curve([(0, 0.19, -0.035), (0, 0.165, -0.045), (0, 0.14, -0.036)], 3), 0.0055, 7), BLACK
    )
    p.draw(lathe([(0.041, 0.035), (0.041, 0.075)], 18), WHITE)
    p.draw(upright(extruded(ellipse(0.016, 0.013, 14), 0.0405, 0.0425), 0.055), head)
    full = [(0, 0.007), (0.037, 0.01), (0.038, 0.09), (0.03, 0.115), (0, 0.115)]
    p.show(lathe(full, 16), liquid, "satin", "is_filled")
    return p.settled()


def scrub_brush(variant: int, wood: str, hair: str, handled: bool) -> Piece:
    p = thing("scrub_brush", variant)
    p.draw(extruded(ellipse(0.075, 0.03, 20), 0.03, 0.05, 0.006), wood)
    for k in range(9):
        for j in range(3):
            x, z = 0.0155 * (k - 4), 0.016 * (j - 1)
            if (x / 0.07) ** 2 + (z / 0.028) ** 2 < 1:
                p.draw(block(0.009, 0.032, 0.009, (x, 0, z), 0.002), hair)
    if handled:
        p.draw(
            tapered(
                curve([(0.06, 0.043, 0), (0.1, 0.055, 0), (0.19, 0.06, 0)], 3),
                [0.008, 0.009, 0.01, 0.011, 0.011, 0.011, 0.006],
                9,
            ),
            wood,
        )
    else:
        p.draw(
            tube(
                curve(
                    [(-0.045, 0.048, 0), (-0.03, 0.08, 0), (0.03, 0.08, 0), (0.045, 0.048, 0)], 3
                ),
                0.009,
                8,
            ),
            wood,
        )
    return p.settled()


def bucket(variant: int, colour: str, grip: str) -> Piece:
    p = thing("bucket", variant)
    full = vessel([(0, 0), (0.095, 0), (0.1, 0.006), (0.13, 0.22)], 0.004, 0.01)
    p.draw(lathe(full, 24), colour, "satin")
    p.draw(ring(0.131, 0.005, 0.219, 24), colour, "satin")
    p.draw(ring(0.119, 0.004, 0.13, 24), colour, "satin")
    # The bail lies down on the rim.
    bail = [
        (x, 0.222 + 0.014 * math.sin(math.radians(a)), z)
        for a, (x, _, z) in zip(
            range(0, 181, 15), arc((0, 0, 0), 0.137, 0, 180, "xz", 12), strict=True
        )
    ]
    p.draw(tube(bail, 0.0035, 6), STEEL, "metal")
    p.draw(rod((-0.03, 0.236, 0.133), (0.03, 0.236, 0.133), 0.009), grip)
    p.fill(0.12, 0.16, WATER)
    return p.settled()


def detergent(variant: int, body: str, cap: str, label: str) -> Piece:
    """A jug with a handle in its side and a measuring cap."""
    p = thing("detergent", variant)
    outline = [
        (-0.075, 0),
        (0.075, 0),
        (0.08, 0.03),
        (0.08, 0.15),
        (0.055, 0.2),
        (0.02, 0.215),
        (-0.02, 0.215),
        (-0.05, 0.2),
        (-0.075, 0.15),
    ]
    p.draw(upright(extruded(outline, -0.045, 0.045, 0.012)), body, "satin")
    p.draw(
        upright(extruded(round_rect(0.011, 0.035, 0.01), 0.044, 0.0465), 0.125).moved(0.05, 0, 0),
        BLACK,
    )
    p.draw(
        upright(extruded(round_rect(0.042, 0.042, 0.014), 0.044, 0.047), 0.085).moved(-0.018, 0, 0),
        label,
    )
    p.draw(
        upright(extruded(ellipse(0.024, 0.024, 16), 0.046, 0.0485), 0.09).moved(-0.018, 0, 0), cap
    )
    p.draw(cylinder(0.026, 0.212, 0.255, 16, 0.004), cap, "satin")
    return p.settled()


def dustpan(variant: int, colour: str, brush: str) -> Piece:
    """A dustpan with its brush lying in it."""
    p = thing("dustpan", variant)
    p.draw(
        extruded([(-0.1, -0.11), (0.1, -0.11), (0.085, 0.09), (-0.085, 0.09)], 0, 0.006),
        colour,
        "satin",
    )
    for side in (-1, 1):
        wall = [
            (side * 0.1, -0.1),
            (side * 0.094, -0.1),
            (side * 0.079, 0.09),
            (side * 0.085, 0.09),
        ]
        p.draw(extruded(wall, 0.0, 0.04), colour, "satin")
    p.draw(block(0.17, 0.05, 0.008, (0, 0, 0.088), 0.003), colour, "satin")
    p.draw(
        tapered(
            [(0, 0.03, 0.088), (0, 0.032, 0.13), (0, 0.034, 0.2), (0, 0.034, 0.215)],
            [0.012, 0.012, 0.014, 0.007],
            9,
        ),
        colour,
        "satin",
    )
    p.draw(block(0.12, 0.02, 0.03, (0, 0.03, 0.02), 0.006), brush, "satin")
    for k in range(8):
        p.draw(block(0.011, 0.026, 0.022, (0.0145 * (k - 3.5), 0.006, 0.02), 0.003), "#e9d9b8")
    p.draw(
        tapered(
            [(0.05, 0.042, 0.02), (0.09, 0.046, 0.03), (0.14, 0.048, 0.045)],
            [0.009, 0.008, 0.01],
            8,
        ),
        brush,
        "satin",
    )
    return p.settled()


def iron(variant: int, body: str, trim: str) -> Piece:
    """A steam iron on its sole, its point to -Z."""
    p = thing("iron", variant)
    sole = [
        (0, -0.13),
        (0.03, -0.1),
        (0.052, -0.04),
        (0.056, 0.1),
        (-0.056, 0.1),
        (-0.052, -0.04),
        (-0.03, -0.1),
    ]
    p.draw(extruded(sole, 0, 0.012, 0.003), STEEL, "metal")
    p.draw(extruded([(0.94 * x, 0.94 * z) for x, z in sole], 0.012, 0.05, 0.014), body, "satin")
    p.draw(
        extruded([(0.7 * x, 0.75 * z + 0.01) for x, z in sole], 0.048, 0.068, 0.012), trim, "satin"
    )
    p.draw(
        tube(
            curve(
                [
                    (0, 0.06, -0.06),
                    (0, 0.11, -0.05),
                    (0, 0.125, 0.03),
                    (0, 0.1, 0.085),
                    (0, 0.04, 0.085),
                ],
                3,
            ),
            0.014,
            9,
        ),
        body,
        "satin",
    )
    p.draw(cylinder(0.018, 0.066, 0.074, 14, 0.002).moved(0, 0, -0.01), WHITE)
    p.draw(
        tube(
            curve([(0, 0.1, 0.09), (0, 0.11, 0.125), (0.03, 0.05, 0.14), (0.05, 0.006, 0.12)], 3),
            0.004,
            6,
        ),
        BLACK,
    )
    p.show(pebble(0.014, 0.008, 0.014, (0, 0.066, -0.05)), "#ff5a2a", "glow_hot", "is_powered_on")
    p.show(
        extruded([(1.01 * x, 1.01 * z) for x, z in sole], 0.002, 0.009),
        "#ff7a3a",
        "glow_hot",
        "is_powered_on",
    )
    return p.settled()


def laundry_basket(variant: int, colour: str, grip: str) -> Piece:
    """A plastic basket with slots."""
    p = thing("laundry_basket", variant)
    p.draw(extruded(round_rect(0.16, 0.11, 0.04), 0, 0.012, 0.003), colour, "satin")
    for y, grow in ((0.06, 1.06), (0.12, 1.12), (0.18, 1.18)):
        loop = [(x * grow, y, z * grow) for x, z in round_rect(0.16, 0.11, 0.04, 3)]
        p.draw(tube(loop, 0.0085, 6, closed=True), grip if y > 0.15 else colour, "satin")
    for x, z in round_rect(0.16, 0.11, 0.05, 5):
        p.draw(rod((x, 0.004, z), (x * 1.18, 0.18, z * 1.18), 0.007, 6), colour, "satin")
    for x in (-0.09, -0.03, 0.03, 0.09):
        for z in (-0.11, 0.11):
            p.draw(rod((x, 0.004, z), (x * 1.18, 0.18, z * 1.18), 0.007, 6), colour, "satin")
    for z in (-0.04, 0.04):
        for x in (-0.16, 0.16):
            p.draw(rod((x, 0.004, z), (x * 1.18, 0.18, z * 1.18), 0.007, 6), colour, "satin")
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
        hairbrush(1, "#7b4a8a", "#2d2f33", False),
        hairbrush(2, "#c98b5a", "#3a3430", True),
        comb(1, "#33302c", False),
        comb(2, "#d9486e", True),
        hair_dryer(1, "#d9486e", "#33383c"),
        hair_dryer(2, "#e4e2dc", "#8b9094"),
        hand_mirror(1, "#c9a24a", "#c9a24a"),
        hand_mirror(2, "#e8b7cf", "#d98aa8"),
        tissue_box(1, "#8fc1d6", "#cfe6ee", False),
        tissue_box(2, "#f0c9a0", "#e39a6a", True),
        bath_towel(1, "#e9b44c", "#fbf0d8"),
        bath_towel(2, "#5f86b5", "#dce6f0"),
        hand_towel(1, "#f1ece0", "#3f7fc4"),
        hand_towel(2, "#a9c9a0", "#5f8a5a"),
        cloth(1, "#f4f1ea", "#d8433b", False),
        cloth(2, "#f0d34a", "#e0b82f", True),
        spray_bottle(1, "#dff0f7", "#d8433b", "#6fb7e6"),
        spray_bottle(2, "#f4eed0", "#3f8f5f", "#b7d95a"),
        scrub_brush(1, "#c99a5b", "#f1e6cc", False),
        scrub_brush(2, "#3f8fd0", "#f4f4f0", True),
        bucket(1, "#d8433b", "#f4f4f0"),
        bucket(2, "#5f9ab0", "#33383c"),
        detergent(1, "#2f78c9", "#f08a2f", "#f7f2e7"),
        detergent(2, "#f4f4f0", "#7fb069", "#cfe6c4"),
        dustpan(1, "#3f8fd0", "#f0b429"),
        dustpan(2, "#4a4f55", "#d8433b"),
        iron(1, "#4f86c0", "#e4eef4"),
        iron(2, "#b04a78", "#f4e6ec"),
        laundry_basket(1, "#f1ece0", "#8fb9c4"),
        laundry_basket(2, "#8fa7c9", "#5f7f9f"),
    ]
