"""Small kitchen tools, lying as they are put down, and what stands beside the stove."""

from __future__ import annotations

import math

from episodes.catalogue.mesh.meshes import arc, blob, box, cylinder, lathe, rounded, tube, vessel
from episodes.catalogue.mesh.models import Finish
from episodes.catalogue.mesh.pieces import Piece, disc, thing
from episodes.catalogue.mesh.sweeps import (
    block,
    curve,
    extruded,
    pebble,
    ring,
    rod,
    round_rect,
    tapered,
    upright,
)

STEEL, BLACK, WOOD = "#c3c7c9", "#2d2f33", "#b9834d"


def fork(variant: int, colour: str, grip: str) -> Piece:
    p = thing("fork", variant)
    neck = curve([(-0.055, 0.006, 0), (-0.03, 0.004, 0), (0.02, 0.01, 0), (0.1, 0.006, 0)], 3)
    p.draw(tapered(neck, [0.005] * 6 + [0.006] * (len(neck) - 6), 7), grip, "satin")
    p.draw(
        extruded(round_rect(0.02, 0.015, 0.008, 3), 0.003, 0.0075, 0.001).moved(-0.062, 0, 0),
        colour,
        "metal",
    )
    for z in (-0.0115, -0.0038, 0.0038, 0.0115):
        p.draw(
            tapered(
                [(-0.07, 0.0055, z), (-0.1, 0.004, z), (-0.12, 0.008, z)], [0.003, 0.0028, 0.001], 6
            ),
            colour,
            "metal",
        )
    return p.settled()


def knife(variant: int, grip: str, length: float) -> Piece:
    """Build a kitchen knife lying on its side."""
    p = thing("knife", variant)
    blade = [
        (0, -0.014),
        (0, 0.02),
        (-length * 0.75, 0.02),
        (-length, -0.006),
        (-length * 0.96, -0.012),
    ]
    p.draw(extruded(blade, 0.005, 0.0075), STEEL, "metal")
    p.draw(extruded(round_rect(0.055, 0.014, 0.009), 0, 0.0135, 0.004).moved(0.055, 0, 0.002), grip)
    for x in (0.025, 0.055, 0.085):
        p.draw(disc(0.0035, 0.0138, x, 0.002, 8), STEEL, "metal")
    return p.settled()


def ladle(variant: int, colour: str, grip: str, finish: Finish) -> Piece:
    p = thing("ladle", variant)
    full = vessel([(0, 0), (0.022, 0.004), (0.038, 0.022), (0.042, 0.042)], 0.003, 0.006)
    p.draw(lathe(full, 16), colour, finish)
    line = curve([(0.04, 0.04, 0), (0.075, 0.075, 0), (0.17, 0.085, 0), (0.24, 0.072, 0)], 3)
    p.draw(tube(line[:7], 0.0045, 7), colour, finish)
    p.draw(tube(line[5:], 0.008, 7), grip, "satin")
    return p.settled()


def spatula(variant: int, blade: str, grip: str, slots: int) -> Piece:
    """Build a turner: a broad slotted blade on a handle."""
    p = thing("spatula", variant)
    p.draw(
        extruded(round_rect(0.05, 0.04, 0.012), 0.004, 0.0085, 0.001).moved(-0.1, 0, 0),
        blade,
        "satin",
    )
    for k in range(slots):
        z = 0.018 * (k - (slots - 1) / 2)
        p.draw(box((-0.13, 0.0075, z - 0.0035), (-0.075, 0.0092, z + 0.0035), 0.0), "#4a4f52")
    p.draw(
        tube([(-0.055, 0.0065, 0), (-0.02, 0.02, 0), (0.04, 0.016, 0)], 0.005, 7), STEEL, "metal"
    )
    p.draw(
        tapered(
            [(0.03, 0.017, 0), (0.06, 0.016, 0), (0.14, 0.011, 0), (0.15, 0.011, 0)],
            [0.007, 0.01, 0.011, 0.006],
            8,
        ),
        grip,
    )
    return p.settled()


