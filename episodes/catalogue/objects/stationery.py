"""Stationery: pens, small machines, and what else stands on a desk."""

from __future__ import annotations

from episodes.catalogue.mesh.meshes import blob, box, cylinder, lathe, tube
from episodes.catalogue.mesh.models import Finish
from episodes.catalogue.mesh.pieces import Piece, disc, thing
from episodes.catalogue.mesh.sweeps import (
    block,
    curve,
    ellipse,
    extruded,
    ring,
    round_rect,
    tapered,
    upright,
)

STEEL, WHITE, BLACK = "#c3c7c9", "#f4f4f0", "#2d2f33"


def pen(variant: int, barrel: str, trim: str, capped: bool) -> Piece:
    p = thing("pen", variant)
    line = [
        (-0.07, 0.006, 0),
        (-0.058, 0.006, 0),
        (-0.05, 0.006, 0),
        (0.06, 0.006, 0),
        (0.066, 0.006, 0),
    ]
    p.draw(tapered(line, [0.0008, 0.003, 0.0052, 0.0055, 0.004], 9), barrel, "satin")
    p.draw(tapered([(-0.053, 0.006, 0), (-0.048, 0.006, 0)], [0.0046, 0.0058], 9), trim, "metal")
    if capped:
        p.draw(
            tapered(
                [(0.02, 0.006, 0), (0.022, 0.006, 0), (0.064, 0.006, 0), (0.069, 0.006, 0)],
                [0.0058, 0.0068, 0.0066, 0.003],
                9,
            ),
            trim,
            "satin",
        )
    else:
        p.draw(
            cylinder(0.0025, 0.064, 0.074, 7).turned((0, 0, 1), -90).moved(0, 0.006, 0),
            trim,
            "metal",
        )
    p.draw(box((0.028, 0.0115, -0.0015), (0.064, 0.0135, 0.0015), 0.0005), trim, "metal")
    return p.settled()


def pencil(variant: int, paint: str, rubber: str) -> Piece:
    p = thing("pencil", variant)
    lie = (0, 0, 1)
    p.draw(cylinder(0.0042, -0.07, 0.06, 6).turned(lie, 90).moved(0, 0.0042, 0), paint, "satin")
    p.draw(
        lathe([(0.0041, 0), (0.0014, 0.014)], 8).turned(lie, 90).moved(-0.06, 0.0042, 0), "#e3c08c"
    )
    p.draw(lathe([(0.0015, 0), (0, 0.006)], 6).turned(lie, 90).moved(-0.0738, 0.0042, 0), BLACK)
    p.draw(
        cylinder(0.0045, -0.082, -0.07, 8).turned(lie, 90).moved(0, 0.0044, 0), "#c9a24a", "metal"
    )
    p.draw(cylinder(0.004, -0.091, -0.08, 8, 0.001).turned(lie, 90).moved(0, 0.0044, 0), rubber)
    return p.settled()


def pencil_case(variant: int, cloth: str, zip_colour: str, spots: bool) -> Piece:
    p = thing("pencil_case", variant)
    p.draw(blob((0, 0.03, 0), (0.105, 0.03, 0.036), (0.7, 0.35), 8, 20), cloth)
    p.draw(
        tube(
            curve([(-0.09, 0.052, 0), (-0.03, 0.0605, 0), (0.03, 0.0605, 0), (0.09, 0.052, 0)], 3),
            0.003,
            5,
        ),
        zip_colour,
    )
    p.draw(block(0.018, 0.004, 0.008, (0.086, 0.054, -0.006), 0.001), STEEL, "metal")
    for k in range(4):
        x = 0.045 * (k - 1.5)
        if spots:
            p.draw(upright(disc(0.008, 0.0352, 0, 0.03, 10)).moved(x, 0, 0), zip_colour)
        else:
            p.draw(
                lathe([(0.0305, -0.004), (0.0305, 0.004)], 14)
                .turned((0, 0, 1), 90)
                .scaled(1, 1, 1.2)
                .moved(x, 0.03, 0),
                zip_colour,
            )
    return p.settled()


def stapler(variant: int, body: str, foot: str) -> Piece:
    p = thing("stapler", variant)
    p.draw(extruded(round_rect(0.075, 0.019, 0.012), 0, 0.01, 0.003), foot)
    side = [
        (-0.075, 0.02),
        (-0.07, 0.034),
        (0.02, 0.056),
        (0.065, 0.05),
        (0.075, 0.03),
        (0.07, 0.012),
        (0.05, 0.012),
    ]
    p.draw(upright(extruded(side, -0.017, 0.017, 0.005)), body, "satin")
    p.draw(block(0.13, 0.007, 0.016, (0, 0.011, 0), 0.002).turned((0, 0, 1), -3), STEEL, "metal")
    p.draw(block(0.012, 0.003, 0.012, (-0.062, 0.0095, 0), 0.001), STEEL, "metal")
    return p.settled()


