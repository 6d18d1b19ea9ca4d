"""Groceries: food from a shop, and what food and drink are kept in."""

from __future__ import annotations

import math

from episodes.catalogue.mesh.meshes import blob, cylinder, lathe, rounded, tube
from episodes.catalogue.mesh.pieces import Piece, disc, thing
from episodes.catalogue.mesh.sweeps import (
    block,
    extruded,
    pebble,
    ring,
    round_rect,
    upright,
)

WATER, COFFEE = "#7cc0e0", "#5a3a24"


def egg(variant: int, shell: str, in_cup: str | None) -> Piece:
    """Build an egg lying, or standing in an egg cup."""
    p = thing("egg", variant)
    profile = [
        (0, 0),
        (0.012, 0.003),
        (0.021, 0.016),
        (0.021, 0.03),
        (0.014, 0.047),
        (0.006, 0.054),
    ]
    whole = lathe(rounded([*profile, (0, 0.056)]), 14)
    if in_cup is None:
        p.draw(whole.turned((0, 0, 1), 90).moved(0.028, 0.0215, 0), shell, "satin")
    else:
        cup = [(0, 0), (0.02, 0), (0.02, 0.004), (0.008, 0.012), (0.009, 0.02), (0.024, 0.034)]
        p.draw(
            lathe([*cup, (0.025, 0.048), (0.022, 0.048), (0.018, 0.034), (0, 0.03)], 16),
            in_cup,
            "satin",
        )
        p.draw(whole.moved(0, 0.03, 0), shell, "satin")
    return p.settled()


def bread(variant: int, crust: str, crumb: str, loaf: bool) -> Piece:
    """Build a tin loaf with a slice cut off, or a round one."""
    p = thing("bread", variant)
    if not loaf:
        p.draw(blob((0, 0.045, 0), (0.1, 0.05, 0.1), (0.8, 1.0), 8, 18), crust)
        for k in range(3):
            cut = blob((0, 0.093, 0), (0.06, 0.006, 0.009), rings=4, segments=10)
            p.draw(cut.moved(0, -0.006 * abs(k - 1), 0.035 * (k - 1)), crumb)
        return p.settled()
    face = [(-0.05, 0), (0.05, 0), (0.053, 0.05), (0.062, 0.07), (0.045, 0.1), (0, 0.108)]
    face += [(-0.045, 0.1), (-0.062, 0.07), (-0.053, 0.05)]
    for z, long in ((0, 0.2), (0.118, 0.016)):
        p.draw(upright(extruded(face, -long / 2, long / 2, 0.006), 0, -z), crust)
        inset = [(0.9 * x, 0.006 + 0.9 * y) for x, y in face]
        p.draw(upright(extruded(inset, long / 2 - 0.001, long / 2 + 0.001), 0, -z), crumb)
    return p.settled()


def cake(variant: int, sponge: str, cream: str, topping: str) -> Piece:
    p = thing("cake", variant)
    r = 0.09
    p.draw(cylinder(0.115, 0, 0.008, 24, 0.003), "#e9e2d4", "satin")
    p.draw(lathe([(0, 0.008), (r, 0.008), (r, 0.035)], 24), sponge)
    p.draw(lathe([(r, 0.035), (r + 0.002, 0.038), (r + 0.002, 0.044), (r, 0.047)], 24), cream)
    p.draw(lathe([(r, 0.047), (r, 0.068)], 24), sponge)
    top = [(r, 0.066), (r + 0.003, 0.07), (r + 0.001, 0.082), (r - 0.01, 0.086), (0, 0.086)]
    p.draw(lathe(top, 24), cream, "satin")
    for k in range(8):
        a = math.tau * k / 8
        p.draw(
            pebble(0.022, 0.02, 0.022, (0.066 * math.cos(a), 0.084, 0.066 * math.sin(a))),
            topping,
            "satin",
        )
    p.draw(pebble(0.026, 0.024, 0.026, (0, 0.084, 0)), topping, "satin")
    return p.settled()


def cheese(variant: int, colour: str, hole: str, wedge: float) -> Piece:
    """Build a wedge of cheese with holes."""
    p = thing("cheese", variant)
    outline = [(-0.075, 0)] + [
        (-0.075 + 0.15 * math.cos(a), 0.15 * math.sin(a))
        for a in (math.radians(wedge * (k / 4 - 0.5)) for k in range(5))
    ]
    p.draw(extruded(outline, 0, 0.06, 0.003), colour, "satin")
    edge = math.radians(wedge / 2)
    for share, y, size in (
        (0.25, 0.02, 0.014),
        (0.5, 0.038, 0.02),
        (0.72, 0.018, 0.017),
        (0.85, 0.042, 0.012),
    ):
        x, z = -0.075 + 0.15 * share * math.cos(edge), -0.15 * share * math.sin(edge)
        dent = (
            disc(size / 2, 0.0008, segments=10)
            .turned((1, 0, 0), -90)
            .turned((0, 1, 0), math.degrees(edge))
        )
        p.draw(dent.moved(x, y, z), hole)
    for x, z in ((0.01, 0.008), (0.045, -0.02), (0.04, 0.025)):
        p.draw(disc(0.009, 0.0606, x, z, 10), hole)
    return p.settled()


