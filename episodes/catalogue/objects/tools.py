"""Tools: objects of the garage."""

from __future__ import annotations

from episodes.catalogue.mesh.meshes import box, cylinder, lathe, tube
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

STEEL, BLACK = "#b4b9bc", "#2d2f33"


def hammer(variant: int, grip: str, shaft: str, mallet: bool) -> Piece:
    p = thing("hammer", variant)
    y = 0.02
    if mallet:
        p.draw(rod((-0.13, y + 0.008, 0), (0.15, y + 0.008, 0), 0.011, 9), shaft)
        p.draw(
            cylinder(0.03, -0.055, 0.055, 16, 0.006).turned((1, 0, 0), 90).moved(-0.13, 0.03, 0),
            grip,
        )
        return p.settled()
    p.draw(rod((-0.12, y, 0), (0.04, y, 0), 0.009, 8), shaft)
    p.draw(
        tapered(
            [(0.02, y, 0), (0.04, y, 0), (0.13, y, 0), (0.15, y, 0)],
            [0.011, 0.0145, 0.0155, 0.01],
            10,
        ),
        grip,
    )
    p.draw(block(0.026, 0.028, 0.05, (-0.125, y - 0.014, 0), 0.005), STEEL, "metal")
    p.draw(
        cylinder(0.0145, 0, 0.035, 12, 0.003).turned((1, 0, 0), -90).moved(-0.125, y, -0.02),
        STEEL,
        "metal",
    )
    for side in (-1, 1):
        claw = tapered(
            [
                (-0.125 + side * 0.005, y, 0.02),
                (-0.122 + side * 0.008, y, 0.045),
                (-0.11 + side * 0.011, y, 0.065),
            ],
            [0.009, 0.007, 0.003],
            7,
        )
        p.draw(claw, STEEL, "metal")
    return p.settled()


def screwdriver(variant: int, grip: str, stripe: str, long: float) -> Piece:
    p = thing("screwdriver", variant)
    y = 0.0155
    p.draw(rod((-long, y, 0), (0.0, y, 0), 0.0036, 8), STEEL, "metal")
    p.draw(
        box((-long - 0.008, y - 0.0012, -0.0045), (-long + 0.004, y + 0.0012, 0.0045), 0.0),
        STEEL,
        "metal",
    )
    p.draw(
        tapered(
            [(-0.002, y, 0), (0.012, y, 0), (0.03, y, 0), (0.085, y, 0), (0.1, y, 0)],
            [0.008, 0.0105, 0.0145, 0.0155, 0.009],
            8,
        ),
        grip,
        "satin",
    )
    for k in range(6):
        rib = tapered([(0.03, 0, 0.0145), (0.085, 0, 0.0155)], [0.0028, 0.0028], 5)
        p.draw(rib.turned((1, 0, 0), 60 * k).moved(0, y, 0), stripe)
    return p.settled()


def wrench(variant: int, steel: str, ring_end: bool) -> Piece:
    p = thing("wrench", variant)
    p.draw(extruded(round_rect(0.075, 0.008, 0.007), 0.001, 0.009, 0.002), steel, "metal")
    jaw = [
        (-0.07, -0.01),
        (-0.085, -0.022),
        (-0.115, -0.02),
        (-0.118, -0.009),
        (-0.096, -0.009),
        (-0.09, 0.0),
        (-0.096, 0.009),
        (-0.118, 0.009),
        (-0.115, 0.02),
        (-0.085, 0.022),
        (-0.07, 0.01),
    ]
    p.draw(extruded(jaw, 0, 0.01, 0.002), steel, "metal")
    if ring_end:
        p.draw(ring(0.0135, 0.005, 0.005, 14).moved(0.085, 0, 0), steel, "metal")
    else:
        p.draw(extruded([(-x, z) for x, z in jaw], 0, 0.01, 0.002), steel, "metal")
    p.draw(block(0.07, 0.0006, 0.006, (0, 0.0088, 0), 0.0), "#6f767a")
    return p.settled()


def clamp(variant: int, frame: str, screw: str) -> Piece:
    """Build a G-clamp lying on its side."""
    p = thing("clamp", variant)
    y = 0.014
    bow = curve(
        [(-0.06, y, 0.03), (-0.06, y, 0.08), (0.0, y, 0.095), (0.055, y, 0.08), (0.055, y, 0.03)], 4
    )
    p.draw(tapered(bow, [0.011] * len(bow), 8), frame, "satin")
    p.draw(
        cylinder(0.017, 0, 0.014, 12, 0.003).turned((0, 0, 1), -90).moved(-0.062, y + 0.003, 0.028),
        frame,
        "satin",
    )
    p.draw(
        cylinder(0.014, -0.012, 0.014, 10, 0.003).turned((0, 0, 1), 90).moved(0.058, y, 0.028),
        frame,
        "satin",
    )
    p.draw(rod((-0.02, y, 0.028), (0.125, y, 0.028), 0.006, 8), screw, "metal")
    p.draw(
        cylinder(0.013, 0, 0.008, 12).turned((0, 0, 1), -90).moved(-0.026, y, 0.028), screw, "metal"
    )
    p.draw(rod((0.118, y, 0.0), (0.118, y, 0.06), 0.004, 7), screw, "metal")
    for z in (0.0, 0.06):
        p.draw(pebble(0.012, 0.012, 0.012, (0.118, y - 0.006, z)), screw, "metal")
    return p.settled()


