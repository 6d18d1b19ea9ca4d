"""Toys, cushions, baskets, boxes and clothes."""

from __future__ import annotations

import math

from episodes.catalogue.mesh.meshes import arc, blob, box, cylinder, lathe, prism, tube
from episodes.catalogue.mesh.pieces import Piece, disc, thing
from episodes.catalogue.objects.living_room_objects import box_solid, round_solid


def toy_truck(variant: int, cab: str, bed: str) -> Piece:
    """Build a toy lorry, 0.24 m long, driving towards -Z."""
    p = thing("toy_truck", variant)
    p.draw(box((-0.05, 0.03, -0.115), (0.05, 0.05, 0.115), 0.006), "#4a4e52")
    p.draw(box((-0.052, 0.045, -0.115), (0.052, 0.13, -0.035), 0.016), cab, "satin")
    p.draw(box((-0.044, 0.085, -0.118), (0.044, 0.118, -0.105), 0.006), "#bfe0ee", "satin")
    for low, high in (
        ((-0.055, 0.05, -0.03), (0.055, 0.06, 0.118)),
        ((-0.055, 0.055, -0.03), (-0.045, 0.105, 0.118)),
        ((0.045, 0.055, -0.03), (0.055, 0.105, 0.118)),
        ((-0.055, 0.055, -0.03), (0.055, 0.12, -0.02)),
        ((-0.055, 0.055, 0.108), (0.055, 0.1, 0.118)),
    ):
        p.draw(box((low[0], low[1], low[2]), (high[0], high[1], high[2]), 0.004), bed, "satin")
    for x in (-0.052, 0.052):
        for z in (-0.075, 0.07):
            wheel = cylinder(0.027, -0.012, 0.012, 14, 0.005).turned((0, 0, 1), 90)
            hub = cylinder(0.012, -0.014, 0.014, 10).turned((0, 0, 1), 90)
            p.draw(wheel.moved(x, 0.027, z), "#2d3033")
            p.draw(hub.moved(x, 0.027, z), "#f0b429")
    box_solid(p, 0.062, 0.13, 0.118)
    return p


def stuffed_toy(variant: int, fur: str, belly: str, long_ears: bool) -> Piece:
    """Build a sitting bear, or a rabbit with long ears, facing -Z."""
    p = thing("stuffed_toy", variant)
    p.draw(blob((0, 0.075, 0.01), (0.065, 0.075, 0.058), rings=8), fur)
    p.draw(blob((0, 0.072, -0.022), (0.045, 0.052, 0.032), rings=6), belly)
    p.draw(blob((0, 0.185, 0), (0.058, 0.054, 0.052), rings=8), fur)
    p.draw(blob((0, 0.17, -0.045), (0.027, 0.021, 0.02), rings=6, segments=10), belly)
    p.draw(blob((0, 0.177, -0.064), (0.009, 0.006, 0.005), rings=4, segments=8), "#3a2c25")
    for s in (-1, 1):
        p.draw(
            blob((0.022 * s, 0.197, -0.047), (0.006, 0.007, 0.005), rings=4, segments=8), "#2b2522"
        )
        p.draw(blob((0.05 * s, 0.024, -0.055), (0.026, 0.024, 0.045), rings=6, segments=10), fur)
        p.draw(blob((0.05 * s, 0.026, -0.094), (0.017, 0.017, 0.007), rings=4, segments=10), belly)
        p.draw(
            blob((0, 0, 0), (0.021, 0.045, 0.021), rings=6, segments=10)
            .turned((0, 0, 1), 38 * s)
            .moved(0.07 * s, 0.1, -0.015),
            fur,
        )
        if long_ears:
            p.draw(
                blob((0, 0.055, 0), (0.018, 0.055, 0.011), rings=6, segments=10)
                .turned((0, 0, 1), -12 * s)
                .moved(0.024 * s, 0.215, 0.005),
                fur,
            )
            p.draw(
                blob((0, 0.055, -0.007), (0.01, 0.042, 0.007), rings=6, segments=8)
                .turned((0, 0, 1), -12 * s)
                .moved(0.024 * s, 0.215, 0.005),
                belly,
            )
        else:
            p.draw(blob((0.043 * s, 0.232, 0), (0.021, 0.021, 0.011), rings=6, segments=10), fur)
            p.draw(
                blob((0.043 * s, 0.231, -0.008), (0.012, 0.012, 0.006), rings=4, segments=8), belly
            )
    box_solid(p, 0.085, 0.32 if long_ears else 0.25, 0.1)
    return p


