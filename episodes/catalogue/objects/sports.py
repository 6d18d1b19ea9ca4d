"""Objects of sports and exercise."""

from __future__ import annotations

import math

from episodes.catalogue.mesh.meshes import Mesh, arc, blob, box, cylinder, lathe, tube
from episodes.catalogue.mesh.pieces import Piece, disc, thing
from episodes.catalogue.mesh.sweeps import (
    ellipse,
    ring,
    rod,
    tapered,
)

STEEL, BLACK, WHITE = "#b4b9bc", "#2d2f33", "#f4f4f0"


def dumbbell(variant: int, weight: str, bar: str, hexagonal: bool) -> Piece:
    p = thing("dumbbell", variant)
    r = 0.052
    n, start = (6, math.tau / 12) if hexagonal else (20, 0.0)
    y = r * math.cos(math.tau / 12) if hexagonal else r
    p.draw(rod((-0.09, y, 0), (0.09, y, 0), 0.014, 10), bar, "metal")
    for side in (-1, 1):
        head = lathe(
            [(0, 0), (r - 0.007, 0), (r, 0.007), (r, 0.053), (r - 0.007, 0.06), (0, 0.06)], n, start
        )
        p.draw(head.turned((0, 0, 1), -90 * side).moved(side * 0.07, y, 0), weight, "satin")
        p.draw(
            disc(0.026, 0.0608, segments=14).turned((0, 0, 1), -90 * side).moved(side * 0.07, y, 0),
            bar,
            "metal",
        )
    return p.settled()


def _sphere_line(radius: float, y: float, latitude: float, tilt: tuple[float, float]) -> Mesh:
    """Return a seam round a ball of ``radius`` (m); ``latitude`` and ``tilt`` are in degrees."""
    a = math.radians(latitude)
    band = ring(radius * math.cos(a), 0.0022, radius * math.sin(a), 22)
    return band.turned((1, 0, 0), tilt[0]).turned((0, 1, 0), tilt[1]).moved(0, y, 0)


def basketball(variant: int, colour: str, seam: str) -> Piece:
    p = thing("basketball", variant)
    r = 0.12
    p.draw(blob((0, r, 0), (r, r, r), rings=12, segments=22), colour)
    for tilt in ((20, 0), (110, 0), (90, 90)):
        p.draw(_sphere_line(r, r, 0, tilt), seam)
    for latitude in (-42, 42):
        p.draw(_sphere_line(r, r, latitude, (90, 90)), seam)
    return p.settled()


def soccer_ball(variant: int, colour: str, patch: str) -> Piece:
    """Build a light ball with twelve dark pentagons."""
    p = thing("soccer_ball", variant)
    r = 0.11
    p.draw(blob((0, r, 0), (r, r, r), rings=12, segments=22), colour, "satin")
    golden = (1 + math.sqrt(5)) / 2
    for i in range(3):
        for a in (-1, 1):
            for b in (-golden, golden):
                q = [0.0, 0.0, 0.0]
                q[(i + 1) % 3], q[(i + 2) % 3] = float(a), b
                x, y, z = q
                flat = math.hypot(x, z)
                cap = lathe([(0.036, 0.947 * r), (0.019, 0.992 * r), (0, r + 0.0016)], 5)
                cap = cap.turned((0, 0, 1), -math.degrees(math.atan2(flat, y)))
                p.draw(cap.turned((0, 1, 0), -math.degrees(math.atan2(z, x))).moved(0, r, 0), patch)
    return p.settled()


