"""Accessories: objects that people carry on them or in their hands."""

from __future__ import annotations

from episodes.catalogue.mesh.meshes import arc, blob, cylinder, lathe, tube
from episodes.catalogue.mesh.pieces import Piece, disc, thing
from episodes.catalogue.mesh.sweeps import (
    block,
    curve,
    ellipse,
    extruded,
    ring,
    rod,
    round_rect,
    tapered,
    upright,
)

STEEL, GOLD, BLACK = "#c3c7c9", "#c9a24a", "#2d2f33"


def umbrella(variant: int, cloth: str, grip: str, hooked: bool) -> Piece:
    """Build a furled umbrella, lying."""
    p = thing("umbrella", variant)
    half = 0.2 if hooked else 0.12
    y = 0.026
    p.draw(
        tapered(
            [(-half, y, 0), (-half + 0.02, y, 0), (half - 0.12, y, 0), (half - 0.08, y, 0)],
            [0.006, 0.014, 0.025, 0.02],
            9,
        ),
        cloth,
    )
    for k in range(6):
        fold = tapered(
            [(-half + 0.02, 0, 0.012), (half - 0.13, 0, 0.022), (half - 0.1, 0, 0.016)],
            [0.003, 0.006, 0.003],
            5,
        )
        p.draw(fold.turned((1, 0, 0), 60 * k).moved(0, y, 0), cloth)
    p.draw(rod((-half - 0.02, y, 0), (-half + 0.01, y, 0), 0.004, 7), STEEL, "metal")
    p.draw(rod((half - 0.09, y, 0), (half, y, 0), 0.006, 8), STEEL, "metal")
    p.draw(
        lathe([(0.0265, -0.006), (0.0265, 0.006)], 12)
        .turned((0, 0, 1), 90)
        .moved(half - 0.125, y, 0),
        grip,
    )
    if hooked:
        hook = curve(
            [
                (half, y, 0),
                (half + 0.045, y, 0.0),
                (half + 0.065, y, 0.025),
                (half + 0.045, y, 0.05),
                (half + 0.025, y, 0.046),
            ],
            3,
        )
        p.draw(tube(hook, 0.01, 8), grip, "satin")
    else:
        p.draw(
            tapered(
                [(half, y, 0), (half + 0.02, y, 0), (half + 0.06, y, 0), (half + 0.07, y, 0)],
                [0.01, 0.014, 0.015, 0.009],
                9,
            ),
            grip,
            "satin",
        )
    return p.settled()


def handbag(variant: int, leather: str, clasp: str, soft: bool) -> Piece:
    p = thing("handbag", variant)
    if soft:
        p.draw(blob((0, 0.085, 0), (0.15, 0.085, 0.065), (0.6, 0.55), 9, 20), leather, "satin")
    else:
        side = [(-0.13, 0), (0.13, 0), (0.11, 0.16), (-0.11, 0.16)]
        p.draw(upright(extruded(side, -0.05, 0.05, 0.014)), leather, "satin")
        p.draw(
            upright(
                extruded(
                    [(-0.111, 0.162), (0.111, 0.162), (0.09, 0.08), (0, 0.062), (-0.09, 0.08)],
                    0.048,
                    0.056,
                    0.002,
                )
            ),
            leather,
            "satin",
        )
    p.draw(
        block(0.026, 0.024, 0.008, (0, 0.075, -0.06 if not soft else -0.067), 0.003), clasp, "metal"
    )
    for z in (-0.02, 0.02):
        bow = curve([(-0.07, 0.15, z), (-0.055, 0.24, z), (0.055, 0.24, z), (0.07, 0.15, z)], 4)
        p.draw(tube(bow, 0.006, 7), leather, "satin")
    for x in (-0.07, 0.07):
        p.draw(ring(0.011, 0.003, 0, 12).turned((0, 0, 1), 90).moved(x, 0.155, 0), clasp, "metal")
    return p.settled()


