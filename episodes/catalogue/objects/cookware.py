"""Objects to cook and bake with."""

from __future__ import annotations

import math

from episodes.catalogue.mesh.meshes import arc, box, cylinder, lathe, rounded, tube, vessel
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
from episodes.catalogue.objects.groceries import COFFEE, WATER

STEEL, BLACK, CREAM = "#c3c7c9", "#2d2f33", "#f6f2e9"


def electric_kettle(variant: int, body: str, trim: str, clear: bool) -> Piece:
    """Build a jug kettle on its base, with a lever and a light."""
    p = thing("electric_kettle", variant)
    p.draw(cylinder(0.085, 0, 0.02, 22, 0.006), trim)
    wall = [(0, 0.02), (0.075, 0.02), (0.078, 0.028), (0.066, 0.2)]
    p.draw(lathe(wall[1:] if clear else wall, 22), body, "glass" if clear else "satin")
    p.draw(lathe([(0.067, 0.198), (0.064, 0.215), (0.03, 0.224), (0, 0.225)], 22), trim)
    p.draw(lathe([(0.079, 0.02), (0.08, 0.03), (0.078, 0.045)], 22), trim)
    grip = curve(
        [(0.055, 0.212, 0), (0.1, 0.205, 0), (0.115, 0.15, 0), (0.105, 0.08, 0), (0.072, 0.06, 0)],
        3,
    )
    p.draw(tube(grip, 0.011, 8), trim)
    p.draw(block(0.03, 0.035, 0.04, (-0.072, 0.165, 0), 0.012), trim if clear else body, "satin")
    p.draw(pebble(0.02, 0.014, 0.02, (0, 0.224, 0)), trim)
    if clear:
        p.show(
            lathe([(0, 0.022), (0.074, 0.03), (0.068, 0.15), (0, 0.15)], 20),
            WATER,
            "satin",
            "is_filled",
        )
    else:
        p.show(block(0.018, 0.1, 0.006, (0, 0.06, -0.075), 0.002), WATER, "satin", "is_filled")
    p.show(ring(0.0805, 0.0045, 0.014, 22), "#8fd0ff", "glow_cool", "is_powered_on")
    p.show(
        block(0.012, 0.02, 0.008, (0.115, 0.09, 0), 0.003), "#8fd0ff", "glow_cool", "is_powered_on"
    )
    return p.settled()


def casserole(variant: int, colour: str, knob_colour: str, oval: float) -> Piece:
    """Build a heavy lidded pot with two ears."""
    p = thing("casserole", variant)
    wall = [(0, 0), (0.095, 0), (0.11, 0.012), (0.115, 0.085)]
    lid = [(0.119, 0.085), (0.12, 0.095), (0.1, 0.108), (0.04, 0.118), (0, 0.12)]
    p.draw(lathe(wall, 24).scaled(oval, 1, 1), colour, "satin")
    p.draw(lathe([(0.115, 0.083), *lid], 24).scaled(oval, 1, 1), colour, "satin")
    p.draw(lathe([(0.1165, 0.078), (0.1165, 0.085)], 24).scaled(oval, 1, 1), BLACK)
    p.draw(
        lathe([(0.01, 0.118), (0.01, 0.126), (0.022, 0.13), (0.018, 0.142), (0, 0.143)], 14),
        knob_colour,
        "metal",
    )
    for side in (-1, 1):
        grip = arc((0, 0.068, 0), 0.036, -70, 70, "xz", 5)
        ear = [(side * (x + 0.108 * oval - 0.008), y, z) for x, y, z in grip]
        p.draw(tube(ear, 0.008, 7), colour, "satin")
    return p.settled()


