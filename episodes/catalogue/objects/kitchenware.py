"""Objects of kitchen and table: crockery, pans, food."""

from __future__ import annotations

import math

from episodes.catalogue.mesh.meshes import Mesh, arc, blob, box, cylinder, lathe, rounded, tube
from episodes.catalogue.mesh.models import Finish
from episodes.catalogue.mesh.pieces import Piece, Profile, disc, thing
from episodes.catalogue.objects.groceries import COFFEE, WATER

MILK = "#f3ead6"


def _round_solid(p: Piece, radius: float, height: float) -> None:
    p.solid((-radius, 0, -radius), (radius, height, radius))


def _turned(p: Piece, profile: Profile, colour: str, finish: Finish = "satin", n: int = 20) -> None:
    p.draw(lathe(rounded(profile), n), colour, finish)


def _band(profile: Profile, low: float, high: float, r0: float, r1: float) -> Mesh:
    """Return a painted ring a hair outside a wall with radius r0 at low and r1 at high (m)."""
    return lathe([(r0 + 0.0008, low), (r1 + 0.0008, high)], 20)


def cup(variant: int, colour: str, inside: str, tall: bool) -> Piece:
    p = thing("cup", variant)
    r, h = (0.041, 0.1) if tall else (0.048, 0.082)
    foot = r * (0.95 if tall else 0.6)
    wall: Profile = [(0, 0), (foot, 0), (foot + 0.004, 0.006), (r, h * 0.45), (r, h)]
    _turned(p, wall, colour)
    _turned(
        p,
        [
            (r, h),
            (r - 0.002, h + 0.001),
            (r - 0.005, h - 0.002),
            (r - 0.006, h * 0.4),
            (foot - 0.006, 0.012),
            (0, 0.01),
        ],
        inside,
    )
    bend = arc((r - 0.004, h * 0.54, 0), h * 0.3, 75, -75, "xy", 8)
    p.draw(tube(bend, 0.0055, 7), colour, "satin")
    _round_solid(p, r, h)
    p.show(disc(r - 0.006, h * 0.8), COFFEE, "satin", "is_filled")
    return p


def bowl(variant: int, colour: str, inside: str, deep: bool) -> Piece:
    p = thing("bowl", variant)
    r, h = (0.075, 0.075) if deep else (0.09, 0.06)
    wall: Profile = [
        (0, 0),
        (0.035, 0),
        (0.037, 0.008),
        (r * 0.75, h * 0.4),
        (r * 0.95, h * 0.75),
        (r, h),
    ]
    hollow: Profile = [
        (r, h),
        (r - 0.004, h),
        (r * 0.9, h * 0.75),
        (r * 0.7, h * 0.42),
        (0.03, 0.013),
        (0, 0.012),
    ]
    _turned(p, wall, colour, n=24)
    _turned(p, hollow, inside, n=24)
    _round_solid(p, r, h)
    p.show(disc(r * 0.88, h * 0.72), "#d98a3d", "satin", "is_filled")
    return p


def plate(variant: int, colour: str, rim: str, radius: float) -> Piece:
    p = thing("plate", variant)
    r = radius
    _turned(
        p, [(0, 0), (r * 0.55, 0), (r * 0.62, 0.006), (r * 0.97, 0.019), (r, 0.021)], colour, n=28
    )
    _turned(p, [(r, 0.021), (r * 0.97, 0.023), (r * 0.72, 0.0145)], rim, n=28)
    face: Profile = [(r * 0.72, 0.0145), (r * 0.6, 0.009), (0, 0.007)]
    _turned(p, face, colour, n=28)
    _round_solid(p, r, 0.022)
    return p


