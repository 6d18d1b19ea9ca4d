"""The stage of a house as one model: floors, walls, windows, doors, ceiling, what is outside.

Nodes: ``floor``, ``walls``, ``trim``, ``windows``, ``decor``, ``ceiling`` and ``outside``; the last
two are apart so that a top-down view can hide them.
"""

from __future__ import annotations

import math
import random
from collections.abc import Sequence

import numpy as np

from episodes.catalogue.meshes import Mesh, blob, box, cylinder, lathe, quad, tube
from episodes.catalogue.models import Finish, Model
from episodes.catalogue.pieces import disc, knob
from episodes.houses.floors import add_floors, add_rugs, rects_up
from episodes.houses.generate import House
from episodes.houses.plans import (
    HEIGHT,
    SIDES,
    WALL,
    Plan,
    PlannedRoom,
    Rect,
    Side,
    WallLine,
    openings_on,
    side_line,
    span,
)
from episodes.houses.walkable import footprint
from episodes.poses import Vec3
from episodes.scene import Catalogue, Opening

TRIM, WALL_TOP, OUTSIDE_WALL = "#f4f0e8", "#b3a999", "#d8d0c2"
PAINT = {
    "living_room": "#e8dfce",
    "kitchen": "#dde3d6",
    "dining_room": "#e6d6c3",
    "bedroom": "#d3dce2",
    "bathroom": "#d6e4e2",
    "office": "#dcd9d0",
    "hallway": "#ebe4d6",
    "laundry_room": "#dfe6e8",
}
CURTAINS = {
    "living_room": "#c9b98f",
    "bedroom": "#a9b9c6",
    "dining_room": "#c7a58c",
    "office": "#a9b8a4",
}
BASEBOARD = 0.09

INWARD: dict[Side, tuple[int, int]] = {
    "north": (0, 1), "south": (0, -1), "west": (1, 0), "east": (-1, 0),
}
"""The (x, z) direction into the room from a side."""


def stage_model(house: House, catalogue: Catalogue) -> Model:
    """The stage, in world coordinates."""
    plan = house.plan
    model = Model()
    rng = random.Random(f"stage {house.scene.seed}")
    add_floors(model, plan.rooms, plan.openings)
    add_rugs(model, house.decorations)
    for room in plan.rooms:
        for side in SIDES:
            _inner_wall(model, plan, room, side)
        r = room.interior
        ceiling = quad((r.x0, HEIGHT, r.z0), (r.x1, HEIGHT, r.z0), (r.x1, HEIGHT, r.z1), (r.x0, HEIGHT, r.z1))
        model.add(ceiling, "#f3efe7", "matte", "ceiling")
        _pendant(model, room)
    for line in plan.walls:
        _wall_top(model, line)
        if line.outer:
            _outer_wall(model, plan, line)
    for opening in plan.openings:
        if opening.kind == "door":
            _door_frame(model, opening)
        else:
            _window(model, plan, opening)
    _entrance(model, plan)
    blocks = [(footprint(f, catalogue), catalogue.templates[f.template].box.high[1] + f.pose.position[1]) for f in house.scene.furniture]
    for opening in plan.openings:
        _curtains(model, plan, opening, blocks)
    for room in plan.rooms:
        _pictures(model, plan, room, blocks, rng)
    _outside(model, plan, rng)
    return model


def _point(line: WallLine, along: float, y: float, off: float) -> Vec3:
    """A point at ``along`` a wall line, ``off`` to its +Z (or +X) side."""
    return (along, y, line.at + off) if line.axis == "x" else (line.at + off, y, along)


def wall_box(
    line: WallLine, a: float, b: float, low: float, high: float, off0: float, off1: float, bevel: float = 0.004
) -> Mesh:
    """A box that lies along a wall line, between two heights and two distances from it."""
    p, q = _point(line, a, low, off0), _point(line, b, high, off1)
    lows = (min(p[0], q[0]), min(p[1], q[1]), min(p[2], q[2]))
    highs = (max(p[0], q[0]), max(p[1], q[1]), max(p[2], q[2]))
    return box(lows, highs, bevel)