def cake_pan(variant: int, tin: str, inside: str, oblong: bool) -> Piece:
    """Build a springform, or a loaf tin."""
    p = thing("cake_pan", variant)
    if not oblong:
        full = vessel([(0, 0), (0.118, 0), (0.12, 0.004), (0.12, 0.068)], 0.003, 0.004)
        p.draw(lathe(full[:4], 26), tin, "metal")
        p.draw(lathe(full[3:], 26), inside, "satin")
        p.draw(ring(0.12, 0.0035, 0.067, 26), tin, "metal")
        p.draw(block(0.012, 0.05, 0.03, (0.126, 0.01, 0), 0.004), STEEL, "metal")
        return p.settled()
    hx, hz, h = 0.13, 0.06, 0.065
    for low, high in (((-1, -1), (-1, 1)), ((1, -1), (1, 1))):
        x, z0, z1 = low[0] * hx, low[1] * hz, high[1] * hz
        p.draw(box((x - 0.002, 0, z0), (x + 0.002, h, z1), 0.001), tin, "metal")
    for z in (-hz, hz):
        p.draw(box((-hx, 0, z - 0.002), (hx, h, z + 0.002), 0.001), tin, "metal")
    p.draw(box((-hx, 0, -hz), (hx, 0.004, hz), 0.001), inside, "satin")
    rim = [(x, h, z) for x, z in round_rect(hx + 0.004, hz + 0.004, 0.01, 3)]
    p.draw(tube(rim, 0.005, 6, closed=True), tin, "metal")
    return p.settled()


def bundt_pan(variant: int, tin: str, inside: str) -> Piece:
    """Build a fluted ring mould with a chimney."""
    p = thing("bundt_pan", variant)
    r, h = 0.115, 0.085
    p.draw(lathe([(0.03, 0.004), (0.075, 0), (0.1, 0.02), (r, h)], 16), tin, "metal")
    p.draw(
        lathe([(r, h), (r + 0.008, h), (r + 0.008, h + 0.003), (r - 0.004, h + 0.003)], 22),
        tin,
        "metal",
    )
    p.draw(
        lathe(
            [
                (r - 0.004, h + 0.003),
                (0.094, 0.022),
                (0.06, 0.012),
                (0.03, 0.03),
                (0.022, h + 0.006),
                (0.018, h + 0.006),
                (0.018, 0.004),
            ],
            16,
        ),
        inside,
        "satin",
    )
    for k in range(10):
        rib = tapered(
            [(0.07, 0.004, 0), (0.102, 0.02, 0), (0.112, 0.075, 0)], [0.012, 0.015, 0.01], 7
        )
        p.draw(rib.turned((0, 1, 0), 36 * k), tin, "metal")
    return p.settled()


def colander(variant: int, colour: str, feet: str) -> Piece:
    """Build a bowl with holes, on feet, with two handles."""
    p = thing("colander", variant)
    wall = [(0, 0.014), (0.05, 0.016), (0.095, 0.05), (0.115, 0.1)]
    full = vessel(wall, 0.004, 0.02)
    p.draw(lathe(full[:4], 24), colour, "satin")
    p.draw(lathe(full[3:], 24), colour, "satin")
    p.draw(ring(0.115, 0.005, 0.1, 24), feet)
    for k in range(3):
        a = math.radians(120 * k + 30)
        p.draw(
            rod(
                (0.05 * math.cos(a), 0, 0.05 * math.sin(a)),
                (0.045 * math.cos(a), 0.02, 0.045 * math.sin(a)),
                0.008,
            ),
            feet,
        )
    for row, (r, y, lean) in enumerate(((0.082, 0.038, 50), (0.1, 0.064, 62), (0.1085, 0.084, 70))):
        for k in range(12):
            hole = disc(0.0055, 0.0008, segments=7).turned((0, 0, 1), -lean - 2).moved(r, y, 0)
            p.draw(hole.turned((0, 1, 0), 30 * k + 15 * (row % 2)), "#4a4f52")
    for side in (-1, 1):
        bow = [(side * (x + 0.112), y, z) for x, y, z in arc((0, 0.098, 0), 0.03, -80, 80, "xz", 5)]
        p.draw(tube(bow, 0.006, 6), feet)
    return p.settled()


