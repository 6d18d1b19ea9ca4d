"""The navigation mesh: where bodies may be, how they slide along its edge, and ways over it.

The mesh floats up to a cell above the floor; what goes out of here is on the floor.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import shapely
from shapely.geometry import MultiPolygon
from shapely.geometry import Polygon as Shape

from episodes.poses import Vec2, Vec3
from episodes.scene import Polygon
from server.simulators.contract import SimulatorError
from server.simulators.habitat import engine
from server.simulators.household.walkable import Walkable

PIECE_M = 0.025
"""Length of the pieces that long steps are cut into (m): a step slides along one edge only."""
LONGEST_STEP_M = 60.0
SNAP_M = 1.5
"""Distance within which an answer of `snap_point` is taken as it is (m); it looks 2 m around."""
LEVEL_M = 0.15
"""Distance from the floor up to which an island of the mesh counts as one of the floor (m)."""
STILL_M = 1e-6


class Navigation:
    """The mesh of a house, computed when it is loaded.

    Raises SimulatorError without a mesh: asking an empty one anything can end the process.
    """

    def __init__(self, pathfinder: Any, floor_y: float) -> None:
        if not pathfinder.is_loaded:
            raise SimulatorError(
                "there is no navigation mesh: the exported house has no floor to stand on"
            )
        self._mesh = pathfinder
        self.floor_y = floor_y
        islands = [
            (pathfinder.island_area(index), index, polygons)
            for index in range(pathfinder.num_islands)
            if (polygons := self._polygons(index))
        ]
        if not islands:
            raise SimulatorError("the navigation mesh has no island on the floor of the house")
        islands.sort(key=lambda island: (-island[0], island[1]))
        self._largest = islands[0][1]
        self.area_m2: float = float(islands[0][0])
        self.polygons: tuple[Polygon, ...] = tuple(p for _, _, ps in islands for p in ps)
        self._island = Walkable(islands[0][2])

    @classmethod
    def compute(cls, simulator: Any, settings_file: Path, floor_y: float) -> Navigation:
        """Compute the mesh of a simulator's scene with settings from a file."""
        settings = engine.habitat_sim.NavMeshSettings()
        if not settings_file.is_file():
            # habitat-sim reads a missing file as default settings, without a word.
            raise SimulatorError(f"{settings_file} is missing; export the house again")
        settings.read_from_json(str(settings_file))
        # This is not part of the file's format; without it bodies walk through furniture.
        settings.include_static_objects = True
        simulator.recompute_navmesh(simulator.pathfinder, settings)
        return cls(simulator.pathfinder, floor_y)

    def _polygons(self, island: int) -> list[Polygon]:
        """Return the outline of an island; none if it is not on the floor (a roof, a tabletop)."""
        flat = self._mesh.build_navmesh_vertices(island)
        triangles = [flat[i : i + 3] for i in range(0, len(flat), 3)]
        if not triangles or any(abs(p[1] - self.floor_y) > LEVEL_M for t in triangles for p in t):
            return []
        shapes = [Shape([(float(p[0]), float(p[2])) for p in t]) for t in triangles]
        # Corners that neighbours share agree only to single precision.
        union = shapely.unary_union(shapes, grid_size=1e-4).simplify(1e-4)
        parts = list(union.geoms) if isinstance(union, MultiPolygon) else [union]
        parts.sort(key=lambda part: -part.area)
        return [_polygon(part) for part in parts if part.area > 1e-3]

    def _on_floor(self, v: Any) -> Vec3:
        return (float(v[0]), self.floor_y, float(v[2]))

    def nearest(self, point: Vec3) -> Vec3:
        """Return the point of the largest island nearest to a point."""
        x, _, z = point
        at = engine.vector((x, self.floor_y, z))
        snapped = self._mesh.snap_point(at, self._largest)
        if math.isnan(snapped[0]) or math.dist((snapped[0], snapped[2]), (x, z)) > SNAP_M:
            x, z = self._island.nearest(x, z)
            snapped = self._mesh.snap_point(engine.vector((x, self.floor_y, z)), self._largest)
        return self._on_floor(snapped)

    def nearest_anywhere(self, point: Vec3) -> Vec3 | None:
        """Return the nearest point of any island, None beyond some two metres."""
        snapped = self._mesh.snap_point(engine.vector((point[0], self.floor_y, point[2])))
        return None if math.isnan(snapped[0]) else self._on_floor(snapped)

    def step(self, start: Vec2, by: Vec2) -> Vec2:
        """Return where a body comes that wants to move by ``by``, sliding."""
        dx, dz = by
        length = math.hypot(dx, dz)
        if length > LONGEST_STEP_M:
            dx, dz = dx * LONGEST_STEP_M / length, dz * LONGEST_STEP_M / length
            length = LONGEST_STEP_M
        pieces = max(1, math.ceil(length / PIECE_M))
        dx, dz = dx / pieces, dz / pieces
        x, z = start
        for _ in range(pieces):
            here = engine.vector((x, self.floor_y, z))
            there = engine.vector((x + dx, self.floor_y, z + dz))
            end = self._mesh.try_step(here, there)
            nx, nz = float(end[0]), float(end[2])
            if math.isnan(nx) or abs(nx - x) + abs(nz - z) < STILL_M:
                break
            x, z = nx, nz
        return (x, z)

    def path(self, start: Vec3, goal: Vec3) -> Sequence[Vec3] | None:
        """Return the shortest way; both ends are brought to the mesh first."""
        a, b = self.nearest_anywhere(start), self.nearest_anywhere(goal)
        # Beyond reach of any island, the largest is as good as another.
        a, b = a or self.nearest(start), b or self.nearest(goal)
        request = engine.habitat_sim.ShortestPath()
        request.requested_start, request.requested_end = engine.vector(a), engine.vector(b)
        if not self._mesh.find_path(request):
            return None
        points = [self._on_floor(p) for p in request.points]
        if len(points) < 2:
            return [a, b]
        return points


def _polygon(shape: Shape) -> Polygon:
    oriented = shape.normalize()

    def ring(coordinates: Any) -> tuple[Vec2, ...]:
        return tuple((round(c[0], 4) + 0.0, round(c[1], 4) + 0.0) for c in list(coordinates)[:-1])

    return Polygon(
        ring(oriented.exterior.coords), tuple(ring(h.coords) for h in oriented.interiors)
    )
