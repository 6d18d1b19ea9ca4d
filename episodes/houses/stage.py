"""The stage of a house as one model: floors, walls, windows, doors, ceiling, what is outside.

Nodes: ``floor``, ``walls``, ``trim``, ``windows``, ``decor``, ``ceiling`` and ``outside``; the last
two are apart so that a top-down view can hide them.
"""

from __future__ import annotations

import random
from collections.abc import Sequence

from episodes.catalogue.mesh.meshes import quad
from episodes.catalogue.mesh.models import Model
from episodes.houses.decoration import add_ceiling_light, add_pictures, add_surroundings
from episodes.houses.finishes import draw_finishes
from episodes.houses.floors import add_floors, add_rugs, rects_up
from episodes.houses.generator import House
from episodes.houses.joinery import add_curtains, add_door_frame, add_entrance, add_window
from episodes.houses.plans import (
    HEIGHT,
    SIDES,
    WALL,
    Plan,
    PlannedRoom,
    Rect,
    Side,
    WallLine,
    facade,
    openings_on,
    side_line,
    wall_stretch,
)
from episodes.houses.walkable_area import footprint
from episodes.houses.wall_geometry import (
    INWARD,
    TRIM,
    wall_box,
    wall_faces,
    wall_point,
    wall_sheet,
    wall_strip,
)
from episodes.poses import Vec3
from episodes.scene import Catalogue, Opening

WALL_TOP, OUTSIDE_WALL = "#b3a999", "#d8d0c2"
BASEBOARD = 0.09


def stage_model(house: House, catalogue: Catalogue) -> Model:
    """Build the stage, in world coordinates."""
    plan = house.plan
    model = Model()
    rng = random.Random(f"stage {house.scene.seed}")
    templates = {f.handle: catalogue.templates[f.template] for f in house.scene.furniture}
    blocks = [
        (footprint(f, catalogue), f.pose.position[1] + templates[f.handle].box.high[1])
        for f in house.scene.furniture
    ]
    worktops = [
        footprint(f, catalogue)
        for f in house.scene.furniture
        if templates[f.handle].class_name in ("counter", "stove")
    ]
    finishes = draw_finishes(house.scene.seed)
    add_floors(model, plan.rooms, plan.openings, finishes)
    add_rugs(model, house.decorations)
    for room in plan.rooms:
        for side in SIDES:
            _inner_wall(model, plan, room, side, worktops, finishes.paint[room.class_name])
        r = room.interior
        ceiling = quad(
            (r.x0, HEIGHT, r.z0), (r.x1, HEIGHT, r.z0), (r.x1, HEIGHT, r.z1), (r.x0, HEIGHT, r.z1)
        )
        model.add(ceiling, "#f3efe7", "matte", "ceiling")
        add_ceiling_light(model, room)
    tops = [
        Rect(*b.low[::2], *b.high[::2]) for w in house.scene.walls if (b := w.box).high[1] >= HEIGHT
    ]
    model.add(rects_up(tops, HEIGHT), WALL_TOP, "matte", "walls")
    for line, out in facade(plan.rooms):
        _outer_wall(model, plan, line, out)
    for opening in plan.openings:
        if opening.kind == "door":
            add_door_frame(model, opening)
        else:
            add_window(model, plan, opening)
    add_entrance(model, plan)
    for opening in plan.openings:
        add_curtains(model, plan, opening, blocks)
    for room in plan.rooms:
        add_pictures(model, plan, room, blocks, rng)
    add_surroundings(model, plan, rng)
    return model