def scissors(variant: int, grip: str, wide: float) -> Piece:
    p = thing("scissors", variant)
    for side in (-1, 1):
        y = 0.004 if side < 0 else 0.007
        blade = extruded(
            [(-0.095, 0.0), (-0.02, -0.009), (0.02, -0.005), (0.02, 0.005), (-0.02, 0.006)],
            y,
            y + 0.0025,
        )
        p.draw(blade.turned((0, 1, 0), side * wide), STEEL, "metal")
        arm = [(0.01, y + 0.001, 0), (0.035, y + 0.001, side * 0.008)]
        p.draw(tube(arm, 0.005, 7).turned((0, 1, 0), side * wide), grip)
        loop = ring(0.021, 0.0055, 0, 14).scaled(1.25, 1, 1).moved(0.062, 0.0055, side * 0.02)
        p.draw(loop.turned((0, 1, 0), side * wide * 0.5), grip)
    p.draw(cylinder(0.0045, 0.002, 0.0115, 8), STEEL, "metal")
    return p.settled()


def tape(variant: int, band: str, core: str, in_dispenser: bool) -> Piece:
    p = thing("tape", variant)
    if not in_dispenser:
        p.draw(lathe([(0.03, 0), (0.05, 0), (0.05, 0.025), (0.03, 0.025)], 22), band, "satin")
        p.draw(lathe([(0.0305, 0.025), (0.027, 0.025), (0.027, 0), (0.0305, 0)], 22), core)
        return p.settled()
    side = [
        (-0.07, 0),
        (0.05, 0),
        (0.055, 0.03),
        (0.035, 0.052),
        (0.0, 0.05),
        (-0.035, 0.02),
        (-0.062, 0.038),
        (-0.068, 0.034),
    ]
    p.draw(upright(extruded(side, -0.02, 0.02, 0.004)), core, "satin")
    roll = lathe([(0.012, -0.011), (0.029, -0.011), (0.029, 0.011), (0.012, 0.011)], 18)
    p.draw(upright(roll, 0.05).moved(0.018, 0, 0), band, "satin")
    p.draw(upright(cylinder(0.012, -0.021, 0.021, 12), 0.05).moved(0.018, 0, 0), WHITE)
    p.draw(box((-0.066, 0.036, -0.01), (0.0, 0.038, 0.01), 0.0), band, "satin")
    return p.settled()


def ruler(variant: int, colour: str, marks: str) -> Piece:
    p = thing("ruler", variant)
    p.draw(box((-0.155, 0, -0.017), (0.155, 0.004, 0.017), 0.001), colour, "satin")
    for k in range(31):
        long = 0.014 if k % 10 == 0 else 0.01 if k % 5 == 0 else 0.006
        x = 0.01 * (k - 15)
        p.draw(box((x - 0.0008, 0.0035, -0.017), (x + 0.0008, 0.0044, -0.017 + long), 0.0), marks)
    return p.settled()


def calculator(variant: int, shell: str, keys: str) -> Piece:
    p = thing("calculator", variant)
    p.draw(extruded(round_rect(0.042, 0.075, 0.01), 0, 0.014, 0.003), shell, "satin")
    p.draw(block(0.068, 0.002, 0.03, (0, 0.0135, 0.05), 0.0), "#8fa08a", "satin")
    for row in range(5):
        for column in range(4):
            colour = "#e8862c" if column == 3 else keys
            p.draw(
                block(
                    0.013,
                    0.0035,
                    0.011,
                    (0.0175 * (column - 1.5), 0.0135, 0.022 - 0.018 * row),
                    0.001,
                ),
                colour,
            )
    p.show(
        block(0.066, 0.001, 0.028, (0, 0.0157, 0.05), 0.0), "#c9f0c0", "glow_cool", "is_powered_on"
    )
    for k in range(4):
        p.show(
            block(0.008, 0.001, 0.015, (0.022 - 0.013 * k, 0.0168, 0.05), 0.0),
            "#22302a",
            "matte",
            "is_powered_on",
        )
    return p.settled()


def mouse_pad(variant: int, colour: str, accent: str, round_one: bool) -> Piece:
    p = thing("mouse_pad", variant)
    outline = ellipse(0.11, 0.11, 28) if round_one else round_rect(0.125, 0.1, 0.02)
    p.draw(extruded(outline, 0, 0.004, 0.001), colour)
    edge = [(0.97 * x, 0.004, 0.97 * z) for x, z in outline]
    p.draw(tube(edge, 0.0016, 5, closed=True), accent)
    if round_one:
        p.draw(lathe([(0.06, 0.0043), (0.05, 0.0043)], 24), accent)
    else:
        p.draw(
            block(0.05, 0.0006, 0.05, (0.07, 0.0039, -0.045), 0.0).turned(
                (0, 1, 0), 45, (0.07, 0, -0.045)
            ),
            accent,
        )
    return p.settled()


