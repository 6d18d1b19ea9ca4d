"""Walking distances: through doors, not through walls."""

from __future__ import annotations

import heapq
import math

from episodes.names import floor_key
from episodes.poses import Vec3
from episodes.scene import Scene


class Ways:
    """The doors of a house as a graph.

    Two doors of the same room are as far apart as a straight line.
    """

    def __init__(self, scene: Scene) -> None:
        self._scene = scene
        self.doors: list[tuple[Vec3, tuple[str, ...]]] = []
        """Middle of each door, and the rooms on its sides."""
        floor = scene.rooms[0].floor_y if scene.rooms else 0.0
        for opening in scene.openings:
            if opening.kind == "door" and len(opening.rooms) == 2:
                (x1, z1), (x2, z2) = opening.start, opening.end
                self.doors.append((((x1 + x2) / 2, floor, (z1 + z2) / 2), opening.rooms))
        self._beyond: dict[int, list[float]] = {}
        self.places = {f.handle: f.pose.position for f in scene.furniture}
        """Position of each piece of furniture, room and floor, by its key."""
        self.in_room: dict[str, list[str]] = {}
        """Furniture of each room, by room id."""
        for furniture in scene.furniture:
            self.in_room.setdefault(furniture.room_id, []).append(furniture.handle)
        for room in scene.rooms:
            self.places[room.room_id] = self.places[floor_key(room.room_id)] = room.middle

    def metres(self, start: Vec3, goal: Vec3) -> float:
        """Return the length of the shortest way (m); a straight line where no door leads."""
        here, there = self._room_of(start), self._room_of(goal)
        straight = flat(start, goal)
        if here == there or not here or not there:
            return straight
        best = math.inf
        for first, (point, rooms) in enumerate(self.doors):
            if here not in rooms:
                continue
            beyond = self._from_door(first)
            for last, (other, sides) in enumerate(self.doors):
                if there in sides:
                    best = min(best, flat(start, point) + beyond[last] + flat(other, goal))
        return straight if math.isinf(best) else best

    def _room_of(self, point: Vec3) -> str:
        room = self._scene.room_around(point)
        return "" if room is None else room.room_id

    def _from_door(self, first: int) -> list[float]:
        """Return the distance from one door to every other (m), by Dijkstra's method."""
        if first in self._beyond:
            return self._beyond[first]
        found = [math.inf] * len(self.doors)
        found[first] = 0.0
        queue = [(0.0, first)]
        while queue:
            length, number = heapq.heappop(queue)
            if length > found[number]:
                continue
            point, rooms = self.doors[number]
            for other, (next_point, sides) in enumerate(self.doors):
                if not set(rooms) & set(sides):
                    continue
                longer = length + flat(point, next_point)
                if longer < found[other]:
                    found[other] = longer
                    heapq.heappush(queue, (longer, other))
        self._beyond[first] = found
        return found


def flat(a: Vec3, b: Vec3) -> float:
    """Return the distance between two points on the floor plan (m)."""
    return math.hypot(a[0] - b[0], a[2] - b[2])
