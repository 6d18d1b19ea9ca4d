"""Toys that drive, fly or swim."""

from __future__ import annotations

from episodes.catalogue.mesh.meshes import blob, cylinder, lathe
from episodes.catalogue.mesh.pieces import Piece, disc, thing
from episodes.catalogue.mesh.sweeps import (
    block,
    extruded,
    pebble,
    ring,
    rod,
    tapered,
    upright,
    wheel,
)
from episodes.catalogue.objects.toy_food_and_bricks import BLACK, BLUE, GREEN, RED, WHITE, YELLOW


def toy_airplane(variant: int, body: str, wing: str, propeller: bool) -> Piece:
    """Build a toy aeroplane flying towards -Z."""
    p = thing("toy_airplane", variant)
    y = 0.05
    p.draw(
        tapered(
            [
                (0, y, -0.13),
                (0, y, -0.115),
                (0, y, -0.07),
                (0, y + 0.002, 0.05),
                (0, y + 0.014, 0.13),
            ],
            [0.012, 0.026, 0.032, 0.028, 0.006],
            12,
        ),
        body,
        "satin",
    )
    p.draw(
        extruded(
            [
                (-0.15, -0.01),
                (0.15, -0.01),
                (0.14, 0.04),
                (0.03, 0.05),
                (-0.03, 0.05),
                (-0.14, 0.04),
            ],
            y - 0.012,
            y - 0.002,
            0.003,
        ).moved(0, 0, -0.045),
        wing,
        "satin",
    )
    p.draw(
        extruded(
            [(-0.06, 0), (0.06, 0), (0.05, 0.028), (-0.05, 0.028)], y + 0.012, y + 0.019, 0.002
        ).moved(0, 0, 0.1),
        wing,
        "satin",
    )
    fin = extruded([(0.0, 0.0), (0.045, 0.0), (0.045, 0.05), (0.028, 0.05)], -0.0035, 0.0035, 0.001)
    p.draw(upright(fin).turned((0, 1, 0), -90).moved(0, y + 0.014, 0.085), wing, "satin")
    p.draw(pebble(0.036, 0.03, 0.06, (0, y + 0.014, -0.06)), "#bfe0ee", "satin")
    for x in (-0.04, 0.04):
        p.draw(wheel(0.017, 0.012, (x, 0.017, -0.05)), BLACK)
        p.draw(rod((x, 0.017, -0.05), (x * 0.6, y - 0.01, -0.05), 0.003, 6), BLACK)
    p.draw(wheel(0.01, 0.008, (0, 0.032, 0.115)), BLACK)
    if propeller:
        p.draw(
            block(0.012, 0.1, 0.004, (0, y - 0.05, -0.136), 0.002).turned((0, 0, 1), 35, (0, y, 0)),
            YELLOW,
        )
        p.draw(pebble(0.02, 0.02, 0.02, (0, y - 0.01, -0.136)), YELLOW)
    else:
        for x in (-0.075, 0.075):
            p.draw(
                upright(cylinder(0.013, 0.01, 0.06, 12, 0.003), y - 0.022).moved(x, 0, 0),
                "#8b9094",
                "satin",
            )
    return p.settled()


def toy_fire_truck(variant: int, red: str, trim: str) -> Piece:
    """Build a toy fire engine with a ladder on its back, driving towards -Z."""
    p = thing("toy_fire_truck", variant)
    p.draw(block(0.09, 0.02, 0.26, (0, 0.022, 0), 0.005), BLACK)
    p.draw(block(0.092, 0.075, 0.085, (0, 0.035, -0.085), 0.012), red, "satin")
    p.draw(block(0.092, 0.055, 0.165, (0, 0.035, 0.045), 0.006), red, "satin")
    p.draw(block(0.078, 0.03, 0.004, (0, 0.07, -0.127), 0.002), "#bfe0ee", "satin")
    for s in (-1, 1):
        p.draw(block(0.004, 0.028, 0.04, (s * 0.0455, 0.07, -0.09), 0.002), "#bfe0ee", "satin")
        p.draw(block(0.004, 0.012, 0.16, (s * 0.0455, 0.055, 0.045), 0.001), trim, "satin")
        p.draw(pebble(0.016, 0.014, 0.008, (s * 0.03, 0.04, -0.127)), YELLOW)
    p.draw(block(0.03, 0.014, 0.016, (0, 0.108, -0.085), 0.004), BLUE, "satin")
    p.draw(cylinder(0.026, 0.09, 0.102, 14).moved(0, 0, 0.08), trim, "satin")
    lift = ((1.0, 0.0, 0.0), 9.0, (0.0, 0.1, 0.1))
    for x in (-0.018, 0.018):
        p.draw(block(0.006, 0.008, 0.23, (x, 0.105, 0.0), 0.002).turned(*lift), trim, "satin")
    for k in range(8):
        p.draw(
            block(0.036, 0.005, 0.005, (0, 0.107, -0.1 + 0.028 * k), 0.001).turned(*lift),
            trim,
            "satin",
        )
    for z in (-0.08, 0.03, 0.09):
        for x in (-0.045, 0.045):
            p.draw(wheel(0.026, 0.02, (x, 0.026, z)), BLACK)
            p.draw(wheel(0.012, 0.023, (x, 0.026, z), 10), "#c3c7c9")
    return p.settled()


def toy_vehicle(variant: int, body: str, trim: str, beetle: bool) -> Piece:
    """Build a toy car, driving towards -Z."""
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
    """Build a steam engine, towards -Z."""
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
    """Build a sailing boat, or a tug, towards -Z."""
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


def pieces() -> list[Piece]:
    return [
        toy_airplane(1, RED, WHITE, True),
        toy_airplane(2, WHITE, BLUE, False),
        toy_fire_truck(1, "#d3302c", "#e9e4da"),
        toy_fire_truck(2, "#e8862c", "#c3c7c9"),
        toy_vehicle(1, "#2f9fd0", WHITE, False),
        toy_vehicle(2, "#f0c34b", WHITE, True),
        toy_train(1, GREEN, RED, YELLOW),
        toy_train(2, RED, BLUE, WHITE),
        toy_boat(1, BLUE, "#d9b27a", RED),
        toy_boat(2, RED, "#d9b27a", None),
    ]