def kettle(variant: int, colour: str, trim: str, electric: bool) -> Piece:
    p = thing("kettle", variant)
    r, h = 0.085, 0.19
    if electric:
        p.draw(cylinder(0.09, 0, 0.018, 22, 0.006), trim)
        wall: Profile = [
            (0, 0.018),
            (0.08, 0.018),
            (0.083, 0.04),
            (0.068, h),
            (0.055, h + 0.012),
            (0, h + 0.016),
        ]
        bend = [
            (0.05, h, 0.0),
            (0.09, h + 0.01, 0.0),
            (0.125, h - 0.01, 0.0),
            (0.13, 0.11, 0.0),
            (0.1, 0.06, 0.0),
            (0.078, 0.055, 0.0),
        ]
        p.draw(tube(bend, 0.011, 8), trim)
    else:
        wall = [(0, 0), (0.075, 0), (r, 0.02), (r, 0.07), (0.07, 0.12), (0.045, 0.145), (0, 0.15)]
        h = 0.15
        p.draw(tube(arc((0, 0.13, 0), 0.07, 10, 170, "xy", 10), 0.009, 8), trim)
    _turned(p, wall, colour, "satin", 24)
    p.draw(blob((0, h + 0.02, 0), (0.015, 0.013, 0.015), rings=6, segments=10), trim)
    spout = lathe([(0.022, 0), (0.013, 0.055), (0.009, 0.056), (0.012, 0)], 12).turned(
        (0, 0, 1), 48
    )
    p.draw(spout.moved(-0.062, 0.095 if not electric else 0.14, 0), colour, "satin")
    top = h + 0.03
    _round_solid(p, r, top)
    # Water shows in a gauge on the side, heat as a glowing ring at the foot.
    gauge = lathe([(0.086, 0.05), (0.084, 0.1)], 40, 0.0)
    p.show(
        disc(0.012, 0.0)
        .turned((0, 0, 1), 48)
        .moved(-0.104, (0.095 if not electric else 0.14) + 0.038, 0),
        WATER,
        "satin",
        "is_filled",
    )
    p.show(box((-0.012, 0.05, -0.09), (0.012, 0.11, -0.07), 0.004), WATER, "satin", "is_filled")
    p.show(
        gauge.moved(0, -0.035, 0).scaled(1.005, 0.3, 1.005), "#ff9a4d", "glow_hot", "is_powered_on"
    )
    return p


def teapot(variant: int, colour: str, accent: str) -> Piece:
    p = thing("teapot", variant)
    h = 0.12
    wall: Profile = [
        (0, 0),
        (0.045, 0),
        (0.05, 0.006),
        (0.078, 0.04),
        (0.08, 0.065),
        (0.06, 0.1),
        (0.035, h),
    ]
    _turned(p, wall, colour, "satin", 24)
    _turned(
        p,
        [(0.038, h - 0.004), (0.036, h + 0.004), (0.012, h + 0.014), (0, h + 0.015)],
        accent,
        "satin",
    )
    p.draw(blob((0, h + 0.024, 0), (0.013, 0.013, 0.013), rings=6, segments=10), accent, "satin")
    p.draw(tube(arc((0.062, 0.066, 0), 0.04, 80, -80, "xy", 9), 0.008, 8), accent, "satin")
    p.draw(
        tube(
            [(-0.06, 0.045, 0), (-0.09, 0.06, 0), (-0.105, 0.09, 0), (-0.125, 0.105, 0)], 0.012, 9
        ),
        colour,
        "satin",
    )
    _round_solid(p, 0.082, h + 0.035)
    p.show(
        disc(0.008, 0).turned((0, 0, 1), 40).moved(-0.1262, 0.1062, 0), COFFEE, "satin", "is_filled"
    )
    p.show(
        lathe([(0.0365, h - 0.003), (0.0385, h - 0.0005), (0.037, h + 0.001)], 20),
        "#a8632f",
        "satin",
        "is_filled",
    )
    return p


def pan(variant: int, colour: str, handle: str) -> Piece:
    """Build a frying pan; the origin is the middle of pan and handle together."""
    p = thing("pan", variant)
    r, h, length = 0.125, 0.045, 0.17
    x = -length / 2
    hollow: Profile = [(r, h), (r - 0.004, h), (r - 0.018, 0.008), (0, 0.007)]
    p.draw(lathe([(0, 0), (r - 0.02, 0), (r - 0.012, 0.006), (r, h)], 26).moved(x), colour, "satin")
    p.draw(lathe(hollow, 26).moved(x), "#3a3d40", "satin")
    bar = box((x + r - 0.01, h - 0.018, -0.013), (x + r + length, h - 0.002, 0.013), 0.007)
    p.draw(bar, handle)
    p.solid((x - r, 0, -r), (x + r, h, r))
    p.solid((x + r, h - 0.02, -0.013), (x + r + length, h, 0.013))
    return p


