"""Objects with a plug or a battery; what is switched on shows light."""

from __future__ import annotations

import math

from episodes.catalogue.mesh.meshes import cylinder, lathe, tube
from episodes.catalogue.mesh.pieces import Piece, disc, thing
from episodes.catalogue.mesh.sweeps import (
    block,
    curve,
    ellipse,
    extruded,
    pebble,
    ring,
    rod,
    round_rect,
    upright,
)

STEEL, BLACK, GREEN, BLUE = "#c3c7c9", "#2d2f33", "#8ff09a", "#8fd0ff"


def camera(variant: int, body: str, leather: str) -> Piece:
    p = thing("camera", variant)
    p.draw(block(0.13, 0.075, 0.045, bevel=0.01), body, "satin")
    p.draw(block(0.131, 0.042, 0.046, (0, 0.014, 0), 0.006), leather)
    p.draw(block(0.045, 0.02, 0.04, (0, 0.073, 0), 0.007), body, "satin")
    p.draw(
        lathe(
            [
                (0.03, 0.02),
                (0.03, 0.05),
                (0.026, 0.056),
                (0.026, 0.07),
                (0.021, 0.07),
                (0.018, 0.064),
                (0, 0.062),
            ],
            20,
        )
        .turned((1, 0, 0), -90)
        .moved(0, 0.037, 0),
        BLACK,
    )
    p.draw(upright(disc(0.016, 0.0642, 0, 0.037, 16)), "#5f7fb0", "satin")
    p.draw(cylinder(0.008, 0.074, 0.084, 10, 0.002).moved(-0.045, 0, 0), STEEL, "metal")
    p.draw(cylinder(0.013, 0.074, 0.083, 14, 0.002).moved(0.045, 0, 0), STEEL, "metal")
    for side in (-1, 1):
        p.draw(
            ring(0.007, 0.002, 0, 10).turned((0, 0, 1), 90).moved(side * 0.068, 0.062, 0),
            STEEL,
            "metal",
        )
    p.show(
        block(0.028, 0.012, 0.003, (0, 0.077, -0.0205), 0.0),
        "#fff3d0",
        "glow_warm",
        "is_powered_on",
    )
    p.show(
        pebble(0.008, 0.008, 0.006, (-0.045, 0.055, -0.023)), "#ff5a4a", "glow_hot", "is_powered_on"
    )
    p.show(
        block(0.09, 0.05, 0.002, (0, 0.012, 0.0235), 0.0), "#bfe2f5", "glow_cool", "is_powered_on"
    )
    return p.settled()


def speaker(variant: int, case: str, cone: str, round_one: bool) -> Piece:
    p = thing("speaker", variant)
    if round_one:
        p.draw(
            lathe([(0, 0), (0.05, 0), (0.055, 0.006), (0.055, 0.12), (0.048, 0.13), (0, 0.13)], 20),
            case,
        )
        for k in range(7):
            p.draw(ring(0.0552, 0.0016, 0.02 + 0.013 * k, 20), cone)
        p.draw(disc(0.04, 0.1305, segments=18), cone, "satin")
        p.show(lathe([(0.05, 0.1312), (0.042, 0.1312)], 20), BLUE, "glow_cool", "is_powered_on")
        p.show(ring(0.0555, 0.0035, 0.112, 20), BLUE, "glow_cool", "is_powered_on")
        return p.settled()
    p.draw(block(0.14, 0.24, 0.16, bevel=0.008), case)
    for y, r in ((0.085, 0.055), (0.19, 0.026)):
        p.draw(
            upright(
                lathe([(r, 0.078), (r, 0.083), (r * 0.9, 0.0825), (r * 0.4, 0.072), (0, 0.07)], 20),
                y,
            ),
            BLACK,
        )
        p.draw(upright(lathe([(r * 0.82, 0.082), (r * 0.45, 0.073)], 20), y), cone)
        p.draw(pebble(r * 0.7, r * 0.7, 0.016, (0, y - r * 0.35, -0.078)), BLACK, "satin")
    p.show(pebble(0.012, 0.012, 0.008, (0.055, 0.02, -0.08)), GREEN, "glow_cool", "is_powered_on")
    for y, r in ((0.085, 0.055), (0.19, 0.026)):
        rim = upright(lathe([(1.12 * r, 0.0835), (0.96 * r, 0.0835)], 22), y)
        p.show(rim, BLUE, "glow_cool", "is_powered_on")
    return p.settled()