def candy_bar(variant: int, wrap: str, print_colour: str) -> Piece:
    p = thing("candy_bar", variant)
    p.draw(block(0.13, 0.018, 0.045, bevel=0.007), wrap, "satin")
    for side in (-1, 1):
        p.draw(block(0.018, 0.004, 0.048, (side * 0.072, 0.007, 0), 0.0), wrap, "satin")
    p.draw(block(0.08, 0.001, 0.024, (0, 0.0178, 0), 0.0), print_colour)
    p.draw(block(0.02, 0.0012, 0.03, (-0.05, 0.0178, 0), 0.0), "#f7f2e7")
    return p.settled()


def cereal_box(variant: int, box_colour: str, spot: str, bowl_colour: str) -> Piece:
    p = thing("cereal_box", variant)
    p.draw(block(0.19, 0.29, 0.065, bevel=0.002), box_colour)
    p.draw(upright(disc(0.062, 0.033, 0, 0.12, 20)), spot)
    half = [
        (0.05 * math.cos(a), 0.115 - 0.05 * math.sin(a))
        for a in (math.pi * k / 10 for k in range(11))
    ]
    p.draw(upright(extruded(half, 0.033, 0.0345)), bowl_colour)
    p.draw(block(0.15, 0.04, 0.002, (0, 0.225, -0.0325), 0.0), "#f7f2e7")
    for x, y in ((-0.03, 0.125), (-0.01, 0.135), (0.012, 0.128), (0.03, 0.124), (0.0, 0.122)):
        p.draw(pebble(0.022, 0.014, 0.004, (x, y, -0.0345)), "#d9973d")
    for side in (-1, 1):
        p.draw(block(0.002, 0.16, 0.045, (side * 0.0945, 0.06, 0), 0.0), spot)
    return p.settled()


def milk_carton(variant: int, paper: str, band: str, cap: str) -> Piece:
    p = thing("milk_carton", variant)
    w, h = 0.07, 0.17
    p.draw(block(w, h, w, bevel=0.002), paper)
    p.draw(block(w + 0.001, h * 0.36, w + 0.001, (0, 0.02, 0), 0.002), band)
    gable = [
        (-w / 2, 0),
        (w / 2, 0),
        (0.004, 0.034),
        (0.004, 0.05),
        (-0.004, 0.05),
        (-0.004, 0.034),
    ]
    p.draw(upright(extruded(gable, -w / 2 + 0.001, w / 2 - 0.001), h), paper)
    p.draw(
        cylinder(0.013, 0, 0.016, 12, 0.003).turned((0, 0, 1), -45).moved(0.02, h + 0.014, 0),
        cap,
        "satin",
    )
    p.draw(upright(pebble(0.04, 0.002, 0.026, (0, w / 2 - 0.0005, 0.1))), cap)
    return p.settled()


def canister(variant: int, body: str, lid: str, label: str) -> Piece:
    """Build a storage tin with a lid and a label."""
    p = thing("canister", variant)
    r, h = 0.055, 0.15
    p.draw(lathe([(0, 0), (r - 0.003, 0), (r, 0.004), (r, h)], 20), body, "satin")
    p.draw(
        lathe(
            [
                (r, h),
                (r + 0.003, h),
                (r + 0.003, h + 0.018),
                (r - 0.004, h + 0.024),
                (0, h + 0.024),
            ],
            20,
        ),
        lid,
    )
    p.draw(pebble(0.026, 0.018, 0.026, (0, h + 0.022, 0)), lid)
    tag = extruded(round_rect(0.032, 0.022, 0.008), 0, 0.002)
    p.draw(upright(tag, 0.08, -r + 0.0005), label)
    for k in range(2):
        p.draw(
            block(0.04 - 0.012 * k, 0.004, 0.001, (0, 0.084 - 0.012 * k, -r - 0.0016), 0.0), body
        )
    return p.settled()


def jar(variant: int, lid: str, content: str, squat: bool) -> Piece:
    """Build a glass jar; filled, it holds preserves."""
    p = thing("jar", variant)
    r, h = (0.05, 0.085) if squat else (0.042, 0.12)
    wall = [(0, 0), (r * 0.9, 0), (r, 0.008), (r, h * 0.8), (r * 0.8, h * 0.92), (r * 0.8, h)]
    p.draw(lathe(wall, 18), "#dceaec", "glass")
    p.draw(lathe([(0, 0), (r * 0.89, 0), (r * 0.95, 0.006), (0, 0.007)], 18), "#c4d8dc", "satin")
    p.draw(cylinder(r * 0.86, h - 0.012, h + 0.008, 18, 0.003), lid, "metal")
    p.draw(block(0.05, 0.03, 0.001, (0, h * 0.35, -r - 0.0008), 0.0), "#f4efe2")
    p.draw(ring(r * 0.8, 0.002, h - 0.014), "#e9e4da")
    full = [(0, 0.008), (r * 0.94, 0.01), (r * 0.94, h * 0.72), (0, h * 0.72)]
    p.show(lathe(full, 16), content, "satin", "is_filled")
    return p.settled()


