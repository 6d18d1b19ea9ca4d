"""Measures of a house and its tasks that relate results to each other, asked of a simulator.

Everything is asked through the Simulator contract, so that two simulators are measured alike, and
what differs is theirs.
"""

from __future__ import annotations

import itertools
import math
import random
from collections.abc import Iterable, Iterator, Sequence
from statistics import fmean
from typing import Any, NamedTuple

from shapely.geometry import Point
from shapely.geometry import Polygon as Shape
from shapely.geometry.base import BaseGeometry
from shapely.ops import nearest_points

from episodes.bodies import BODIES
from episodes.dataset import Task
from episodes.poses import Vec3, rotate, to_world
from episodes.scene import Furniture, Receptacle, Room, Template
from server.simulators.contract import Simulator

PAIRS = 60
"""Number of ways between pieces of furniture measured in a house, drawn from its name."""
HIGHEST_LOOK_M = 0.05
"""Height above a receptacle from which it is looked whether it is closed, at most (m).

Half of the receptacle's free height where that is less.
"""
_LOOKS: tuple[Vec3, ...] = ((1, 0, 0), (-1, 0, 0), (0, 1, 0), (0, 0, 1), (0, 0, -1))


class Measures(NamedTuple):
    """Measures of a house, or the mean over some; None where there is nothing to measure.

    Ways are shortest ways on the walkable area, in metres.
    """

    rooms: float
    furniture: float
    walkable_m2: float
    """Area of the largest island of the floor."""
    closed: float
    """Share of receptacles that are closed with all doors and drawers shut.

    Whichever way one looks from such a receptacle, the furniture itself is in the way.
    """
    way_m: float | None
    """Way between two pieces of furniture."""
    tasks: float
    task_way_m: float | None
    """Way from an object of a task to the furniture of its goal, the nearest of several.

    It leads from where one stands for the one to where one stands for the other.
    """
    clutter: float | None
    """Number of a task's objects that its goal does not name."""
    starts_m: float | None
    """Way between the places where the seats of a task start."""


def measure(simulator: Simulator, scene_id: str, tasks: Sequence[Task]) -> Measures:
    """Measure one house, with tasks that are played in it.

    Raises SimulatorError when the house or something of a task is not there.
    """
    simulator.reset(Task(task_id="", scene_id=scene_id), {}, 0)
    scene, catalogue = simulator.scene, simulator.catalogue
    floor = _Floor(simulator)
    rng = random.Random(f"ways of {scene_id}")
    pairs = [rng.sample(sorted(floor.furniture), 2) for _ in range(PAIRS)]
    closed = [
        _is_closed(simulator, furniture, receptacle, template)
        for furniture in scene.furniture
        for template in (catalogue.templates[furniture.template],)
        for receptacle in template.receptacles
    ]
    way_m = _mean(floor.way(floor.furniture[a], floor.furniture[b]) for a, b in pairs)
    played = [_of_task(simulator, task, floor) for task in tasks]
    return Measures(
        rooms=len(scene.rooms),
        furniture=len(scene.furniture),
        walkable_m2=floor.area_m2,
        closed=fmean(closed),
        way_m=way_m,
        tasks=len(tasks),
        task_way_m=_mean(way for task in played for way in task.ways_m),
        clutter=_mean(task.clutter for task in played),
        starts_m=_mean(way for task in played for way in task.starts_m),
    )


def mean(measures: Sequence[Measures]) -> Measures:
    """Return the mean over houses alike, however many tasks are played in each."""
    columns: list[Any] = [_mean(column) for column in zip(*measures, strict=True)]
    return Measures(*columns)


def _mean(values: Iterable[float | None]) -> float | None:
    known = [v for v in values if v is not None]
    return fmean(known) if known else None