def _faces(openings: Sequence[Opening], start: float, end: float) -> list[tuple[float, float, float, float]]:
    """The (start, end, low, high) rectangles of a wall face round its openings."""
    faces = []
    cursor = start
    for opening in openings:
        s = span(opening)
        faces.append((cursor, s.start, 0.0, HEIGHT))
        if opening.sill > 0:
            faces.append((s.start, s.end, 0.0, opening.sill))
        faces.append((s.start, s.end, opening.head, HEIGHT))
        cursor = s.end
    faces.append((cursor, end, 0.0, HEIGHT))
    return [f for f in faces if f[1] - f[0] > 1e-6]


def _sheet(line: WallLine, a: float, b: float, low: float, high: float, off: float, out: float) -> Mesh:
    """A wall face ``off`` from the line that looks towards the side of sign ``out``."""
    corners = [_point(line, a, low, off), _point(line, b, low, off), _point(line, b, high, off), _point(line, a, high, off)]
    # Along X the corners turn towards +Z, along Z towards -X.
    towards = 1.0 if line.axis == "x" else -1.0
    ring = corners if towards == math.copysign(1.0, out) else corners[::-1]
    return quad(*ring)


def _inner_wall(model: Model, plan: Plan, room: PlannedRoom, side: Side) -> None:
    bounds, inner = side_line(room.bounds, side), side_line(room.interior, side)
    dx, dz = INWARD[side]
    out = float(dx or dz)
    openings = openings_on(plan.openings, bounds)
    colour = PAINT[room.class_name]
    for a, b, low, high in _faces(openings, inner.start, inner.end):
        model.add(_sheet(inner, a, b, low, high, 0.0, out), colour, "matte", "walls")
        if low == 0.0:
            door = any(o.kind == "door" and abs(span(o).start - a) < 1e-6 for o in openings)
            if not door:
                board = wall_box(inner, a, b, 0.0, BASEBOARD, 0.0, 0.014 * out, 0.005)
                model.add(board, TRIM, "matte", "trim")
    if room.class_name in ("bathroom", "kitchen", "laundry_room"):
        _splash(model, room, inner, openings, out)


def _splash(model: Model, room: PlannedRoom, line: WallLine, openings: Sequence[Opening], out: float) -> None:
    """Wall tiles: to 1.2 m in the bathroom, a band above the counters elsewhere."""
    low, high = (BASEBOARD, 1.25) if room.class_name == "bathroom" else (0.9, 1.4)
    colour = {"bathroom": "#bcd3d2", "kitchen": "#eeeade", "laundry_room": "#cfdadb"}[room.class_name]
    spans = [(span(o).start - 0.07, span(o).end + 0.07, o) for o in openings]
    a = line.start
    for start, end, o in [*spans, (line.end, line.end, None)]:
        if start - a > 0.02:
            model.add(_sheet(line, a, start, low, high, 0.004 * out, out), colour, "satin", "walls")
            model.add(wall_box(line, a, start, high, high + 0.02, 0.0, 0.01 * out, 0.003), TRIM, "matte", "trim")
        if o is not None and o.kind == "window" and o.sill - 0.08 > low:
            top = min(high, o.sill - 0.08)
            model.add(_sheet(line, start, end, low, top, 0.004 * out, out), colour, "satin", "walls")
        a = end


def _outer_wall(model: Model, plan: Plan, line: WallLine) -> None:
    x = [r.bounds.middle for r in plan.rooms]
    middle = sum(p[0] for p in x) / len(x), sum(p[1] for p in x) / len(x)
    inside = middle[1] if line.axis == "x" else middle[0]
    out = 1.0 if line.at > inside else -1.0
    openings = openings_on(plan.openings, line)
    for a, b, low, high in _faces(openings, line.start - WALL / 2, line.end + WALL / 2):
        model.add(_sheet(line, a, b, low, high, out * WALL / 2, out), OUTSIDE_WALL, "matte", "walls")


def _wall_top(model: Model, line: WallLine) -> None:
    reach = WALL / 2 if line.axis == "x" else -WALL / 2
    a, b = line.start - reach, line.end + reach
    h = WALL / 2
    rect = Rect(a, line.at - h, b, line.at + h) if line.axis == "x" else Rect(line.at - h, a, line.at + h, b)
    model.add(rects_up([rect], HEIGHT), WALL_TOP, "matte", "walls")


def _door_frame(model: Model, opening: Opening) -> None:
    line = span(opening)
    t, w = WALL / 2 + 0.012, 0.065
    a, b, h = line.start, line.end, opening.head
    for x0, x1 in ((a - w, a + 0.02), (b - 0.02, b + w)):
        model.add(wall_box(line, x0, x1, 0.0, h + w, -t, t, 0.006), TRIM, "matte", "trim")
    model.add(wall_box(line, a + 0.02, b - 0.02, h - 0.02, h + w, -t, t, 0.006), TRIM, "matte", "trim")


