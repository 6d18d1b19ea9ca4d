"""Objects of the dressing table."""

from __future__ import annotations

import math

from episodes.catalogue.mesh.meshes import blob, box, cylinder, lathe, rounded, tube
from episodes.catalogue.mesh.pieces import Piece, disc, thing
from episodes.catalogue.mesh.sweeps import (
    block,
    curve,
    ellipse,
    extruded,
    round_rect,
    tapered,
)

WHITE, BLACK = "#f4f4f0", "#2d2f33"


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
    """Build a hair dryer on its side, the handle to -Z; when on, the nozzle glows with hot wind."""
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
            [
                (0.02, 0.034, -0.02),
                (0.025, 0.03, -0.06),
                (0.032, 0.024, -0.12),
                (0.034, 0.022, -0.135),
            ],
            [0.018, 0.0165, 0.018, 0.012],
            10,
        ),
        body,
        "satin",
    )
    p.draw(block(0.012, 0.008, 0.024, (0.026, 0.044, -0.06), 0.003), trim)
    p.draw(
        tube(
            curve(
                [
                    (0.034, 0.02, -0.135),
                    (0.03, 0.006, -0.165),
                    (-0.02, 0.005, -0.16),
                    (-0.06, 0.005, -0.12),
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
        block(0.01, 0.004, 0.01, (0.026, 0.0515, -0.06), 0.001),
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


def pieces() -> list[Piece]:
    return [
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
    ]
