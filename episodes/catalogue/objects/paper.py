"""Paper, what paper is kept in, and a globe."""

from __future__ import annotations

import math

import numpy as np

from episodes.catalogue.mesh.meshes import Mesh, blob, cylinder, lathe, tube
from episodes.catalogue.mesh.pieces import Piece, disc, thing
from episodes.catalogue.mesh.sweeps import (
    block,
    ellipse,
    extruded,
    ring,
    upright,
)

WHITE, BLACK = "#f4f4f0", "#2d2f33"


def notebook(variant: int, cover: str, label: str, spiral: bool) -> Piece:
    p = thing("notebook", variant)
    p.draw(block(0.15, 0.01, 0.21, (0, 0.002, 0), 0.0), WHITE)
    for y in (0.0, 0.012):
        p.draw(block(0.156, 0.003, 0.216, (0, y, 0), 0.001), cover)
    p.draw(block(0.07, 0.0008, 0.035, (0.005, 0.0149, -0.05), 0.0), label)
    if spiral:
        for k in range(13):
            p.draw(
                ring(0.0095, 0.0016, 0, 9)
                .turned((1, 0, 0), 90)
                .moved(-0.079, 0.0075, 0.016 * (k - 6)),
                BLACK,
            )
    else:
        p.draw(block(0.012, 0.0158, 0.217, (0.06, 0, 0), 0.001), label)
    return p.settled()


def newspaper(variant: int, paper: str, picture: str, rolled: bool) -> Piece:
    p = thing("newspaper", variant)
    if rolled:
        p.draw(cylinder(0.026, -0.16, 0.16, 16).turned((0, 0, 1), 90).moved(0, 0.026, 0), paper)
        for side in (-1, 1):
            p.draw(
                ring(0.015, 0.0035, 0, 12).turned((0, 0, 1), 90).moved(side * 0.16, 0.026, 0),
                "#b9b4a8",
            )
        p.draw(
            lathe([(0.0268, -0.01), (0.0268, 0.01)], 16).turned((0, 0, 1), 90).moved(0, 0.026, 0),
            picture,
        )
        for k in range(4):
            p.draw(
                block(
                    0.1, 0.0015, 0.003, (-0.08 if k % 2 else 0.09, 0.0515, 0.006 * (k - 1.5)), 0.0
                ),
                "#8d887c",
            )
        return p.settled()
    p.draw(block(0.28, 0.008, 0.19, bevel=0.003), paper)
    p.draw(block(0.278, 0.008, 0.188, (0.001, 0.006, 0.001), 0.003), paper)
    top = 0.0142
    p.draw(block(0.22, 0.0006, 0.022, (0, top, 0.068), 0.0), BLACK)
    p.draw(block(0.11, 0.0006, 0.075, (-0.065, top, 0.002), 0.0), picture)
    for k in range(6):
        p.draw(block(0.1, 0.0005, 0.004, (0.07, top, 0.04 - 0.014 * k), 0.0), "#8d887c")
    for k in range(3):
        p.draw(block(0.11, 0.0005, 0.004, (-0.065, top, -0.048 - 0.014 * k), 0.0), "#8d887c")
    return p.settled()


def magazine(variant: int, cover: str, title: str, figure: str) -> Piece:
    p = thing("magazine", variant)
    p.draw(block(0.2, 0.006, 0.27, bevel=0.001), WHITE)
    p.draw(block(0.202, 0.0014, 0.272, (0, 0.0056, 0), 0.0), cover)
    p.draw(block(0.16, 0.0006, 0.036, (0, 0.0069, 0.1), 0.0), title)
    p.draw(extruded(ellipse(0.045, 0.06, 18), 0.0068, 0.0076).moved(0, 0, -0.02), figure)
    p.draw(disc(0.026, 0.0079, 0, 0.05, 16), "#e9c4a0")
    for k in range(3):
        p.draw(block(0.05, 0.0006, 0.006, (0.062, 0.0069, -0.08 - 0.015 * k), 0.0), title)
    return p.settled()


def folder(variant: int, card: str, label: str) -> Piece:
    """Build a cardboard folder with a tab and papers."""
    p = thing("folder", variant)
    p.draw(block(0.23, 0.003, 0.31, bevel=0.001), card)
    p.draw(block(0.08, 0.003, 0.02, (0.05, 0, 0.163), 0.001), card)
    p.draw(block(0.21, 0.008, 0.29, (0.004, 0.003, -0.004), 0.0), WHITE)
    p.draw(block(0.23, 0.003, 0.305, (0, 0.011, -0.002), 0.001), card)
    p.draw(block(0.09, 0.0006, 0.045, (0, 0.0139, 0.06), 0.0), label)
    return p.settled()


def file_sorter(variant: int, frame: str, first: str, second: str) -> Piece:
    """Build upright dividers with folders between them."""
    p = thing("file_sorter", variant)
    p.draw(block(0.26, 0.012, 0.18, bevel=0.004), frame, "satin")
    for k in range(5):
        x = 0.06 * (k - 2)
        outline = [(-0.085, 0), (0.085, 0), (0.085, 0.17), (0.02, 0.17), (-0.085, 0.08)]
        p.draw(
            upright(extruded(outline, -0.003, 0.003)).turned((0, 1, 0), 90).moved(x, 0.01, 0),
            frame,
            "satin",
        )
    for x, colour, tall in (
        (-0.09, first, 0.21),
        (-0.03, WHITE, 0.2),
        (0.035, second, 0.22),
        (0.09, first, 0.19),
    ):
        p.draw(
            block(0.014, tall, 0.15, (x, 0.012, 0.004), 0.002).turned((0, 0, 1), 3, (x, 0, 0)),
            colour,
        )
    return p.settled()


