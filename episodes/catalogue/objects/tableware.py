"""Objects of the laid table: dishes, glasses, pitchers, trays."""

from __future__ import annotations

from episodes.catalogue.mesh.meshes import arc, box, cylinder, lathe, rounded, tube, vessel
from episodes.catalogue.mesh.pieces import Piece, disc, thing
from episodes.catalogue.mesh.sweeps import block, curve, extruded, pebble, round_rect, tapered
from episodes.catalogue.objects.groceries import WATER

CREAM = "#f6f2e9"


def dish(variant: int, outside: str, inside: str, oblong: float) -> Piece:
    """Build a serving dish with a handle at each end."""
    p = thing("dish", variant)
    wall = [(0, 0), (0.075, 0), (0.085, 0.006), (0.105, 0.045), (0.112, 0.048)]
    full = vessel(wall, 0.006, 0.008)
    p.draw(lathe(full[:5], 22).scaled(oblong, 1, 1), outside, "satin")
    p.draw(lathe(full[4:], 22).scaled(oblong, 1, 1), inside, "satin")
    for side in (-1, 1):
        grip = arc((0, 0.044, 0), 0.034, -75, 75, "xz", 5)
        bow = [(side * (x + 0.1 * oblong), y, z) for x, y, z in grip]
        p.draw(tube(bow, 0.007, 6), outside, "satin")
    return p.settled()


def glass(variant: int, tint: str, r: float, h: float, facets: int) -> Piece:
    """Build a tumbler that can be seen through."""
    p = thing("glass", variant)
    wall = [(0, 0), (r * 0.8, 0), (r * 0.82, 0.004), (r, h)]
    p.draw(lathe(vessel(wall, 0.003, 0.012), facets), tint, "glass")
    p.draw(cylinder(r * 0.79, 0, 0.01, facets), tint, "satin")
    p.draw(lathe([(r - 0.003, h), (r, h - 0.002), (r, h + 0.001)], facets), CREAM, "satin")
    full = [(0, 0.012), (r * 0.78, 0.012), (r * 0.92, h * 0.8), (0, h * 0.8)]
    p.show(lathe(full, facets), WATER, "satin", "is_filled")
    return p.settled()


def wine_glass(variant: int, tint: str, wine: str, r: float) -> Piece:
    p = thing("wine_glass", variant)
    stem = [(0, 0), (0.034, 0), (0.034, 0.003), (0.008, 0.008), (0.0045, 0.02), (0.0045, 0.085)]
    p.draw(lathe([*stem, (0.012, 0.094), (0, 0.096)], 14), tint, "satin")
    bowl = [(0.01, 0.092), (r * 0.85, 0.108), (r, 0.135), (r * 0.95, 0.165), (r * 0.78, 0.2)]
    p.draw(lathe(rounded(bowl), 16), tint, "glass")
    p.draw(lathe([(r * 0.78 - 0.002, 0.199), (r * 0.78, 0.197), (r * 0.78, 0.201)], 16), CREAM)
    full = [(0, 0.096), (r * 0.8, 0.109), (r * 0.96, 0.135), (r * 0.94, 0.15), (0, 0.15)]
    p.show(lathe(full, 14), wine, "satin", "is_filled")
    return p.settled()


def saucer(variant: int, colour: str, rim: str) -> Piece:
    p = thing("saucer", variant)
    r = 0.075
    p.draw(lathe([(0, 0), (r * 0.5, 0), (r * 0.6, 0.004), (r, 0.017)], 24), colour, "satin")
    p.draw(lathe([(r, 0.017), (r * 0.97, 0.018), (r * 0.78, 0.012)], 24), rim, "satin")
    p.draw(lathe([(r * 0.78, 0.012), (r * 0.4, 0.007), (0, 0.007)], 24), colour, "satin")
    p.draw(lathe([(0.027, 0.0076), (0.024, 0.0076)], 20), rim, "satin")
    return p.settled()


def ramekin(variant: int, outside: str, inside: str, flutes: int) -> Piece:
    """Build a small baking dish with an upright fluted wall."""
    p = thing("ramekin", variant)
    r, h = 0.045, 0.045
    p.draw(lathe([(0, 0), (r * 0.93, 0), (r * 0.95, h * 0.8)], 20), outside, "satin")
    for k in range(flutes):
        rib = block(0.007, h * 0.72, 0.006, (0, 0.003, -r * 0.96), 0.003)
        p.draw(rib.turned((0, 1, 0), 360 / flutes * k), outside, "satin")
    lip = [(r * 0.95, h * 0.8), (r, h * 0.82), (r, h), (r - 0.005, h)]
    p.draw(lathe([*lip, (r - 0.007, 0.007), (0, 0.006)], 20), inside, "satin")
    p.fill(r - 0.006, h * 0.75, "#e8c25a")
    return p.settled()


def butter_dish(variant: int, base: str, lid: str, knob_colour: str) -> Piece:
    p = thing("butter_dish", variant)
    p.draw(extruded(round_rect(0.085, 0.055, 0.016), 0, 0.012, 0.004), base, "satin")
    p.draw(extruded(round_rect(0.078, 0.049, 0.013), 0.0115, 0.014), "#e9e2d4", "satin")
    p.draw(extruded(round_rect(0.066, 0.038, 0.012), 0.013, 0.062, 0.01), lid, "satin")
    p.draw(pebble(0.026, 0.02, 0.02, (0, 0.06, 0)), knob_colour, "satin")
    for z in (-0.0385, 0.0385):
        p.draw(box((-0.05, 0.03, z - 0.0008), (0.05, 0.036, z + 0.0008), 0.0), base, "satin")
    return p.settled()


