"""Receptacles where they are now, and what an object rests on."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import NamedTuple

from episodes.poses import Pose, Vec3, compose, to_local, to_world
from episodes.rules import OPEN_ENOUGH
from episodes.scene import (
    Catalogue,
    Furniture,
    Part,
    Receptacle,
    Scene,
    Template,
    part_pose,
    receptacle_id,
)

NEAR_M = 0.25
"""The height above or below a receptacle within which an object rests on it, as PARTNR's."""
EDGE_M = 0.02
"""Distance beyond a receptacle's edge at which an object's middle still counts as on it (m)."""

Joints = Mapping[tuple[str, int], float]


class Surface(NamedTuple):
    """A receptacle of a piece of furniture of the scene."""

    furniture: Furniture
    template: Template
    receptacle: Receptacle
    part: Part | None

    @property
    def unique_name(self) -> str:
        return receptacle_id(self.furniture.handle, self.receptacle.name)

    def frame(self, joints: Joints) -> Pose:
        """Return the frame in which the receptacle's rectangle stands now."""
        pose = self.furniture.pose
        if self.part is None or not self.receptacle.moves:
            return pose
        value = joints.get((self.furniture.handle, self.part.index), 0.0)
        return compose(pose, part_pose(self.part, value)) if value else pose

    def is_open(self, joints: Joints) -> bool:
        """Tell whether things can be put in and taken out."""
        if self.part is None:
            return True
        value = joints.get((self.furniture.handle, self.part.index), 0.0)
        return abs(value) >= OPEN_ENOUGH * abs(self.part.open_value)

    def point(self, joints: Joints, u: float, v: float, lift: float = 0.0) -> Vec3:
        """Return the world point at ``u`` and ``v`` (-1 to 1) of the rectangle."""
        cx, cy, cz = self.receptacle.center
        local = (cx + u * self.receptacle.half_x, cy + lift, cz + v * self.receptacle.half_z)
        return to_world(self.frame(joints), local)

    def height_above(self, joints: Joints, point: Vec3) -> float | None:
        """Return how far a point is above the rectangle; None when it is not above or below it."""
        x, y, z = to_local(self.frame(joints), point)
        cx, cy, cz = self.receptacle.center
        if abs(x - cx) > self.receptacle.half_x + EDGE_M:
            return None
        if abs(z - cz) > self.receptacle.half_z + EDGE_M:
            return None
        return y - cy


class Surfaces:
    """All receptacles of a scene. A value: one per scene serves every session in it."""

    def __init__(self, scene: Scene, catalogue: Catalogue) -> None:
        self.furniture: dict[str, Furniture] = {f.handle: f for f in scene.furniture}
        self.by_name: dict[str, Surface] = {}
        self.of: dict[str, list[Surface]] = {}
        for furniture in scene.furniture:
            template = catalogue.templates[furniture.template]
            parts = {part.index: part for part in template.parts}
            surfaces = [
                Surface(furniture, template, r, None if r.part is None else parts[r.part])
                for r in template.receptacles
            ]
            self.of[furniture.handle] = surfaces
            self.by_name.update((s.unique_name, s) for s in surfaces)

    def below(self, joints: Joints, point: Vec3, furniture: str | None = None) -> Surface | None:
        """Return the receptacle nearest below (or just above) a point.

        Of one piece of furniture, or of any.
        """
        best, best_height = None, math.inf
        for surface in self.by_name.values() if furniture is None else self.of.get(furniture, ()):
            height = surface.height_above(joints, point)
            if height is not None and abs(height) < min(best_height, NEAR_M):
                best, best_height = surface, abs(height)
        return best
