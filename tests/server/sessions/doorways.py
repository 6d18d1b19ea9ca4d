"""Doorways: bodies that want through the narrowest door of a house at once, some against others.

``PYTHONPATH=. python -m tests.server.sessions.doorways`` prints for every house how long it takes
until three, two against one, and two who meet are clear of it, and the worst of all.
"""

from __future__ import annotations

import math
import sys
from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import NamedTuple

from shapely.geometry import LineString
from shapely.geometry import Polygon as Area
from shapely.ops import unary_union

from episodes.dataset import Task
from episodes.houses import first_house
from episodes.houses.splits import HOUSES
from episodes.poses import Vec3
from episodes.scene import Scene
from episodes.seats import Seat
from episodes.world import AgentPose
from server.sessions.core import SessionCore
from server.sessions.events import Blocked
from server.sessions.intents import Drive, Intent, Look, Ready
from server.sessions.spec import TICK_RATE, SeatSpec, SessionSpec
from server.simulators.household import HouseholdSimulator, HouseLibrary
from server.skills.body import Body, Script
from server.skills.standing_places import heading
from tests.server.sessions.first_house_sessions import episode_spec, teleport

SEATS = (Seat("robot_0", "robot"), Seat("human_0", "human"), Seat("human_1", "human"))
STARTS_M = (-0.3, -0.85, 0.3)
"""Where three stand when they start: before the door, on either side of it."""
MEETING_M = (-0.9, 0.9)
"""Where two stand who walk against each other."""
CLEAR_M = 0.55
"""The distance behind the door at which a body is out of its way."""
NEAR_M = 0.08
"""The distance at which a walker who looks at nobody is at a point."""
MOST_TICKS = 20 * TICK_RATE
SPEED_MPS = 1.5


Walker = Callable[[SessionCore, str, Vec3], Script]


class Door(NamedTuple):
    """The middle of a doorway, the way through it, and how wide the walkable area is there."""

    middle: tuple[float, float]
    through: tuple[float, float]
    width_m: float


class Passage(NamedTuple):
    """Bodies' way through a door: seconds until all are clear, and the seats that pushed."""

    seconds: float
    passed: tuple[str, ...]


def narrowest_door(scene: Scene) -> Door:
    """Return the door of a house whose walkable strip is the narrowest."""
    area = unary_union([Area(p.outer, p.holes) for p in scene.walkable])
    return min((_door(o.start, o.end, area) for o in scene.openings if o.kind == "door"),
               key=lambda door: door.width_m)  # fmt: skip


def _door(start: tuple[float, float], end: tuple[float, float], area: Area) -> Door:
    strip = LineString([start, end]).intersection(area)
    way = (end[0] - start[0], end[1] - start[1])
    length = math.hypot(*way)
    x, z = strip.centroid.x, strip.centroid.y
    return Door((x, z), (way[1] / length, -way[0] / length), strip.length)


def at(door: Door, along_m: float) -> tuple[float, float]:
    """Return the point so far behind a door (before it: negative)."""
    (x, z), (nx, nz) = door.middle, door.through
    return x + nx * along_m, z + nz * along_m


def along(door: Door, position: Vec3) -> float:
    """Return how far behind a door a body is."""
    (x, z), (nx, nz) = door.middle, door.through
    return (position[0] - x) * nx + (position[2] - z) * nz


def core_in(house: int, seats: Sequence[Seat]) -> SessionCore:
    """Return a running session in a house where bodies block, whose task has no things."""
    scene, catalogue = first_house(house)
    bare = Task(task_id="1", scene_id=scene.scene_id)
    spec = SessionSpec("ses_1", tuple(SeatSpec(s, True) for s in seats), 1, profile="cohabit@2")
    household = HouseholdSimulator(HouseLibrary.of(catalogue, [scene]))
    core = SessionCore(spec, episode_spec(bare), bare, household)
    for seat in seats:
        core.submit(seat.seat_id, Ready())
    core.step()
    return core


