"""A flat written by hand: a kitchen and a bedroom with a door between, and a closed closet.

All numbers are chosen so that sums can be done in the head. Kitchen x 0..4, z 0..4; bedroom x
4.1..8, z 0..4, the door at z 1.6..2.4; closet x 0..4, z 4.1..6, no door. Along the kitchen's wall z
= 0 stand a cabinet (door part 0, drawer part 1) and a sink, in its middle a table; a bench is in
the bedroom.
"""

from __future__ import annotations

import math
from collections.abc import Callable

from episodes.dataset import Task
from episodes.poses import Box, Pose, Vec3, yaw_quat
from episodes.scene import (
    Catalogue,
    Furniture,
    Opening,
    Part,
    Polygon,
    Receptacle,
    Room,
    Scene,
    Solid,
    Template,
)
from server.simulators.contract import Simulator
from server.simulators.contract_suite.backend import Backend, Spot

CABINET, TABLE, SINK, BENCH = "cabinet_1_:0000", "table_1_:0000", "sink_1_:0000", "bench_1_:0000"
DOOR, DRAWER = 0, 1
CUP, BOOK, BASKET, CUP_2 = "cup_1_:0000", "book_1_:0000", "basket_1_:0000", "cup_1_:0001"


def _box(x0: float, y0: float, z0: float, x1: float, y1: float, z1: float) -> Box:
    return Box((x0, y0, z0), (x1, y1, z1))


def _hollow(x: float, height: float, z: float, wall: float) -> tuple[Solid, ...]:
    """Return an open container: a bottom and four walls; half extents outside."""
    return (
        Solid(_box(-x, 0, -z, x, wall, z)),
        Solid(_box(-x, wall, -z, -x + wall, height, z)),
        Solid(_box(x - wall, wall, -z, x, height, z)),
        Solid(_box(-x + wall, wall, -z, x - wall, height, -z + wall)),
        Solid(_box(-x + wall, wall, z - wall, x - wall, height, z)),
    )


def _template(name: str, box: Box, solids: tuple[Solid, ...], **more: object) -> Template:
    class_name = name.rpartition("_")[0]
    return Template(name, class_name, "object", box, solids, **more)  # type: ignore[arg-type]


def _furniture(name: str, box: Box, solids: tuple[Solid, ...], **more: object) -> Template:
    class_name = name.rpartition("_")[0]
    return Template(name, class_name, "furniture", box, solids, **more)  # type: ignore[arg-type]


