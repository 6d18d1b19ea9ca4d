"""Starts of objects: free spots on receptacles, and poses as PARTNR writes them."""

from __future__ import annotations

import math
import random
from collections.abc import Sequence
from typing import NamedTuple

from episodes.poses import Pose, multiply, to_world, yaw_quat
from episodes.scene import Catalogue, Furniture, Receptacle, Scene, Template, receptacle_id

REST = 0.001
"""Height of objects above their receptacle (m), so that a ray along the surface misses them."""
MARGIN = 0.02
"""Free width around an object, and free height below the board above it (m)."""
JITTER = math.radians(12)
"""Largest turn of an object from straight (rad)."""

Matrix = list[list[float]]


class Place(NamedTuple):
    """A receptacle of a piece of furniture that stands in the house."""

    furniture: Furniture
    receptacle: Receptacle

    @property
    def unique_name(self) -> str:
        return receptacle_id(self.furniture.handle, self.receptacle.name)


def places_of(scene: Scene, catalogue: Catalogue) -> list[Place]:
    """Return every receptacle of a scene, in the order of its furniture."""
    return [
        Place(f, r) for f in scene.furniture for r in catalogue.templates[f.template].receptacles
    ]


def fits(template: Template, receptacle: Receptacle) -> bool:
    """Tell whether an empty receptacle has room for an object, straight or turned by 90 degrees."""
    half_x, half_z = _half(template)
    if template.box.high[1] + MARGIN > receptacle.clearance:
        return False
    across = half_x <= receptacle.half_x and half_z <= receptacle.half_z
    return across or (half_z <= receptacle.half_x and half_x <= receptacle.half_z)


class Spots:
    """Free spots on the receptacles of a scene."""

    def __init__(self, places: Sequence[Place], rng: random.Random) -> None:
        self._rng = rng
        self._taken: dict[str, list[tuple[float, float, float, float]]] = {}
        self.places = places

    def put(self, template: Template, place: Place) -> Pose | None:
        """Take a free spot for an object; None when there is no room."""
        receptacle = place.receptacle
        if not fits(template, receptacle):
            return None
        taken = self._taken.setdefault(place.unique_name, [])
        for attempt in range(60):
            turned = 0.0 if attempt < 30 else math.pi / 2
            yaw = turned + self._rng.uniform(-JITTER, JITTER)
            half_x, half_z = _turned_half(template, yaw)
            if half_x > receptacle.half_x or half_z > receptacle.half_z:
                yaw = turned
                half_x, half_z = _turned_half(template, yaw)
            free_x, free_z = receptacle.half_x - half_x, receptacle.half_z - half_z
            if free_x < 0 or free_z < 0:
                continue
            x = receptacle.center[0] + self._rng.uniform(-free_x, free_x)
            z = receptacle.center[2] + self._rng.uniform(-free_z, free_z)
            rect = (
                x - half_x - MARGIN,
                z - half_z - MARGIN,
                x + half_x + MARGIN,
                z + half_z + MARGIN,
            )
            if any(_overlap(rect, other) for other in taken):
                continue
            taken.append(rect)
            pose = place.furniture.pose
            position = to_world(pose, (x, receptacle.center[1] + REST, z))
            return Pose(position, multiply(pose.rotation, yaw_quat(yaw)))
        return None


def _half(template: Template) -> tuple[float, float]:
    """Return the half extents of a template about its origin."""
    low, high = template.box
    return max(high[0], -low[0]), max(high[2], -low[2])


def _turned_half(template: Template, yaw: float) -> tuple[float, float]:
    half_x, half_z = _half(template)
    c, s = abs(math.cos(yaw)), abs(math.sin(yaw))
    return c * half_x + s * half_z, s * half_x + c * half_z


def _overlap(a: tuple[float, float, float, float], b: tuple[float, float, float, float]) -> bool:
    return a[0] < b[2] and b[0] < a[2] and a[1] < b[3] and b[1] < a[3]


def matrix_of(pose: Pose) -> Matrix:
    """Return a pose as a row-major 4 x 4 matrix, with five decimals as in released data sets."""
    x, y, z, w = pose.rotation
    px, py, pz = pose.position
    rows = [
        [1 - 2 * (y * y + z * z), 2 * (x * y - z * w), 2 * (x * z + y * w), px],
        [2 * (x * y + z * w), 1 - 2 * (x * x + z * z), 2 * (y * z - x * w), py],
        [2 * (x * z - y * w), 2 * (y * z + x * w), 1 - 2 * (x * x + y * y), pz],
        [0.0, 0.0, 0.0, 1.0],
    ]
    return [[round(v, 5) + 0.0 for v in row] for row in rows]