def straight(core: SessionCore, seat: str, goal: Vec3) -> Script:
    """Walk to a point without a look at anybody."""
    while math.dist(place := core.world.agents[seat].position, goal) > NEAR_M:
        path = core.simulator.find_path(place, goal) or (place, goal)
        point = next((p for p in path if math.dist(place, p) > NEAR_M / 2), goal)
        intents: list[Intent] = [Drive(SPEED_MPS, 0.0), Look(heading(place, point), 0.0)]
        yield intents
    yield [Drive(0.0, 0.0)]


def skilled(core: SessionCore, seat: str, goal: Vec3) -> Script:
    """Walk to a point as the skills of policies do."""
    yield from Body(seat, core).walk_to(goal)


def _walkable(core: SessionCore, point: tuple[float, float]) -> Vec3:
    y = core.world.agents[SEATS[0].seat_id].position[1]
    near = core.simulator.nearest_walkable((point[0], y, point[1]))
    assert near is not None
    return near


def _goal(core: SessionCore, door: Door, forth: float, taken: list[Vec3]) -> Vec3:
    """Return a place behind a door, clear of it, and of the goals of others: the nearest."""
    (mx, mz), (nx, nz) = door.middle, door.through
    places = [
        _walkable(core, (mx + forth * far * nx + aside * nz, mz + forth * far * nz - aside * nx))
        for far in (1.0, 1.4, 1.8, 2.2)
        for aside in (0.0, -0.7, 0.7, -1.4, 1.4)
    ]
    start = _walkable(core, at(door, forth * -0.3))

    def way(place: Vec3) -> float:
        path = core.simulator.find_path(start, place) or ()
        return sum(math.dist(a, b) for a, b in pairwise(path))

    fit = [
        place
        for place in places
        if along(door, place) * forth > CLEAR_M + 2 * NEAR_M
        and all(math.dist(place, other) > CLEAR_M for other in taken)
    ]
    return min(fit, key=way)


def pass_through(
    house: int, walker: Walker = straight, starts_m: Sequence[float] = STARTS_M
) -> Passage:
    """Let bodies walk through the narrowest door of a house; fails after 20 s."""
    seats = SEATS[: len(starts_m)]
    core = core_in(house, seats)
    door = narrowest_door(core.simulator.scene)
    ways: dict[str, float] = {}
    scripts, goals = {}, list[Vec3]()
    for seat, start_m in zip(seats, starts_m, strict=True):
        forth = -math.copysign(1.0, start_m)
        start = _walkable(core, at(door, start_m))
        goals.append(_goal(core, door, forth, goals))
        teleport(core, seat.seat_id, AgentPose(start, heading(start, goals[-1]), 0.0))
        ways[seat.seat_id] = forth
        scripts[seat.seat_id] = walker(core, seat.seat_id, goals[-1])
    passed = []
    for tick in range(MOST_TICKS):
        for seat_id, script in scripts.items():
            for intent in next(script, [Drive(0.0, 0.0)]):
                core.submit(seat_id, intent)
        passed += [
            e.seat for e in core.step().events if isinstance(e, Blocked) and e.stage == "passes"
        ]
        agents = core.world.agents
        if all(along(door, agents[s].position) * forth > CLEAR_M for s, forth in ways.items()):
            return Passage((tick + 1) / TICK_RATE, tuple(passed))
    raise AssertionError(f"house {house}: not all are through after 20 s")


def _print_all(houses: range) -> None:
    kinds = (
        ("three straight", straight, STARTS_M),
        ("three skilled", skilled, STARTS_M),
        ("two straight", straight, MEETING_M),
        ("two skilled", skilled, MEETING_M),
    )
    worst = dict.fromkeys((name for name, _, _ in kinds), 0.0)
    for house in houses:
        width = narrowest_door(first_house(house).scene).width_m
        told = [f"house {house:2}: {width:.2f} m wide"]
        for name, walker, starts_m in kinds:
            seconds, passed = pass_through(house, walker, starts_m)
            worst[name] = max(worst[name], seconds)
            told.append(f"{name} {seconds:.2f} s, {len(passed)} passed through")
        print("; ".join(told), flush=True)
    print("worst:", ", ".join(f"{name} {seconds:.2f} s" for name, seconds in worst.items()))


if __name__ == "__main__":
    _print_all(range(int(sys.argv[1]) if len(sys.argv) > 1 else HOUSES))