def headphones(variant: int, band: str, cups: str) -> Piece:
    """Build headphones that lie on their cups, the band up."""
    p = thing("headphones", variant)
    bow = [
        (0.075 * math.cos(a), 0.055 + 0.105 * math.sin(a), 0.0)
        for a in (math.radians(d) for d in range(0, 181, 15))
    ]
    p.draw(tube(bow, 0.007, 8), band, "satin")
    p.draw(tube(bow[4:-4], 0.011, 8), band)
    for side in (-1, 1):
        shell = cylinder(0.038, 0, 0.02, 18, 0.007).turned((0, 0, 1), -90 * side)
        p.draw(shell.moved(side * 0.068, 0.04, 0), cups, "satin")
        pad = ring(0.026, 0.011, 0, 16).turned((0, 0, 1), 90).moved(side * 0.062, 0.04, 0)
        p.draw(pad, BLACK)
    return p.settled()


def radio(variant: int, case: str, front: str) -> Piece:
    p = thing("radio", variant)
    p.draw(block(0.25, 0.15, 0.085, bevel=0.016), case)
    p.draw(block(0.225, 0.125, 0.004, (0, 0.013, -0.0425), 0.001), front)
    for k in range(7):
        p.draw(block(0.095, 0.006, 0.004, (0.055, 0.03 + 0.014 * k, -0.0445), 0.001), case)
    p.draw(block(0.09, 0.03, 0.003, (-0.055, 0.09, -0.044), 0.0), "#f2e6c2")
    p.draw(block(0.002, 0.024, 0.003, (-0.04, 0.093, -0.0458), 0.0), "#d8433b")
    for x in (-0.085, -0.03):
        p.draw(
            upright(cylinder(0.019, 0.042, 0.058, 14, 0.003), 0.048).moved(x, 0, 0), BLACK, "satin"
        )
    p.draw(
        tube(
            curve([(-0.1, 0.148, 0), (-0.09, 0.182, 0), (0.09, 0.182, 0), (0.1, 0.148, 0)], 3),
            0.007,
            7,
        ),
        BLACK,
    )
    p.draw(rod((0.1, 0.145, 0.03), (0.16, 0.29, 0.03), 0.0022, 6), STEEL, "metal")
    for k in range(6):
        strip = block(0.095, 0.006, 0.002, (0.055, 0.037 + 0.014 * k, -0.0448), 0.0)
        p.show(strip, "#ffb347", "glow_warm", "is_powered_on")
    p.show(
        block(0.094, 0.034, 0.003, (-0.055, 0.088, -0.0449), 0.0),
        "#ffb347",
        "glow_warm",
        "is_powered_on",
    )
    p.show(
        block(0.003, 0.024, 0.003, (-0.04, 0.093, -0.0472), 0.0),
        "#d8433b",
        "glow_hot",
        "is_powered_on",
    )
    p.show(
        pebble(0.012, 0.012, 0.008, (-0.0575, 0.075, -0.046)), GREEN, "glow_cool", "is_powered_on"
    )
    return p.settled()


def desk_fan(variant: int, blades: str, frame: str) -> Piece:
    """Build a fan in a cage; on, it blows."""
    p = thing("desk_fan", variant)
    y, r = 0.23, 0.115
    p.draw(
        lathe(
            [
                (0, 0),
                (0.08, 0),
                (0.082, 0.012),
                (0.03, 0.03),
                (0.014, 0.05),
                (0.012, 0.16),
                (0, 0.16),
            ],
            20,
        ),
        frame,
        "satin",
    )
    p.draw(upright(cylinder(0.034, -0.07, -0.005, 16, 0.01), y), frame, "satin")
    for k in range(4):
        blade = (
            extruded(ellipse(0.046, 0.03, 14), -0.002, 0.002)
            .moved(0.052, 0, 0)
            .turned((1, 0, 0), 22)
        )
        p.draw(upright(blade.turned((0, 1, 0), 90 * k + 20), y, -0.02), blades, "satin")
    p.draw(upright(cylinder(0.02, 0.0, 0.034, 12, 0.005), y), frame, "satin")
    for depth, radius in ((0.005, r), (0.045, r * 0.93), (-0.01, r * 0.95)):
        p.draw(upright(ring(radius, 0.0028, depth, 24), y), frame, "metal")
    for k in range(16):
        a = math.tau * k / 16
        c, s = math.cos(a), math.sin(a)
        bow = [
            (0.0, y, -0.058),
            (0.6 * r * c, y + 0.6 * r * s, -0.056),
            (0.93 * r * c, y + 0.93 * r * s, -0.045),
            (r * c, y + r * s, -0.005),
        ]
        p.draw(tube(bow, 0.0013, 4), frame, "metal")
    p.show(upright(disc(r * 0.9, 0.03, 0, y, 24)), blades, "glass", "is_powered_on")
    p.show(pebble(0.016, 0.014, 0.016, (0, 0.012, -0.055)), GREEN, "glow_cool", "is_powered_on")
    p.show(
        upright(lathe([(0.021, 0.035), (0.012, 0.0365)], 14), y),
        GREEN,
        "glow_cool",
        "is_powered_on",
    )
    return p.settled()