def milk_frother_cup(variant: int, body: str, spout: str) -> Piece:
    """Build a barista's pitcher: pear-shaped, with a beak and a long handle."""
    p = thing("milk_frother_cup", variant)
    wall = [(0, 0), (0.042, 0), (0.046, 0.006), (0.046, 0.05), (0.034, 0.085), (0.037, 0.1)]
    full = vessel(wall, 0.0025, 0.006)
    p.draw(lathe(rounded(full[:6]), 20), body, "metal")
    p.draw(lathe(full[5:], 20), spout, "metal")
    beak = tapered(
        [(-0.03, 0.082, 0), (-0.042, 0.094, 0), (-0.054, 0.104, 0)], [0.016, 0.012, 0.004]
    )
    p.draw(beak, body, "metal")
    grip = curve([(0.036, 0.095, 0), (0.062, 0.09, 0), (0.066, 0.05, 0), (0.044, 0.02, 0)], 3)
    p.draw(tube(grip, 0.005, 7), spout, "metal")
    p.fill(0.034, 0.078, "#f7f0e2")
    return p.settled()


def french_press(variant: int, frame: str, knob_colour: str) -> Piece:
    p = thing("french_press", variant)
    p.draw(lathe([(0.045, 0.008), (0.045, 0.165)], 18), "#d6e6ea", "glass")
    for y in (0.0, 0.045, 0.155):
        p.draw(
            lathe([(0.042, y), (0.047, y + 0.002), (0.047, y + 0.012), (0.042, y + 0.014)], 18),
            frame,
            "metal",
        )
    p.draw(cylinder(0.042, 0, 0.01, 18), frame, "metal")
    for k in range(3):
        a = math.radians(60 + 120 * k)
        p.draw(
            rod(
                (0.046 * math.cos(a), 0.005, 0.046 * math.sin(a)),
                (0.046 * math.cos(a), 0.16, 0.046 * math.sin(a)),
                0.003,
                6,
            ),
            frame,
            "metal",
        )
    p.draw(lathe([(0.048, 0.166), (0.048, 0.174), (0.02, 0.184), (0, 0.185)], 18), frame, "metal")
    p.draw(cylinder(0.003, 0.18, 0.22, 6), STEEL, "metal")
    p.draw(pebble(0.024, 0.024, 0.024, (0, 0.214, 0)), knob_colour, "satin")
    p.draw(
        tube(
            curve([(0.046, 0.15, 0), (0.085, 0.145, 0), (0.088, 0.08, 0), (0.046, 0.05, 0)], 3),
            0.008,
            7,
        ),
        knob_colour,
    )
    p.show(
        lathe([(0, 0.012), (0.0435, 0.012), (0.0435, 0.12), (0, 0.12)], 16),
        COFFEE,
        "satin",
        "is_filled",
    )
    return p.settled()


def cutting_board(variant: int, wood: str, stripe: str, paddle: bool) -> Piece:
    p = thing("cutting_board", variant)
    if paddle:
        p.draw(extruded(round_rect(0.13, 0.1, 0.035), 0, 0.018, 0.003), wood)
        p.draw(
            extruded(round_rect(0.055, 0.02, 0.018), 0.0005, 0.0175, 0.003).moved(0.17, 0, 0), wood
        )
        p.draw(disc(0.008, 0.0182, 0.205, 0, 10), "#5a3a22")
    else:
        p.draw(extruded(round_rect(0.17, 0.115, 0.012), 0, 0.022, 0.003), wood)
        groove = [(x, 0.022, z) for x, z in round_rect(0.15, 0.095, 0.012, 3)]
        p.draw(tube(groove, 0.003, 5, closed=True), stripe)
    for z in (-0.045, 0.0, 0.045):
        p.draw(
            box((-0.128, 0.002, z - 0.006), (0.1, 0.0187 if paddle else 0.0227, z + 0.006), 0.0),
            stripe,
        )
    return p.settled()


