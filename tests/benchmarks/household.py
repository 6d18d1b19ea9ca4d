"""The cost of the household simulator.

    python tests/benchmarks/household.py

A house of 350 things (the default house, every surface filled). Prints microseconds per call, the
best of several rounds, and what a session takes in memory beyond the house that it shares.
"""

from __future__ import annotations

import gc
import itertools
import random
import statistics
import sys
import time
import tracemalloc
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

sys.path.append(str(Path(__file__).parents[2]))

from episodes.bodies import BODIES
from episodes.poses import Pose, Vec3
from episodes.world import carried_pose
from server.simulators.household import HouseholdSimulator, HouseLibrary
from tests.server.simulators.full_house import full_house

SEATS = {"robot_0": BODIES["robot"], "human_0": BODIES["human"]}
SESSIONS = 200


def each(name: str, call: Callable[[Any], object], items: Sequence[Any], rounds: int = 7) -> None:
    """Print what a call takes over items: the mean of the best round, and the worst item in it."""
    best, worst = float("inf"), 0.0
    for _ in range(rounds):
        times: list[float] = []
        for item in items:
            start = time.perf_counter()
            call(item)
            times.append(time.perf_counter() - start)
        mean = statistics.fmean(times)
        if mean < best:
            best, worst = mean, max(times)
    print(f"{name:34s} {best * 1e6:9.2f} µs   worst {worst * 1e6:9.1f} µs")


def main() -> None:
    house, episode = full_house()
    library = HouseLibrary.of(house.catalogue, [house.scene])
    start = time.perf_counter()
    shared = library.house(episode.scene_id)
    print(f"house built in {(time.perf_counter() - start) * 1e3:.1f} ms")
    sim = HouseholdSimulator(library)
    each("reset", lambda _: sim.reset(episode, SEATS, 1), range(3))
    objects = list(sim.objects())
    furniture = [f.handle for f in house.scene.furniture]
    solids = [len(cell.blocks) for cell in shared.cells.values()]
    print(
        f"{len(objects)} objects, {len(furniture)} furniture, {len(sim.joints())} parts, "
        f"{len(house.scene.walls)} walls, {len(shared.walkable.edges)} edges, "
        f"{statistics.fmean(solids):.1f} solids per cell\n"
    )
    rng = random.Random(2)
    rooms = [room.room_id for room in house.scene.rooms]
    held = objects[7]
    home = sim.pose(held)

    def walk(_: object) -> None:
        sim.drive("human_0", 1.5, 0.4, 0.9, 0.0, 1 / 30)

    def against_walls(_: object) -> None:
        sim.drive("robot_0", 1.5, 0.0, 0.05, 0.0, 1 / 30)

    each("drive, in circles", walk, range(2000))
    each("drive, mostly against things", against_walls, range(2000))
    each("set_pose", lambda h: sim.set_pose(h, home), [held] * 2000)
    each("pose", sim.pose, objects)
    sim.set_pose(held, home)
    for name, call in (("above", sim.above), ("within", sim.within), ("on_floor", sim.on_floor)):
        each(name, call, objects)
    each("in_room", lambda p: sim.in_room(*p), list(itertools.product(objects, rooms[:3])))
    each("gap", lambda p: sim.gap(*p), [(a, rng.choice(objects)) for a in objects])

    def carried(handle: str) -> None:
        sim.set_pose(held, sim.pose(handle)._replace(rotation=home.rotation))
        sim.above(held)
        sim.within(held)
        sim.in_room(held, rooms[0])
        sim.on_floor(held)
        sim.gap(held, handle)

    def walked(_: object) -> None:
        agent = sim.drive("human_0", 1.5, 0.4, 0.9, 0.0, 1 / 30)
        sim.set_pose(held, carried_pose(BODIES["human"], agent))
        sim.above(held)
        sim.within(held)

    each("one object moved, all five asked", carried, [h for h in objects if h != held])
    each("carried a step, above and within", walked, range(1000))
    sim.set_pose(held, home)

    eye: Vec3 = (*sim.agent("human_0").position[:1], 1.6, sim.agent("human_0").position[2])
    each("can_see", lambda e: sim.can_see(eye, e), objects + furniture)
    near = [e for e in objects + furniture if sim.can_see(eye, e)]
    each("can_see, of what is seen", lambda e: sim.can_see(eye, e), near)

    def look(direction: Vec3) -> None:
        sim.cast_ray(eye, direction)

    directions = []
    for _ in range(300):
        x, y, z = rng.gauss(0, 1), rng.gauss(-0.3, 0.4), rng.gauss(0, 1)
        n = (x * x + y * y + z * z) ** 0.5
        directions.append((x / n, y / n, z / n))
    each("cast_ray", look, directions)

    def turn_and_see(_: object) -> None:
        sim.drive("human_0", 0.0, 0.0, 6.0, 0.0, 1 / 30)
        sim.seen("human_0")

    each("seen", turn_and_see, range(31), rounds=2)
    each("overlapping", lambda h: sim.overlapping(h, sim.pose(h)), objects)

    def lower(handle: str) -> None:
        (x, y, z), rotation = sim.pose(handle)
        sim.snap_down(handle, Pose((x, y + 0.05, z), rotation))

    each("snap_down", lower, objects)
    joints = list(sim.joints())
    each("set_joint", lambda j: sim.set_joint(j[0], j[1], 0.0), joints)

    low, high = shared.island.low, shared.island.high
    points = [(rng.uniform(low[0], high[0]), 0.0, rng.uniform(low[1], high[1])) for _ in range(200)]
    each("nearest_walkable", sim.nearest_walkable, points)
    pairs = list(itertools.pairwise(points))
    each("find_path, graph growing", lambda p: sim.find_path(*p), pairs, rounds=1)
    each("find_path", lambda p: sim.find_path(*p), pairs)

    gc.collect()
    tracemalloc.start()
    before = tracemalloc.get_traced_memory()[0]
    sessions = [HouseholdSimulator(library) for _ in range(SESSIONS)]
    for session in sessions:
        session.reset(episode, SEATS, 1)
        for handle in objects:
            session.above(handle)
            session.within(handle)
        session.seen("human_0")
    used = tracemalloc.get_traced_memory()[0] - before
    print(f"\nmemory per session, house shared   {used / SESSIONS / 1e6:.2f} MB")


if __name__ == "__main__":
    main()
