"""Fruit and vegetables."""

from __future__ import annotations

import math

from episodes.catalogue.mesh.meshes import blob, cylinder, lathe, rounded, tube
from episodes.catalogue.mesh.pieces import Piece, thing
from episodes.catalogue.mesh.sweeps import curve, extruded, pebble, tapered

LEAF, STALK = "#4f8f3c", "#6a7f3a"


def banana(variant: int, colour: str, tip: str, count: int) -> Piece:
    """Build one banana, or a small bunch."""
    p = thing("banana", variant)
    for k in range(count):
        line = curve([(-0.09, 0.045, 0), (-0.05, 0.018, 0), (0.03, 0.02, 0), (0.085, 0.06, 0)], 3)
        n = len(line)
        radii = [0.006] + [0.012 + 0.007 * math.sin(math.pi * i / (n - 1)) for i in range(1, n - 1)]
        one = tapered(line, [*radii, 0.005], 8)
        lean = 24 * (k - (count - 1) / 2)
        p.draw(one.turned((0, 1, 0), lean, (-0.09, 0, 0)), colour, "satin")
    p.draw(pebble(0.02, 0.02, 0.02, (-0.096, 0.04, 0)), tip)
    return p.settled()


def citrus(name: str, variant: int, colour: str, stretch: float, radius: float) -> Piece:
    p = thing(name, variant)
    p.draw(pebble(2 * radius * stretch, 2 * radius, 2 * radius), colour)
    if stretch > 1.1:
        for side in (-1, 1):
            p.draw(
                pebble(0.016, 0.014, 0.014, (side * radius * stretch, radius - 0.007, 0)), colour
            )
    p.draw(lathe([(0.007, 2 * radius - 0.001), (0, 2 * radius + 0.002)], 6), STALK)
    p.draw(pebble(0.03, 0.003, 0.014, (0.014, 2 * radius - 0.001, 0)), LEAF)
    return p.settled()


def pear(variant: int, colour: str) -> Piece:
    p = thing("pear", variant)
    profile = [(0, 0.004), (0.02, 0), (0.036, 0.016), (0.038, 0.036), (0.026, 0.062), (0.018, 0.08)]
    p.draw(lathe(rounded([*profile, (0.01, 0.09), (0, 0.091)]), 14), colour, "satin")
    p.draw(tube([(0, 0.088, 0), (0.003, 0.1, 0), (0.01, 0.108, 0)], 0.0025, 5), "#6a4a2d")
    p.draw(pebble(0.028, 0.003, 0.013, (0.018, 0.1, 0)), LEAF)
    return p.settled()


def avocado(variant: int, skin: str, halved: bool) -> Piece:
    p = thing("avocado", variant)
    profile = [(0, 0), (0.02, 0.003), (0.034, 0.024), (0.033, 0.042), (0.019, 0.075), (0.008, 0.09)]
    whole = lathe(rounded([*profile, (0, 0.092)]), 14).turned((0, 0, 1), 90).moved(0.045, 0.034, 0)
    p.draw(whole.scaled(1, 0.62 if halved else 1, 1), skin)
    if halved:
        face = [(0.045 - y, r) for r, y in profile] + [
            (0.045 - y, -r) for r, y in reversed(profile[1:])
        ]
        p.draw(extruded(face, 0.03, 0.044), skin)
        p.draw(extruded([(x * 0.93, z * 0.9) for x, z in face], 0.04, 0.0455), "#dbe08a", "satin")
        p.draw(pebble(0.028, 0.028, 0.028, (0.018, 0.034, 0)), "#8a5a36", "satin")
    return p.settled()


def tomato(variant: int, colour: str, flat: float) -> Piece:
    p = thing("tomato", variant)
    p.draw(pebble(0.07, 0.07 * flat, 0.07), colour, "satin")
    for k in range(5):
        leaf = pebble(0.026, 0.003, 0.008, (0.013, 0.07 * flat - 0.003, 0))
        p.draw(leaf.turned((0, 1, 0), 72 * k), LEAF)
    p.draw(cylinder(0.003, 0.07 * flat - 0.003, 0.07 * flat + 0.012, 6), STALK)
    return p.settled()