def _window(model: Model, plan: Plan, opening: Opening) -> None:
    line = span(opening)
    a, b, low, high = line.start, line.end, opening.sill, opening.head
    inward = _inward(plan, opening)
    f, d = 0.045, 0.035
    # Reveals, then the frame in the middle of the wall, one upright bar and one across.
    h = WALL / 2
    for x0, x1, y0, y1 in ((a - 0.001, a + 0.006, low, high), (b - 0.006, b + 0.001, low, high), (a, b, high - 0.006, high + 0.001), (a, b, low - 0.001, low + 0.006)):
        model.add(wall_box(line, x0, x1, y0, y1, -h, h, 0.0), TRIM, "matte", "windows")
    for x0, x1, y0, y1 in ((a, a + f, low, high), (b - f, b, low, high), (a, b, low, low + f), (a, b, high - f, high)):
        model.add(wall_box(line, x0, x1, y0, y1, -d, d), TRIM, "satin", "windows")
    if b - a > 1.0:
        m = (a + b) / 2
        model.add(wall_box(line, m - 0.022, m + 0.022, low, high, -d + 0.008, d - 0.008), TRIM, "satin", "windows")
    across = low + 0.68 * (high - low)
    model.add(wall_box(line, a, b, across - 0.014, across + 0.014, -d + 0.012, d - 0.012), TRIM, "satin", "windows")
    model.add(wall_box(line, a, b, low, high, -0.003, 0.003, 0.0), "#cfe6ef", "glass", "windows")
    sill = wall_box(line, a - 0.06, b + 0.06, low - 0.035, low, 0.0, inward * (h + 0.07), 0.01)
    model.add(sill, TRIM, "satin", "trim")
    for x0, x1, y0, y1 in ((a - 0.06, a, low, high + 0.06), (b, b + 0.06, low, high + 0.06), (a, b, high, high + 0.06)):
        model.add(wall_box(line, x0, x1, y0, y1, inward * h, inward * (h + 0.014), 0.004), TRIM, "matte", "trim")


def _inward(plan: Plan, opening: Opening) -> float:
    room = next(r for r in plan.rooms if r.room_id == opening.rooms[0])
    line = span(opening)
    middle = room.bounds.middle
    return 1.0 if (middle[1] if line.axis == "x" else middle[0]) > line.at else -1.0


Blocks = Sequence[tuple[Rect, float]]


def _strip(line: WallLine, a: float, b: float, inward: float, depth: float) -> Rect:
    p, q = _point(line, a, 0.0, 0.0), _point(line, b, 0.0, inward * (WALL / 2 + depth))
    return Rect(min(p[0], q[0]), min(p[2], q[2]), max(p[0], q[0]), max(p[2], q[2]))


def _curtains(model: Model, plan: Plan, opening: Opening, blocks: Blocks) -> None:
    """A curtain on each side of a window, where no furniture is in its way."""
    room = next(r for r in plan.rooms if r.room_id == opening.rooms[0])
    if opening.kind == "door" or room.class_name not in CURTAINS:
        return
    line, inward = span(opening), _inward(plan, opening)
    inner = room.interior
    ends = (inner.x0, inner.x1) if line.axis == "x" else (inner.z0, inner.z1)
    hung = False
    for a, b in ((line.start - 0.26, line.start + 0.1), (line.end - 0.1, line.end + 0.26)):
        strip = _strip(line, a, b, inward, 0.12)
        clear = a > ends[0] + 0.02 and b < ends[1] - 0.02
        if clear and not any(strip.overlaps(rect) for rect, _ in blocks):
            sheet = _drape(line, a, b, 0.03, opening.head + 0.12, inward * (WALL / 2 + 0.07))
            model.add(sheet, CURTAINS[room.class_name], "matte", "decor")
            hung = True
    if hung:
        y = opening.head + 0.13
        rod = [_point(line, x, y, inward * (WALL / 2 + 0.07)) for x in (line.start - 0.32, line.end + 0.32)]
        model.add(tube(rod, 0.012, 8), "#8a7a5f", "metal", "decor")


