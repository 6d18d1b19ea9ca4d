"""Floors of a stage: wooden planks, tiles, carpet, thresholds, rugs."""

from __future__ import annotations

import random
from collections.abc import Sequence

import numpy as np

from episodes.catalogue.mesh.meshes import Mesh, box
from episodes.catalogue.mesh.models import Model
from episodes.houses.finishes import Finishes, Tiles, Wood
from episodes.houses.plans import WALL, PlannedRoom, Rect, wall_stretch
from episodes.houses.recipes import Decoration
from episodes.scene import Opening

PLANK = 0.17
"""Width of a plank (m)."""
GROUT = 0.006
SEAM = 0.003
RUG_TOP, RUG_STEP = 0.001, 0.0004
"""Height of a rug, and of each ring of its pattern above the one round it (m).

What stands on a rug stands on the floor: a thick one would swallow its shadow, and whatever is
flat.
"""

RUGS = (
    ("#b9645a", "#ecdcc6", "#c97f6d"),
    ("#5f7f96", "#e6e0d2", "#7d9bab"),
    ("#c69a4b", "#f0e6d2", "#d6b06c"),
    ("#6f8f7b", "#e9e3d3", "#8ea892"),
)
"""Colours of border, stripe and field."""


def rects_up(rects: Sequence[Rect], y: float) -> Mesh:
    """Return flat rectangles facing up."""
    r = np.array(rects, dtype=float)
    n = len(r)
    vertices = np.empty((n, 4, 3))
    vertices[:, :, 1] = y
    for corner, (x, z) in enumerate(((0, 1), (0, 3), (2, 3), (2, 1))):
        vertices[:, corner, 0], vertices[:, corner, 2] = r[:, x], r[:, z]
    base = 4 * np.arange(n)[:, None]
    faces = np.vstack([base + np.array([0, 1, 2]), base + np.array([0, 2, 3])])
    return Mesh(vertices.reshape(-1, 3), np.tile([0.0, 1.0, 0.0], (4 * n, 1)), faces)


def add_floors(
    model: Model, rooms: Sequence[PlannedRoom], openings: Sequence[Opening], finishes: Finishes
) -> None:
    """Add the floor of every room, and a threshold in every door."""
    shades: dict[str, list[Rect]] = {}
    beds: dict[str, list[Rect]] = {}
    for room in rooms:
        rng = random.Random(f"floor {room.room_id}")
        floor = finishes.floors[room.class_name]
        if isinstance(floor, Tiles):
            beds.setdefault(floor.joint, []).append(room.interior)
            for i, tile in enumerate(_grid(room.interior, floor.side)):
                shade = floor.first if (i + rng.randrange(4) // 3) % 2 else floor.second
                shades.setdefault(shade, []).append(tile)
        elif isinstance(floor, Wood):
            beds.setdefault(floor.gap, []).append(room.interior)
            for plank in _planks(room.interior, rng):
                shades.setdefault(rng.choice(floor.planks), []).append(plank)
        else:
            shades.setdefault(floor.colour, []).append(room.interior)
    for colour, rects in beds.items():
        model.add(rects_up(rects, -0.004), colour, "matte", "floor")
    for colour, rects in shades.items():
        model.add(rects_up(rects, 0.0), colour, "matte", "floor")
    sills = []
    for opening in openings:
        if opening.kind == "door":
            s = wall_stretch(opening)
            a, b = s.at - WALL / 2, s.at + WALL / 2
            sills.append(
                Rect(s.start, a, s.end, b) if s.axis == "x" else Rect(a, s.start, b, s.end)
            )
    model.add(rects_up(sills, 0.001), finishes.wood.threshold, "matte", "floor")


def _planks(r: Rect, rng: random.Random) -> list[Rect]:
    """Return rows of planks along the longer side, joints staggered."""
    along_x = r.x1 - r.x0 >= r.z1 - r.z0
    start, end = (r.x0, r.x1) if along_x else (r.z0, r.z1)
    low, high = (r.z0, r.z1) if along_x else (r.x0, r.x1)
    planks = []
    row = low
    while row < high - 1e-6:
        top = min(row + PLANK, high)
        if high - top < 0.04:
            top = high
        at = start - rng.uniform(0.1, 1.4)
        while at < end - 1e-6:
            length = rng.uniform(1.1, 1.9)
            a, b = max(at, start), min(at + length, end)
            if b - a > 0.01:
                edge = min(top - SEAM, high)
                planks.append(
                    Rect(a, row, b - SEAM, edge) if along_x else Rect(row, a, edge, b - SEAM)
                )
            at += length
        row = top
    return planks


def _grid(r: Rect, side: float) -> list[Rect]:
    """Return tiles of about equal size that fill a rectangle, in the order of a checkerboard."""
    nx, nz = max(1, round((r.x1 - r.x0) / side)), max(1, round((r.z1 - r.z0) / side))
    # An odd row length gives neighbours different parity.
    nx += 1 - nx % 2
    dx, dz = (r.x1 - r.x0) / nx, (r.z1 - r.z0) / nz
    g = GROUT / 2
    return [
        Rect(r.x0 + i * dx + g, r.z0 + j * dz + g, r.x0 + (i + 1) * dx - g, r.z0 + (j + 1) * dz - g)
        for j in range(nz)
        for i in range(nx)
    ]


def add_rugs(model: Model, decorations: Sequence[Decoration]) -> None:
    """Add rugs, runners and bath mats: flat boxes with a border."""
    for d in decorations:
        border, stripe, field = RUGS[d.tint % len(RUGS)]
        if d.kind == "mat":
            border, stripe, field = "#7fa3a8", "#f0ece2", "#8fb3b5"
        r = d.rect
        rings = [(0.0, border), (0.07, stripe), (0.1, field)]
        if d.kind == "rug" and min(r.x1 - r.x0, r.z1 - r.z0) > 1.2:
            rings += [(0.3, stripe), (0.33, field)]
        for i, (inset, colour) in enumerate(rings):
            top = RUG_TOP + i * RUG_STEP
            if i == 0:
                model.add(box((r.x0, 0, r.z0), (r.x1, top, r.z1), top), colour, "matte", "decor")
            else:
                model.add(rects_up([r.grown(-inset)], top), colour, "matte", "decor")