def potato(variant: int, skin: str, eye: str) -> Piece:
    p = thing("potato", variant)
    p.draw(blob((0, 0.032, 0), (0.052, 0.032, 0.037), (0.85, 0.9), 7, 12), skin)
    p.draw(blob((0.024, 0.034, 0.006), (0.036, 0.03, 0.034), rings=6, segments=10), skin)
    for x, y, z in ((-0.03, 0.052, -0.014), (0.01, 0.061, 0.004), (-0.015, 0.045, -0.033)):
        p.draw(pebble(0.008, 0.005, 0.008, (x, y, z)), eye)
    return p.settled()


def carrot(variant: int, colour: str, leaves: int) -> Piece:
    p = thing("carrot", variant)
    p.draw(
        tapered(
            [
                (-0.09, 0.017, 0),
                (-0.05, 0.017, 0),
                (0.03, 0.017, 0),
                (0.06, 0.017, 0),
                (0.066, 0.017, 0),
            ],
            [0.0015, 0.009, 0.0165, 0.016, 0.009],
        ),
        colour,
    )
    for k in range(leaves):
        frond = pebble(0.075, 0.012, 0.009, (0.095, 0.011, 0))
        p.draw(frond.turned((0, 1, 0), 30 * (k - (leaves - 1) / 2), (0.06, 0, 0)), LEAF)
    return p.settled()


def lettuce(variant: int, outer: str, inner: str) -> Piece:
    p = thing("lettuce", variant)
    p.draw(pebble(0.12, 0.115, 0.12, (0, 0.01, 0)), inner)
    for k in range(10):
        leaf = blob((0, 0.055, -0.058), (0.045, 0.052, 0.007), rings=4, segments=9)
        lean = 12 if k % 2 else 26
        p.draw(
            leaf.turned((1, 0, 0), -lean, (0, 0.0, -0.05)).turned((0, 1, 0), 36 * k + 9 * (k % 3)),
            outer if k % 2 else inner,
        )
    p.draw(cylinder(0.02, 0, 0.012, 9), "#e6ecc8")
    return p.settled()


def bell_pepper(variant: int, colour: str) -> Piece:
    p = thing("bell_pepper", variant)
    for k in range(4):
        lobe = blob((0.018, 0.042, 0), (0.024, 0.042, 0.025), (0.8, 1.0), 7, 10)
        p.draw(lobe.turned((0, 1, 0), 90 * k + 20), colour, "satin")
    p.draw(tube([(0, 0.074, 0), (0.002, 0.09, 0), (0.012, 0.103, 0)], 0.0055, 7), LEAF)
    return p.settled()


def pieces() -> list[Piece]:
    return [
        banana(1, "#f2cf3a", "#6b5a2a", 1),
        banana(2, "#d9c443", "#5f7a2f", 3),
        citrus("orange", 1, "#ef8a1f", 1.0, 0.038),
        citrus("orange", 2, "#f2a531", 1.0, 0.032),
        citrus("lemon", 1, "#f3d83c", 1.3, 0.026),
        citrus("lemon", 2, "#a9cc3f", 1.2, 0.024),
        pear(1, "#b9c94a"),
        pear(2, "#d8a13f"),
        avocado(1, "#3d5a2c", False),
        avocado(2, "#2f4426", True),
        tomato(1, "#d8352a", 0.85),
        tomato(2, "#e8862c", 0.95),
        potato(1, "#c9a066", "#a67f4c"),
        potato(2, "#b5635a", "#8f4a44"),
        carrot(1, "#ee7d23", 3),
        carrot(2, "#7d4a86", 4),
        lettuce(1, "#6fae45", "#a8cf6c"),
        lettuce(2, "#8a4a63", "#9fc06a"),
        bell_pepper(1, "#d3302c"),
        bell_pepper(2, "#f0b92f"),
    ]