def whisk(variant: int, wire: str, grip: str) -> Piece:
    p = thing("whisk", variant)
    for k in range(6):
        loop = curve([(-0.005, 0, 0), (-0.06, 0.022, 0), (-0.11, 0.028, 0), (-0.14, 0.0, 0)], 3)
        bow = tube(loop, 0.0016, 5)
        p.draw(bow.turned((1, 0, 0), 60 * k + 30), wire, "metal")
    p.draw(
        tapered(
            [(-0.01, 0, 0), (0.01, 0, 0), (0.1, 0, 0), (0.12, 0, 0)],
            [0.006, 0.009, 0.0115, 0.006],
            9,
        ),
        grip,
        "satin",
    )
    p.draw(ring(0.007, 0.002, 0).turned((1, 0, 0), 90).moved(0.125, 0, 0), wire, "metal")
    return p.settled()


def rolling_pin(variant: int, wood: str, grip: str) -> Piece:
    p = thing("rolling_pin", variant)
    roll = cylinder(0.028, -0.12, 0.12, 18, 0.006).turned((0, 0, 1), 90).moved(0, 0.028, 0)
    p.draw(roll, wood)
    for side in (-1, 1):
        p.draw(
            tapered(
                [(side * x, 0.028, 0) for x in (0.12, 0.135, 0.18, 0.195)],
                [0.008, 0.011, 0.014, 0.008],
                10,
            ),
            grip,
            "satin",
        )
    return p.settled()


def grater(variant: int, steel: str, grip: str) -> Piece:
    """Build a box grater with a handle on top."""
    p = thing("grater", variant)
    low, high, h = (0.05, 0.037), (0.036, 0.026), 0.19
    body = lathe([(0.0707, 0.004), (0.051, h)], 4, math.tau / 8)
    p.draw(body.scaled(1, 1, 0.74), steel, "metal")
    p.draw(extruded(round_rect(low[0] + 0.002, low[1] + 0.002, 0.006, 3), 0, 0.014, 0.003), grip)
    p.draw(
        extruded(
            round_rect(high[0] + 0.002, high[1] + 0.002, 0.006, 3), h - 0.006, h + 0.006, 0.003
        ),
        grip,
    )
    p.draw(
        tube(
            curve([(-0.03, h, 0), (-0.022, h + 0.035, 0), (0.022, h + 0.035, 0), (0.03, h, 0)], 3),
            0.007,
            7,
        ),
        grip,
    )
    for row in range(6):
        y = 0.032 + 0.024 * row
        z = -0.0371 + (y - 0.004) * 0.0745 - 0.001
        for k in range(4):
            x = (k - 1.5) * (0.019 - 0.03 * (y - 0.03) * 0.6)
            p.draw(pebble(0.009, 0.009, 0.004, (x, y, z)), BLACK)
    return p.settled()


def tongs(variant: int, steel: str, tips: str) -> Piece:
    p = thing("tongs", variant)
    for side in (-1, 1):
        arm = curve(
            [
                (0.13, 0.012, 0),
                (0.08, 0.012, side * 0.012),
                (-0.05, 0.012, side * 0.03),
                (-0.1, 0.012, side * 0.022),
            ],
            3,
        )
        p.draw(tapered(arm, [0.007] * len(arm), 6).scaled(1, 1.4, 0.6), steel, "metal")
        p.draw(
            blob((-0.115, 0.013, side * 0.016), (0.026, 0.012, 0.007), rings=6, segments=10), tips
        )
    p.draw(ring(0.008, 0.0025, 0.014, 12).moved(0.137, 0, 0), steel, "metal")
    return p.settled()