TEMPLATES = (
    _template(
        "cup_1",
        _box(-0.04, 0, -0.04, 0.04, 0.1, 0.04),
        _hollow(0.04, 0.1, 0.04, 0.01),
        affords=("is_clean", "is_filled"),
    ),
    _template(
        "book_1",
        _box(-0.1, 0, -0.075, 0.1, 0.03, 0.075),
        (Solid(_box(-0.1, 0, -0.075, 0.1, 0.03, 0.075)),),
    ),
    _template("basket_1", _box(-0.2, 0, -0.15, 0.2, 0.25, 0.15), _hollow(0.2, 0.25, 0.15, 0.02)),
    _furniture(
        "table_1",
        _box(-0.6, 0, -0.4, 0.6, 0.75, 0.4),
        (
            Solid(_box(-0.6, 0.71, -0.4, 0.6, 0.75, 0.4)),
            *(
                Solid(_box(x - 0.03, 0, z - 0.03, x + 0.03, 0.71, z + 0.03))
                for x in (-0.55, 0.55)
                for z in (-0.35, 0.35)
            ),
        ),
        receptacles=(Receptacle("top", "on", (0.0, 0.75, 0.0), 0.58, 0.38, 1.2),),
    ),
    _furniture(
        "cabinet_1",
        _box(-0.5, 0, -0.25, 0.5, 0.9, 0.25),
        (
            Solid(_box(-0.5, 0, -0.23, -0.48, 0.9, 0.25)),
            Solid(_box(0.48, 0, -0.23, 0.5, 0.9, 0.25)),
            Solid(_box(-0.48, 0, -0.23, 0.48, 0.02, 0.25)),
            Solid(_box(-0.48, 0.88, -0.23, 0.48, 0.9, 0.25)),
            Solid(_box(-0.48, 0.02, 0.23, 0.48, 0.88, 0.25)),
            Solid(_box(-0.48, 0.3, -0.23, 0.48, 0.32, 0.23)),
            Solid(_box(-0.498, 0.312, -0.25, 0.498, 0.898, -0.23), DOOR),
            Solid(_box(-0.498, 0.002, -0.25, 0.498, 0.308, -0.23), DRAWER),
            Solid(_box(-0.46, 0.03, -0.23, 0.46, 0.04, 0.21), DRAWER),
            Solid(_box(-0.46, 0.04, -0.23, -0.45, 0.2, 0.21), DRAWER),
            Solid(_box(0.45, 0.04, -0.23, 0.46, 0.2, 0.21), DRAWER),
            Solid(_box(-0.45, 0.04, 0.2, 0.45, 0.2, 0.21), DRAWER),
        ),
        parts=(
            # Turning +X towards -Z is a positive turn about +Y: the door swings to the front.
            Part(DOOR, "door", "hinge", (-0.5, 0.31, -0.25), (0.0, 1.0, 0.0), math.pi / 2),
            Part(DRAWER, "drawer", "slide", (0.0, 0.0, 0.0), (0.0, 0.0, -1.0), 0.35),
        ),
        receptacles=(
            Receptacle("top", "on", (0.0, 0.9, 0.0), 0.48, 0.23, 1.2),
            Receptacle("inside", "within", (0.0, 0.32, 0.0), 0.46, 0.2, 0.55, DOOR),
            Receptacle("drawer", "within", (0.0, 0.04, -0.01), 0.44, 0.2, 0.25, DRAWER, True),
        ),
    ),
    _furniture(
        "sink_1",
        _box(-0.5, 0, -0.25, 0.5, 1.1, 0.25),
        (
            Solid(_box(-0.5, 0, -0.25, 0.5, 0.7, 0.25)),
            Solid(_box(-0.5, 0.7, -0.25, -0.2, 0.9, 0.25)),
            Solid(_box(0.2, 0.7, -0.25, 0.5, 0.9, 0.25)),
            Solid(_box(-0.2, 0.7, -0.25, 0.2, 0.9, -0.2)),
            Solid(_box(-0.2, 0.7, 0.15, 0.2, 0.9, 0.25)),
            Solid(_box(-0.02, 0.9, 0.16, 0.02, 1.1, 0.2)),
            Solid(_box(-0.02, 1.06, 0.0, 0.02, 1.1, 0.16)),
        ),
        receptacles=(
            Receptacle("basin", "within", (0.0, 0.7, -0.025), 0.18, 0.15, 0.3),
            Receptacle("left", "on", (-0.35, 0.9, 0.0), 0.14, 0.23, 1.0),
        ),
        faucet=(0.0, 1.06, 0.02),
        affords=("is_powered_on",),
    ),
    _furniture(
        "bench_1",
        _box(-0.5, 0, -0.2, 0.5, 0.45, 0.2),
        (Solid(_box(-0.5, 0.4, -0.2, 0.5, 0.45, 0.2)), Solid(_box(-0.4, 0, -0.15, 0.4, 0.4, 0.15))),
        receptacles=(Receptacle("seat", "on", (0.0, 0.45, 0.0), 0.48, 0.18, 1.2),),
    ),
)

CATALOGUE = Catalogue({t.name: t for t in TEMPLATES}, "two rooms")


def _stands(handle: str, room: str, x: float, z: float, yaw: float) -> Furniture:
    pose = Pose((x, 0.0, z), yaw_quat(yaw))
    return Furniture(handle, handle.partition("_:")[0], room, pose)


def _room(room_id: str, x0: float, z0: float, x1: float, z1: float) -> Room:
    # Corners run counter-clockwise seen from above, where z points down the page.
    ring = ((x0, z1), (x1, z1), (x1, z0), (x0, z0))
    return Room(room_id, room_id.partition(".")[0], ring, 0.0, 2.6)