def lunch_box(variant: int, body: str, lid: str, clip: str) -> Piece:
    p = thing("lunch_box", variant)
    p.draw(extruded(round_rect(0.1, 0.07, 0.02), 0, 0.05, 0.006), body, "satin")
    p.draw(extruded(round_rect(0.103, 0.073, 0.022), 0.05, 0.072, 0.006), lid, "satin")
    for z in (-0.074, 0.074):
        p.draw(block(0.04, 0.034, 0.008, (0, 0.034, z), 0.003), clip)
    p.draw(
        tube([(-0.04, 0.072, 0), (-0.034, 0.09, 0), (0.034, 0.09, 0), (0.04, 0.072, 0)], 0.006, 7),
        clip,
    )
    return p.settled()


def thermos(variant: int, body: str, cup: str) -> Piece:
    p = thing("thermos", variant)
    r = 0.038
    p.draw(lathe([(0, 0), (r - 0.003, 0), (r, 0.005), (r, 0.02)], 18), cup, "metal")
    p.draw(lathe([(r, 0.02), (r, 0.18), (r - 0.006, 0.192)], 18), body, "satin")
    p.draw(
        lathe([(r - 0.006, 0.192), (r - 0.002, 0.194), (r - 0.005, 0.25), (0, 0.252)], 18),
        cup,
        "metal",
    )
    p.draw(
        tube([(r, 0.06, 0), (r + 0.028, 0.07, 0), (r + 0.028, 0.14, 0), (r, 0.15, 0)], 0.0065, 7),
        cup,
    )
    # A thermos cannot be seen into: a full one shows steam instead.
    for k in range(3):
        puff = pebble(
            0.02 + 0.006 * k, 0.016, 0.02 + 0.006 * k, (0.006 * (-1) ** k, 0.258 + 0.02 * k, 0)
        )
        p.show(puff, "#f4f4f2", "matte", "is_filled")
    return p.settled()


def wine_bottle(variant: int, bottle: str, label: str, foil: str) -> Piece:
    p = thing("wine_bottle", variant)
    r = 0.037
    wall = [
        (0, 0),
        (r - 0.004, 0),
        (r, 0.006),
        (r, 0.185),
        (0.03, 0.21),
        (0.015, 0.235),
        (0.014, 0.275),
    ]
    p.draw(lathe(rounded(wall), 18), bottle, "satin")
    p.draw(lathe([(0.0155, 0.255), (0.0155, 0.305), (0.013, 0.308), (0, 0.308)], 12), foil, "metal")
    p.draw(lathe([(r + 0.0008, 0.06), (r + 0.0008, 0.14)], 18), label)
    p.draw(lathe([(r + 0.0014, 0.1), (r + 0.0014, 0.112)], 18), foil)
    p.show(lathe([(r + 0.0008, 0.008), (r + 0.0008, 0.055)], 18), "#9c2540", "satin", "is_filled")
    p.show(
        lathe([(r + 0.0008, 0.145), (r + 0.0008, 0.184), (0.031, 0.21)], 18),
        "#9c2540",
        "satin",
        "is_filled",
    )
    return p.settled()


def pieces() -> list[Piece]:
    return [
        egg(1, "#f0dcc0", None),
        egg(2, "#d9a37a", "#3f8f9f"),
        bread(1, "#b8763a", "#f1dcb3", True),
        bread(2, "#a9682f", "#e6c793", False),
        cake(1, "#d9a35c", "#f8efe6", "#cf3040"),
        cake(2, "#5a3524", "#e8a9bd", "#fbf3e6"),
        cheese(1, "#f2c233", "#d39a1c", 44),
        cheese(2, "#f3e6bd", "#d9c48c", 60),
        candy_bar(1, "#8a2f2a", "#f2c84b"),
        candy_bar(2, "#2f5fa8", "#f0f0ea"),
        cereal_box(1, "#e2582f", "#f5d84b", "#2f78c9"),
        cereal_box(2, "#3f8f5f", "#f7f0dc", "#d8433b"),
        milk_carton(1, "#f4f4f0", "#3f7fc4", "#d8433b"),
        milk_carton(2, "#f6efe0", "#e8942f", "#3f8f55"),
        canister(1, "#cfd9d2", "#a9713f", "#f7f2e7"),
        canister(2, "#c94f42", "#33383c", "#f7e6c4"),
        jar(1, "#d0453a", "#c9303f", False),
        jar(2, "#c9a24a", "#e39a2d", True),
        lunch_box(1, "#3f9ac0", "#f2c84b", "#e0564a"),
        lunch_box(2, "#7fb069", "#f4efe2", "#4a6a3a"),
        thermos(1, "#3f7a5f", "#b9bec1"),
        thermos(2, "#b0413e", "#3b4045"),
        wine_bottle(1, "#2f4a34", "#f4efe2", "#8e2436"),
        wine_bottle(2, "#8a9a4a", "#e9e4da", "#c9a24a"),
    ]
