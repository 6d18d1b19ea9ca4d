"""Starts of bodies: in rooms of their own, looking at the middle of them."""

from __future__ import annotations

import math
import random
from collections.abc import Mapping, Sequence

from shapely import prepare
from shapely.geometry import Point
from shapely.geometry import Polygon as Shape
from shapely.geometry.base import BaseGeometry

from episodes.houses.walkable_area import as_shape
from episodes.poses import Vec2, Vec3
from episodes.scene import Scene
from episodes.seats import PAIR

OVERVIEW_M = 2.5
"""Distance of a start from the middle of its room, where the room is large enough (m)."""
APART_M = 1.5
"""Least distance between the starts of bodies (m)."""
CLOSEST_M = 0.6
"""Distance below which two bodies count as started in each other (m)."""
BESIDE_M = 0.2
"""Distance from a room's floor up to which a body counts as in that room (m)."""
SMALLEST_FLOOR_M2 = 0.5
TRIES = 2000

Floors = Mapping[str, tuple[BaseGeometry, Point]]
"""Rooms by id, each with where a body may stand and the middle of the room."""


class NoStartError(Exception):
    """A room has no place to start in."""


def floors_of(scene: Scene) -> Floors:
    """Return the rooms that a body can start in: their part of the largest island."""
    island = as_shape(scene.walkable[0])
    floors = {}
    for room in scene.rooms:
        shape = Shape(room.polygon)
        floor = island.intersection(shape).buffer(-0.1)
        if floor.area >= SMALLEST_FLOOR_M2:
            prepare(floor)
            floors[room.room_id] = (floor, shape.centroid)
    return floors


def start_poses(floors: Floors, rooms: Sequence[str], rng: random.Random) -> dict[str, list[float]]:
    """Draw a pose [x, y, z, yaw] for each seat of a pair, in the rooms given (person, robot).

    Each faces the middle of its room from a little way off: what a player sees first is a room,
    not the wall in front of them. Raises NoStartError.
    """
    poses: dict[str, list[float]] = {}
    taken: list[Point] = []
    for seat, room in zip(reversed(PAIR), rooms, strict=True):
        point = _place(floors[room], taken, APART_M, rng)
        if point is None:
            raise NoStartError(f"no place to start in {room}")
        taken.append(point)
        poses[seat.seat_id] = _pose(point, floors[room][1])
    return poses


def further_start(floors: Floors, taken: Sequence[Vec2], rng: random.Random) -> list[float]:
    """Draw a pose [x, y, z, yaw] for one more body, apart from those that have a place (x, z).

    It gets a room of its own while there is one, and less distance from the others only where
    no room has more. Raises NoStartError.
    """
    others = [Point(place) for place in taken]
    rooms = rng.sample(sorted(floors), len(floors))
    # Rooms in which nobody is come first; sorting keeps the order drawn otherwise.
    rooms.sort(key=lambda r: any(floors[r][0].distance(p) <= BESIDE_M for p in others))
    for apart in (APART_M, (APART_M + CLOSEST_M) / 2, CLOSEST_M):
        for room in rooms:
            point = _place(floors[room], others, apart, rng)
            if point is not None:
                return _pose(point, floors[room][1])
    raise NoStartError(
        f"no room has a place for one more body, {CLOSEST_M} m from each of {len(taken)} others"
    )


def _place(
    room: tuple[BaseGeometry, Point], taken: Sequence[Point], apart: float, rng: random.Random
) -> Point | None:
    floor, middle = room
    x0, z0, x1, z1 = floor.bounds
    for attempt in range(TRIES):
        point = Point(rng.uniform(x0, x1), rng.uniform(z0, z1))
        # Small rooms have no place that far from their middle: ask for less and less.
        if (
            floor.covers(point)
            and point.distance(middle) > OVERVIEW_M * (1 - attempt / TRIES)
            and all(point.distance(t) > apart for t in taken)
        ):
            return point
    return None


def _pose(point: Point, middle: Point) -> list[float]:
    yaw = facing((point.x, 0.0, point.y), (middle.x, middle.y))
    return [round(point.x, 3), 0.0, round(point.y, 3), yaw]


def facing(start: Vec3, target: tuple[float, float]) -> float:
    """Return the yaw that looks from a point towards a point (x, z) of the floor plan."""
    yaw = math.atan2(start[0] - target[0], start[2] - target[1])
    return round(yaw, 4)
