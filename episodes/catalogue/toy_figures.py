"""Toys: doll's furniture, trains and boats, figures."""

from __future__ import annotations

from episodes.catalogue.meshes import arc, blob, box, cylinder, lathe, tube
from episodes.catalogue.pieces import Piece, disc, thing
from episodes.catalogue.playthings import BLACK, BLUE, GREEN, RED, SKIN, WHITE, YELLOW
from episodes.catalogue.sweeps import (
    block,
    extruded,
    pebble,
    ring,
    rod,
    round_rect,
    tapered,
    upright,
    wheel,
)


def toy_refrigerator(variant: int, body: str, door: str) -> Piece:
    p = thing("toy_refrigerator", variant)
    p.draw(block(0.12, 0.22, 0.1, (0, 0.006, 0), 0.012), body, "satin")
    p.draw(block(0.112, 0.13, 0.012, (0, 0.012, -0.052), 0.006), door, "satin")
    p.draw(block(0.112, 0.064, 0.012, (0, 0.152, -0.052), 0.006), door, "satin")
    for y in (0.09, 0.165):
        p.draw(block(0.008, 0.04, 0.01, (0.042, y, -0.06), 0.003), "#c3c7c9", "satin")
    p.draw(upright(disc(0.012, 0.0585, -0.02, 0.19, 12)), RED)
    p.draw(block(0.026, 0.02, 0.002, (-0.015, 0.09, -0.059), 0.0), YELLOW)
    for x in (-0.045, 0.045):
        for z in (-0.035, 0.035):
            p.draw(cylinder(0.008, 0, 0.008, 8).moved(x, 0, z), BLACK)
    return p.settled()


def toy_sink(variant: int, cupboard: str, basin: str) -> Piece:
    p = thing("toy_sink", variant)
    p.draw(block(0.17, 0.1, 0.11, bevel=0.005), cupboard, "satin")
    for s in (-1, 1):
        p.draw(block(0.07, 0.075, 0.004, (s * 0.039, 0.012, -0.056), 0.002), basin, "satin")
        p.draw(pebble(0.01, 0.01, 0.008, (s * 0.012, 0.055, -0.06)), YELLOW)
    p.draw(block(0.18, 0.012, 0.12, (0, 0.1, 0), 0.004), WHITE, "satin")
    p.draw(extruded(round_rect(0.055, 0.035, 0.015), 0.111, 0.1128), "#8fa3ad")
    loop = [(x, 0.114, z) for x, z in round_rect(0.058, 0.038, 0.016)]
    p.draw(tube(loop, 0.004, 6, closed=True), basin, "satin")
    p.draw(
        tube(
            [
                (0, 0.11, 0.048),
                (0, 0.165, 0.048),
                (0, 0.178, 0.034),
                (0, 0.172, 0.008),
                (0, 0.16, 0.006),
            ],
            0.0065,
            8,
        ),
        "#c3c7c9",
        "metal",
    )
    for s, colour in ((-1, RED), (1, BLUE)):
        p.draw(cylinder(0.009, 0.111, 0.126, 10, 0.002).moved(s * 0.03, 0, 0.049), colour)
    return p.settled()


def toy_sofa(variant: int, cloth: str, cushion: str) -> Piece:
    p = thing("toy_sofa", variant)
    p.draw(block(0.2, 0.045, 0.09, (0, 0.016, 0), 0.01), cloth)
    p.draw(block(0.2, 0.075, 0.035, (0, 0.035, 0.04), 0.014), cloth)
    for s in (-1, 1):
        p.draw(block(0.034, 0.07, 0.1, (s * 0.098, 0.016, 0), 0.014), cloth)
        p.draw(block(0.078, 0.024, 0.068, (s * 0.041, 0.055, -0.008), 0.009), cushion)
        for z in (-0.035, 0.045):
            p.draw(cylinder(0.008, 0, 0.018, 8).moved(s * 0.085, 0, z), "#6b4326")
    p.draw(
        blob((-0.05, 0.1, 0.012), (0.026, 0.024, 0.011), (0.6, 0.5), 6, 12).turned(
            (0, 0, 1), 18, (-0.05, 0.1, 0)
        ),
        YELLOW,
    )
    return p.settled()


def toy_swing(variant: int, frame: str, seat: str) -> Piece:
    """A frame on four legs with a seat on two ropes."""
    p = thing("toy_swing", variant)
    for s in (-1, 1):
        for z in (-0.07, 0.07):
            p.draw(rod((s * 0.1, 0.003, z), (s * 0.085, 0.2, 0), 0.007, 8), frame, "satin")
        p.draw(rod((s * 0.094, 0.08, -0.044), (s * 0.094, 0.08, 0.044), 0.005, 7), frame, "satin")
    p.draw(rod((-0.1, 0.2, 0), (0.1, 0.2, 0), 0.008, 8), frame, "satin")
    for x in (-0.035, 0.035):
        p.draw(rod((x, 0.2, 0), (x, 0.058, -0.014), 0.0026, 5), WHITE)
    p.draw(block(0.09, 0.012, 0.045, (0, 0.05, -0.015), 0.004), seat, "satin")
    return p.settled()


