"""Geometry of predicates: section 3 of the evaluator specification.

Boxes are local and axis-aligned, poses rigid, lengths metres, Y up. Rays are cast by whoever has
the shapes; what they hit is judged here.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Hashable, Iterable, Mapping, Sequence
from typing import Final, TypeVar

from episodes.poses import Box, Pose, Vec3, conjugate, rotate, to_world

KEYPOINT_NAMES: Final = (
    "center",
    "back_bottom_left",
    "back_bottom_right",
    "back_top_right",
    "back_top_left",
    "front_top_left",
    "front_top_right",
    "front_bottom_right",
    "front_bottom_left",
)
"""Names of `keypoints`, in order: +Z is back, +X is right."""

WITHIN_AXES: Final = (("+x", "-x"), ("+y", "-y"), ("+z", "-z"))
WITHIN_RAY_LENGTH_M: Final = 1.0
ABOVE_RAY_LENGTH_M: Final = 100.0
CORNERS_TO_BE_WITHIN: Final = 3
REGION_SHARE: Final = 0.25
FLOOR_TOLERANCE_M: Final = 0.04
NAVMESH_CELL_HEIGHT_M: Final = 0.2
VERTICAL_TOLERANCE_M: Final = 0.1
_DOWN: Final[Vec3] = (0.0, -1.0, 0.0)

Id = TypeVar("Id", bound=Hashable)


def keypoints(box: Box, pose: Pose) -> tuple[Vec3, ...]:
    """Return a box's centre and eight corners in world coordinates, as in `KEYPOINT_NAMES`."""
    (x0, y0, z0), (x1, y1, z1) = box
    local = (
        box.center,
        (x0, y0, z1),
        (x1, y0, z1),
        (x1, y1, z1),
        (x0, y1, z1),
        (x0, y1, z0),
        (x1, y1, z0),
        (x1, y0, z0),
        (x0, y0, z0),
    )
    return tuple(to_world(pose, point) for point in local)


def half_size_along(box: Box, pose: Pose, direction: Vec3) -> float:
    """Return PARTNR's half-size of a box along a world unit direction (m).

    It is the length of the local direction scaled by the half-extents, not the exact radius.
    """
    x, y, z = rotate(conjugate(pose.rotation), direction)
    hx, hy, hz = box.half_size
    return math.hypot(x * hx, y * hy, z * hz)


def entities_below(self_id: Id, hits: Iterable[Collection[Id]]) -> frozenset[Id]:
    """Return what is under a thing: everything that a downward ray of one of its keypoints hits."""
    return frozenset(entity for hit in hits for entity in hit) - {self_id}


def entities_around(self_id: Id, hits: Mapping[str, Mapping[str, Collection[Id]]]) -> frozenset[Id]:
    """Return what a thing is within.

    ``hits[keypoint][direction]`` is what the ray from a keypoint (`KEYPOINT_NAMES`) in a
    direction (`WITHIN_AXES`) hits within `WITHIN_RAY_LENGTH_M`. Something is around a keypoint
    if both rays of an axis hit it; a thing is within what is around its centre or around at
    least three corners. Keypoints that are left out have no hits.
    """
    votes: dict[Id, int] = {}
    result: set[Id] = set()
    for name, rays in hits.items():
        around: set[Id] = set()
        for forth, back in WITHIN_AXES:
            around |= set(rays.get(forth, ())) & set(rays.get(back, ()))
        if name == KEYPOINT_NAMES[0]:
            result |= around
        else:
            for entity in around:
                votes[entity] = votes.get(entity, 0) + 1
    result |= {entity for entity, count in votes.items() if count >= CORNERS_TO_BE_WITHIN}
    return frozenset(result - {self_id})


def is_in_region(points: Sequence[Vec3], contains: Callable[[Vec3], bool]) -> bool:
    """Tell whether at least a quarter of the keypoints (three of nine) are in a volume."""
    return sum(contains(point) for point in points) >= REGION_SHARE * len(points)


def floor_gap(
    box: Box, pose: Pose, nearest: Vec3, cell_height_m: float = NAVMESH_CELL_HEIGHT_M
) -> float:
    """Return how far a thing is from resting on the walkable area (m, signed).

    ``nearest`` is the point of the largest indoor island nearest to the box's world centre, by
    3-D distance, so being beside the island counts as well.
    """
    centre = to_world(pose, box.center)
    half = half_size_along(box, pose, _DOWN)
    return math.dist(nearest, centre) - half - cell_height_m / 2


def is_on_floor(
    box: Box, pose: Pose, nearest: Vec3, cell_height_m: float = NAVMESH_CELL_HEIGHT_M
) -> bool:
    """Tell whether `floor_gap` is at most PARTNR's 0.04 m; a thing sunk into the floor is on it."""
    return floor_gap(box, pose, nearest, cell_height_m) <= FLOOR_TOLERANCE_M


def vertical_gap(box_a: Box, pose_a: Pose, box_b: Box, pose_b: Pose) -> float:
    """Return the height between two things (m), 0 where their keypoints' ranges overlap."""
    low_a, high_a = _vertical_range(box_a, pose_a)
    low_b, high_b = _vertical_range(box_b, pose_b)
    return max(0.0, low_b - high_a, low_a - high_b)


def _vertical_range(box: Box, pose: Pose) -> tuple[float, float]:
    heights = [point[1] for point in keypoints(box, pose)]
    return min(heights), max(heights)


def gap(box_a: Box, pose_a: Pose, box_b: Box, pose_b: Pose) -> float:
    """Return the horizontal gap between two things (m).

    ``is_next_to`` holds if the gap is at most the threshold. The gap is the distance between
    the world centres with Y left out, less both half-sizes along it; never below 0, and 0 where
    the centres are above each other. It is infinite where the things are more than 0.1 m apart
    vertically.
    """
    low_a, high_a = _vertical_range(box_a, pose_a)
    low_b, high_b = _vertical_range(box_b, pose_b)
    if high_a + VERTICAL_TOLERANCE_M < low_b or high_b + VERTICAL_TOLERANCE_M < low_a:
        return math.inf
    ax, _, az = to_world(pose_a, box_a.center)
    bx, _, bz = to_world(pose_b, box_b.center)
    distance = math.hypot(bx - ax, bz - az)
    if distance == 0.0:
        return 0.0
    along: Vec3 = ((bx - ax) / distance, 0.0, (bz - az) / distance)
    clear = distance - half_size_along(box_a, pose_a, along) - half_size_along(box_b, pose_b, along)
    return max(0.0, clear)