def _drape(line: WallLine, a: float, b: float, low: float, high: float, off: float) -> Mesh:
    """A folded cloth, seen from both sides."""
    n = 22
    xs = np.linspace(a, b, n)
    phase = np.linspace(0, 7 * math.pi, n)
    offs = off + 0.022 * np.sin(phase)
    slope = 0.022 * np.cos(phase) * 7 * math.pi / (b - a)
    rows = []
    for y in (low, high):
        rows.append(np.array([_point(line, float(x), y, float(o)) for x, o in zip(xs, offs, strict=True)]))
    normal_along, normal_off = -slope, np.ones(n)
    length = np.hypot(normal_along, normal_off)
    normals = np.array(
        [
            (s / k, 0.0, o / k) if line.axis == "x" else (o / k, 0.0, s / k)
            for s, o, k in zip(normal_along, normal_off, length, strict=True)
        ]
    )
    vertices = np.vstack(rows)
    k = np.arange(n - 1)
    front = np.vstack([np.column_stack([k, k + 1, k + 1 + n]), np.column_stack([k, k + 1 + n, k + n])])
    if line.axis == "z":
        front = front[:, ::-1]
    both = np.vstack([normals, normals])
    return Mesh(
        np.vstack([vertices, vertices]),
        np.vstack([both, -both]),
        np.vstack([front, front[:, ::-1] + 2 * n]),
    )


PICTURES = (("#e9dcc3", "#c9705a", "#5f8aa0"), ("#dfe6e2", "#7d9b76", "#d6a24c"), ("#f0e3d4", "#6b7fa6", "#cf8f79"))


def _pictures(model: Model, plan: Plan, room: PlannedRoom, blocks: Blocks, rng: random.Random) -> None:
    """One or two pictures on free stretches of wall, at eye height."""
    if room.class_name in ("bathroom", "laundry_room"):
        return
    hung = 0
    sides = list(SIDES)
    rng.shuffle(sides)
    for side in sides:
        if hung == 2:
            return
        line = side_line(room.interior, side)
        bounds = side_line(room.bounds, side)
        dx, dz = INWARD[side]
        inward = float(dx or dz)
        taken = [(span(o).start - 0.15, span(o).end + 0.15) for o in openings_on(plan.openings, bounds)]
        if plan.entrance == (room.room_id, side):
            taken.append((line.start, line.end))
        half = rng.choice((0.26, 0.34))
        options = [line.start + 0.5 + 0.25 * i for i in range(int((line.end - line.start - 1.0) / 0.25) + 1)]
        options.sort(key=lambda at: abs(at - (line.start + line.end) / 2))
        for at in options:
            if any(a < at + half and at - half < b for a, b in taken):
                continue
            strip = _strip(line, at - half - 0.05, at + half + 0.05, inward, 0.05)
            if any(top > 1.2 and strip.overlaps(rect) for rect, top in blocks):
                continue
            _picture(model, line, at, half, inward, rng)
            hung += 1
            break


def _picture(model: Model, line: WallLine, at: float, half: float, inward: float, rng: random.Random) -> None:
    low, high = 1.32, 1.32 + 2 * half * rng.choice((0.75, 1.2))
    frame = rng.choice(("#8a6549", "#3f4347", "#c4a179"))
    paper, first, second = rng.choice(PICTURES)

    def layer(a: float, b: float, y0: float, y1: float, depth: float, colour: str, finish: Finish = "matte") -> None:
        mesh = wall_box(line, at + a, at + b, y0, y1, 0.0, inward * depth, 0.003)
        model.add(mesh, colour, finish, "decor")

    layer(-half, half, low, high, 0.022, frame, "satin")
    layer(-half + 0.025, half - 0.025, low + 0.025, high - 0.025, 0.024, "#f7f3ea")
    layer(-half + 0.07, half - 0.07, low + 0.07, high - 0.07, 0.0255, paper)
    split = low + (high - low) * rng.uniform(0.35, 0.55)
    layer(-half + 0.07, half - 0.07, low + 0.07, split, 0.027, first)
    side = rng.choice((-1, 1)) * half * 0.3
    layer(side - half * 0.22, side + half * 0.22, split - 0.03, split + (high - low) * 0.22, 0.0285, second)