SCENE = Scene(
    scene_id="two_rooms",
    seed=0,
    format=1,
    rooms=(
        _room("kitchen.000", 0.0, 0.0, 4.0, 4.0),
        _room("bedroom.000", 4.1, 0.0, 8.0, 4.0),
        _room("closet.000", 0.0, 4.1, 4.0, 6.0),
    ),
    openings=(
        Opening("door", ("kitchen.000", "bedroom.000"), (4.05, 1.6), (4.05, 2.4), 0.0, 2.1),
    ),
    furniture=(
        _stands(CABINET, "kitchen.000", 1.0, 0.25, math.pi),
        _stands(SINK, "kitchen.000", 2.5, 0.25, math.pi),
        _stands(TABLE, "kitchen.000", 2.0, 2.3, 0.0),
        _stands(BENCH, "bedroom.000", 7.0, 3.8, 0.0),
    ),
    walkable=(
        # The area is the kitchen in front of the cabinets, the door and the bedroom; the table is a
        # hole, the bench with the wall behind it a bay.
        Polygon(
            outer=(
                (0.25, 0.75), (3.75, 0.75), (3.75, 1.85), (4.35, 1.85), (4.35, 0.25),
                (7.75, 0.25), (7.75, 3.35), (6.25, 3.35), (6.25, 3.75), (4.35, 3.75),
                (4.35, 2.15), (3.75, 2.15), (3.75, 3.75), (0.25, 3.75),
            ),
            holes=(((1.15, 1.65), (1.15, 2.95), (2.85, 2.95), (2.85, 1.65)),),
        ),
        Polygon(outer=((0.25, 4.35), (3.75, 4.35), (3.75, 5.75), (0.25, 5.75))),
    ),
    stage_asset="",
    walls=tuple(
        Solid(box)
        for box in (
            _box(-0.1, 0, -0.1, 8.1, 2.6, 0.0),
            _box(-0.1, 0, 0.0, 0.0, 2.6, 6.1),
            _box(8.0, 0, 0.0, 8.1, 2.6, 4.1),
            _box(4.0, 0, 0.0, 4.1, 2.6, 1.6),
            _box(4.0, 0, 2.4, 4.1, 2.6, 6.1),
            _box(4.0, 2.1, 1.6, 4.1, 2.6, 2.4),
            _box(0.0, 0, 4.0, 4.0, 2.6, 4.1),
            _box(4.1, 0, 4.0, 8.0, 2.6, 4.1),
            _box(0.0, 0, 6.0, 4.0, 2.6, 6.1),
        )
    ),
    digest="two rooms",
)  # fmt: skip


def at(position: Vec3, yaw: float = 0.0) -> Pose:
    """Return an upright pose."""
    return Pose(position, yaw_quat(yaw))


def matrix_at(position: Vec3, yaw: float = 0.0) -> list[list[float]]:
    """Return an upright pose as PARTNR's files have it."""
    c, s = math.cos(yaw), math.sin(yaw)
    x, y, z = position
    return [[c, 0, s, x], [0, 1, 0, y], [-s, 0, c, z], [0, 0, 0, 1]]


STARTS: dict[str, tuple[Vec3, float, str]] = {
    CUP: ((2.0, 0.75, 2.3), 0.3, f"{TABLE}|top"),
    BOOK: ((2.3, 0.75, 2.4), 0.0, f"{TABLE}|top"),
    BASKET: ((7.0, 0.0, 1.0), 0.0, "floor"),
    CUP_2: ((0.8, 0.32, 0.25), 0.0, f"{CABINET}|inside"),
}

TASK = Task(
    task_id="1",
    scene_id=SCENE.scene_id,
    rigid_objs=[
        (f"objects/{h.partition('_:')[0]}.object_config.json", matrix_at(p, yaw))
        for h, (p, yaw, _) in STARTS.items()
    ],
    name_to_receptacle={h: receptacle for h, (_, _, receptacle) in STARTS.items()},
)


def backend(make: Callable[[], Simulator]) -> Backend:
    """Return the flat as a backend, for simulators that ``make`` returns.

    They must know `CATALOGUE` and `SCENE`; the suite resets them to `TASK`.
    """
    return Backend(
        name="two rooms",
        make=make,
        task=TASK,
        small=CUP,
        other=BOOK,
        table=Spot(TABLE, "top"),
        cupboard=Spot(CABINET, "inside"),
        drawer=Spot(CABINET, "drawer"),
        rooms=(("kitchen.000", (0.7, 1.2)), ("bedroom.000", (6.0, 2.0))),
        apart=(2.0, 5.0),
    )