def tray(variant: int, wood: str, rim: str, round_one: bool) -> Piece:
    p = thing("tray", variant)
    if round_one:
        wall = [(0, 0), (0.165, 0), (0.17, 0.006), (0.178, 0.032)]
        full = vessel(wall, 0.005, 0.008)
        p.draw(lathe(full[:4], 28), rim, "satin")
        p.draw(lathe(full[3:], 28), wood, "satin")
        return p.settled()
    p.draw(extruded(round_rect(0.21, 0.145, 0.03), 0, 0.01, 0.002), wood)
    edge = [(x, 0.02, z) for x, z in round_rect(0.205, 0.14, 0.03)]
    p.draw(tube(edge, 0.01, 6, closed=True), rim)
    for side in (-1, 1):
        grip = curve(
            [
                (side * x, y, z)
                for x, y, z in ((0.2, 0.02, -0.06), (0.213, 0.055, 0), (0.2, 0.02, 0.06))
            ]
        )
        p.draw(tube(grip, 0.007, 6), rim)
    return p.settled()


def pitcher(variant: int, tint: str, handle: str, drink: str, slim: bool) -> Piece:
    """Build a clear pitcher: what is in it shows through the wall."""
    p = thing("pitcher", variant)
    r, h = (0.052, 0.25) if slim else (0.068, 0.21)
    wall = [(0, 0), (r * 0.85, 0), (r, 0.012), (r, h * 0.45), (r * 0.72, h * 0.8), (r * 0.8, h)]
    p.draw(lathe(rounded(wall), 20), tint, "glass")
    p.draw(lathe([(0, 0), (r * 0.84, 0), (r * 0.95, 0.012), (0, 0.013)], 20), tint, "satin")
    p.draw(
        lathe([(r * 0.8 - 0.003, h), (r * 0.8 + 0.001, h - 0.004), (r * 0.8, h + 0.001)], 20),
        handle,
    )
    p.draw(
        tube(arc((r * 0.72, h * 0.55, 0), h * 0.27, 78, -82, "xy", 8), 0.008, 7), handle, "satin"
    )
    p.draw(block(0.03, 0.018, 0.026, (-r * 0.86, h - 0.018, 0), 0.008), handle, "satin")
    full = [(0, 0.014), (r * 0.93, 0.016), (r * 0.95, h * 0.44), (r * 0.8, h * 0.66), (0, h * 0.66)]
    p.show(lathe(full, 18), drink, "satin", "is_filled")
    return p.settled()


def gravy_boat(variant: int, colour: str, trim: str) -> Piece:
    p = thing("gravy_boat", variant)
    p.draw(
        lathe([(0, 0), (0.036, 0), (0.034, 0.006), (0.02, 0.014), (0, 0.014)], 18), colour, "satin"
    )
    wall = [(0, 0.012), (0.025, 0.014), (0.04, 0.04), (0.045, 0.07)]
    full = vessel(wall, 0.004, 0.018)
    p.draw(lathe(full[:4], 20).scaled(1.75, 1, 1), colour, "satin")
    p.draw(lathe(full[3:], 20).scaled(1.75, 1, 1), "#efe8da", "satin")
    spout = tapered(
        [(-0.062, 0.05, 0), (-0.085, 0.066, 0), (-0.104, 0.077, 0)], [0.024, 0.017, 0.012]
    )
    p.draw(spout, colour, "satin")
    p.draw(tube(arc((0.068, 0.05, 0), 0.03, 85, -80, "xy", 7), 0.006, 7), trim, "satin")
    p.show(disc(0.038, 0.055).scaled(1.75, 1, 1), "#7b4a26", "satin", "is_filled")
    return p.settled()


def pieces() -> list[Piece]:
    return [
        dish(1, "#c9553d", CREAM, 1.45),
        dish(2, "#3f6f9f", "#e9f0f4", 1.0),
        glass(1, "#cfe6ee", 0.034, 0.115, 18),
        glass(2, "#9fd3c0", 0.041, 0.09, 9),
        wine_glass(1, "#dfeaf0", "#7d1f33", 0.04),
        wine_glass(2, "#d8c4e6", "#e8cf7a", 0.034),
        saucer(1, CREAM, "#d8433b"),
        saucer(2, "#cfe0ea", "#2f78c9"),
        ramekin(1, CREAM, CREAM, 20),
        ramekin(2, "#d9703b", "#fbe7c4", 14),
        butter_dish(1, "#f3efe4", "#8fb9d6", "#f3efe4"),
        butter_dish(2, "#c79a66", "#f6f2e9", "#c79a66"),
        tray(1, "#c99a5b", "#8a5a36", False),
        tray(2, "#e9e4da", "#b8bec2", True),
        pitcher(1, "#d6ebf2", "#8fc1d6", WATER, False),
        pitcher(2, "#e6f0d8", "#3f8a55", "#f0c34b", True),
        gravy_boat(1, CREAM, "#3f7fc4"),
        gravy_boat(2, "#7fb9a4", "#f2efe6"),
    ]
