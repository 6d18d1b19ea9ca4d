"""Toys: figures and dolls, and a puzzle."""

from __future__ import annotations

from episodes.catalogue.mesh.meshes import arc, blob, box, cylinder, lathe, tube
from episodes.catalogue.mesh.pieces import Piece, thing
from episodes.catalogue.mesh.sweeps import (
    block,
    extruded,
    pebble,
    ring,
    rod,
    tapered,
    upright,
)
from episodes.catalogue.objects.toy_food_and_bricks import (
    BLACK,
    BLUE,
    GREEN,
    RED,
    SKIN,
    WHITE,
    YELLOW,
)


def action_figure(variant: int, suit: str, cape: str, mask: str) -> Piece:
    """Build a hero with a cape, on a stand, facing -Z."""
    p = thing("action_figure", variant)
    p.draw(cylinder(0.045, 0, 0.008, 18, 0.002), BLACK)
    for s in (-1, 1):
        p.draw(
            tapered(
                [(s * 0.012, 0.095, 0), (s * 0.019, 0.05, 0), (s * 0.022, 0.014, 0)],
                [0.015, 0.012, 0.01],
                9,
            ),
            suit,
            "satin",
        )
        p.draw(pebble(0.02, 0.016, 0.034, (s * 0.022, 0.007, -0.007)), cape, "satin")
        arm = [(s * 0.032, 0.15, 0), (s * 0.056, 0.12, 0), (s * 0.036, 0.098, -0.012)]
        p.draw(tapered(arm, [0.012, 0.01, 0.008], 8), suit, "satin")
        p.draw(pebble(0.017, 0.017, 0.017, (s * 0.033, 0.088, -0.014)), cape)
    p.draw(
        tapered(
            [(0, 0.09, 0), (0, 0.115, 0), (0, 0.148, 0), (0, 0.162, 0)],
            [0.022, 0.021, 0.034, 0.016],
            12,
        ).scaled(1, 1, 0.7),
        suit,
        "satin",
    )
    p.draw(lathe([(0.0228, 0.092), (0.0228, 0.101)], 12).scaled(1, 1, 0.72), YELLOW)
    p.draw(
        extruded([(-0.014, 0.012), (0.014, 0.012), (0, -0.014)], 0, 0.003)
        .turned((1, 0, 0), -90)
        .moved(0, 0.138, -0.0215),
        YELLOW,
    )
    p.draw(blob((0, 0.183, 0), (0.018, 0.022, 0.019), rings=8, segments=12), SKIN)
    p.draw(blob((0, 0.192, 0.002), (0.0192, 0.0165, 0.0198), rings=6, segments=12), mask)
    for s in (-1, 1):
        p.draw(pebble(0.008, 0.005, 0.003, (s * 0.007, 0.1835, -0.0185)), WHITE)
    sheet = [
        (-0.03, 0.158),
        (0.03, 0.158),
        (0.05, 0.03),
        (0.02, 0.024),
        (-0.02, 0.03),
        (-0.05, 0.026),
    ]
    p.draw(
        upright(extruded(sheet, -0.0025, 0.0))
        .turned((1, 0, 0), 8, (0, 0.158, 0))
        .moved(0, 0, 0.02),
        cape,
    )
    return p.settled()


def android_figure(variant: int, body: str, trim: str, eyes: str) -> Piece:
    """Build a tin robot, facing -Z."""
    p = thing("android_figure", variant)
    p.draw(block(0.08, 0.075, 0.055, (0, 0.06, 0), 0.008), body, "satin")
    p.draw(block(0.062, 0.05, 0.05, (0, 0.142, 0), 0.01), body, "satin")
    p.draw(cylinder(0.014, 0.133, 0.145, 10), trim)
    p.draw(block(0.05, 0.035, 0.004, (0, 0.082, -0.0285), 0.002), trim)
    for k, colour in enumerate((RED, YELLOW, GREEN)):
        p.draw(pebble(0.01, 0.01, 0.006, (0.014 * (k - 1), 0.1, -0.0315)), colour)
    p.draw(block(0.034, 0.006, 0.003, (0, 0.087, -0.0305), 0.001), WHITE)
    for s in (-1, 1):
        p.draw(
            upright(cylinder(0.011, 0.023, 0.029, 12), 0.17).moved(s * 0.015, 0, 0), eyes, "satin"
        )
        p.draw(upright(cylinder(0.005, 0.027, 0.031, 8), 0.17).moved(s * 0.015, 0, 0), BLACK)
        p.draw(
            cylinder(0.012, 0, 0.008, 10).turned((0, 0, 1), -90 * s).moved(s * 0.031, 0.166, 0),
            trim,
        )
        p.draw(rod((s * 0.04, 0.122, 0), (s * 0.056, 0.075, -0.008), 0.0085, 8), trim, "satin")
        for spread in (-1, 1):
            p.draw(
                block(0.005, 0.022, 0.008, (s * 0.058 + spread * 0.007, 0.052, -0.009), 0.001),
                body,
                "satin",
            )
        p.draw(block(0.024, 0.05, 0.024, (s * 0.021, 0.014, 0), 0.004), trim, "satin")
        p.draw(block(0.034, 0.018, 0.05, (s * 0.021, 0, -0.006), 0.006), body, "satin")
    p.draw(block(0.03, 0.006, 0.003, (0, 0.15, -0.0262), 0.001), trim)
    p.draw(rod((0, 0.19, 0), (0, 0.212, 0), 0.002, 5), trim)
    p.draw(pebble(0.014, 0.014, 0.014, (0, 0.207, 0)), RED)
    return p.settled()