def toy_table(variant: int, top: str, legs: str, round_one: bool) -> Piece:
    p = thing("toy_table", variant)
    if round_one:
        p.draw(cylinder(0.08, 0.09, 0.104, 22, 0.004), top, "satin")
    else:
        p.draw(extruded(round_rect(0.095, 0.065, 0.012), 0.09, 0.104, 0.003), top, "satin")
    reach = 0.05
    for x in (-1, 1):
        for z in (-1, 1):
            p.draw(
                tapered(
                    [(x * reach * 1.15, 0, z * reach), (x * reach, 0.092, z * reach * 0.85)],
                    [0.007, 0.01],
                    8,
                ),
                legs,
                "satin",
            )
    cup = lathe(
        [(0, 0.104), (0.009, 0.104), (0.013, 0.122), (0.01, 0.122), (0.008, 0.108), (0, 0.108)], 12
    )
    p.draw(cup.moved(-0.03, 0, -0.015), RED, "satin")
    p.draw(
        lathe([(0, 0.104), (0.018, 0.104), (0.022, 0.109), (0, 0.107)], 14).moved(0.025, 0, 0.012),
        BLUE,
        "satin",
    )
    return p.settled()


def toy_vehicle(variant: int, body: str, trim: str, beetle: bool) -> Piece:
    """A toy car, driving towards -Z."""
    p = thing("toy_vehicle", variant)
    if beetle:
        p.draw(blob((0, 0.045, 0), (0.05, 0.03, 0.1), (0.6, 0.7), 8, 18), body, "satin")
        p.draw(blob((0, 0.07, 0.008), (0.042, 0.036, 0.055), (0.7, 0.8), 8, 16), body, "satin")
        p.draw(
            blob((0, 0.075, 0.008), (0.0435, 0.019, 0.05), (0.6, 0.7), 6, 16), "#bfe0ee", "satin"
        )
    else:
        side = [
            (-0.11, 0.022),
            (0.11, 0.022),
            (0.112, 0.05),
            (0.08, 0.056),
            (0.05, 0.088),
            (-0.045, 0.088),
            (-0.075, 0.058),
            (-0.112, 0.052),
        ]
        p.draw(upright(extruded(side, -0.045, 0.045, 0.008)).turned((0, 1, 0), -90), body, "satin")
        glass = [(-0.062, 0.058), (0.07, 0.058), (0.046, 0.084), (-0.042, 0.084)]
        p.draw(upright(extruded(glass, -0.0458, 0.0458)).turned((0, 1, 0), -90), "#bfe0ee", "satin")
        p.draw(block(0.02, 0.002, 0.07, (0, 0.0875, 0.0), 0.0), trim)
        p.draw(block(0.07, 0.006, 0.02, (0, 0.075, 0.1), 0.002), trim)
    for x in (-0.042, 0.042):
        for z in (-0.065, 0.065):
            p.draw(wheel(0.024, 0.02, (x, 0.024, z)), BLACK)
            p.draw(wheel(0.012, 0.023, (x, 0.024, z), 10), trim)
        p.draw(
            pebble(0.018, 0.014, 0.008, (x * 0.7, 0.04, -0.104 if beetle is False else -0.096)),
            YELLOW,
        )
    return p.settled()


def toy_train(variant: int, boiler: str, cab: str, trim: str) -> Piece:
    """A steam engine, towards -Z."""
    p = thing("toy_train", variant)
    p.draw(block(0.07, 0.018, 0.2, (0, 0.026, 0), 0.004), BLACK)
    p.draw(upright(cylinder(0.032, -0.035, 0.085, 18, 0.004), 0.075), boiler, "satin")
    p.draw(upright(lathe([(0.0335, 0.02), (0.0335, 0.03)], 18), 0.075), trim, "satin")
    p.draw(upright(disc(0.022, 0.0858, 0, 0.075, 14)), trim)
    p.draw(block(0.075, 0.075, 0.06, (0, 0.044, 0.065), 0.005), cab, "satin")
    p.draw(block(0.088, 0.01, 0.078, (0, 0.118, 0.065), 0.004), trim, "satin")
    for s in (-1, 1):
        p.draw(block(0.003, 0.026, 0.03, (s * 0.0375, 0.082, 0.065), 0.001), "#bfe0ee", "satin")
        for z, r in ((-0.06, 0.018), (-0.01, 0.018), (0.055, 0.026)):
            p.draw(wheel(r, 0.012, (s * 0.036, r, z)), RED if boiler != RED else BLUE)
            p.draw(wheel(r * 0.35, 0.016, (s * 0.036, r, z), 8), YELLOW)
        p.draw(block(0.004, 0.007, 0.09, (s * 0.045, 0.017, -0.02), 0.002), "#c3c7c9", "metal")
    p.draw(
        lathe([(0.011, 0.1), (0.01, 0.125), (0.019, 0.142), (0.014, 0.142), (0, 0.13)], 12).moved(
            0, 0, -0.055
        ),
        BLACK,
    )
    p.draw(pebble(0.024, 0.022, 0.024, (0, 0.1, -0.01)), YELLOW, "satin")
    p.draw(extruded([(-0.036, -0.1), (0.036, -0.1), (0, -0.128)], 0.008, 0.03), trim)
    return p.settled()


