"""Objects of the living rooms: books, lamps, clocks, screens, plants."""

from __future__ import annotations

from episodes.catalogue.mesh.meshes import blob, box, cylinder, lathe, prism, rounded, tube
from episodes.catalogue.mesh.pieces import Piece, Profile, disc, thing


def round_solid(p: Piece, radius: float, height: float) -> None:
    p.solid((-radius, 0, -radius), (radius, height, radius))


def box_solid(p: Piece, half_x: float, height: float, half_z: float) -> None:
    p.solid((-half_x, 0, -half_z), (half_x, height, half_z))


def book(variant: int, cover: str, stripe: str, thick: float) -> Piece:
    """Build a closed book lying flat, its spine to -X."""
    p = thing("book", variant)
    w, d = 0.08, 0.11
    p.draw(box((-w, 0, -d), (w, 0.005, d), 0.002), cover)
    p.draw(box((-w, thick - 0.005, -d), (w, thick, d), 0.002), cover)
    p.draw(box((-w - 0.004, 0, -d), (-w + 0.004, thick, d), 0.004), cover)
    p.draw(
        box((-w + 0.003, 0.004, -d + 0.006), (w - 0.006, thick - 0.004, d - 0.006), 0.0), "#f3ead6"
    )
    p.draw(
        box((-w + 0.025, thick - 0.001, -d + 0.03), (w - 0.02, thick + 0.0007, -d + 0.07), 0.0),
        stripe,
    )
    p.draw(
        box((-w - 0.0047, 0.001, d - 0.06), (-w + 0.006, thick + 0.0005, d - 0.04), 0.003), stripe
    )
    box_solid(p, w, thick, d)
    return p


def laptop(variant: int, shell: str, keys: str) -> Piece:
    """Build an open laptop; the keyboard is towards -Z."""
    p = thing("laptop", variant)
    w, d = 0.165, 0.115
    p.draw(box((-w, 0, -d), (w, 0.016, d), 0.006), shell, "metal")
    for row in range(4):
        z = -0.025 + 0.028 * row
        p.draw(box((-w + 0.02, 0.0155, z), (w - 0.02, 0.018, z + 0.021), 0.002), keys)
    p.draw(box((-0.045, 0.0155, -d + 0.015), (0.045, 0.0172, -0.045), 0.002), keys)
    hinge = (0.0, 0.014, d - 0.006)
    lid = box((-w, 0.014, d - 0.012), (w, 0.225, d - 0.002), 0.005).turned((1, 0, 0), 12, hinge)
    screen = box((-w + 0.01, 0.03, d - 0.0135), (w - 0.01, 0.215, d - 0.011), 0.001)
    p.draw(lid, shell, "metal")
    p.draw(screen.turned((1, 0, 0), 12, hinge), "#22272b", "satin")
    lit = box((-w + 0.013, 0.033, d - 0.0155), (w - 0.013, 0.212, d - 0.013), 0.0)
    p.show(lit.turned((1, 0, 0), 12, hinge), "#bfe2f5", "glow_cool", "is_powered_on")
    p.show(
        box((-w + 0.03, 0.13, d - 0.0165), (0.02, 0.19, d - 0.015), 0.0).turned(
            (1, 0, 0), 12, hinge
        ),
        "#f0a95a",
        "glow_warm",
        "is_powered_on",
    )
    p.solid((-w, 0, -d), (w, 0.018, d))
    p.solid((-w, 0.018, d - 0.02), (w, 0.215, d + 0.04))
    return p


def phone(variant: int, case: str) -> Piece:
    p = thing("phone", variant)
    p.draw(box((-0.037, 0, -0.075), (0.037, 0.01, 0.075), 0.004), case, "satin")
    p.draw(box((-0.033, 0.0095, -0.07), (0.033, 0.0108, 0.07), 0.001), "#20252a", "satin")
    p.show(
        box((-0.031, 0.0105, -0.067), (0.031, 0.0122, 0.067), 0.0),
        "#aee0f7",
        "glow_cool",
        "is_powered_on",
    )
    box_solid(p, 0.037, 0.011, 0.075)
    return p