class _Floor:
    """Places to stand in a house, and the ways between.

    One stands for a thing on the nearest floor of its own room: what is nearest of all is, for
    what stands at a wall, sometimes on the other side of it, and by a hair on which.
    """

    def __init__(self, simulator: Simulator) -> None:
        self._simulator = simulator
        self._rooms: Sequence[Room] = simulator.scene.rooms
        # The first is the largest island: nobody gets to others, as below a table.
        floor = simulator.scene.walkable[0]
        whole = Shape(floor.outer, floor.holes)
        self.area_m2 = float(whole.area)
        self._of_room: dict[str, BaseGeometry] = {}
        for room in self._rooms:
            inside = whole.intersection(Shape(room.polygon))
            self._of_room[room.room_id] = whole if inside.is_empty else inside
        self.furniture: dict[str, Vec3] = {
            f.handle: self.beside(f.pose.position, f.room_id) for f in simulator.scene.furniture
        }

    def beside(self, point: Vec3, room_id: str) -> Vec3:
        """Return where one stands for a point of a room."""
        region = self._of_room[room_id]
        near = nearest_points(region, Point(point[0], point[2]))[0]
        floor_y = next(room.floor_y for room in self._rooms if room.room_id == room_id)
        return (float(near.x), floor_y, float(near.y))

    def room_of(self, point: Vec3) -> str | None:
        room = self._simulator.scene.room_around(point)
        return None if room is None else room.room_id

    def way(self, start: Vec3, goal: Vec3) -> float | None:
        """Return the length of the shortest way between two places (m); None if there is none."""
        found = self._simulator.find_path(start, goal)
        if found is None:
            return None
        return sum(math.dist((a[0], a[2]), (b[0], b[2])) for a, b in itertools.pairwise(found))


def _is_closed(
    simulator: Simulator, furniture: Furniture, receptacle: Receptacle, template: Template
) -> bool:
    """Tell whether furniture is in the way of every look from a receptacle, up and to all sides."""
    x, y, z = receptacle.center
    y += min(receptacle.clearance / 2, HIGHEST_LOOK_M)
    length = max(high - low for low, high in zip(*template.box, strict=True))
    ways = [rotate(furniture.pose.rotation, way) for way in _LOOKS]
    # From beside the middle, which may be where two doors meet.
    for dx, dz in itertools.product((-0.5, 0.5), repeat=2):
        place = (x + dx * receptacle.half_x, y, z + dz * receptacle.half_z)
        eye = to_world(furniture.pose, place)
        for way in ways:
            hit = simulator.cast_ray(eye, way, length)
            if hit is None or hit.entity != furniture.handle:
                return False
    return True


class _Task(NamedTuple):
    ways_m: list[float]
    clutter: float
    starts_m: list[float | None]


def _of_task(simulator: Simulator, task: Task, floor: _Floor) -> _Task:
    """Measure a task, with everything where it starts."""
    seats = sorted(task.info.get("start_poses", {}))
    bodies = {seat: BODIES["robot" if seat.startswith("robot") else "human"] for seat in seats}
    simulator.reset(task, bodies, 0)
    arguments = ("object_handles", "entity_handles_a", "entity_handles_b")
    named = {n for argument in arguments for names in _named(task, argument) for n in names}
    starts = [simulator.agent(seat).position for seat in seats]
    return _Task(
        ways_m=list(_ways(simulator, task, floor)),
        clutter=sum(handle not in named for handle in simulator.objects()),
        starts_m=[floor.way(a, b) for a, b in itertools.combinations(starts, 2)],
    )


def _named(task: Task, argument: str) -> list[list[str]]:
    """Return what each proposition names under an argument; nothing where it has none."""
    return [
        [value] if isinstance(value := p.args.get(argument, []), str) else list(value)
        for p in task.evaluation_propositions
    ]


def _ways(simulator: Simulator, task: Task, floor: _Floor) -> Iterator[float]:
    """Yield the way from each thing of a goal to its furniture, the nearest of several."""
    rooms = {f.handle: f.room_id for f in simulator.scene.furniture}
    things: dict[str, Vec3] = {}
    for handle, pose in simulator.objects().items():
        furniture = task.name_to_receptacle[handle].partition("|")[0]
        room = rooms.get(furniture) or floor.room_of(pose.position)
        if room is not None:
            things[handle] = floor.beside(pose.position, room)
    objects = _named(task, "object_handles")
    receptacles = _named(task, "receptacle_handles")
    for moved, places in zip(objects, receptacles, strict=True):
        handles = {r.partition("|")[0] for r in places}
        ends = [floor.furniture[h] for h in sorted(handles) if h in floor.furniture]
        for name in moved:
            if name in things:
                lengths = [floor.way(things[name], end) for end in ends]
                yield from sorted(way for way in lengths if way is not None)[:1]
