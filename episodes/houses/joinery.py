"""Joinery: door frames, windows, curtains and the front door."""

from __future__ import annotations

import math

import numpy as np

from episodes.catalogue.mesh.meshes import Mesh, box, tube
from episodes.catalogue.mesh.models import Finish, Model
from episodes.catalogue.mesh.pieces import knob
from episodes.houses.floors import RUG_STEP, RUG_TOP, rects_up
from episodes.houses.plans import WALL, Plan, Rect, WallLine, side_line, wall_stretch
from episodes.houses.wall_geometry import (
    INWARD,
    TRIM,
    Blocks,
    inward_of,
    wall_box,
    wall_point,
    wall_strip,
)
from episodes.scene import Opening

CURTAINS = {
    "living_room": "#c9b98f",
    "bedroom": "#a9b9c6",
    "dining_room": "#c7a58c",
    "office": "#a9b8a4",
}


def add_door_frame(model: Model, opening: Opening) -> None:
    line = wall_stretch(opening)
    t, w = WALL / 2 + 0.012, 0.065
    a, b, h = line.start, line.end, opening.head
    for x0, x1 in ((a - w, a + 0.02), (b - 0.02, b + w)):
        model.add(wall_box(line, x0, x1, 0.0, h + w, -t, t, 0.006), TRIM, "matte", "trim")
    model.add(
        wall_box(line, a + 0.02, b - 0.02, h - 0.02, h + w, -t, t, 0.006), TRIM, "matte", "trim"
    )


def add_window(model: Model, plan: Plan, opening: Opening) -> None:
    line = wall_stretch(opening)
    a, b, low, high = line.start, line.end, opening.sill, opening.head
    inward = inward_of(plan, opening)
    f, d = 0.045, 0.035
    # Reveals come first, then the frame in the middle of the wall, one upright bar and one across.
    h = WALL / 2
    for x0, x1, y0, y1 in (
        (a - 0.001, a + 0.006, low, high),
        (b - 0.006, b + 0.001, low, high),
        (a, b, high - 0.006, high + 0.001),
        (a, b, low - 0.001, low + 0.006),
    ):
        model.add(wall_box(line, x0, x1, y0, y1, -h, h, 0.0), TRIM, "matte", "windows")
    for x0, x1, y0, y1 in (
        (a, a + f, low, high),
        (b - f, b, low, high),
        (a, b, low, low + f),
        (a, b, high - f, high),
    ):
        model.add(wall_box(line, x0, x1, y0, y1, -d, d), TRIM, "satin", "windows")
    if b - a > 1.0:
        m = (a + b) / 2
        model.add(
            wall_box(line, m - 0.022, m + 0.022, low, high, -d + 0.008, d - 0.008),
            TRIM,
            "satin",
            "windows",
        )
    across = low + 0.68 * (high - low)
    model.add(
        wall_box(line, a, b, across - 0.014, across + 0.014, -d + 0.012, d - 0.012),
        TRIM,
        "satin",
        "windows",
    )
    model.add(wall_box(line, a, b, low, high, -0.003, 0.003, 0.0), "#cfe6ef", "glass", "windows")
    sill = wall_box(line, a - 0.06, b + 0.06, low - 0.035, low, 0.0, inward * (h + 0.07), 0.01)
    model.add(sill, TRIM, "satin", "trim")
    for x0, x1, y0, y1 in (
        (a - 0.06, a, low, high + 0.06),
        (b, b + 0.06, low, high + 0.06),
        (a, b, high, high + 0.06),
    ):
        model.add(
            wall_box(line, x0, x1, y0, y1, inward * h, inward * (h + 0.014), 0.004),
            TRIM,
            "matte",
            "trim",
        )