def _inner_wall(
    model: Model, plan: Plan, room: PlannedRoom, side: Side, worktops: Sequence[Rect], colour: str
) -> None:
    bounds, inner = side_line(room.bounds, side), side_line(room.interior, side)
    dx, dz = INWARD[side]
    out = float(dx or dz)
    openings = openings_on(plan.openings, bounds)
    for a, b, low, high in wall_faces(openings, inner.start, inner.end):
        model.add(wall_sheet(inner, a, b, low, high, 0.0, out), colour, "matte", "walls")
        if low == 0.0:
            door = any(o.kind == "door" and abs(wall_stretch(o).start - a) < 1e-6 for o in openings)
            if not door:
                board = wall_box(inner, a, b, 0.0, BASEBOARD, 0.0, 0.014 * out, 0.005)
                model.add(board, TRIM, "matte", "trim")
    if room.class_name == "bathroom":
        _wall_tiles(model, inner, openings, out, [(inner.start, inner.end)], BASEBOARD, 1.25)
    elif room.class_name in ("kitchen", "laundry_room"):
        spans = [
            _along(inner, rect)
            for rect in worktops
            if wall_strip(inner, *_ends(inner), out, 0.1).overlaps(rect)
        ]
        _wall_tiles(model, inner, openings, out, _joined(spans), 0.9, 1.42)


def _ends(line: WallLine) -> tuple[float, float]:
    return line.start + 0.01, line.end - 0.01


def _along(line: WallLine, rect: Rect) -> tuple[float, float]:
    """Return the stretch of a wall that a rectangle stands at."""
    return (rect.x0, rect.x1) if line.axis == "x" else (rect.z0, rect.z1)


def _joined(spans: Sequence[tuple[float, float]]) -> list[tuple[float, float]]:
    """Make one of stretches that touch."""
    out: list[tuple[float, float]] = []
    for a, b in sorted(spans):
        if out and a < out[-1][1] + 0.05:
            out[-1] = (out[-1][0], max(b, out[-1][1]))
        else:
            out.append((a, b))
    return out


TILE_COLOUR = "#bfd3d0"


def _wall_tiles(
    model: Model,
    line: WallLine,
    openings: Sequence[Opening],
    out: float,
    spans: Sequence[tuple[float, float]],
    low: float,
    high: float,
) -> None:
    """Tile stretches of a wall between two heights, a rail on top, openings left free."""
    for start, end in spans:
        cursor = start
        for o in [*openings, None]:
            a, b = (
                (end, end)
                if o is None
                else (wall_stretch(o).start - 0.07, wall_stretch(o).end + 0.07)
            )
            if a >= end:
                a = b = end
            pieces = [(cursor, min(a, end), high)]
            if o is not None and o.kind == "window" and b > start and a < end:
                pieces.append((max(a, start), min(b, end), min(high, o.sill - 0.04)))
            for x0, x1, top in pieces:
                if x1 - x0 > 0.02 and top - low > 0.02:
                    sheet = wall_sheet(line, x0, x1, low, top, 0.004 * out, out)
                    model.add(sheet, TILE_COLOUR, "satin", "walls")
                    rail = wall_box(line, x0, x1, top, top + 0.02, 0.0, 0.01 * out, 0.003)
                    model.add(rail, TRIM, "matte", "trim")
            cursor = max(cursor, b)
            if cursor >= end:
                break


def _outer_wall(model: Model, plan: Plan, line: WallLine, out: float) -> None:
    """Add a face of the house: it reaches round an outer corner and stops short of an inner one."""
    beyond = [
        _is_inside(plan, wall_point(line, at, 0.0, 0.2 * out))
        for at in (line.start - 0.2, line.end + 0.2)
    ]
    start = line.start + (WALL / 2 if beyond[0] else -WALL / 2)
    end = line.end - (WALL / 2 if beyond[1] else -WALL / 2)
    for a, b, low, high in wall_faces(openings_on(plan.openings, line), start, end):
        model.add(
            wall_sheet(line, a, b, low, high, out * WALL / 2, out), OUTSIDE_WALL, "matte", "walls"
        )


def _is_inside(plan: Plan, point: Vec3) -> bool:
    x, _, z = point
    return any(r.bounds.x0 < x < r.bounds.x1 and r.bounds.z0 < z < r.bounds.z1 for r in plan.rooms)