def can_opener(variant: int, grip: str) -> Piece:
    p = thing("can_opener", variant)
    for side in (-1, 1):
        bar = [(-0.02, 0.012, side * 0.006), (0.02, 0.012, side * 0.014), (0.1, 0.012, side * 0.02)]
        p.draw(tapered(bar, [0.007, 0.011, 0.008], 8), grip, "satin")
        p.draw(block(0.06, 0.006, 0.014, (-0.04, 0.009, side * 0.006), 0.002), STEEL, "metal")
    p.draw(cylinder(0.014, 0.014, 0.02, 14).moved(-0.055, 0, 0.004), STEEL, "metal")
    p.draw(cylinder(0.005, 0.014, 0.034, 8).moved(-0.03, 0, 0), STEEL, "metal")
    p.draw(block(0.05, 0.008, 0.012, (-0.03, 0.032, 0), 0.004), grip, "satin")
    return p.settled()


def squeezer(variant: int, colour: str, cone: str) -> Piece:
    """Build a lemon squeezer: a ribbed cone in a dish with a spout."""
    p = thing("squeezer", variant)
    full = vessel([(0, 0), (0.05, 0), (0.056, 0.006), (0.065, 0.04)], 0.004, 0.006)
    p.draw(lathe(full, 20), colour, "satin")
    p.draw(lathe([(0.034, 0.006), (0.03, 0.03), (0.016, 0.058), (0, 0.066)], 14), cone, "satin")
    for k in range(8):
        rib = tapered(
            [(0.034, 0.01, 0), (0.029, 0.034, 0), (0.015, 0.06, 0)], [0.004, 0.004, 0.002], 5
        )
        p.draw(rib.turned((0, 1, 0), 45 * k), cone, "satin")
    p.draw(block(0.026, 0.016, 0.022, (-0.068, 0.024, 0), 0.006), colour, "satin")
    p.draw(tube(arc((0.06, 0.022, 0), 0.022, 80, -80, "xy", 6), 0.005, 6), colour, "satin")
    return p.settled()


def sushi_mat(variant: int, bamboo: str, thread: str, rolled: bool) -> Piece:
    p = thing("sushi_mat", variant)
    if rolled:
        for k in range(14):
            a, r = 0.62 * k, 0.014 + 0.0013 * k
            y, z = 0.034 + r * math.sin(a), r * math.cos(a)
            p.draw(rod((-0.12, y, z), (0.12, y, z), 0.0042, 6), bamboo)
        for x in (-0.08, 0.08):
            p.draw(ring(0.036, 0.0022, 0, 14).turned((0, 0, 1), 90).moved(x, 0.034, 0), thread)
        return p.settled()
    for k in range(22):
        z = 0.0105 * (k - 10.5)
        p.draw(box((-0.12, 0, z - 0.0042), (0.12, 0.005, z + 0.0042), 0.002), bamboo)
    for x in (-0.09, -0.03, 0.03, 0.09):
        p.draw(box((x - 0.0015, 0.001, -0.115), (x + 0.0015, 0.0058, 0.115), 0.0), thread)
    return p.settled()


def utensil_holder_cup(variant: int, pot: str, band: str) -> Piece:
    """Build a crock with wooden spoons and a spatula in it."""
    p = thing("utensil_holder_cup", variant)
    r, h = 0.055, 0.14
    p.draw(
        lathe(vessel([(0, 0), (r - 0.004, 0), (r, 0.006), (r, h)], 0.005, 0.1), 20), pot, "satin"
    )
    p.draw(lathe([(r + 0.001, 0.05), (r + 0.001, 0.085)], 20), band, "satin")
    for k, (turn, lean, long) in enumerate(((10, 12, 0.26), (130, 15, 0.24), (250, 10, 0.28))):
        stick = rod((0, 0.02, 0), (0, long, 0), 0.006, 7)
        head = blob((0, long + 0.02, 0), (0.024, 0.036, 0.006), (1, 0.8 if k else 0.3), 6, 12)
        for mesh in (stick, head):
            leant = mesh.turned((1, 0, 0), lean, (0, 0.02, 0)).turned((0, 1, 0), turn)
            p.draw(leant, (WOOD, "#8a5a36", "#d8433b")[k])
    return p.settled()