def ball(variant: int, first: str, second: str, radius: float) -> Piece:
    """Build a ball in coloured bands."""
    p = thing("ball", variant)
    steps = 12
    points = [
        (radius * math.sin(math.pi * k / steps), radius * (1 - math.cos(math.pi * k / steps)))
        for k in range(steps + 1)
    ]
    for start, end, colour in (
        (0, 3, first),
        (3, 5, second),
        (5, 7, "#f7f2e7"),
        (7, 9, second),
        (9, 12, first),
    ):
        p.draw(
            lathe(points[start : end + 1], 22).turned((0, 0, 1), 28, (0, radius, 0)),
            colour,
            "satin",
        )
    round_solid(p, radius, 2 * radius)
    return p


def cushion(variant: int, cloth: str, piping: str, round_one: bool) -> Piece:
    p = thing("cushion", variant)
    r, h = 0.2, 0.12
    if round_one:
        p.draw(blob((0, h / 2, 0), (r, h / 2, r), (0.75, 1.0), 8, 24), cloth)
        p.draw(blob((0, h - 0.006, 0), (0.018, 0.008, 0.018), rings=4, segments=10), piping)
    else:
        p.draw(blob((0, h / 2, 0), (r, h / 2, r), (0.85, 0.3), 10, 28), cloth)
    ring = blob(
        (0, h / 2, 0), (r + 0.004, 0.008, r + 0.004), (0.9, 1.0 if round_one else 0.3), 4, 28
    )
    p.draw(ring, piping)
    box_solid(p, r, h, r)
    return p


def _open_box(p: Piece, half_x: float, half_z: float, h: float, wall: float, colour: str) -> None:
    p.panel((-half_x, 0, -half_z), (half_x, wall, half_z), colour, bevel=0.003)
    for low, high in (
        ((-half_x, -half_z), (-half_x + wall, half_z)),
        ((half_x - wall, -half_z), (half_x, half_z)),
        ((-half_x + wall, -half_z), (half_x - wall, -half_z + wall)),
        ((-half_x + wall, half_z - wall), (half_x - wall, half_z)),
    ):
        p.panel((low[0], wall, low[1]), (high[0], h, high[1]), colour, bevel=0.003)


def basket(variant: int, weave: str, rim: str) -> Piece:
    """Build a woven basket, hollow."""
    p = thing("basket", variant)
    hx, hz, h = 0.17, 0.12, 0.17
    _open_box(p, hx, hz, h, 0.012, weave)
    for i in range(5):
        y = 0.016 + 0.032 * i
        for x in (-hx, hx):
            p.draw(
                box((x - 0.005, y, -hz), (x + 0.005, y + 0.02, hz), 0.005), weave if i % 2 else rim
            )
        for z in (-hz, hz):
            p.draw(
                box((-hx, y, z - 0.005), (hx, y + 0.02, z + 0.005), 0.005), weave if i % 2 else rim
            )
    corners = [(-hx, h, -hz), (hx, h, -hz), (hx, h, hz), (-hx, h, hz)]
    p.draw(tube(corners, 0.009, 7, closed=True), rim)
    for s in (-1, 1):
        p.draw(tube(arc((s * hx, h, 0), 0.05, 0, 180, "zy", 8), 0.007, 7), rim)
    return p


def cardboard_box(variant: int, card: str, tape: str) -> Piece:
    """Build an open box with its flaps folded out."""
    p = thing("box", variant)
    hx, hz, h = 0.15, 0.11, 0.15
    _open_box(p, hx, hz, h, 0.005, card)
    for s in (-1, 1):
        flap = box((-hx + 0.004, h - 0.003, 0), (hx - 0.004, h, 0.06), 0.001).turned(
            (1, 0, 0), 35, (0, h, 0)
        )
        p.draw((flap if s > 0 else flap.turned((0, 1, 0), 180)).moved(0, 0, s * hz), card)
        p.draw(box((-0.02, 0.01, s * hz - 0.0015), (0.02, 0.1, s * hz + 0.0015), 0.0), tape)
    return p