def tennis_racquet(variant: int, frame: str, grip: str) -> Piece:
    """Build a junior racquet lying flat."""
    p = thing("tennis_racquet", variant)
    y = 0.015
    head = [(x - 0.12, y, z) for x, z in ellipse(0.125, 0.1, 26)]
    p.draw(tube(head, 0.009, 7, closed=True), frame, "satin")
    for k in range(-5, 6):
        t = 0.0175 * k
        half_z = 0.097 * math.sqrt(max(0.0, 1 - (1.25 * t / 0.122) ** 2))
        half_x = 0.122 * math.sqrt(max(0.0, 1 - (t / 0.097) ** 2))
        p.draw(
            box(
                (-0.1208 + 1.25 * t, y - 0.0008, -half_z),
                (-0.1192 + 1.25 * t, y + 0.0008, half_z),
                0.0,
            ),
            WHITE,
        )
        p.draw(
            box(
                (-0.12 - half_x, y - 0.0008, t - 0.0008),
                (-0.12 + half_x, y + 0.0008, t + 0.0008),
                0.0,
            ),
            WHITE,
        )
    for side in (-1, 1):
        p.draw(rod((-0.03, y, side * 0.068), (0.07, y, side * 0.008), 0.0075, 7), frame, "satin")
    p.draw(rod((0.06, y, 0), (0.12, y, 0), 0.012, 9), frame, "satin")
    p.draw(
        tapered(
            [(0.11, y, 0), (0.12, y, 0), (0.23, y, 0), (0.24, y, 0)],
            [0.012, 0.0145, 0.0145, 0.017],
            8,
        ),
        grip,
    )
    return p.settled()


def baseballbat(variant: int, wood: str, grip: str) -> Piece:
    """Build a child's bat, 0.6 m."""
    p = thing("baseballbat", variant)
    y = 0.028
    barrel = [
        (-0.3, y, 0),
        (-0.295, y, 0),
        (-0.28, y, 0),
        (-0.12, y, 0),
        (0.06, y, 0),
        (0.14, y, 0),
    ]
    p.draw(tapered(barrel, [0.012, 0.022, 0.028, 0.027, 0.016, 0.0125], 14), wood, "satin")
    p.draw(tapered([(0.13, y, 0), (0.14, y, 0), (0.27, y, 0)], [0.012, 0.0138, 0.0125], 10), grip)
    p.draw(
        tapered(
            [(0.265, y, 0), (0.275, y, 0), (0.288, y, 0), (0.292, y, 0)],
            [0.0125, 0.02, 0.02, 0.014],
            12,
        ),
        wood,
        "satin",
    )
    p.draw(
        lathe([(0.0286, -0.02), (0.0284, 0.02)], 14).turned((0, 0, 1), 90).moved(-0.18, y, 0), grip
    )
    return p.settled()


def yoga_mat(variant: int, mat: str, strap: str) -> Piece:
    """Build a mat rolled up, with two straps."""
    p = thing("yoga_mat", variant)
    r = 0.06
    p.draw(cylinder(r, -0.29, 0.29, 20, 0.004).turned((0, 0, 1), 90).moved(0, r, 0), mat)
    for side in (-1, 1):
        spiral = [
            (side * 0.2905, r + 0.0026 * k * math.sin(0.6 * k), 0.0026 * k * math.cos(0.6 * k))
            for k in range(2, 22)
        ]
        p.draw(tube(spiral, 0.0028, 5), strap)
    for x in (-0.16, 0.16):
        p.draw(
            lathe([(r + 0.0018, -0.012), (r + 0.0018, 0.012)], 20)
            .turned((0, 0, 1), 90)
            .moved(x, r, 0),
            strap,
        )
    p.draw(
        tube(arc((0, 2 * r - 0.02, 0), 0.16, 20, 160, "xy", 8), 0.006, 6)
        .scaled(1, 0.35, 1)
        .moved(0, 0.06, 0),
        strap,
    )
    return p.settled()


def pieces() -> list[Piece]:
    return [
        dumbbell(1, "#33383c", STEEL, True),
        dumbbell(2, "#d9607f", "#c3c7c9", False),
        basketball(1, "#dd7428", "#2d2420"),
        basketball(2, "#2f6fb0", "#f4f1ea"),
        soccer_ball(1, "#f4f4f0", "#2d2f33"),
        soccer_ball(2, "#f4e04f", "#2f6fb0"),
        tennis_racquet(1, "#d8433b", BLACK),
        tennis_racquet(2, "#3f9f8a", "#f4f1ea"),
        baseballbat(1, "#c99a5b", "#33302c"),
        baseballbat(2, "#3f5f8a", "#d8433b"),
        yoga_mat(1, "#8a6fb0", "#f0e4f4"),
        yoga_mat(2, "#3f9a8a", "#22302c"),
    ]
