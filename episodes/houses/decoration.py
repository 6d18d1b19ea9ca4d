"""Decoration that is there only to look at: pictures, ceiling lights, the garden."""

from __future__ import annotations

import math
import random

from episodes.catalogue.mesh.meshes import blob, cylinder, lathe
from episodes.catalogue.mesh.models import Finish, Model
from episodes.houses.floors import rects_up
from episodes.houses.plans import (
    HEIGHT,
    SIDES,
    Plan,
    PlannedRoom,
    Rect,
    WallLine,
    openings_on,
    side_line,
    wall_stretch,
)
from episodes.houses.wall_geometry import INWARD, Blocks, wall_box, wall_strip

PICTURES = (
    ("#e9dcc3", "#c9705a", "#5f8aa0"),
    ("#dfe6e2", "#7d9b76", "#d6a24c"),
    ("#f0e3d4", "#6b7fa6", "#cf8f79"),
)


def add_pictures(
    model: Model, plan: Plan, room: PlannedRoom, blocks: Blocks, rng: random.Random
) -> None:
    """Hang one or two pictures on free stretches of wall, at eye height."""
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
        margin = {"door": 0.15, "window": 0.42}
        taken = [
            (wall_stretch(o).start - margin[o.kind], wall_stretch(o).end + margin[o.kind])
            for o in openings_on(plan.openings, bounds)
        ]
        if plan.entrance[:2] == (room.room_id, side):
            taken.append((plan.entrance.at - 0.7, plan.entrance.at + 0.7))
        half = rng.choice((0.26, 0.34))
        options = [
            line.start + 0.5 + 0.25 * i
            for i in range(int((line.end - line.start - 1.0) / 0.25) + 1)
        ]
        options.sort(key=lambda at: abs(at - (line.start + line.end) / 2))
        for at in options:
            if any(a < at + half and at - half < b for a, b in taken):
                continue
            strip = wall_strip(line, at - half - 0.05, at + half + 0.05, inward, 0.05)
            if any(top > 1.2 and strip.overlaps(rect) for rect, top in blocks):
                continue
            _picture(model, line, at, half, inward, rng)
            hung += 1
            break


def _picture(
    model: Model, line: WallLine, at: float, half: float, inward: float, rng: random.Random
) -> None:
    low, high = 1.32, 1.32 + 2 * half * rng.choice((0.75, 1.2))
    frame = rng.choice(("#8a6549", "#3f4347", "#c4a179"))
    paper, first, second = rng.choice(PICTURES)

    def layer(
        a: float,
        b: float,
        y0: float,
        y1: float,
        depth: float,
        colour: str,
        finish: Finish = "matte",
    ) -> None:
        mesh = wall_box(line, at + a, at + b, y0, y1, 0.0, inward * depth, 0.003)
        model.add(mesh, colour, finish, "decor")

    layer(-half, half, low, high, 0.022, frame, "satin")
    layer(-half + 0.025, half - 0.025, low + 0.025, high - 0.025, 0.024, "#f7f3ea")
    layer(-half + 0.07, half - 0.07, low + 0.07, high - 0.07, 0.0255, paper)
    split = low + (high - low) * rng.uniform(0.35, 0.55)
    layer(-half + 0.07, half - 0.07, low + 0.07, split, 0.027, first)
    side = rng.choice((-1, 1)) * half * 0.3
    layer(
        side - half * 0.22,
        side + half * 0.22,
        split - 0.03,
        split + (high - low) * 0.22,
        0.0285,
        second,
    )


def add_ceiling_light(model: Model, room: PlannedRoom) -> None:
    """Add a round ceiling light."""
    x, z = room.bounds.middle
    shade = lathe(
        [(0.0, HEIGHT - 0.09), (0.16, HEIGHT - 0.08), (0.19, HEIGHT - 0.04), (0.17, HEIGHT)], 24
    )
    model.add(shade.moved(x, 0, z), "#fbf4e4", "glow_warm", "ceiling")
    model.add(
        cylinder(0.2, HEIGHT - 0.02, HEIGHT, 24).moved(x, 0, z), "#c9b58f", "metal", "ceiling"
    )


def add_surroundings(model: Model, plan: Plan, rng: random.Random) -> None:
    """Add a lawn, a path of slabs, trees and hedges, to be seen through the windows."""
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
            model.add(
                hedge.turned((0, 1, 0), math.degrees(-angle) + 90).moved(x * 0.85, -0.06, z * 0.85),
                "#6f9160",
                "matte",
                "outside",
            )
            continue
        trunk = lathe([(0.16 * size, 0), (0.1 * size, 1.6 * size), (0, 1.7 * size)], 8)
        model.add(trunk.moved(x, -0.06, z), "#846a50", "matte", "outside")
        leaf = rng.choice(("#7da06a", "#8fae72", "#6b9464"))
        crown = blob((x, 2.6 * size, z), (1.1 * size, 1.3 * size, 1.1 * size), (1, 1), 9, 16)
        model.add(crown, leaf, "matte", "outside")