def toy_boat(variant: int, hull: str, deck: str, sail: str | None) -> Piece:
    """A sailing boat, or a tug, towards -Z."""
    p = thing("toy_boat", variant)
    outline = [
        (0, -0.12),
        (0.03, -0.08),
        (0.045, -0.02),
        (0.045, 0.06),
        (0.038, 0.09),
        (-0.038, 0.09),
        (-0.045, 0.06),
        (-0.045, -0.02),
        (-0.03, -0.08),
    ]
    p.draw(extruded([(0.75 * x, 0.85 * z) for x, z in outline], 0, 0.012), hull, "satin")
    p.draw(extruded(outline, 0.01, 0.05, 0.008), hull, "satin")
    p.draw(extruded([(0.92 * x, 0.93 * z) for x, z in outline], 0.048, 0.053), deck)
    if sail:
        p.draw(rod((0, 0.05, -0.01), (0, 0.25, -0.01), 0.004, 7), "#a9713f")
        p.draw(
            upright(extruded([(0.005, 0.075), (0.085, 0.075), (0.005, 0.24)], -0.0015, 0.0015))
            .turned((0, 1, 0), -90)
            .moved(0, 0, -0.01),
            sail,
        )
        p.draw(
            upright(extruded([(-0.008, 0.075), (-0.075, 0.07), (-0.008, 0.2)], -0.0015, 0.0015))
            .turned((0, 1, 0), -90)
            .moved(0, 0, -0.01),
            WHITE,
        )
        p.draw(block(0.003, 0.016, 0.03, (0, 0.235, 0.006), 0.0), RED)
    else:
        p.draw(block(0.06, 0.04, 0.08, (0, 0.052, 0.02), 0.005), WHITE, "satin")
        p.draw(block(0.045, 0.03, 0.045, (0, 0.092, 0.01), 0.004), deck, "satin")
        for x in (-0.012, 0.012):
            p.draw(block(0.014, 0.014, 0.003, (x, 0.1, -0.0135), 0.001), "#bfe0ee", "satin")
        p.draw(cylinder(0.014, 0.09, 0.145, 12).moved(0, 0, 0.045), RED, "satin")
        p.draw(lathe([(0.0148, 0.118), (0.0148, 0.13)], 12).moved(0, 0, 0.045), WHITE)
        for s in (-1, 1):
            p.draw(
                ring(0.013, 0.0045, 0, 12).turned((0, 0, 1), 90).moved(s * 0.047, 0.034, 0.01),
                YELLOW,
            )
    return p.settled()


def action_figure(variant: int, suit: str, cape: str, mask: str) -> Piece:
    """A hero with a cape, on a stand, facing -Z."""
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
    """A tin robot, facing -Z."""
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
    """A rag doll that stands in a wide dress, facing -Z."""
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
    """Nine stickers on each face; one with its top layer half turned."""
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
        toy_refrigerator(1, "#8fc9c0", "#a9dcd4"),
        toy_refrigerator(2, "#e8a9bd", "#f4c9d6"),
        toy_sink(1, "#8fb9dc", "#f4f1ea"),
        toy_sink(2, "#e8c9a0", "#c99a5b"),
        toy_sofa(1, "#d9607f", "#f0a3b5"),
        toy_sofa(2, "#4f86b0", "#8fb9dc"),
        toy_swing(1, RED, YELLOW),
        toy_swing(2, "#c99a5b", GREEN),
        toy_table(1, YELLOW, "#c99a5b", False),
        toy_table(2, "#e8a9bd", WHITE, True),
        toy_vehicle(1, "#2f9fd0", WHITE, False),
        toy_vehicle(2, "#f0c34b", WHITE, True),
        toy_train(1, GREEN, RED, YELLOW),
        toy_train(2, RED, BLUE, WHITE),
        toy_boat(1, BLUE, "#d9b27a", RED),
        toy_boat(2, RED, "#d9b27a", None),
        action_figure(1, BLUE, RED, BLUE),
        action_figure(2, "#4f5a63", YELLOW, BLACK),
        android_figure(1, "#b9c4ca", "#5f86b5", YELLOW),
        android_figure(2, "#d9703b", "#4a4f55", "#8fd0ff"),
        doll(1, "#d9486e", "#6b3f1f", SKIN, True),
        doll(2, "#5f9ad0", "#33241c", "#a9714a", False),
        puzzle_cube(1, BLACK, False),
        puzzle_cube(2, WHITE, True),
    ]
