"""Brute force: the evaluator's primitives done the long way, every ray against every solid.

Rays are cast with numpy at all solids of the house, and judged by `episodes.evaluation.geometry`.
Nothing is shared with the fast way except where solids are; even their corners come from
`to_world`.
"""

from __future__ import annotations

import math

import numpy as np
import numpy.typing as npt

from episodes.evaluation import geometry
from episodes.poses import Box, Pose, Vec3, compose, rotate
from episodes.scene import part_pose
from server.simulators.contract import Simulator

Array = npt.NDArray[np.float64]
SHRINK_M = 1e-3
UNITS: tuple[Vec3, ...] = ((1, 0, 0), (0, 1, 0), (0, 0, 1))
DIRECTIONS: dict[str, Vec3] = {
    "+x": (1, 0, 0),
    "-x": (-1, 0, 0),
    "+y": (0, 1, 0),
    "-y": (0, -1, 0),
    "+z": (0, 0, 1),
    "-z": (0, 0, -1),
}


class Solids:
    """All solids of objects and furniture as a simulator has them now."""

    def __init__(self, sim: Simulator) -> None:
        self.sim = sim
        self.owners: list[tuple[str, int | None]] = []
        boxes: list[tuple[Pose, Box]] = []
        joints = sim.joints()
        for handle, pose in sim.objects().items():
            for solid in sim.catalogue.of_handle(handle).solids:
                self.owners.append((handle, None))
                boxes.append((pose, solid.box))
        for furniture in sim.scene.furniture:
            template = sim.catalogue.templates[furniture.template]
            for solid in template.solids:
                pose = furniture.pose
                if solid.part is not None:
                    part = next(p for p in template.parts if p.index == solid.part)
                    value = joints[furniture.handle, part.index]
                    pose = compose(pose, part_pose(part, value))
                self.owners.append((furniture.handle, solid.part))
                boxes.append((pose, solid.box))
        self.axes: Array = np.array([[rotate(p.rotation, e) for e in UNITS] for p, _ in boxes])
        self.half: Array = np.array([b.half_size for _, b in boxes])
        offset: Array = np.array([b.center for _, b in boxes])
        self.center: Array = np.array([p.position for p, _ in boxes]) + np.einsum(
            "ni,nij->nj", offset, self.axes
        )

    def hits(
        self, origin: Vec3, way: Vec3, length: float, shrink: float
    ) -> list[tuple[int, float]]:
        """Return the solids that a ray enters, and where."""
        half = self.half - np.minimum(shrink, self.half / 2)
        o = np.einsum("nij,nj->ni", self.axes, np.array(origin) - self.center)
        d = np.einsum("nij,j->ni", self.axes, np.array(way, dtype=float))
        parallel = np.abs(d) < 1e-12
        safe = np.where(parallel, 1.0, d)
        a, b = (-half - o) / safe, (half - o) / safe
        low, high = np.minimum(a, b), np.maximum(a, b)
        beside = parallel & (np.abs(o) > half)
        low = np.where(parallel, np.where(beside, np.inf, -np.inf), low).max(axis=1)
        high = np.where(parallel, np.where(beside, -np.inf, np.inf), high).min(axis=1)
        entered = np.nonzero((low <= high) & (low >= 0) & (low <= length))[0]
        return [(int(i), float(low[i])) for i in entered]

    def first(self, origin: Vec3, way: Vec3, length: float) -> tuple[str, int | None, float] | None:
        found = self.hits(origin, way, length, 0.0)
        if not found:
            return None
        i, t = min(found, key=lambda f: f[1])
        return (*self.owners[i], t)

    def above(self, entity: str) -> frozenset[str]:
        points = geometry.keypoints(self.sim.box(entity), self.sim.pose(entity))
        hits = [
            {self.owners[i][0] for i, _ in self.hits(p, (0, -1, 0), 100.0, SHRINK_M)}
            for p in points
        ]
        return geometry.entities_below(entity, hits)

    def within(self, entity: str) -> frozenset[str]:
        points = geometry.keypoints(self.sim.box(entity), self.sim.pose(entity))
        hits = {
            name: {
                axis: {
                    self.owners[i]
                    for i, _ in self.hits(point, way, geometry.WITHIN_RAY_LENGTH_M, SHRINK_M)
                }
                for axis, way in DIRECTIONS.items()
            }
            for name, point in zip(geometry.KEYPOINT_NAMES, points, strict=True)
        }
        found = geometry.entities_around((entity, None), hits)
        return frozenset(name for name, _ in found) - {entity}

    def gap(self, a: str, b: str) -> float:
        sim = self.sim
        return geometry.gap(sim.box(a), sim.pose(a), sim.box(b), sim.pose(b))

    def on_floor(self, entity: str) -> bool:
        box, pose = self.sim.box(entity), self.sim.pose(entity)
        centre = geometry.keypoints(box, pose)[0]
        nearest = self.sim.nearest_walkable(centre)
        assert nearest is not None
        return geometry.is_on_floor(box, pose, nearest)

    def overlaps(self, handle: str, pose: Pose, tolerance: float) -> set[str]:
        """Return entities with a solid that shares a sampled point with the object's.

        Points are taken in the object's solids shrunk by ``tolerance``: what this finds
        overlaps for certain; what it misses may overlap in a sliver.
        """
        template = self.sim.catalogue.of_handle(handle)
        grid = np.linspace(-1.0, 1.0, 9)
        unit = np.array(np.meshgrid(grid, grid, grid)).reshape(3, -1).T
        found: set[str] = set()
        for solid in template.solids:
            inner = np.maximum(np.array(solid.box.half_size) - tolerance, 0.0)
            if (inner == 0.0).any():
                continue
            local = np.array(solid.box.center) + unit * inner
            turned = np.array([rotate(pose.rotation, e) for e in UNITS])
            points = local @ turned + np.array(pose.position)
            near = np.nonzero(
                np.linalg.norm(self.center - points.mean(axis=0), axis=1)
                <= np.linalg.norm(self.half, axis=1) + math.hypot(*solid.box.half_size)
            )[0]
            for i in near:
                owner = self.owners[int(i)][0]
                if owner == handle or owner in found:
                    continue
                o = (points - self.center[i]) @ self.axes[i].T
                if (np.abs(o) <= self.half[i] - tolerance).all(axis=1).any():
                    found.add(owner)
        return found