def backpack(variant: int, cloth: str, trim: str) -> Piece:
    p = thing("backpack", variant)
    p.draw(blob((0, 0.2, 0), (0.14, 0.2, 0.08), (0.45, 0.4), 10, 22), cloth)
    p.draw(blob((0, 0.11, -0.07), (0.105, 0.085, 0.045), (0.4, 0.4), 8, 18), trim)
    p.draw(
        tube(
            curve([(-0.085, 0.16, -0.104), (0, 0.172, -0.114), (0.085, 0.16, -0.104)], 4), 0.0035, 5
        ),
        BLACK,
    )
    p.draw(
        tube(
            curve(
                [
                    (-0.132, 0.2, -0.02),
                    (-0.11, 0.345, -0.03),
                    (0, 0.385, -0.034),
                    (0.11, 0.345, -0.03),
                    (0.132, 0.2, -0.02),
                ],
                4,
            ),
            0.0045,
            6,
        ),
        trim,
    )
    p.draw(
        tube(
            curve(
                [(-0.03, 0.39, 0.03), (-0.02, 0.43, 0.03), (0.02, 0.43, 0.03), (0.03, 0.39, 0.03)],
                3,
            ),
            0.007,
            7,
        ),
        trim,
    )
    for side in (-1, 1):
        strap = curve(
            [
                (side * 0.06, 0.38, 0.05),
                (side * 0.075, 0.3, 0.115),
                (side * 0.085, 0.15, 0.11),
                (side * 0.1, 0.04, 0.065),
            ],
            4,
        )
        p.draw(tube(strap, 0.012, 7), trim)
        p.draw(blob((side * 0.14, 0.1, 0), (0.03, 0.07, 0.05), (0.5, 0.6), 6, 12), trim)
    return p.settled()


def carrying_case(variant: int, shell: str, trim: str) -> Piece:
    """Build a hard case standing on its edge."""
    p = thing("carrying_case", variant)
    p.draw(
        upright(extruded(round_rect(0.16, 0.115, 0.02), -0.05, 0.05, 0.008), 0.115), shell, "satin"
    )
    p.draw(upright(extruded(round_rect(0.162, 0.117, 0.021), -0.005, 0.005), 0.115), trim, "metal")
    p.draw(
        tube(
            curve([(-0.045, 0.228, 0), (-0.04, 0.258, 0), (0.04, 0.258, 0), (0.045, 0.228, 0)], 3),
            0.0085,
            8,
        ),
        BLACK,
    )
    for x in (-0.09, 0.09):
        p.draw(block(0.026, 0.034, 0.012, (x, 0.2, -0.05), 0.003), trim, "metal")
        p.draw(
            upright(extruded(round_rect(0.006, 0.1, 0.004), 0.049, 0.0525), 0.115).moved(
                x * 1.4, 0, 0
            ),
            trim,
            "metal",
        )
    return p.settled()


def wallet(variant: int, leather: str, stitch: str) -> Piece:
    p = thing("wallet", variant)
    for k in range(2):
        p.draw(
            extruded(round_rect(0.056, 0.048, 0.008), 0.011 * k, 0.011 * k + 0.0105, 0.004),
            leather,
            "satin",
        )
    p.draw(
        tube(
            [(x, 0.0215, z) for x, z in round_rect(0.05, 0.042, 0.006, 3)], 0.0012, 4, closed=True
        ),
        stitch,
    )
    p.draw(block(0.088, 0.003, 0.02, (0, 0.0085, 0.044), 0.0), "#8fb98a")
    p.draw(block(0.022, 0.004, 0.02, (-0.047, 0.0205, 0), 0.0015), stitch)
    p.draw(cylinder(0.005, 0.022, 0.026, 9).moved(-0.044, 0, 0.01), GOLD, "metal")
    return p.settled()


def watch(variant: int, strap: str, case: str, face: str) -> Piece:
    """Build a wrist watch, its strap closed."""
    p = thing("watch", variant)
    loop = lathe([(0.03, -0.011), (0.0325, -0.009), (0.0325, 0.009), (0.03, 0.011)], 22)
    p.draw(loop.turned((0, 0, 1), 90).moved(0, 0.032, 0), strap, "satin")
    p.draw(
        lathe([(0.0302, 0.0105), (0.0302, -0.0105)], 22).turned((0, 0, 1), 90).moved(0, 0.032, 0),
        BLACK,
    )
    head = lathe([(0, 0.06), (0.018, 0.06), (0.0195, 0.063), (0.0195, 0.068), (0.017, 0.07)], 18)
    p.draw(head, case, "metal")
    p.draw(disc(0.0172, 0.0698, segments=18), face)
    p.draw(block(0.0016, 0.001, 0.012, (0, 0.07, 0.005), 0.0), BLACK)
    p.draw(block(0.009, 0.001, 0.0016, (0.004, 0.07, 0), 0.0), BLACK)
    for k in range(12):
        p.draw(
            block(0.001, 0.0008, 0.003, (0, 0.0698, 0.0145), 0.0).turned((0, 1, 0), 30 * k), BLACK
        )
    p.draw(
        cylinder(0.0025, 0.019, 0.023, 8).turned((0, 0, 1), -90).moved(0, 0.0655, 0), case, "metal"
    )
    return p.settled()