def measuring_cup(variant: int, tint: str, marks: str, content: str) -> Piece:
    p = thing("measuring_cup", variant)
    wall = [(0, 0), (0.046, 0), (0.05, 0.005), (0.058, 0.115)]
    p.draw(lathe(vessel(wall, 0.003, 0.008), 20), tint, "glass")
    p.draw(cylinder(0.046, 0, 0.006, 20), tint, "satin")
    p.draw(block(0.028, 0.016, 0.022, (-0.06, 0.1, 0), 0.008), tint, "satin")
    p.draw(tube(arc((0.052, 0.064, 0), 0.036, 85, -85, "xy", 7), 0.007, 7), tint, "satin")
    for k in range(5):
        width = 0.03 if k % 2 == 0 else 0.018
        y = 0.026 + 0.017 * k
        p.draw(block(width, 0.003, 0.002, (-0.012, y, -0.0515 - 0.07 * (y - 0.02)), 0.0), marks)
    p.show(
        lathe([(0, 0.009), (0.047, 0.009), (0.052, 0.08), (0, 0.08)], 18),
        content,
        "satin",
        "is_filled",
    )
    return p.settled()


def toaster(variant: int, shell: str, ends: str) -> Piece:
    """Build a toaster with two slots that glow when it is on."""
    p = thing("toaster", variant)
    p.draw(block(0.25, 0.16, 0.15, (0, 0.012, 0), 0.03), shell, "satin")
    for side in (-1, 1):
        p.draw(block(0.03, 0.145, 0.145, (side * 0.118, 0.008, 0), 0.014), ends)
        p.draw(block(0.03, 0.012, 0.12, (side * 0.1, 0, 0), 0.003), BLACK)
    for z in (-0.03, 0.03):
        p.draw(block(0.17, 0.003, 0.028, (0, 0.1705, z), 0.001), BLACK)
        p.show(
            block(0.165, 0.002, 0.022, (0, 0.1738, z), 0.0), "#ff7a3a", "glow_hot", "is_powered_on"
        )
    p.draw(block(0.014, 0.012, 0.045, (-0.138, 0.1, 0), 0.004), BLACK)
    p.draw(
        cylinder(0.014, 0, 0.01, 12, 0.003).turned((0, 0, 1), 90).moved(-0.134, 0.045, 0),
        STEEL,
        "metal",
    )
    p.show(upright(disc(0.008, 0.0765, 0.07, 0.05, 10)), "#ff7a3a", "glow_hot", "is_powered_on")
    return p.settled()


def blender(variant: int, base: str, lid: str) -> Piece:
    p = thing("blender", variant)
    p.draw(
        lathe([(0, 0), (0.085, 0), (0.088, 0.01), (0.066, 0.12), (0.05, 0.13), (0, 0.13)], 20),
        base,
        "satin",
    )
    p.draw(lathe([(0.045, 0.132), (0.052, 0.15), (0.068, 0.32)], 14), "#d6e6ea", "glass")
    p.draw(lathe([(0.048, 0.128), (0.052, 0.13), (0.052, 0.15), (0.046, 0.152)], 18), BLACK)
    p.draw(lathe([(0.07, 0.318), (0.07, 0.33), (0.03, 0.336), (0.026, 0.35), (0, 0.35)], 18), lid)
    p.draw(
        tube(
            curve([(0.066, 0.3, 0), (0.105, 0.29, 0), (0.1, 0.2, 0), (0.056, 0.175, 0)], 3),
            0.009,
            7,
        ),
        lid,
    )
    for x in (-0.026, 0, 0.026):
        p.draw(upright(cylinder(0.009, 0.07, 0.084, 10), 0.045).moved(x, 0, 0), STEEL, "metal")
    p.show(
        lathe([(0, 0.152), (0.05, 0.152), (0.06, 0.26), (0, 0.262)], 14),
        "#d96a8a",
        "satin",
        "is_filled",
    )
    p.show(
        upright(cylinder(0.012, 0.072, 0.0865, 10), 0.045), "#8fd0ff", "glow_cool", "is_powered_on"
    )
    p.show(ring(0.087, 0.004, 0.012, 20), "#8fd0ff", "glow_cool", "is_powered_on")
    return p.settled()