def laptop_stand(variant: int, metal: str, pads: str, wood: bool) -> Piece:
    """Build a sloping riser that an open laptop would lean on."""
    p = thing("laptop_stand", variant)
    for side in (-1, 1):
        leg = [
            (-0.11, 0),
            (0.11, 0),
            (0.11, 0.014),
            (-0.06, 0.014),
            (0.1, 0.12),
            (0.095, 0.13),
            (-0.11, 0.022),
        ]
        p.draw(
            upright(extruded(leg, -0.012, 0.012, 0.002))
            .turned((0, 1, 0), -90)
            .moved(side * 0.09, 0, 0),
            metal,
            "matte" if wood else "metal",
        )
    bar = block(0.2, 0.008, 0.05, (0, 0.068, 0.0), 0.003)
    p.draw(bar.turned((1, 0, 0), -27, (0, 0.07, 0)), metal, "matte" if wood else "metal")
    p.draw(block(0.2, 0.01, 0.03, (0, 0, 0.09), 0.003), metal, "matte" if wood else "metal")
    for side in (-1, 1):
        p.draw(block(0.02, 0.024, 0.012, (side * 0.09, 0.016, -0.108), 0.003), pads)
    return p.settled()


def laptop_cover(variant: int, felt: str, strap: str) -> Piece:
    """Build a sleeve with a flap."""
    p = thing("laptop_cover", variant)
    p.draw(extruded(round_rect(0.18, 0.13, 0.02), 0, 0.02, 0.007), felt)
    flap = [
        (-0.178, 0.128),
        (0.178, 0.128),
        (0.178, 0.03),
        (0.12, -0.01),
        (-0.12, -0.01),
        (-0.178, 0.03),
    ]
    p.draw(extruded(flap, 0.018, 0.024, 0.002), felt)
    p.draw(box((-0.16, 0.0238, 0.036), (0.16, 0.0248, 0.04), 0.0), strap)
    p.draw(block(0.03, 0.005, 0.05, (0, 0.022, -0.01), 0.002), strap)
    p.draw(cylinder(0.006, 0.026, 0.029, 10).moved(0, 0, -0.022), STEEL, "metal")
    return p.settled()


def monitor_stand(variant: int, top: str, legs: str) -> Piece:
    p = thing("monitor_stand", variant)
    p.draw(extruded(round_rect(0.21, 0.11, 0.012), 0.09, 0.106, 0.003), top)
    for x in (-0.19, 0.19):
        p.draw(block(0.016, 0.092, 0.2, (x, 0, 0), 0.004), legs)
    p.draw(block(0.37, 0.006, 0.18, (0, 0.04, 0.005), 0.001), legs)
    return p.settled()


def phone_stand(variant: int, colour: str, pads: str, wood: bool) -> Piece:
    p = thing("phone_stand", variant)
    finish: Finish = "matte" if wood else "satin"
    p.draw(extruded(round_rect(0.04, 0.045, 0.012), 0, 0.01, 0.003), colour, finish)
    back = block(0.064, 0.11, 0.008, (0, 0.008, 0.016), 0.003)
    p.draw(back.turned((1, 0, 0), 18, (0, 0.01, 0.016)), colour, finish)
    p.draw(block(0.064, 0.008, 0.03, (0, 0.022, 0.002), 0.003), colour, finish)
    p.draw(block(0.064, 0.018, 0.006, (0, 0.022, -0.014), 0.002), colour, finish)
    for x in (-0.02, 0.02):
        p.draw(block(0.012, 0.003, 0.016, (x, 0.0295, 0.0), 0.001), pads)
    return p.settled()


def pieces() -> list[Piece]:
    return [
        pen(1, "#2f5fa8", "#c3c7c9", False),
        pen(2, "#2d2f33", "#d8433b", True),
        pencil(1, "#f0b429", "#e88f9a"),
        pencil(2, "#3f8f5f", "#e88f9a"),
        pencil_case(1, "#3f8fa8", "#f0c34b", False),
        pencil_case(2, "#d9607f", "#fbe6ec", True),
        stapler(1, "#d8433b", "#33383c"),
        stapler(2, "#4f6f8a", "#c3c7c9"),
        scissors(1, "#e8642f", 7.0),
        scissors(2, "#3f6fb0", 16.0),
        tape(1, "#b98a52", "#d9b98c", False),
        tape(2, "#dce6ea", "#d8433b", True),
        ruler(1, "#e3bf7f", "#5a3f24"),
        ruler(2, "#8fd0d8", "#2f4f5f"),
        calculator(1, "#3b4045", "#8b9094"),
        calculator(2, "#e9e4da", "#6f93b0"),
        mouse_pad(1, "#33383c", "#3f9ac0", False),
        mouse_pad(2, "#d9607f", "#fbe6ec", True),
        laptop_stand(1, "#c3c7c9", "#33383c", False),
        laptop_stand(2, "#c99a5b", "#5a3f24", True),
        laptop_cover(1, "#7f868b", "#a9713f"),
        laptop_cover(2, "#3f6f6a", "#e3c07a"),
        monitor_stand(1, "#c99a5b", "#33383c"),
        monitor_stand(2, "#f1ece0", "#b9bec1"),
        phone_stand(1, "#c3c7c9", "#33383c", False),
        phone_stand(2, "#c99a5b", "#5a3f24", True),
    ]