def hat(variant: int, felt: str, band: str, cap: bool) -> Piece:
    p = thing("hat", variant)
    if cap:
        dome = [(0.1, 0.0), (0.1, 0.03), (0.085, 0.075), (0.05, 0.105), (0, 0.115)]
        p.draw(lathe(dome, 22), felt)
        p.draw(blob((0, 0.012, -0.1), (0.085, 0.009, 0.085), (0.6, 1.0), 6, 18), band)
        p.draw(blob((0, 0.116, 0), (0.01, 0.007, 0.01), rings=4, segments=8), band)
        box_solid(p, 0.1, 0.12, 0.15)
        return p
    p.draw(
        lathe(
            [
                (0, 0),
                (0.16, 0.004),
                (0.165, 0.01),
                (0.16, 0.014),
                (0.095, 0.016),
                (0.09, 0.07),
                (0.08, 0.105),
                (0.03, 0.115),
                (0, 0.105),
            ],
            26,
        ),
        felt,
    )
    p.draw(lathe([(0.097, 0.017), (0.0925, 0.05)], 26), band)
    round_solid(p, 0.165, 0.115)
    return p


def shoe(variant: int, upper: str, sole: str) -> Piece:
    """Build a low trainer, toe to -Z."""
    p = thing("shoe", variant)
    outline = [
        (0.038 * math.cos(a) * (1 + 0.12 * math.sin(-a)), 0.125 * math.sin(a))
        for a in (math.tau * k / 20 for k in range(20))
    ]
    p.draw(prism(outline, 0, 0.022), sole)
    p.draw(blob((0, 0.034, -0.05), (0.04, 0.034, 0.08), (0.8, 0.8), 8, 16), upper)
    p.draw(blob((0, 0.05, 0.06), (0.037, 0.05, 0.068), (0.5, 0.8), 8, 16), upper)
    p.draw(disc(0.026, 0).scaled(1, 1, 1.5).moved(0, 0.1005, 0.062), "#3a3633")
    for i in range(4):
        z = -0.045 + 0.02 * i
        y = 0.069 + 0.006 * i
        p.draw(
            tube([(-0.02, y - 0.003, z), (0, y + 0.001, z), (0.02, y - 0.003, z)], 0.003, 6), sole
        )
    box_solid(p, 0.042, 0.1, 0.135)
    return p


def towel(variant: int, cloth: str, stripe: str) -> Piece:
    """Build a folded towel."""
    p = thing("towel", variant)
    for i in range(3):
        y = 0.024 * i
        p.draw(box((-0.14 + 0.003 * i, y, -0.1), (0.14, y + 0.025, 0.1 - 0.003 * i), 0.011), cloth)
    p.draw(box((0.07, 0.0005, -0.1015), (0.1, 0.0735, 0.1015), 0.01), stripe)
    box_solid(p, 0.14, 0.074, 0.1)
    return p


def pieces() -> list[Piece]:
    return [
        toy_truck(1, "#e0352f", "#f4b92f"),
        toy_truck(2, "#2f6fd0", "#e8e4da"),
        stuffed_toy(1, "#b5763f", "#e9cfa5", False),
        stuffed_toy(2, "#9fb4d8", "#f7e3e6", True),
        ball(1, "#e0443a", "#2f78c9", 0.09),
        ball(2, "#3aa15a", "#f0b429", 0.11),
        cushion(1, "#e39a2d", "#b86f1c", False),
        cushion(2, "#c24d6b", "#f3d9d2", True),
        basket(1, "#c99a5b", "#a2703a"),
        basket(2, "#8fa7a0", "#5f7f78"),
        cardboard_box(1, "#c79a66", "#e8d8b4"),
        cardboard_box(2, "#5f8fc2", "#f2ead8"),
        hat(1, "#7a4f9a", "#f0c34b", False),
        hat(2, "#2f7fc4", "#e0443a", True),
        shoe(1, "#e2553d", "#f6f1e6"),
        shoe(2, "#3a9a8c", "#f6f1e6"),
        towel(1, "#4fb0b5", "#f4efe2"),
        towel(2, "#f0a3a0", "#c24d5b"),
    ]
