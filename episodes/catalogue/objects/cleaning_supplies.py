"""Objects for washing and cleaning: linen, and what stands under the sink."""

from __future__ import annotations

import math

from episodes.catalogue.mesh.meshes import arc, blob, box, cylinder, lathe, rounded, tube, vessel
from episodes.catalogue.mesh.pieces import Piece, thing
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
from episodes.catalogue.objects.groceries import WATER

STEEL, WHITE, BLACK = "#c3c7c9", "#f4f4f0", "#2d2f33"


def bath_towel(variant: int, cloth: str, border: str) -> Piece:
    """Build a big towel rolled up."""
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
    """Build a towel folded twice, with a fringe at one end."""
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
    # The bail lies on the rim.
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
    """Build a jug with a handle in its side and a measuring cap."""
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
    """Build a dustpan with its brush lying in it."""
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
    """Build a steam iron on its sole, its point to -Z."""
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
    """Build a plastic basket with slots."""
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
