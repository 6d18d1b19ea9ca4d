"""Bedding, board games and a box for jewels."""

from __future__ import annotations

import math

from episodes.catalogue.mesh.meshes import blob, box, cylinder, lathe, tube
from episodes.catalogue.mesh.pieces import Piece, thing
from episodes.catalogue.mesh.sweeps import (
    block,
    pebble,
    ring,
)

GOLD = "#d9ae45"


def jewelry_box(variant: int, wood: str, velvet: str, opened: bool) -> Piece:
    p = thing("jewelry_box", variant)
    w, d, h = 0.16, 0.11, 0.06
    p.draw(block(w, h, d, bevel=0.005), wood, "satin")
    p.draw(block(0.02, 0.018, 0.004, (0, h - 0.012, -d / 2 - 0.002), 0.001), GOLD, "metal")
    for x in (-1, 1):
        for z in (-1, 1):
            p.draw(pebble(0.018, 0.012, 0.018, (x * 0.07, -0.007, z * 0.045)), GOLD, "metal")
    if opened:
        p.draw(block(w - 0.02, 0.002, d - 0.02, (0, h - 0.0005, 0), 0.0), velvet)
        lid = block(w, 0.02, d, (0, h, 0), 0.005)
        p.draw(lid.turned((1, 0, 0), 80, (0, h, d / 2)), wood, "satin")
        p.draw(
            block(w - 0.02, 0.003, d - 0.02, (0, h - 0.002, 0), 0.0).turned(
                (1, 0, 0), 80, (0, h, d / 2)
            ),
            "#cfe0ea",
            "metal",
        )
        beads = [
            (0.045 * math.cos(a) - 0.02, h + 0.005, 0.03 * math.sin(a))
            for a in (math.tau * k / 14 for k in range(14))
        ]
        for q in beads:
            p.draw(pebble(0.011, 0.011, 0.011, (q[0], q[1] - 0.005, q[2])), "#f4f1ea", "satin")
        p.draw(ring(0.011, 0.0025, h + 0.006, 12).moved(0.05, 0, 0.01), GOLD, "metal")
        p.draw(pebble(0.009, 0.009, 0.009, (0.05, h + 0.005, -0.001)), "#d8433b", "satin")
    else:
        p.draw(block(w + 0.004, 0.022, d + 0.004, (0, h, 0), 0.008), wood, "satin")
        p.draw(block(w - 0.03, 0.001, d - 0.03, (0, h + 0.0215, 0), 0.0), velvet)
        p.draw(pebble(0.03, 0.006, 0.03, (0, h + 0.02, 0)), GOLD, "metal")
    return p.settled()


def blanket(variant: int, wool: str, stripe: str, rolled: bool) -> Piece:
    p = thing("blanket", variant)
    if rolled:
        p.draw(cylinder(0.08, -0.19, 0.19, 20, 0.02).turned((0, 0, 1), 90).moved(0, 0.08, 0), wool)
        for x in (-0.12, -0.04, 0.04, 0.12):
            p.draw(
                lathe([(0.081, -0.016), (0.081, 0.016)], 20)
                .turned((0, 0, 1), 90)
                .moved(x, 0.08, 0),
                stripe,
            )
        for side in (-1, 1):
            spiral = [
                (side * 0.19, 0.08 + 0.0032 * k * math.sin(0.7 * k), 0.0032 * k * math.cos(0.7 * k))
                for k in range(2, 19)
            ]
            p.draw(tube(spiral, 0.004, 5), stripe)
        return p.settled()
    for k in range(4):
        p.draw(
            block(0.38 - 0.006 * (k % 2), 0.035, 0.28 - 0.006 * k, (0, 0.033 * k, 0), 0.016), wool
        )
    for z in (-0.09, -0.03, 0.03, 0.09):
        p.draw(block(0.381, 0.1345, 0.022, (0, 0.001, z), 0.014), stripe)
    for k in range(14):
        p.draw(block(0.03, 0.008, 0.006, (0.2, 0.115, 0.018 * (k - 6.5)), 0.002), wool)
    return p.settled()


def pillow(variant: int, case: str, edge: str) -> Piece:
    """Build a bed pillow."""
    p = thing("pillow", variant)
    p.draw(blob((0, 0.06, 0), (0.215, 0.06, 0.155), (0.85, 0.35), 10, 28), case)
    p.draw(blob((0, 0.06, 0), (0.222, 0.006, 0.162), (0.9, 0.3), 4, 28), edge)
    for x in (-0.16, 0.16):
        p.draw(box((x - 0.004, 0.04, -0.11), (x + 0.004, 0.094, 0.11), 0.003), edge)
    return p.settled()


def board_game(variant: int, lid: str, title: str, dark: str, on_table: bool) -> Piece:
    """Build a box with a board printed on it, or the board itself with its men."""
    p = thing("board_game", variant)
    if on_table:
        p.draw(block(0.3, 0.016, 0.3, bevel=0.003), lid)
        for i in range(8):
            for j in range(8):
                if (i + j) % 2:
                    p.draw(
                        block(
                            0.033,
                            0.0008,
                            0.033,
                            (0.033 * (i - 3.5), 0.0158, 0.033 * (j - 3.5)),
                            0.0,
                        ),
                        dark,
                    )
        for i in range(12):
            row, col = divmod(i, 4)
            for side, colour in ((-1, title), (1, dark)):
                x, z = 0.033 * (2 * col + (row % 2) - 3.5), side * 0.033 * (3.5 - row)
                p.draw(
                    cylinder(0.012, 0.016, 0.024, 10, 0.002).moved(x if side < 0 else -x, 0, z),
                    colour,
                )
        return p.settled()
    p.draw(block(0.27, 0.05, 0.27, bevel=0.002), "#f1e6cc")
    p.draw(block(0.276, 0.038, 0.276, (0, 0.015, 0), 0.003), lid)
    p.draw(block(0.2, 0.0008, 0.05, (0, 0.0526, 0.08), 0.0), title)
    for i in range(4):
        for j in range(4):
            p.draw(
                block(
                    0.028, 0.0008, 0.028, (0.03 * (i - 1.5), 0.0526, 0.03 * (j - 1.5) - 0.04), 0.0
                ),
                dark if (i + j) % 2 else title,
            )
    p.draw(
        block(0.026, 0.026, 0.026, (0.095, 0.0525, -0.09), 0.003).turned(
            (0, 1, 0), 25, (0.095, 0, -0.09)
        ),
        "#f7f4ec",
        "satin",
    )
    p.draw(
        lathe([(0, 0.0525), (0.012, 0.0525), (0.005, 0.075), (0, 0.076)], 10).moved(-0.1, 0, -0.06),
        "#d8433b",
        "satin",
    )
    p.draw(pebble(0.016, 0.016, 0.016, (-0.1, 0.07, -0.06)), "#d8433b", "satin")
    for x in (-1, 1):
        p.draw(block(0.001, 0.02, 0.15, (x * 0.1382, 0.024, 0), 0.0), title)
    return p.settled()


def pieces() -> list[Piece]:
    return [
        jewelry_box(1, "#7b3f2f", "#b0304a", True),
        jewelry_box(2, "#e8c9cf", "#7a5a9f", False),
        blanket(1, "#b0413e", "#f1e6cc", False),
        blanket(2, "#5f7f9f", "#e9e4da", True),
        pillow(1, "#f1ece0", "#d9cfba"),
        pillow(2, "#a9c4d6", "#7f9fb5"),
        board_game(1, "#2f6f9f", "#f0c34b", "#c0342c", False),
        board_game(2, "#e3c08c", "#f4efe2", "#6b3f24", True),
    ]
