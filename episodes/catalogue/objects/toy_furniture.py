"""Toys: a doll's furniture."""

from __future__ import annotations

from episodes.catalogue.mesh.meshes import blob, cylinder, lathe, tube
from episodes.catalogue.mesh.pieces import Piece, disc, thing
from episodes.catalogue.mesh.sweeps import (
    block,
    extruded,
    pebble,
    rod,
    round_rect,
    tapered,
    upright,
)
from episodes.catalogue.objects.toy_food_and_bricks import BLACK, BLUE, GREEN, RED, WHITE, YELLOW


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
    """Build a frame on four legs with a seat on two ropes."""
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
    ]
