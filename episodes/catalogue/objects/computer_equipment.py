"""Computers, consoles and what belongs to them; what is switched on shows light."""

from __future__ import annotations

import math

from episodes.catalogue.mesh.meshes import box, cylinder, tube
from episodes.catalogue.mesh.pieces import Piece, disc, thing
from episodes.catalogue.mesh.sweeps import (
    block,
    curve,
    extruded,
    pebble,
    ring,
    rod,
    round_rect,
    tapered,
)

STEEL, WHITE, BLACK, GREEN, BLUE = "#c3c7c9", "#f4f4f0", "#2d2f33", "#8ff09a", "#8fd0ff"


def keyboard(variant: int, frame: str, keys: str, accent: str) -> Piece:
    p = thing("keyboard", variant)
    p.draw(extruded(round_rect(0.21, 0.07, 0.01), 0, 0.014, 0.003), frame, "satin")
    for row in range(4):
        for k in range(14):
            colour = accent if (row, k) in ((0, 13), (3, 0), (1, 13)) else keys
            p.draw(
                block(
                    0.0245, 0.008, 0.024, (0.0285 * (k - 6.5), 0.012, 0.046 - 0.0275 * row), 0.002
                ),
                colour,
            )
    p.draw(block(0.15, 0.008, 0.02, (0, 0.012, -0.058), 0.002), keys)
    for k in range(3):
        p.show(
            block(0.008, 0.002, 0.004, (0.15 + 0.016 * k, 0.0135, 0.0635), 0.0),
            GREEN,
            "glow_cool",
            "is_powered_on",
        )
    p.show(block(0.412, 0.003, 0.13, (0, 0.0115, 0), 0.0), accent, "glow_cool", "is_powered_on")
    return p.settled()


def computer_mouse(variant: int, shell: str, wheel_colour: str, cable: bool) -> Piece:
    p = thing("computer_mouse", variant)
    p.draw(
        tapered(
            [
                (0, 0.019, -0.055),
                (0, 0.019, -0.045),
                (0, 0.019, 0.0),
                (0, 0.019, 0.035),
                (0, 0.019, 0.052),
                (0, 0.019, 0.057),
            ],
            [0.012, 0.025, 0.031, 0.031, 0.02, 0.0],
            16,
        ).scaled(1, 0.62, 1),
        shell,
        "satin",
    )
    p.draw(box((-0.0006, 0.025, -0.055), (0.0006, 0.0302, -0.012), 0.0), BLACK)
    p.draw(
        cylinder(0.008, -0.003, 0.003, 10).turned((0, 0, 1), 90).moved(0, 0.025, -0.032),
        wheel_colour,
    )
    if cable:
        p.draw(
            tube(
                curve(
                    [
                        (0, 0.011, -0.052),
                        (0.01, 0.003, -0.08),
                        (-0.02, 0.003, -0.11),
                        (0.01, 0.003, -0.14),
                    ],
                    3,
                ),
                0.0022,
                6,
            ),
            BLACK,
        )
    p.show(pebble(0.018, 0.005, 0.012, (0, 0.0275, 0.018)), BLUE, "glow_cool", "is_powered_on")
    p.show(ring(0.028, 0.003, 0.005, 16).scaled(1, 1, 1.75), BLUE, "glow_cool", "is_powered_on")
    return p.settled()