def lamp(variant: int, foot: str, shade: str, round_foot: bool) -> Piece:
    """Build a table lamp, 0.4 m high."""
    p = thing("lamp", variant)
    if round_foot:
        p.draw(
            lathe(
                [
                    (0, 0),
                    (0.05, 0),
                    (0.055, 0.01),
                    (0.075, 0.07),
                    (0.06, 0.13),
                    (0.02, 0.165),
                    (0.014, 0.24),
                    (0, 0.24),
                ],
                20,
            ),
            foot,
            "satin",
        )
        wall: Profile = [(0.12, 0.22), (0.075, 0.4)]
    else:
        p.draw(cylinder(0.07, 0, 0.02, 22, 0.008), foot)
        p.draw(cylinder(0.011, 0.02, 0.26, 10), foot, "metal")
        wall = [(0.1, 0.23), (0.1, 0.39)]
    inner = [(r - 0.003, y) for r, y in reversed(wall)]
    p.draw(lathe([*wall, *inner], 22), shade)
    p.draw(blob((0, 0.29, 0), (0.026, 0.035, 0.026), rings=6, segments=10), "#f5ecd8", "satin")
    p.show(
        blob((0, 0.29, 0), (0.03, 0.04, 0.03), rings=6, segments=10),
        "#fff3d0",
        "glow_warm",
        "is_powered_on",
    )
    p.show(lathe([(r + 0.0015, y) for r, y in wall], 22), shade, "glow_warm", "is_powered_on")
    p.show(disc(wall[1][0] - 0.004, wall[1][1] - 0.01), "#fff3d0", "glow_warm", "is_powered_on")
    round_solid(p, wall[0][0], wall[1][1])
    return p


def candle(variant: int, glass: str, wax: str, tall: bool) -> Piece:
    p = thing("candle", variant)
    if tall:
        p.draw(
            lathe([(0, 0), (0.045, 0), (0.05, 0.008), (0.02, 0.018), (0.018, 0.04), (0, 0.04)], 18),
            glass,
            "metal",
        )
        p.draw(cylinder(0.013, 0.03, 0.2, 12, 0.003), wax)
        tip = 0.2
        round_solid(p, 0.05, 0.215)
    else:
        p.draw(
            lathe(
                [
                    (0, 0),
                    (0.036, 0),
                    (0.04, 0.006),
                    (0.042, 0.085),
                    (0.038, 0.085),
                    (0.037, 0.06),
                    (0, 0.06),
                ],
                20,
            ),
            glass,
            "satin",
        )
        p.draw(disc(0.037, 0.066), wax)
        tip = 0.066
        round_solid(p, 0.042, 0.09)
    p.draw(cylinder(0.0018, tip, tip + 0.014, 6), "#3b332c")
    flame = lathe([(0, 0), (0.007, 0.008), (0.006, 0.018), (0, 0.036)], 10)
    p.show(flame.moved(0, tip + 0.008, 0), "#ffd46a", "glow_warm", "is_powered_on")
    return p


def clock(variant: int, case: str, face: str, bells: bool) -> Piece:
    """Build a table clock facing -Z; hands, no numerals."""
    p = thing("clock", variant)
    y, r = 0.085, 0.065
    body = lathe(
        [
            (0, -0.025),
            (r * 0.9, -0.025),
            (r, -0.015),
            (r, 0.02),
            (r * 0.92, 0.028),
            (r * 0.88, 0.022),
            (0, 0.022),
        ],
        24,
    )
    p.draw(body.turned((1, 0, 0), -90).moved(0, y, 0), case, "satin")
    p.draw(disc(r * 0.88, 0.0235, segments=24).turned((1, 0, 0), -90).moved(0, y, 0), face)
    for angle, length, width in ((25, 0.045, 0.004), (-60, 0.03, 0.005)):
        hand = box((-width / 2, 0, -0.027), (width / 2, length, -0.0245), 0.001)
        p.draw(hand.turned((0, 0, 1), angle).moved(0, y, 0), "#33383c")
    for k in range(12):
        mark = box((-0.002, r * 0.72, -0.0255), (0.002, r * 0.83, -0.024), 0.0)
        p.draw(mark.turned((0, 0, 1), 30 * k).moved(0, y, 0), case)
    for side in (-1, 1):
        p.draw(tube([(side * 0.03, 0.03, 0), (side * 0.05, 0.004, 0)], 0.007, 7), case)
        if bells:
            bell = blob((0, 0, 0), (0.026, 0.02, 0.02), rings=6, segments=10).turned(
                (0, 0, 1), -35 * side
            )
            p.draw(bell.moved(side * 0.038, y + 0.062, 0), "#c9a24a", "metal")
    box_solid(p, 0.066, 0.16 if bells else 0.15, 0.028)
    return p