def spectacles(variant: int, frame: str, lens: str, round_one: bool) -> Piece:
    p = thing("spectacles", variant)
    for side in (-1, 1):
        shape = ellipse(0.024, 0.024, 18) if round_one else round_rect(0.028, 0.02, 0.009)
        rim = [(x + side * 0.033, 0.024 + z, -0.06) for x, z in shape]
        p.draw(tube(rim, 0.0024, 6, closed=True), frame, "satin")
        p.draw(
            upright(
                extruded([(0.95 * x, 0.95 * z) for x, z in shape], 0.0593, 0.0607), 0.024
            ).moved(side * 0.033, 0, 0),
            lens,
            "glass",
        )
        arm = [
            (side * 0.061, 0.032, -0.06),
            (side * 0.066, 0.032, 0.04),
            (side * 0.064, 0.006, 0.075),
        ]
        p.draw(tube(arm, 0.0024, 6), frame, "satin")
    p.draw(tube(arc((0, 0.024, -0.06), 0.0095, 20, 160, "xy", 5), 0.002, 6), frame, "satin")
    return p.settled()


def keychain(variant: int, tag: str, key: str, tag_round: bool) -> Piece:
    """Build keys and a tag on a ring, lying."""
    p = thing("keychain", variant)
    p.draw(ring(0.016, 0.0018, 0.004, 18), STEEL, "metal")
    for turn, long in ((20, 0.05), (55, 0.056)):
        blade = [
            (0.03, -0.004),
            (0.03 + long, -0.004),
            (0.034 + long, 0),
            (0.03 + long, 0.004),
            (0.024 + long, 0.001),
            (0.018 + long, 0.004),
            (0.03, 0.004),
        ]
        one = extruded(blade, 0.002, 0.0045)
        p.draw(one.turned((0, 1, 0), turn), key, "metal")
        bow = ring(0.0085, 0.003, 0.0035, 12).moved(0.022, 0, 0)
        p.draw(bow.turned((0, 1, 0), turn), key, "metal")
    shape = extruded(
        ellipse(0.02, 0.02, 18) if tag_round else round_rect(0.026, 0.014, 0.005), 0, 0.006, 0.002
    )
    p.draw(shape.moved(-0.042, 0, 0.004), tag, "satin")
    p.draw(disc(0.008, 0.0063, -0.042, 0.004, 12), "#f7f2e7")
    return p.settled()


def credit_card(variant: int, colour: str, band: str) -> Piece:
    p = thing("credit_card", variant)
    p.draw(extruded(round_rect(0.043, 0.027, 0.004), 0, 0.0024), colour, "satin")
    p.draw(block(0.086, 0.0004, 0.011, (0, 0.0023, 0.013), 0.0), band)
    p.draw(block(0.012, 0.0006, 0.009, (-0.024, 0.0023, -0.002), 0.0), GOLD, "metal")
    for k in range(4):
        p.draw(block(0.014, 0.0005, 0.004, (-0.027 + 0.018 * k, 0.0023, -0.016), 0.0), "#f4f1ea")
    return p.settled()


def pieces() -> list[Piece]:
    return [
        umbrella(1, "#b0304a", "#6b4326", True),
        umbrella(2, "#2f5f8a", "#2d2f33", False),
        handbag(1, "#a8452f", GOLD, False),
        handbag(2, "#6f8f7a", GOLD, True),
        backpack(1, "#33608a", "#e8862c"),
        backpack(2, "#7a8a5a", "#4f5a3a"),
        carrying_case(1, "#33383c", STEEL),
        carrying_case(2, "#b9713f", GOLD),
        wallet(1, "#6b4326", "#c99a5b"),
        wallet(2, "#3a3f45", "#8b9094"),
        watch(1, "#6b4326", GOLD, "#f7f2e7"),
        watch(2, "#3f5f8a", STEEL, "#dce8f4"),
        spectacles(1, "#33302c", "#cfe6ee", False),
        spectacles(2, "#c98b3b", "#5a6f80", True),
        keychain(1, "#d8433b", STEEL, True),
        keychain(2, "#3f7a5f", GOLD, False),
        credit_card(1, "#2f6fb0", "#22303a"),
        credit_card(2, "#d9ae45", "#5a3f24"),
    ]