def drill(variant: int, body: str, trim: str) -> Piece:
    """Build a cordless drill standing on its battery, pointing to -Z."""
    p = thing("drill", variant)
    p.draw(block(0.075, 0.045, 0.12, (0, 0, 0.03), 0.009), trim)
    p.draw(
        tapered(
            [(0, 0.04, 0.035), (0, 0.08, 0.03), (0, 0.14, 0.015), (0, 0.16, 0.01)],
            [0.022, 0.02, 0.022, 0.026],
            10,
        ),
        body,
        "satin",
    )
    p.draw(
        upright(
            lathe(
                [
                    (0, -0.08),
                    (0.026, -0.078),
                    (0.033, -0.06),
                    (0.033, 0.03),
                    (0.026, 0.05),
                    (0, 0.05),
                ],
                16,
            ),
            0.175,
        ),
        body,
        "satin",
    )
    p.draw(
        upright(lathe([(0.026, 0.048), (0.024, 0.07), (0.012, 0.09), (0, 0.09)], 14), 0.175),
        trim,
        "satin",
    )
    p.draw(rod((0, 0.175, -0.085), (0, 0.175, -0.16), 0.0035, 6), STEEL, "metal")
    p.draw(block(0.014, 0.024, 0.014, (0, 0.125, -0.012), 0.004), "#d8433b")
    for z in (0.035, 0.05, 0.065):
        p.draw(block(0.068, 0.024, 0.005, (0, 0.163, z), 0.001), trim)
    p.show(pebble(0.014, 0.014, 0.012, (0, 0.138, -0.036)), "#fff3d0", "glow_warm", "is_powered_on")
    p.show(
        lathe([(0.0345, -0.01), (0.0345, 0.008)], 16).turned((1, 0, 0), -90).moved(0, 0.175, 0),
        "#8ff09a",
        "glow_cool",
        "is_powered_on",
    )
    for k in range(3):
        p.show(
            block(0.012, 0.012, 0.003, (0.018 * (k - 1), 0.016, -0.031), 0.001),
            "#8ff09a",
            "glow_cool",
            "is_powered_on",
        )
    return p.settled()


def tape_measure(variant: int, case: str, label: str) -> Piece:
    p = thing("tape_measure", variant)
    outline = [
        (-0.036, 0.0),
        (0.04, 0.0),
        (0.042, 0.03),
        (0.03, 0.062),
        (0.0, 0.074),
        (-0.026, 0.062),
        (-0.036, 0.035),
    ]
    p.draw(upright(extruded(outline, -0.019, 0.019, 0.006)), case, "satin")
    for face in (0.0185, -0.0195):
        p.draw(
            upright(
                disc(0.024, face + 0.001, 0.002, 0.036, 18)
                if face > 0
                else disc(0.024, face, 0.002, 0.036, 18)
            ),
            label,
        )
    p.draw(block(0.07, 0.0012, 0.018, (0.07, 0.004, 0), 0.0), "#f3d83c", "satin")
    for k in range(6):
        p.draw(block(0.0012, 0.0015, 0.01, (0.046 + 0.01 * k, 0.0044, -0.004), 0.0), BLACK)
    p.draw(block(0.003, 0.012, 0.018, (0.105, 0.0, 0), 0.001), STEEL, "metal")
    p.draw(block(0.016, 0.01, 0.014, (-0.006, 0.072, 0), 0.003), BLACK)
    return p.settled()


def toolbox(variant: int, body: str, lid: str) -> Piece:
    p = thing("toolbox", variant)
    p.draw(block(0.38, 0.12, 0.19, bevel=0.008), body, "satin")
    roof = [(-0.098, 0), (0.098, 0), (0.07, 0.055), (-0.07, 0.055)]
    p.draw(
        upright(extruded(roof, -0.192, 0.192, 0.006)).turned((0, 1, 0), 90).moved(0, 0.12, 0),
        lid,
        "satin",
    )
    p.draw(
        tube(
            curve([(-0.09, 0.17, 0), (-0.08, 0.215, 0), (0.08, 0.215, 0), (0.09, 0.17, 0)], 3),
            0.012,
            8,
        ),
        BLACK,
    )
    for x in (-0.11, 0.11):
        p.draw(block(0.04, 0.05, 0.012, (x, 0.095, -0.098), 0.003), STEEL, "metal")
    p.draw(block(0.14, 0.03, 0.003, (0, 0.04, -0.0955), 0.0), lid)
    return p.settled()


def pieces() -> list[Piece]:
    return [
        hammer(1, "#d8433b", "#c99a5b", False),
        hammer(2, "#33383c", "#b9834d", True),
        screwdriver(1, "#f0b429", BLACK, 0.1),
        screwdriver(2, "#c0342c", "#f4f1ea", 0.14),
        wrench(1, STEEL, True),
        wrench(2, "#8b9094", False),
        clamp(1, "#2f6fb0", STEEL),
        clamp(2, "#e8862c", "#8b9094"),
        drill(1, "#e8b42f", BLACK),
        drill(2, "#2f8f8a", "#33383c"),
        tape_measure(1, "#f0b429", BLACK),
        tape_measure(2, "#d8433b", "#f4f1ea"),
        toolbox(1, "#c9352d", "#33383c"),
        toolbox(2, "#3f6f9f", "#f0b429"),
    ]