def picture_frame(variant: int, wood: str, sky: str, hill: str) -> Piece:
    """Build a small framed landscape on a stand, facing -Z."""
    p = thing("picture_frame", variant)
    w, h = 0.075, 0.19
    tilt = ((1.0, 0.0, 0.0), 10.0, (0.0, 0.0, 0.0))
    for low, high in (
        ((-w, 0), (-w + 0.016, h)),
        ((w - 0.016, 0), (w, h)),
        ((-w, 0), (w, 0.016)),
        ((-w, h - 0.016), (w, h)),
    ):
        p.draw(box((low[0], low[1], -0.008), (high[0], high[1], 0.008), 0.004).turned(*tilt), wood)
    p.draw(box((-w + 0.012, 0.012, -0.001), (w - 0.012, h - 0.012, 0.006), 0.0).turned(*tilt), sky)
    ridge = [
        (-w + 0.015, 0.015),
        (w - 0.015, 0.015),
        (w - 0.015, 0.06),
        (0.02, 0.095),
        (-0.03, 0.05),
        (-w + 0.015, 0.075),
    ]
    p.draw(prism(ridge, 0, 0.002).turned((1, 0, 0), -90).moved(0, 0, -0.0015).turned(*tilt), hill)
    p.draw(
        box((-0.012, 0.0, 0.01), (0.012, 0.13, 0.016), 0.003)
        .turned((1, 0, 0), -18, (0, 0.13, 0.016))
        .moved(0, 0, 0.01),
        wood,
    )
    box_solid(p, w, h, 0.045)
    return p


def plant_container(variant: int, pot: str, leaf: str, tall: bool) -> Piece:
    p = thing("plant_container", variant)
    p.draw(
        lathe(
            [
                (0, 0),
                (0.05, 0),
                (0.065, 0.1),
                (0.072, 0.1),
                (0.072, 0.118),
                (0.062, 0.118),
                (0.06, 0.1),
                (0, 0.1),
            ],
            20,
        ),
        pot,
    )
    p.draw(disc(0.06, 0.104), "#54402f")
    for k in range(11 if tall else 9):
        a = 137.5 * k
        lean, length = (12 + 4 * (k % 5), 0.2 - 0.008 * k) if tall else (30 + 9 * (k % 4), 0.12)
        width = 0.016 if tall else 0.03
        leaf_mesh = blob((0, length / 2, 0), (width, length / 2, 0.004), rings=6, segments=8)
        p.draw(leaf_mesh.turned((1, 0, 0), lean).turned((0, 1, 0), a).moved(0, 0.1, 0), leaf)
    box_solid(p, 0.09, 0.28 if tall else 0.21, 0.09)
    return p


def vase(variant: int, colour: str, flower: str, slim: bool) -> Piece:
    p = thing("vase", variant)
    h = 0.24
    wall: Profile = (
        [(0, 0), (0.035, 0), (0.04, 0.008), (0.05, 0.07), (0.035, 0.16), (0.022, 0.2), (0.03, h)]
        if slim
        else [
            (0, 0),
            (0.04, 0),
            (0.048, 0.008),
            (0.07, 0.07),
            (0.075, 0.11),
            (0.06, 0.16),
            (0.042, 0.185),
            (0.05, 0.21),
        ]
    )
    h = wall[-1][1]
    p.draw(lathe(rounded(wall), 22), colour, "satin")
    r = wall[-1][0]
    p.draw(
        lathe([(r, h), (r - 0.004, h), (r - 0.01, h - 0.04), (0, h - 0.045)], 22),
        "#e9e2d4",
        "satin",
    )
    round_solid(p, max(q[0] for q in wall), h)
    p.show(disc(r - 0.006, h - 0.015), "#7cc0e0", "satin", "is_filled")
    for k in range(3):
        lean = 14 + 5 * k
        stem = tube([(0, h - 0.05, 0), (0, h + 0.1 + 0.02 * k, 0)], 0.003, 6)
        head = blob((0, h + 0.11 + 0.02 * k, 0), (0.024, 0.017, 0.024), rings=6, segments=10)
        for mesh, c in ((stem, "#5c9a45"), (head, flower)):
            p.show(
                mesh.turned((1, 0, 0), lean, (0, h, 0)).turned((0, 1, 0), 120 * k),
                c,
                "matte",
                "is_filled",
            )
    return p


def pieces() -> list[Piece]:
    return [
        book(1, "#c73a45", "#f2c84b", 0.03),
        book(2, "#2b6cb0", "#f4efe2", 0.04),
        laptop(1, "#b6bcc1", "#43484d"),
        laptop(2, "#4d5560", "#d7dadd"),
        phone(1, "#d9486e"),
        phone(2, "#2fa38a"),
        lamp(1, "#2f8fa3", "#f4e3bf", True),
        lamp(2, "#c98b3b", "#e8734a", False),
        candle(1, "#8e5bb5", "#f6efdf", False),
        candle(2, "#c9a24a", "#e05c4b", True),
        clock(1, "#d8433b", "#faf5ea", True),
        clock(2, "#2f8f8a", "#faf5ea", False),
        picture_frame(1, "#b07a45", "#9fd0ea", "#4f9a5f"),
        picture_frame(2, "#3b4a63", "#f7c58a", "#b8574a"),
        plant_container(1, "#d0693f", "#4f9a4a", False),
        plant_container(2, "#f1ece0", "#3f8a55", True),
        vase(1, "#3f6fb5", "#f0b429", True),
        vase(2, "#d97b5f", "#e86f9b", False),
    ]