def doll(variant: int, dress: str, hair: str, skin: str, plaits: bool) -> Piece:
    """Build a rag doll that stands in a wide dress, facing -Z."""
    p = thing("doll", variant)
    for s in (-1, 1):
        p.draw(tapered([(s * 0.02, 0.012, 0), (s * 0.018, 0.08, 0)], [0.011, 0.012], 8), skin)
        p.draw(pebble(0.026, 0.02, 0.044, (s * 0.02, 0, -0.008)), BLACK, "satin")
    p.draw(
        lathe(
            [
                (0, 0.06),
                (0.062, 0.052),
                (0.058, 0.066),
                (0.03, 0.12),
                (0.026, 0.135),
                (0.032, 0.165),
                (0.014, 0.178),
                (0, 0.178),
            ],
            18,
        ),
        dress,
    )
    p.draw(lathe([(0.063, 0.05), (0.064, 0.06)], 18), WHITE)
    p.draw(lathe([(0.0305, 0.118), (0.029, 0.128)], 16), WHITE)
    for s in (-1, 1):
        p.draw(
            tapered(
                [(s * 0.026, 0.163, 0), (s * 0.052, 0.14, -0.004), (s * 0.066, 0.112, -0.012)],
                [0.014, 0.01, 0.0085],
                8,
            ),
            dress,
        )
        p.draw(pebble(0.018, 0.018, 0.018, (s * 0.068, 0.098, -0.013)), skin)
        p.draw(pebble(0.009, 0.011, 0.005, (s * 0.015, 0.21, -0.0405)), BLACK)
        p.draw(pebble(0.012, 0.008, 0.004, (s * 0.023, 0.198, -0.036)), "#e88f9a")
    p.draw(blob((0, 0.212, 0), (0.042, 0.041, 0.04), rings=9, segments=14), skin)
    p.draw(tube(arc((0, 0.2, -0.0405), 0.008, 200, 340, "xy", 5), 0.0016, 5), RED)
    p.draw(blob((0, 0.226, 0.008), (0.046, 0.036, 0.042), rings=8, segments=14), hair)
    for s in (-1, 1):
        if plaits:
            for k in range(4):
                p.draw(
                    pebble(
                        0.02 - 0.002 * k,
                        0.02,
                        0.02 - 0.002 * k,
                        (s * (0.05 + 0.002 * k), 0.195 - 0.017 * k, 0.004),
                    ),
                    hair,
                )
            p.draw(pebble(0.014, 0.008, 0.014, (s * 0.056, 0.138, 0.004)), dress)
        else:
            p.draw(pebble(0.036, 0.036, 0.036, (s * 0.04, 0.236, 0.01)), hair)
            p.draw(ring(0.011, 0.004, 0.238, 10).moved(s * 0.032, 0, 0.01), dress)
    return p.settled()


def puzzle_cube(variant: int, frame: str, turned: bool) -> Piece:
    """Build a cube with nine stickers on each face; one variant has its top layer half turned."""
    p = thing("puzzle_cube", variant)
    colours = (RED, "#ef8a1f", WHITE, YELLOW, GREEN, BLUE)
    size = 0.019
    for layer in range(3):
        spin = 30.0 if turned and layer == 2 else 0.0
        y0 = size * layer
        p.draw(
            block(3 * size - 0.0006, size - 0.0004, 3 * size - 0.0006, (0, y0, 0), 0.0015).turned(
                (0, 1, 0), spin
            ),
            frame,
            "satin",
        )
        for side in range(4):
            for k in range(3):
                colour = colours[(side + (layer * 3 + k * 2 + side) * (1 if turned else 0)) % 6]
                tile = block(
                    size * 0.82,
                    size * 0.82,
                    0.001,
                    (size * (k - 1), y0 + size * 0.09, -1.5 * size - 0.0001),
                    0.0,
                )
                p.draw(tile.turned((0, 1, 0), 90 * side + spin), colour, "satin")
    spin = 30.0 if turned else 0.0
    for i in range(3):
        for k in range(3):
            colour = colours[4] if not turned else colours[(i * 2 + k * 5) % 6]
            tile = box(
                (size * (i - 1.41), 3 * size - 0.0006, size * (k - 1.41)),
                (size * (i - 0.59), 3 * size + 0.0002, size * (k - 0.59)),
                0.0,
            )
            p.draw(tile.turned((0, 1, 0), spin), colour, "satin")
    return p.settled()


def pieces() -> list[Piece]:
    return [
        action_figure(1, BLUE, RED, BLUE),
        action_figure(2, "#4f5a63", YELLOW, BLACK),
        android_figure(1, "#b9c4ca", "#5f86b5", YELLOW),
        android_figure(2, "#d9703b", "#4a4f55", "#8fd0ff"),
        doll(1, "#d9486e", "#6b3f1f", SKIN, True),
        doll(2, "#5f9ad0", "#33241c", "#a9714a", False),
        puzzle_cube(1, BLACK, False),
        puzzle_cube(2, WHITE, True),
    ]