def add_curtains(model: Model, plan: Plan, opening: Opening, blocks: Blocks) -> None:
    """Hang a curtain on each side of a window, where no furniture is in its way."""
    room = next(r for r in plan.rooms if r.room_id == opening.rooms[0])
    if opening.kind == "door" or room.class_name not in CURTAINS:
        return
    line, inward = wall_stretch(opening), inward_of(plan, opening)
    inner = room.interior
    ends = (inner.x0, inner.x1) if line.axis == "x" else (inner.z0, inner.z1)
    sides = ((line.start - 0.26, line.start + 0.1), (line.end - 0.1, line.end + 0.26))
    for a, b in sides:
        strip = wall_strip(line, a, b, inward, 0.12)
        if a < ends[0] + 0.02 or b > ends[1] - 0.02 or any(strip.overlaps(r) for r, _ in blocks):
            return
    off = inward * (WALL / 2 + 0.09)
    for a, b in sides:
        sheet = _drape(line, a, b, 0.03, opening.head + 0.12, off)
        model.add(sheet, CURTAINS[room.class_name], "matte", "decor")
    y = opening.head + 0.13
    rod = [wall_point(line, x, y, off) for x in (line.start - 0.32, line.end + 0.32)]
    model.add(tube(rod, 0.012, 8), "#8a7a5f", "metal", "decor")


def _drape(line: WallLine, a: float, b: float, low: float, high: float, off: float) -> Mesh:
    """Return a folded cloth, seen from both sides."""
    n = 22
    xs = np.linspace(a, b, n)
    phase = np.linspace(0, 7 * math.pi, n)
    offs = off + 0.022 * np.sin(phase)
    slope = 0.022 * np.cos(phase) * 7 * math.pi / (b - a)
    rows = [
        [wall_point(line, float(x), y, float(o)) for x, o in zip(xs, offs, strict=True)]
        for y in (low, high)
    ]
    normal_along, normal_off = -slope, np.ones(n)
    length = np.hypot(normal_along, normal_off)
    normals = np.array(
        [
            (s / k, 0.0, o / k) if line.axis == "x" else (o / k, 0.0, s / k)
            for s, o, k in zip(normal_along, normal_off, length, strict=True)
        ]
    )
    vertices = np.array([point for row in rows for point in row])
    k = np.arange(n - 1)
    front = np.vstack(
        [np.column_stack([k, k + 1, k + 1 + n]), np.column_stack([k, k + 1 + n, k + n])]
    )
    if line.axis == "z":
        front = front[:, ::-1]
    both = np.vstack([normals, normals])
    return Mesh(
        np.vstack([vertices, vertices]),
        np.vstack([both, -both]),
        np.vstack([front, front[:, ::-1] + 2 * n]),
    )


def add_entrance(model: Model, plan: Plan) -> None:
    """Add the closed front door on the inside of the hall's outer wall, with a mat."""
    room_id, side, m = plan.entrance
    room = next(r for r in plan.rooms if r.room_id == room_id)
    line = side_line(room.interior, side)
    dx, dz = INWARD[side]
    inward = float(dx or dz)

    def put(
        a: float,
        b: float,
        y0: float,
        y1: float,
        d0: float,
        d1: float,
        colour: str,
        finish: Finish = "matte",
    ) -> None:
        model.add(
            wall_box(line, m + a, m + b, y0, y1, inward * d0, inward * d1, 0.006),
            colour,
            finish,
            "trim",
        )

    put(-0.46, 0.46, 0.0, 2.06, 0.0, 0.03, "#4f7478")
    for y0, y1 in ((0.2, 0.85), (1.0, 1.85)):
        for a, b in ((-0.36, -0.05), (0.05, 0.36)):
            put(a, b, y0, y1, 0.03, 0.038, "#5b8387")
    for a, b in ((-0.54, -0.46), (0.46, 0.54)):
        put(a, b, 0.0, 2.14, 0.0, 0.035, TRIM)
    put(-0.46, 0.46, 2.06, 2.14, 0.0, 0.035, TRIM)
    handle = knob(0, 0, 0, 0.03)
    angle = {"north": 180, "south": 0, "west": -90, "east": 90}[side]
    at = wall_point(line, m + 0.38, 1.0, inward * 0.03)
    model.add(handle.turned((0, 1, 0), angle).moved(*at), "#c9a24a", "metal", "trim")
    mat = [wall_point(line, m - 0.4, 0, inward * 0.2), wall_point(line, m + 0.4, 0, inward * 0.75)]
    rect = Rect(
        min(p[0] for p in mat),
        min(p[2] for p in mat),
        max(p[0] for p in mat),
        max(p[2] for p in mat),
    )
    model.add(
        box((rect.x0, 0, rect.z0), (rect.x1, RUG_TOP, rect.z1), RUG_TOP),
        "#7d6a55",
        "matte",
        "decor",
    )
    model.add(rects_up([rect.grown(-0.05)], RUG_TOP + RUG_STEP), "#94806a", "matte", "decor")
