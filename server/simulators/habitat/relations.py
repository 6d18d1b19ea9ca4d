"""Relations of things to each other: Bullet's rays, judged by `episodes.evaluation.geometry`."""

from __future__ import annotations

from collections.abc import Iterator

from episodes.evaluation.geometry import (
    ABOVE_RAY_LENGTH_M,
    KEYPOINT_NAMES,
    WITHIN_RAY_LENGTH_M,
    entities_around,
    entities_below,
    keypoints,
)
from episodes.poses import Box, Pose, Vec3
from server.simulators.habitat.house import Key, LoadedHouse
from server.simulators.household.rays import enters

_DOWN: Vec3 = (0.0, -1.0, 0.0)
_AXES: dict[str, Vec3] = {
    "+x": (1.0, 0.0, 0.0), "-x": (-1.0, 0.0, 0.0),
    "+y": (0.0, 1.0, 0.0), "-y": (0.0, -1.0, 0.0),
    "+z": (0.0, 0.0, 1.0), "-z": (0.0, 0.0, -1.0),
}  # fmt: skip


def _crossed(house: LoadedHouse, origin: Vec3, direction: Vec3, length: float) -> Iterator[Key]:
    """Return every thing along a ray, its solids a millimetre smaller on every side.

    Lying on a table is not being inside it. Links of one piece of furniture are things of their
    own.
    """
    for thing, _, _ in house.ray_candidates(origin, direction, length, stage=False):
        if thing is None:
            continue
        for block in thing.cores:
            distance = enters(block, origin, direction)
            if distance is not None and distance <= length:
                yield (thing.entity, thing.part)
                break


def above(house: LoadedHouse, entity: str, box: Box, pose: Pose) -> frozenset[str]:
    hits = [
        {handle for handle, _ in _crossed(house, point, _DOWN, ABOVE_RAY_LENGTH_M)}
        for point in keypoints(box, pose)
    ]
    return entities_below(entity, hits)


def within(house: LoadedHouse, entity: str, box: Box, pose: Pose) -> frozenset[str]:
    hits = {
        name: {
            axis: set(_crossed(house, point, direction, WITHIN_RAY_LENGTH_M))
            for axis, direction in _AXES.items()
        }
        for name, point in zip(KEYPOINT_NAMES, keypoints(box, pose), strict=True)
    }
    around = entities_around((entity, None), hits)
    return frozenset(handle for handle, _ in around) - {entity}