def envelope(variant: int, paper: str, seal: str, sealed: bool) -> Piece:
    p = thing("envelope", variant)
    p.draw(block(0.22, 0.004, 0.11, bevel=0.001), paper)
    if sealed:
        flap = [(-0.108, 0.054), (0.108, 0.054), (0, -0.012)]
        p.draw(extruded(flap, 0.004, 0.0052), "#d8cfbd")
        p.draw(cylinder(0.013, 0.005, 0.008, 14, 0.001).moved(0, 0, 0.002), seal, "satin")
        return p.settled()
    p.draw(block(0.024, 0.0006, 0.028, (0.088, 0.0038, 0.032), 0.0), seal)
    for k in range(3):
        p.draw(
            block(0.08 - 0.016 * k, 0.0006, 0.005, (0.0, 0.0038, 0.0 - 0.014 * k), 0.0), "#6f6a60"
        )
    p.draw(block(0.05, 0.0006, 0.004, (-0.075, 0.0038, 0.042), 0.0), "#6f6a60")
    return p.settled()


def globe(variant: int, sea: str, land: str, stand: str) -> Piece:
    p = thing("globe", variant)
    y, r = 0.17, 0.095
    p.draw(
        lathe([(0, 0), (0.07, 0), (0.072, 0.008), (0.02, 0.02), (0.011, 0.05), (0, 0.052)], 20),
        stand,
        "satin",
    )
    bow = [
        (r * 1.12 * math.sin(a), y - r * 1.12 * math.cos(a), 0)
        for a in (math.radians(d) for d in range(-20, 171, 19))
    ]
    p.draw(tube(bow, 0.005, 7), stand, "metal")
    p.draw(blob((0, y, 0), (r, r, r), rings=10, segments=20), sea, "satin")
    # Continents are patches a hair off the sphere: (latitude, longitude, height, width) in degrees.
    for lat, lon, tall, wide in (
        (45, -100, 24, 26),
        (-15, -60, 26, 15),
        (5, 20, 30, 17),
        (50, 15, 12, 18),
        (45, 90, 24, 42),
        (-25, 135, 11, 16),
        (20, 78, 12, 9),
    ):
        p.draw(_patch(lat, lon, tall, wide, r + 0.0012).moved(0, y, 0), land)
    return p.settled()


def _patch(latitude: float, longitude: float, tall: float, wide: float, radius: float) -> Mesh:
    """Return a lumpy cap of a sphere; everything but ``radius`` (m) is in degrees."""
    rim, steps = 12, 3
    points = [(0.0, 0.0)]
    for step in range(1, steps + 1):
        for k in range(rim):
            a = math.tau * k / rim
            lump = step / steps * (1 + 0.25 * math.sin(3 * a + longitude))
            points.append((lump * tall * math.sin(a), lump * wide * math.cos(a)))
    v = np.radians(latitude + np.array([q[0] for q in points]))
    u = np.radians(longitude + np.array([q[1] for q in points]))
    normals = np.column_stack([np.cos(v) * np.sin(u), np.sin(v), -np.cos(v) * np.cos(u)])
    faces = [(0, 1 + (k + 1) % rim, 1 + k) for k in range(rim)]
    for step in range(steps - 1):
        for k in range(rim):
            a, b = 1 + step * rim + k, 1 + step * rim + (k + 1) % rim
            faces += [(a, b, b + rim), (a, b + rim, a + rim)]
    mesh = Mesh(radius * normals, normals, np.array(faces))
    corners = mesh.vertices[mesh.faces]
    outward = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    flip = (outward * corners[:, 0]).sum(axis=1) < 0
    mesh.faces[flip] = mesh.faces[flip][:, ::-1]
    return mesh


def pieces() -> list[Piece]:
    return [
        notebook(1, "#2f6f9f", "#f4efe2", True),
        notebook(2, "#33302c", "#d8433b", False),
        newspaper(1, "#e9e5d8", "#8fa3ad", False),
        newspaper(2, "#e4dfd0", "#d8433b", True),
        magazine(1, "#d9486e", "#fbf6ea", "#33506b"),
        magazine(2, "#f0c34b", "#c0342c", "#3f8f6f"),
        folder(1, "#e3c07a", "#f7f2e7"),
        folder(2, "#5f93c0", "#f7f2e7"),
        file_sorter(1, "#8f969b", "#e3c07a", "#5f93c0"),
        file_sorter(2, "#b9834d", "#d8433b", "#7fb069"),
        envelope(1, "#f1e9d8", "#d8433b", False),
        envelope(2, "#e9d9b8", "#a8283a", True),
        globe(1, "#3f86c0", "#7fa84f", "#a2703a"),
        globe(2, "#d9c9a0", "#a9713f", "#33302c"),
    ]