def pot(variant: int, colour: str, trim: str, r: float, h: float) -> Piece:
    p = thing("pot", variant)
    wall: Profile = [(0, 0), (r - 0.012, 0), (r, 0.012), (r, h), (r + 0.004, h + 0.004)]
    _turned(p, wall, colour, "satin", 26)
    hollow: Profile = [
        (r + 0.004, h + 0.004),
        (r - 0.004, h + 0.003),
        (r - 0.006, 0.012),
        (0, 0.01),
    ]
    _turned(p, hollow, "#e9e4da", "satin", 26)
    for side in (-1, 1):
        ring = arc((0, h * 0.75, 0), 0.03, -90, 90, "xz", 6)
        p.draw(tube([(side * (x + r - 0.004), y, z) for x, y, z in ring], 0.007, 7), trim)
    _round_solid(p, r, h + 0.004)
    p.show(disc(r - 0.006, h * 0.7), WATER, "satin", "is_filled")
    return p


def jug(variant: int, colour: str, accent: str) -> Piece:
    p = thing("jug", variant)
    h = 0.2
    wall: Profile = [
        (0, 0),
        (0.05, 0),
        (0.056, 0.008),
        (0.066, 0.06),
        (0.06, 0.12),
        (0.045, 0.165),
        (0.053, h),
    ]
    _turned(p, wall, colour, "satin", 22)
    _turned(
        p, [(0.053, h), (0.049, h), (0.041, 0.165), (0.055, 0.1), (0, 0.02)], accent, "satin", 22
    )
    p.draw(_band(wall, 0.028, 0.048, 0.0597, 0.064), accent, "satin")
    p.draw(tube(arc((0.052, 0.12, 0), 0.055, 70, -75, "xy", 9), 0.008, 8), colour, "satin")
    p.draw(box((-0.075, h - 0.022, -0.016), (-0.04, h, 0.016), 0.009), colour, "satin")
    _round_solid(p, 0.067, h)
    p.show(disc(0.046, h - 0.02), MILK, "satin", "is_filled")
    return p


def bottle(variant: int, colour: str, cap: str, label: str, slim: bool) -> Piece:
    p = thing("bottle", variant)
    r, h = (0.036, 0.27) if slim else (0.042, 0.22)
    neck = h * (0.62 if slim else 0.74)
    wall: Profile = [
        (0, 0),
        (r - 0.004, 0),
        (r, 0.006),
        (r, neck),
        (0.016, neck + 0.045),
        (0.0145, h - 0.02),
        (0.0145, h - 0.015),
    ]
    _turned(p, wall, colour, "satin")
    p.draw(lathe([(r + 0.001, neck * 0.3), (r + 0.001, neck * 0.75)], 20), label)
    p.draw(cylinder(0.017, h - 0.02, h, 14, 0.004), cap)
    _round_solid(p, r, h)
    p.show(lathe([(r + 0.0006, 0.006), (r + 0.0006, neck * 0.28)], 20), WATER, "satin", "is_filled")
    p.show(
        lathe([(r + 0.0006, neck * 0.77), (r + 0.0006, neck * 0.97)], 20),
        WATER,
        "satin",
        "is_filled",
    )
    return p


def spoon(variant: int, colour: str, finish: Finish) -> Piece:
    p = thing("spoon", variant)
    p.draw(blob((-0.085, 0.006, 0), (0.035, 0.006, 0.023), rings=6, segments=14), colour, finish)
    p.draw(
        tube([(-0.055, 0.007, 0), (0.0, 0.011, 0), (0.12, 0.0065, 0)], 0.0065, 8), colour, finish
    )
    p.solid((-0.12, 0, -0.023), (0.12, 0.018, 0.023))
    return p


