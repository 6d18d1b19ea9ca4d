"""Shortest ways over a walkable area: A* on a visibility graph that grows as it is asked.

The nodes are the reflex corners of the area, drawn 1 mm into it so that a way never touches an
edge. A taut string only bends there, and only along lines that are tangent to both corners, which
leaves few lines to test. What has been found is kept with the house, for all its sessions.
"""

from __future__ import annotations

import heapq
import math
from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from episodes.poses import Vec2
from server.simulators.household.walkable import Walkable

CORNER_M = 1e-3
"""Distance from a corner at which a way bends around it (m)."""
TANGENT_SLACK = 0.05
"""Sine of the angle by which a line may cut a corner and still be tried as a tangent."""

Array = npt.NDArray[np.float64]


class Island:
    """A connected part of the walkable area, and the ways found on it so far."""

    def __init__(self, area: Walkable) -> None:
        self.area = area
        nodes: list[Vec2] = []
        before: list[Vec2] = []
        after: list[Vec2] = []
        for ring in area.rings:
            for i, (x, z) in enumerate(ring):
                (px, pz), (qx, qz) = ring[i - 1], ring[(i + 1) % len(ring)]
                ax, az = _unit(x - px, z - pz)
                bx, bz = _unit(qx - x, qz - z)
                if ax * bz - az * bx >= -1e-9:
                    continue
                node = self._drawn_in(x, z, ax, az, bx, bz)
                if node is None:
                    continue
                nodes.append(node)
                before.append((-ax, -az))
                after.append((bx, bz))
        self.nodes = nodes
        self._at: Array = np.array(nodes, dtype=np.float64).reshape(-1, 2)
        self._before: Array = np.array(before, dtype=np.float64).reshape(-1, 2)
        self._after: Array = np.array(after, dtype=np.float64).reshape(-1, 2)
        self._ways: dict[int, list[tuple[int, float]]] = {}

    def _drawn_in(
        self, x: float, z: float, ax: float, az: float, bx: float, bz: float
    ) -> Vec2 | None:
        """Draw a corner into the area along the middle of its normals."""
        mx, mz = _unit(-az - bz, ax + bx)
        for distance in (CORNER_M, CORNER_M / 4):
            point = (x + mx * distance, z + mz * distance)
            if self.area.contains(*point):
                return point
        return None

    def _tangents(self, at: Vec2) -> list[int]:
        """Return the corners where a taut string from a point may bend, nearest first."""
        if not self.nodes:
            return []
        dx, dz = self._at[:, 0] - at[0], self._at[:, 1] - at[1]
        length = np.hypot(dx, dz)
        length[length < 1e-12] = 1e-12
        dx, dz = dx / length, dz / length
        b = dx * self._before[:, 1] - dz * self._before[:, 0]
        a = dx * self._after[:, 1] - dz * self._after[:, 0]
        slack = TANGENT_SLACK
        tangent = ((a >= -slack) & (b >= -slack)) | ((a <= slack) & (b <= slack))
        found = np.nonzero(tangent & (length > 1e-9))[0]
        order = found[np.argsort(length[found], kind="stable")]
        return [int(i) for i in order]

    def _seen_from(self, at: Vec2) -> list[tuple[int, float]]:
        clear, nodes = self.area.clear, self.nodes
        return [(i, math.dist(at, nodes[i])) for i in self._tangents(at) if clear(at, nodes[i])]

    def _from_node(self, i: int) -> list[tuple[int, float]]:
        ways = self._ways.get(i)
        if ways is None:
            at = self.nodes[i]
            (bx, bz), (ax, az) = self._before[i], self._after[i]
            slack = TANGENT_SLACK
            ways = []
            for j in self._tangents(at):
                dx, dz = _unit(self.nodes[j][0] - at[0], self.nodes[j][1] - at[1])
                b, a = dx * bz - dz * bx, dx * az - dz * ax
                if not ((a >= -slack and b >= -slack) or (a <= slack and b <= slack)):
                    continue
                if self.area.clear(at, self.nodes[j]):
                    ways.append((j, math.dist(at, self.nodes[j])))
            self._ways[i] = ways
        return ways

    def find(self, start: Vec2, goal: Vec2) -> list[Vec2] | None:
        """Return the shortest way between two points of the island."""
        if self.area.clear(start, goal):
            return [start, goal]
        ends = dict(self._seen_from(goal))
        best: dict[int, float] = {}
        came: dict[int, int] = {}
        queue: list[tuple[float, float, int]] = []
        nodes = self.nodes
        for i, d in self._seen_from(start):
            best[i] = d
            heapq.heappush(queue, (d + math.dist(nodes[i], goal), d, i))
        done: set[int] = set()
        last, total = -1, math.inf
        while queue:
            estimate, d, i = heapq.heappop(queue)
            if estimate >= total:
                break
            if i in done:
                continue
            done.add(i)
            end = ends.get(i)
            if end is not None and d + end < total:
                last, total = i, d + end
            for j, step in self._from_node(i):
                there = d + step
                if there < best.get(j, math.inf) and j not in done:
                    best[j] = there
                    came[j] = i
                    heapq.heappush(queue, (there + math.dist(nodes[j], goal), there, j))
        if last < 0:
            return None
        way = [goal, nodes[last]]
        while last in came:
            last = came[last]
            way.append(nodes[last])
        way.append(start)
        way.reverse()
        return way


class Paths:
    """Ways over all islands of a house."""

    def __init__(self, islands: Sequence[Walkable]) -> None:
        self._islands = [Island(area) for area in islands]

    def nearest(self, x: float, z: float) -> tuple[int, Vec2] | None:
        """Return the nearest point on any island and the island's index; None if there is none."""
        best: tuple[int, Vec2] | None = None
        for k, island in enumerate(self._islands):
            point = island.area.nearest(x, z)
            if best is None or math.dist(point, (x, z)) < math.dist(best[1], (x, z)):
                best = (k, point)
        return best

    def find(self, start: Vec2, goal: Vec2) -> list[Vec2] | None:
        """Return the shortest way, both ends brought to the nearest walkable point first."""
        a, b = self.nearest(*start), self.nearest(*goal)
        if a is None or b is None or a[0] != b[0]:
            return None
        return self._islands[a[0]].find(a[1], b[1])


def _unit(x: float, z: float) -> Vec2:
    length = math.hypot(x, z)
    return (x / length, z / length) if length > 0.0 else (0.0, 0.0)