def tablet(variant: int, shell: str, picture: str) -> Piece:
    p = thing("tablet", variant)
    p.draw(extruded(round_rect(0.122, 0.088, 0.012), 0, 0.009, 0.003), shell, "satin")
    p.draw(block(0.222, 0.001, 0.156, (0, 0.0086, 0), 0.0), "#20252a", "satin")
    p.show(block(0.216, 0.001, 0.15, (0, 0.0094, 0), 0.0), "#bfe2f5", "glow_cool", "is_powered_on")
    for k in range(6):
        icon = block(0.028, 0.001, 0.028, (0.06 * (k % 3 - 1), 0.0102, 0.03 - 0.06 * (k // 3)), 0.0)
        p.show(icon, picture if k % 2 else "#f0b429", "glow_warm", "is_powered_on")
    return p.settled()


def hard_drive(variant: int, shell: str, label: str) -> Piece:
    p = thing("hard_drive", variant)
    p.draw(extruded(round_rect(0.04, 0.058, 0.008), 0, 0.017, 0.003), shell, "satin")
    p.draw(block(0.05, 0.0008, 0.05, (0, 0.0167, 0.008), 0.0), label)
    p.draw(block(0.03, 0.001, 0.006, (0, 0.0171, 0.018), 0.0), shell)
    p.draw(block(0.016, 0.007, 0.01, (0, 0.005, -0.06), 0.001), BLACK)
    p.draw(
        tube(
            curve(
                [
                    (0, 0.008, -0.062),
                    (0.0, 0.006, -0.085),
                    (0.04, 0.004, -0.09),
                    (0.06, 0.004, -0.06),
                ],
                3,
            ),
            0.003,
            6,
        ),
        BLACK,
    )
    return p.settled()


def multiport_hub(variant: int, shell: str, ports: int) -> Piece:
    p = thing("multiport_hub", variant)
    long = 0.02 * ports + 0.02
    p.draw(extruded(round_rect(long / 2, 0.018, 0.008), 0, 0.016, 0.003), shell, "metal")
    for k in range(ports):
        x = 0.02 * (k - (ports - 1) / 2)
        p.draw(block(0.014, 0.006, 0.003, (x, 0.005, -0.0175), 0.0), BLACK)
        p.draw(block(0.012, 0.002, 0.0035, (x, 0.0085, -0.0178), 0.0), "#3f7fc4")
    p.draw(
        tube(
            curve(
                [
                    (long / 2, 0.008, 0),
                    (long / 2 + 0.04, 0.004, 0.01),
                    (long / 2 + 0.06, 0.004, -0.03),
                ],
                3,
            ),
            0.003,
            6,
        ),
        BLACK,
    )
    p.draw(block(0.012, 0.008, 0.024, (long / 2 + 0.062, 0.0, -0.04), 0.002), STEEL, "metal")
    return p.settled()


def electronic_cable(variant: int, sheath: str, plug: str) -> Piece:
    """Build a coiled cable with a plug at each end."""
    p = thing("electronic_cable", variant)
    line = [
        (
            (0.055 + 0.004 * math.sin(5 * a)) * math.cos(a),
            0.006 + 0.0032 * a / math.tau,
            (0.055 + 0.004 * math.sin(3 * a)) * math.sin(a),
        )
        for a in (math.tau * k / 14 for k in range(44))
    ]
    p.draw(tube(line, 0.0042, 6), sheath)
    ends = (((0.055, 0.006, 0.0), (0.06, 0.006, -0.06)), (line[-1], (0.085, 0.008, 0.05)))
    for start, end in ends:
        p.draw(rod(start, end, 0.0042, 6), sheath)
        p.draw(block(0.018, 0.011, 0.028, (end[0], 0.001, end[2]), 0.003), plug, "satin")
        p.draw(
            block(
                0.012, 0.006, 0.014, (end[0], 0.0035, end[2] + math.copysign(0.019, end[2])), 0.001
            ),
            STEEL,
            "metal",
        )
    for a in (0.8, 3.6):
        p.draw(
            block(0.012, 0.026, 0.02, (0.055 * math.cos(a), 0, 0.055 * math.sin(a)), 0.004).turned(
                (0, 1, 0), -math.degrees(a), (0.055 * math.cos(a), 0, 0.055 * math.sin(a))
            ),
            BLACK,
        )
    return p.settled()


def battery_charger(variant: int, shell: str, bay: str) -> Piece:
    """Build a charger with four cells; its lights are on while it charges."""
    p = thing("battery_charger", variant)
    p.draw(extruded(round_rect(0.045, 0.06, 0.01), 0, 0.024, 0.004), shell, "satin")
    p.draw(block(0.078, 0.002, 0.075, (0, 0.0228, 0.012), 0.0), bay)
    for k in range(4):
        x = 0.019 * (k - 1.5)
        p.draw(
            rod((x, 0.028, -0.018), (x, 0.028, 0.034), 0.0072, 9),
            "#3f8f5f" if k % 2 else "#c9a24a",
            "satin",
        )
        p.draw(rod((x, 0.028, 0.034), (x, 0.028, 0.046), 0.0072, 9), BLACK, "satin")
        p.show(pebble(0.009, 0.005, 0.009, (x, 0.023, -0.044)), GREEN, "glow_cool", "is_powered_on")
    p.draw(
        tube(curve([(0, 0.012, 0.058), (0, 0.005, 0.085), (0.04, 0.004, 0.09)], 3), 0.0035, 6),
        BLACK,
    )
    return p.settled()


def gaming_console(variant: int, shell: str, accent: str, upright_one: bool) -> Piece:
    """Build a console with its controller leaning on or lying before it."""
    p = thing("gaming_console", variant)
    if upright_one:
        p.draw(block(0.075, 0.26, 0.2, (0.03, 0.008, 0), 0.014), shell, "satin")
        p.draw(block(0.1, 0.01, 0.2, (0.03, 0, 0), 0.004), BLACK)
        p.draw(block(0.008, 0.25, 0.202, (0.03, 0.012, 0), 0.002), accent)
        at = (-0.1, 0.0, -0.02)
    else:
        p.draw(block(0.28, 0.055, 0.2, (0, 0.004, 0.05), 0.008), shell, "satin")
        p.draw(block(0.282, 0.012, 0.202, (0, 0.026, 0.05), 0.003), accent)
        at = (0.0, 0.0, -0.115)
    x, _, z = at
    p.draw(pebble(0.09, 0.03, 0.06, (x, 0.008, z), 0.7), accent, "satin")
    for side in (-1, 1):
        p.draw(
            tapered(
                [
                    (x + side * 0.04, 0.022, z),
                    (x + side * 0.056, 0.018, z - 0.02),
                    (x + side * 0.06, 0.012, z - 0.05),
                ],
                [0.021, 0.018, 0.01],
                10,
            ),
            accent,
            "satin",
        )
        p.draw(cylinder(0.009, 0.03, 0.045, 10, 0.003).moved(x + side * 0.02, 0, z - 0.012), BLACK)
    for a in range(4):
        p.draw(
            pebble(
                0.008,
                0.006,
                0.008,
                (x + 0.04 + 0.009 * math.cos(1.571 * a), 0.037, z + 0.009 * math.sin(1.571 * a)),
            ),
            ("#d8433b", "#3f9f5f", "#3f7fc4", "#f0b429")[a],
        )
    p.draw(block(0.02, 0.004, 0.007, (x - 0.04, 0.037, z), 0.001), BLACK)
    p.draw(block(0.007, 0.004, 0.02, (x - 0.04, 0.037, z), 0.001), BLACK)
    if upright_one:
        p.show(
            block(0.01, 0.2, 0.004, (0.03, 0.03, -0.1015), 0.0), BLUE, "glow_cool", "is_powered_on"
        )
    else:
        p.show(
            block(0.2, 0.006, 0.004, (0, 0.03, -0.0515), 0.0), BLUE, "glow_cool", "is_powered_on"
        )
    p.show(
        block(0.03, 0.003, 0.012, (x, 0.0375, z + 0.012), 0.0), BLUE, "glow_cool", "is_powered_on"
    )
    return p.settled()


def video_game_cartridge(variant: int, shell: str, label: str, figure: str) -> Piece:
    p = thing("video_game_cartridge", variant)
    p.draw(block(0.11, 0.018, 0.09, bevel=0.004), shell, "satin")
    p.draw(block(0.07, 0.017, 0.02, (0, 0.0005, -0.048), 0.002), shell, "satin")
    for k in range(3):
        for side in (-1, 1):
            p.draw(
                block(0.012, 0.0008, 0.006, (side * 0.045, 0.0178, 0.03 - 0.014 * k), 0.0), BLACK
            )
    p.draw(block(0.066, 0.001, 0.062, (0, 0.0176, 0.006), 0.0), label)
    p.draw(extruded([(-0.02, -0.012), (0.0, 0.018), (0.02, -0.012)], 0.0184, 0.0192), figure)
    p.draw(disc(0.008, 0.0194, 0.016, 0.02, 12), WHITE)
    return p.settled()


def pieces() -> list[Piece]:
    return [
        keyboard(1, "#3b4045", "#22262a", "#3f9ac0"),
        keyboard(2, "#e9e4da", "#f7f4ec", "#e8862c"),
        computer_mouse(1, "#33383c", "#8b9094", True),
        computer_mouse(2, "#f1ece0", "#d8433b", False),
        tablet(1, "#b9bec1", "#3f8fd0"),
        tablet(2, "#4f8f6a", "#d8433b"),
        hard_drive(1, "#33383c", "#8fa3ad"),
        hard_drive(2, "#2f6fb0", "#e9e4da"),
        multiport_hub(1, "#b9bec1", 4),
        multiport_hub(2, "#5a6068", 6),
        electronic_cable(1, "#33383c", "#4a4f55"),
        electronic_cable(2, "#f1ece0", "#d9d4c8"),
        battery_charger(1, "#33383c", "#22262a"),
        battery_charger(2, "#e9e4da", "#8b9094"),
        gaming_console(1, "#f1ece0", "#33383c", True),
        gaming_console(2, "#4a4f55", "#d8433b", False),
        video_game_cartridge(1, "#8b9094", "#f0b429", "#d8433b"),
        video_game_cartridge(2, "#3f5f8a", "#7fd0c0", "#7a3f8a"),
    ]