def _pendant(model: Model, room: PlannedRoom) -> None:
    """A round ceiling light."""
    x, z = room.bounds.middle
    shade = lathe([(0.0, HEIGHT - 0.09), (0.16, HEIGHT - 0.08), (0.19, HEIGHT - 0.04), (0.17, HEIGHT)], 24)
    model.add(shade.moved(x, 0, z), "#fbf4e4", "glow_warm", "ceiling")
    model.add(cylinder(0.2, HEIGHT - 0.02, HEIGHT, 24).moved(x, 0, z), "#c9b58f", "metal", "ceiling")


def _entrance(model: Model, plan: Plan) -> None:
    """The closed front door on the inside of the hall's outer wall, with a mat."""
    room_id, side = plan.entrance
    room = next(r for r in plan.rooms if r.room_id == room_id)
    line = side_line(room.interior, side)
    dx, dz = INWARD[side]
    inward = float(dx or dz)
    m = (line.start + line.end) / 2

    def put(a: float, b: float, y0: float, y1: float, d0: float, d1: float, colour: str, finish: Finish = "matte") -> None:
        model.add(wall_box(line, m + a, m + b, y0, y1, inward * d0, inward * d1, 0.006), colour, finish, "trim")

    put(-0.46, 0.46, 0.0, 2.06, 0.0, 0.03, "#4f7478")
    for y0, y1 in ((0.2, 0.85), (1.0, 1.85)):
        for a, b in ((-0.36, -0.05), (0.05, 0.36)):
            put(a, b, y0, y1, 0.03, 0.038, "#5b8387")
    for a, b in ((-0.54, -0.46), (0.46, 0.54)):
        put(a, b, 0.0, 2.14, 0.0, 0.035, TRIM)
    put(-0.46, 0.46, 2.06, 2.14, 0.0, 0.035, TRIM)
    handle = knob(0, 0, 0, 0.03)
    angle = {"north": 180, "south": 0, "west": -90, "east": 90}[side]
    at = _point(line, m + 0.38, 1.0, inward * 0.03)
    model.add(handle.turned((0, 1, 0), angle).moved(*at), "#c9a24a", "metal", "trim")
    mat = [_point(line, m - 0.4, 0, inward * 0.2), _point(line, m + 0.4, 0, inward * 0.75)]
    rect = Rect(min(p[0] for p in mat), min(p[2] for p in mat), max(p[0] for p in mat), max(p[2] for p in mat))
    model.add(box((rect.x0, 0, rect.z0), (rect.x1, 0.012, rect.z1), 0.006), "#7d6a55", "matte", "decor")
    model.add(rects_up([rect.grown(-0.05)], 0.0135), "#94806a", "matte", "decor")


def _outside(model: Model, plan: Plan, rng: random.Random) -> None:
    """A lawn, a path of slabs round the house, trees and hedges to see through the windows."""
    xs = [v for r in plan.rooms for v in (r.bounds.x0, r.bounds.x1)]
    zs = [v for r in plan.rooms for v in (r.bounds.z0, r.bounds.z1)]
    house = Rect(min(xs), min(zs), max(xs), max(zs))
    model.add(rects_up([house.grown(26)], -0.06), "#93a873", "matte", "outside")
    model.add(rects_up([house.grown(0.9)], -0.05), "#c9c2b4", "matte", "outside")
    for k in range(16):
        angle = math.tau * (k + rng.uniform(-0.25, 0.25)) / 16
        far = rng.uniform(5.0, 9.0)
        x = (house.x1 - house.x0) / 2 * math.cos(angle) * 1.2 + far * math.cos(angle)
        z = (house.z1 - house.z0) / 2 * math.sin(angle) * 1.2 + far * math.sin(angle)
        size = rng.uniform(0.8, 1.35)
        if k % 4 == 3:
            hedge = blob((0, 0.4, 0), (1.5, 0.6, 0.6), (0.5, 0.5), 6, 14)
            model.add(hedge.turned((0, 1, 0), math.degrees(-angle) + 90).moved(x * 0.85, -0.06, z * 0.85), "#6f9160", "matte", "outside")
            continue
        trunk = lathe([(0.16 * size, 0), (0.1 * size, 1.6 * size), (0, 1.7 * size)], 8)
        model.add(trunk.moved(x, -0.06, z), "#846a50", "matte", "outside")
        leaf = rng.choice(("#7da06a", "#8fae72", "#6b9464"))
        crown = blob((x, 2.6 * size, z), (1.1 * size, 1.3 * size, 1.1 * size), (1, 1), 7, 12)
        model.add(crown, leaf, "matte", "outside")
    model.add(disc(0.01, -10.0), "#93a873", "matte", "outside")