def flashlight(variant: int, body: str, head: str) -> Piece:
    p = thing("flashlight", variant)
    barrel = [
        (0, -0.09),
        (0.016, -0.09),
        (0.018, -0.084),
        (0.016, -0.07),
        (0.016, 0.03),
        (0.03, 0.06),
        (0.032, 0.09),
        (0.028, 0.09),
        (0.026, 0.08),
        (0, 0.075),
    ]
    lying = (1.0, 0.0, 0.0)
    p.draw(lathe(barrel[:6], 16).turned(lying, -90).moved(0, 0.032, 0), body, "satin")
    p.draw(lathe(barrel[5:], 16).turned(lying, -90).moved(0, 0.032, 0), head, "satin")
    for z in (-0.05, -0.02, 0.01):
        p.draw(ring(0.0162, 0.0022, z, 14).turned(lying, -90).moved(0, 0.032, 0), head)
    p.draw(disc(0.026, 0.082).turned(lying, -90).moved(0, 0.032, 0), "#e6eef2", "satin")
    p.draw(block(0.01, 0.006, 0.022, (0, 0.045, 0.0), 0.002), "#d8433b")
    p.show(
        lathe([(0.029, 0.0885), (0, 0.0885)], 16).turned(lying, -90).moved(0, 0.032, 0),
        "#fff3d0",
        "glow_warm",
        "is_powered_on",
    )
    p.show(
        lathe([(0.0325, 0.066), (0.0335, 0.09)], 16).turned(lying, -90).moved(0, 0.032, 0),
        "#fff3d0",
        "glow_warm",
        "is_powered_on",
    )
    return p.settled()


def remote(variant: int, shell: str, keys: str) -> Piece:
    p = thing("remote", variant)
    p.draw(extruded(round_rect(0.024, 0.09, 0.014), 0, 0.018, 0.005), shell, "satin")
    p.draw(cylinder(0.005, 0.016, 0.0205, 10).moved(-0.011, 0, 0.074), "#d8433b")
    p.draw(ring(0.011, 0.0035, 0.0185, 14).moved(0, 0, 0.04), keys)
    p.draw(cylinder(0.005, 0.016, 0.021, 10).moved(0, 0, 0.04), keys)
    for row in range(4):
        for k in range(3):
            p.draw(
                block(0.009, 0.004, 0.008, (0.0125 * (k - 1), 0.017, 0.012 - 0.016 * row), 0.002),
                keys,
            )
    p.draw(block(0.03, 0.003, 0.008, (0, 0.0165, -0.07), 0.001), "#3f7fc4")
    return p.settled()


def pieces() -> list[Piece]:
    return [
        camera(1, "#33383c", "#22262a"),
        camera(2, "#c3c7c9", "#8a4f2f"),
        speaker(1, "#6b4a2f", "#c99a5b", False),
        speaker(2, "#3f6f8a", "#2f556b", True),
        headphones(1, "#33383c", "#d8433b"),
        headphones(2, "#e9e4da", "#c99a5b"),
        radio(1, "#a9713f", "#f1e6cc"),
        radio(2, "#c9402f", "#e9e4da"),
        desk_fan(1, "#8fc1d6", "#f1ece0"),
        desk_fan(2, "#c9cdd0", "#3b4045"),
        flashlight(1, "#f0b429", "#33383c"),
        flashlight(2, "#8b9094", "#5a6068"),
        remote(1, "#33383c", "#8b9094"),
        remote(2, "#e4e2dc", "#5a6068"),
    ]
