"""Initial state of a simulator: the part of a reset that is alike in all of them.

A seed must mean the same start everywhere, so what is drawn from it is drawn here.
"""

from __future__ import annotations

import math
import random
from collections.abc import Sequence

from episodes.dataset import Task
from episodes.poses import Pose, Vec2
from episodes.scene import Part
from server.simulators.contract import SimulatorError
from server.simulators.household.shapes import quat_of_matrix
from server.simulators.household.walkable import Walkable

_SUFFIX = ".object_config.json"
APART_M = 1.0
"""Distance between bodies at the start (m); less where there is no room for that."""


def free_place(area: Walkable, rng: random.Random, taken: Sequence[Vec2]) -> Vec2:
    """Return a place on a walkable area, apart from those already taken."""
    apart = APART_M
    while True:
        for _ in range(500):
            x, z = rng.uniform(area.low[0], area.high[0]), rng.uniform(area.low[1], area.high[1])
            if area.contains(x, z) and all(math.dist((x, z), p) >= apart for p in taken):
                return (x, z)
        apart /= 2


def objects_of(task: Task) -> list[tuple[str, str, Pose]]:
    """Return handle, template name and start pose of every object, in the order of the task.

    Raises SimulatorError where handles and objects do not match one to one.
    """
    handles = list(task.name_to_receptacle)
    if len(handles) != len(task.rigid_objs):
        raise SimulatorError(
            f"task {task.task_id!r} has {len(task.rigid_objs)} rigid_objs but "
            f"{len(handles)} handles in name_to_receptacle; they must match one to one"
        )
    found = []
    for handle, (file_name, m) in zip(handles, task.rigid_objs, strict=True):
        name = file_name.rpartition("/")[2].removesuffix(_SUFFIX)
        position = (float(m[0][3]), float(m[1][3]), float(m[2][3]))
        found.append((handle, name, Pose(position, quat_of_matrix(m))))
    return found


def part_of_link(parts: Sequence[Part], furniture: str, link: str) -> int:
    """Return a part by the name of its link in ``ao_states``.

    That is the part's name, its index, or both. Raises SimulatorError, listing the parts, when
    there is none.
    """
    for part in parts:
        if link in (part.name, str(part.index), f"part_{part.index}"):
            return part.index
    known = ", ".join(part.name for part in parts) or "none"
    raise SimulatorError(f"{furniture!r} has no part {link!r}; it has: {known}")