def salt_and_pepper_shaker(variant: int, salt: str, pepper: str, tall: bool) -> Piece:
    """Build a pair of shakers on one little tray."""
    p = thing("salt_and_pepper_shaker", variant)
    p.draw(extruded(round_rect(0.062, 0.032, 0.03, 6), 0, 0.008, 0.002), WOOD if tall else STEEL)
    h = 0.085 if tall else 0.06
    for x, colour in ((-0.03, salt), (0.03, pepper)):
        wall = [(0, 0.008), (0.022, 0.008), (0.025, 0.02), (0.016, h)]
        p.draw(lathe(rounded(wall), 14).moved(x), colour, "satin")
        p.draw(
            lathe([(0.0165, h), (0.017, h + 0.01), (0.008, h + 0.019), (0, h + 0.02)], 14).moved(x),
            STEEL,
            "metal",
        )
        for k in range(3):
            p.draw(
                disc(
                    0.0022, h + 0.0195, x + 0.005 * math.cos(2.1 * k), 0.005 * math.sin(2.1 * k), 6
                ),
                BLACK,
            )
    return p.settled()


def spicemill(variant: int, wood: str, trim: str) -> Piece:
    p = thing("spicemill", variant)
    wall = [
        (0, 0),
        (0.028, 0),
        (0.029, 0.02),
        (0.019, 0.05),
        (0.024, 0.085),
        (0.017, 0.11),
        (0.026, 0.118),
    ]
    head = [(0.026, 0.12), (0.028, 0.132), (0.02, 0.155), (0.008, 0.165), (0, 0.166)]
    p.draw(lathe(rounded(wall), 16), wood, "satin")
    p.draw(lathe([(0.027, 0.117), (0.027, 0.121)], 16), trim, "metal")
    p.draw(lathe(rounded(head), 16), wood, "satin")
    p.draw(pebble(0.014, 0.014, 0.014, (0, 0.162, 0)), trim, "metal")
    p.draw(upright(disc(0.009, 0.0215, 0, 0.085, 10), 0, -0.003), "#f4efe2")
    return p.settled()


def pieces() -> list[Piece]:
    return [
        fork(1, "#c3c7c9", "#c3c7c9"),
        fork(2, "#c3c7c9", "#2f6f9f"),
        knife(1, "#33302c", 0.19),
        knife(2, "#c0472f", 0.13),
        ladle(1, "#b9bec1", BLACK, "metal"),
        ladle(2, "#b9834d", "#a06a38", "matte"),
        spatula(1, "#2f3235", "#c4472f", 3),
        spatula(2, "#3f8f8a", "#b9834d", 2),
        whisk(1, "#b9bec1", "#b9bec1"),
        whisk(2, "#8f969b", "#d8433b"),
        rolling_pin(1, "#d9b27a", "#a2703a"),
        rolling_pin(2, "#f1ece0", "#4f86b0"),
        grater(1, "#b9bec1", BLACK),
        grater(2, "#c9cdd0", "#d8433b"),
        tongs(1, "#b9bec1", BLACK),
        tongs(2, "#b9bec1", "#d8433b"),
        can_opener(1, BLACK),
        can_opener(2, "#d8433b"),
        squeezer(1, "#f0d34a", "#fbf0b8"),
        squeezer(2, "#cfe0d0", "#f6f8f2"),
        sushi_mat(1, "#d8bb7a", "#6f8a4a", False),
        sushi_mat(2, "#c9a25f", "#b0413e", True),
        utensil_holder_cup(1, "#f1ece0", "#4f86b0"),
        utensil_holder_cup(2, "#7fa08a", "#f1ece0"),
        salt_and_pepper_shaker(1, "#f4f1ea", "#3a3633", False),
        salt_and_pepper_shaker(2, "#e9d9b8", "#6b4a2f", True),
        spicemill(1, "#7b4a2b", STEEL),
        spicemill(2, "#d9b27a", "#33383c"),
    ]