def mixer(variant: int, body: str, trim: str) -> Piece:
    """Build a hand mixer lying on its back end, beaters down to the front."""
    p = thing("mixer", variant)
    p.draw(block(0.07, 0.06, 0.16, (0, 0.09, 0.01), 0.024), body, "satin")
    p.draw(
        tube(
            curve([(0, 0.14, -0.04), (0, 0.185, -0.03), (0, 0.19, 0.05), (0, 0.14, 0.075)], 3),
            0.013,
            8,
        ),
        body,
        "satin",
    )
    p.draw(block(0.06, 0.09, 0.02, (0, 0.0, 0.085), 0.008), trim)
    p.draw(block(0.03, 0.012, 0.02, (0, 0.195, -0.01), 0.004), trim)
    for x in (-0.02, 0.02):
        p.draw(cylinder(0.004, 0.06, 0.095, 6).moved(x, 0, -0.045), STEEL, "metal")
        for turn in (0, 90):
            loop = [
                (x, 0.06, -0.045),
                (x - 0.018, 0.04, -0.045),
                (x - 0.015, 0.008, -0.045),
                (x, 0.002, -0.045),
                (x + 0.015, 0.008, -0.045),
                (x + 0.018, 0.04, -0.045),
                (x, 0.06, -0.045),
            ]
            p.draw(tube(loop, 0.002, 5).turned((0, 1, 0), turn, (x, 0, -0.045)), STEEL, "metal")
    p.show(
        block(0.014, 0.008, 0.014, (0, 0.204, 0.03), 0.003), "#7fe08a", "glow_cool", "is_powered_on"
    )
    p.show(
        block(0.072, 0.006, 0.1, (0, 0.118, 0.0), 0.002), "#bfe8ff", "glow_cool", "is_powered_on"
    )
    return p.settled()


def pieces() -> list[Piece]:
    return [
        electric_kettle(1, "#dfe7ea", BLACK, True),
        electric_kettle(2, "#e9dcc0", "#5a3f2c", False),
        casserole(1, "#c9402f", STEEL, 1.0),
        casserole(2, "#2f6f7a", "#c9a24a", 1.25),
        cake_pan(1, "#8f969b", "#5a5f63", False),
        cake_pan(2, "#4a4e52", "#3a3d40", True),
        bundt_pan(1, "#c98b5a", "#e0b48a"),
        bundt_pan(2, "#8f969b", "#5f656a"),
        colander(1, "#e04f3d", CREAM),
        colander(2, "#c3c7c9", "#8b9094"),
        milk_frother_cup(1, "#c3c7c9", "#a5abae"),
        milk_frother_cup(2, "#3a3f45", "#c98b5a"),
        french_press(1, "#b9bec1", BLACK),
        french_press(2, "#c98b5a", "#6b4a2f"),
        cutting_board(1, "#c99a5b", "#a2703a", False),
        cutting_board(2, "#a9713f", "#d9b27a", True),
        measuring_cup(1, "#dceaec", "#d8433b", WATER),
        measuring_cup(2, "#f2dc9c", "#3f6f9f", "#f3ead6"),
        toaster(1, "#c9402f", "#c3c7c9"),
        toaster(2, "#a9c4bf", "#f1ece0"),
        blender(1, "#e4e2dc", BLACK),
        blender(2, "#3f8f8a", "#33383c"),
        mixer(1, "#e9b9b0", CREAM),
        mixer(2, "#5f86b5", "#2d2f33"),
    ]
