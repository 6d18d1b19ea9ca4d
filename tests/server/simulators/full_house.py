"""Full house: hundreds of objects lying about, for properties and benchmarks.

A task of the data set has some twenty objects; this fills every surface.
"""

from __future__ import annotations

import math
import random
from functools import cache

from episodes.dataset import Task
from episodes.houses import FirstHouse, first_house
from episodes.poses import IDENTITY, Pose, Vec2, to_world, yaw_quat
from server.simulators.contract_suite.backend import Backend, Spot
from server.simulators.household import HouseholdSimulator, HouseLibrary
from server.simulators.household.house import RoomVolume


def matrix_of(pose: Pose) -> list[list[float]]:
    """Return a pose as the row-major matrix of PARTNR's files."""
    x, y, z, w = pose.rotation
    px, py, pz = pose.position
    return [
        [1 - 2 * (y * y + z * z), 2 * (x * y - z * w), 2 * (x * z + y * w), px],
        [2 * (x * y + z * w), 1 - 2 * (x * x + z * z), 2 * (y * z - x * w), py],
        [2 * (x * z - y * w), 2 * (y * z + x * w), 1 - 2 * (x * x + y * y), pz],
        [0.0, 0.0, 0.0, 1.0],
    ]


def fill(house: FirstHouse, count: int, seed: int = 0) -> Task:
    """Return a task with ``count`` objects on and in a house's furniture, none overlapping."""
    scene, catalogue = house
    rng = random.Random(f"full house {seed}")
    names = sorted(t.name for t in catalogue.templates.values() if t.kind == "object")
    surfaces = [
        (furniture, receptacle)
        for furniture in scene.furniture
        for receptacle in catalogue.templates[furniture.template].receptacles
    ]
    handles = [f"{names[i % len(names)]}_:{i:04d}" for i in range(count)]
    files = [f"{handle.partition('_:')[0]}.object_config.json" for handle in handles]
    # All objects begin below the house; each that finds a place comes up.
    away = [Pose((0.0, -50.0 - i, 0.0), IDENTITY) for i in range(count)]

    def task(poses: list[Pose], receptacles: list[str]) -> Task:
        return Task(
            task_id="full",
            scene_id=scene.scene_id,
            rigid_objs=[(f, matrix_of(p)) for f, p in zip(files, poses, strict=True)],
            name_to_receptacle=dict(zip(handles, receptacles, strict=True)),
        )

    simulator = HouseholdSimulator(HouseLibrary.of(catalogue, [scene]))
    simulator.reset(task(away, ["floor"] * count), {}, 0)
    placed: dict[str, str] = {}
    for handle in handles:
        for _ in range(60):
            furniture, receptacle = rng.choice(surfaces)
            x, y, z = receptacle.center
            local = (
                x + rng.uniform(-0.9, 0.9) * receptacle.half_x,
                y + 0.02,
                z + rng.uniform(-0.9, 0.9) * receptacle.half_z,
            )
            pose = Pose(to_world(furniture.pose, local), yaw_quat(rng.uniform(-math.pi, math.pi)))
            landing = simulator.snap_down(handle, pose)
            if landing is not None and not simulator.overlapping(handle, landing.pose):
                simulator.set_pose(handle, landing.pose)
                placed[handle] = f"{furniture.handle}|{receptacle.name}"
                break
    handles = [h for h in handles if h in placed]
    files = [f"{handle.partition('_:')[0]}.object_config.json" for handle in handles]
    return task([simulator.pose(h) for h in handles], [placed[h] for h in handles])


@cache
def full_house(count: int = 300) -> tuple[FirstHouse, Task]:
    """Return the default house and a task that fills it."""
    house = first_house()
    return house, fill(house, count)


@cache
def landmarks() -> Backend:
    """Return the default house for the contract suite, with two objects to move."""
    house = first_house()
    scene, catalogue = house
    library = HouseLibrary.of(catalogue, [scene])
    task = Task(
        task_id="contract",
        scene_id=scene.scene_id,
        rigid_objs=[
            ("cup_1.object_config.json", matrix_of(Pose((0.0, 20.0, 0.0), IDENTITY))),
            ("book_1.object_config.json", matrix_of(Pose((0.0, 21.0, 0.0), IDENTITY))),
        ],
        name_to_receptacle={"cup_1_:0000": "floor", "book_1_:0000": "floor"},
    )
    spots: dict[str, Spot] = {}
    for furniture in scene.furniture:
        template = catalogue.templates[furniture.template]
        joints = {part.index: part.joint for part in template.parts}
        for receptacle in template.receptacles:
            spot = Spot(furniture.handle, receptacle.name)
            joint = joints.get(receptacle.part) if receptacle.part is not None else None
            if template.class_name == "table" and receptacle.kind == "on":
                spots.setdefault("table", spot)
            elif list(joints.values()) == ["hinge"] and receptacle.part is not None:
                # A cupboard with two doors would leave a gap in the middle.
                spots.setdefault("cupboard", spot)
            elif joint == "slide" and receptacle.moves:
                spots.setdefault("drawer", spot)
    rooms: list[tuple[str, Vec2]] = []
    walkable = library.house(scene.scene_id).island
    rng = random.Random(0)
    for room in scene.rooms:
        volume = library.house(scene.scene_id).rooms[room.room_id]
        for _ in range(400):
            x, z = rng.uniform(volume.low[0], volume.high[0]), rng.uniform(*_z(volume))
            ring = [(x + 0.6 * dx, z + 0.6 * dz) for dx in (-1, 0, 1) for dz in (-1, 0, 1)]
            if all(walkable.contains(*p) and volume.contains((p[0], 1.0, p[1])) for p in ring):
                rooms.append((room.room_id, (x, z)))
                break
    return Backend(
        name="default house",
        make=lambda: HouseholdSimulator(library),
        task=task,
        small="cup_1_:0000",
        other="book_1_:0000",
        table=spots["table"],
        cupboard=spots["cupboard"],
        drawer=spots["drawer"],
        rooms=(rooms[0], rooms[1]),
    )


def _z(volume: RoomVolume) -> tuple[float, float]:
    return volume.low[1], volume.high[1]