def can(variant: int, label: str, band: str) -> Piece:
    p = thing("can", variant)
    r, h = 0.034, 0.115
    _turned(p, [(0, 0), (r - 0.003, 0), (r, 0.004), (r, 0.008)], "#c3c7c9", "metal")
    _turned(p, [(r, 0.008), (r, h - 0.008)], label)
    p.draw(lathe([(r + 0.0007, 0.042), (r + 0.0007, 0.076)], 20), band)
    _turned(
        p,
        [(r, h - 0.008), (r, h - 0.002), (r - 0.003, h), (r - 0.005, h - 0.004), (0, h - 0.004)],
        "#c3c7c9",
        "metal",
    )
    _round_solid(p, r, h)
    return p


def apple(variant: int, colour: str, blush: str) -> Piece:
    p = thing("apple", variant)
    profile: Profile = [
        (0, 0.006),
        (0.016, 0.0),
        (0.032, 0.012),
        (0.04, 0.036),
        (0.036, 0.058),
        (0.022, 0.07),
        (0.008, 0.066),
        (0, 0.06),
    ]
    lower = [q for q in profile if q[1] <= 0.036 or q[0] == 0][:4]
    _turned(p, lower, blush, "satin", 18)
    _turned(p, profile[3:], colour, "satin", 18)
    p.draw(tube([(0, 0.06, 0), (0.002, 0.074, 0), (0.007, 0.085, 0)], 0.003, 6), "#6a4a2d")
    p.draw(
        blob((0.016, 0.08, 0), (0.014, 0.002, 0.007), rings=4, segments=8).turned((0, 0, 1), 15),
        "#5c9a45",
    )
    _round_solid(p, 0.04, 0.075)
    return p


def sponge(variant: int, top: str, pad: str) -> Piece:
    p = thing("sponge", variant)
    p.draw(box((-0.055, 0, -0.035), (0.055, 0.01, 0.035), 0.004), pad)
    p.draw(box((-0.055, 0.01, -0.035), (0.055, 0.035, 0.035), 0.008), top)
    for i in range(6):
        x, z = 0.04 * math.sin(2.1 * i), 0.022 * math.cos(3.7 * i)
        p.draw(disc(0.005, 0.0353, x, z, 8), pad)
    p.solid((-0.055, 0, -0.035), (0.055, 0.035, 0.035))
    return p


def pieces() -> list[Piece]:
    white = "#f6f2e9"
    return [
        cup(1, "#d8433b", white, False),
        cup(2, "#2f78c9", white, True),
        bowl(1, "#f0b429", "#fbe7b4", False),
        bowl(2, "#3aa17e", white, True),
        plate(1, white, "#3f7fc4", 0.125),
        plate(2, "#f7d9cf", "#e0654f", 0.11),
        kettle(1, "#c9402f", "#2d2f33", True),
        kettle(2, "#3d8f8a", "#3b2d25", False),
        teapot(1, "#7fb9a4", "#f2efe6"),
        teapot(2, "#e9a23b", "#7b4a2b"),
        pan(1, "#44484c", "#8a5a36"),
        pan(2, "#c4472f", "#2f3235"),
        pot(1, "#3b6ea8", "#2f3235", 0.1, 0.12),
        pot(2, "#d9703b", "#2f3235", 0.115, 0.09),
        jug(1, white, "#4a79b8"),
        jug(2, "#8cc1d6", white),
        bottle(1, "#2f9d62", "#f0b429", "#f4efe2", True),
        bottle(2, "#7b4fb3", "#f4efe2", "#f2c84b", False),
        spoon(1, "#b9bec1", "metal"),
        spoon(2, "#c98b4f", "matte"),
        can(1, "#cf3a36", "#f6efe0"),
        can(2, "#2f8f5b", "#f2c84b"),
        apple(1, "#d0342c", "#e0693a"),
        apple(2, "#8fb83a", "#b7cf57"),
        sponge(1, "#f3cf3f", "#3f9a5b"),
        sponge(2, "#ee8fb0", "#4f7fc0"),
    ]
