"""Geometric checks of a task: unsolved at the start, within reach, room at the goal.

They use supports and sizes, no simulator: whether skills really solve it is checked elsewhere.
"""

from __future__ import annotations

import itertools
import math
from collections import defaultdict
from collections.abc import Callable
from typing import Any, NamedTuple

from shapely.geometry import Point
from shapely.geometry import Polygon as Shape
from shapely.geometry.base import BaseGeometry

from episodes.dataset import DatasetError, Task, check_against_scene
from episodes.dataset.vocabulary import DEFAULT_L2_THRESHOLD_M
from episodes.houses.body_starts import CLOSEST_M
from episodes.houses.checks import REACH
from episodes.houses.walkable_area import as_shape, contains
from episodes.poses import Vec3, to_world
from episodes.scene import Catalogue, Receptacle, Scene, split_receptacle_id
from episodes.tasks.start_places import MARGIN
from episodes.tasks.team_fit import state_holds_at_start


class TaskProblem(NamedTuple):
    task: str
    what: str
    detail: str

    def __str__(self) -> str:
        return f"task {self.task}: {self.what}: {self.detail}"


def check_task(task: Task, scene: Scene, catalogue: Catalogue) -> list[TaskProblem]:
    """Return everything wrong with a task in its scene; empty for a good one."""
    problems: list[TaskProblem] = []

    def problem(what: str, detail: str) -> None:
        problems.append(TaskProblem(task.task_id, what, detail))

    _known(task, scene, catalogue, problem)
    if problems:
        return problems
    _starts(task, scene, catalogue, problem)
    met = [_holds(task, scene, catalogue, i) for i in range(len(task.evaluation_propositions))]
    for index, true in enumerate(met):
        if true:
            name = task.evaluation_propositions[index].function_name
            problem(f"evaluation_propositions[{index}]", f"{name} already holds at the start")
    for index, proposition in enumerate(task.evaluation_propositions):
        if proposition.function_name in ("is_on_top", "is_inside"):
            _goal_has_room(index, proposition.args, proposition.function_name, catalogue, problem)
    return problems


Report = Callable[[str, str], None]


def _known(task: Task, scene: Scene, catalogue: Catalogue, problem: Report) -> None:
    handles = {f.handle for f in scene.furniture} | set(task.name_to_receptacle)
    affords: dict[str, tuple[str, ...]] = {}
    for handle in handles:
        try:
            affords[handle] = catalogue.of_handle(handle).affords
        except KeyError as error:
            problem(handle, str(error))
    try:
        check_against_scene(task, handles, {r.room_id for r in scene.rooms}, affords)
    except DatasetError as error:
        problem("evaluation", str(error))
    if len(task.rigid_objs) != len(task.name_to_receptacle):
        problem("rigid_objs", "not as many as name_to_receptacle")
    for handle, states in affords.items():
        for state in states:
            if handle not in task.object_states.get(state, {}):
                problem(f"object_states.{state}", f"{handle} is missing")


def _receptacle(unique_name: str, scene: Scene, catalogue: Catalogue) -> Receptacle | None:
    furniture, name = split_receptacle_id(unique_name)
    template = catalogue.of_handle(furniture)
    return next((r for r in template.receptacles if r.name == name), None)


def _starts(task: Task, scene: Scene, catalogue: Catalogue, problem: Report) -> None:
    island = as_shape(scene.walkable[0])
    poses = {f.handle: f.pose for f in scene.furniture}
    for (handle, unique), (_, matrix) in zip(
        task.name_to_receptacle.items(), task.rigid_objs, strict=True
    ):
        receptacle = _receptacle(unique, scene, catalogue)
        if receptacle is None:
            problem(handle, f"no receptacle {unique}")
            continue
        x, y, z = (matrix[i][3] for i in range(3))
        distance = float(island.distance(Point(x, z)))
        if distance > REACH:
            problem(handle, f"{distance:.2f} m from where one can stand")
        surface = to_world(poses[split_receptacle_id(unique)[0]], receptacle.center)
        if not 0 <= y - surface[1] < 0.01:
            problem(handle, f"{y - surface[1]:.3f} m above {unique}")
        height = catalogue.of_handle(handle).box.high[1]
        if height > receptacle.clearance:
            problem(handle, f"{height:.2f} m high under {receptacle.clearance:.2f} m at {unique}")
    _apart(task, catalogue, problem)
    bodies = {}
    for seat, (x, _, z, _yaw) in task.info.get("start_poses", {}).items():
        bodies[seat] = (x, z)
        if not contains(scene.walkable, (x, z)):
            problem(seat, "does not start on the walkable area")
    for (one, here), (other, there) in itertools.combinations(bodies.items(), 2):
        if math.dist(here, there) < CLOSEST_M:
            problem("start_poses", f"the bodies of {one} and {other} start in each other")


def _apart(task: Task, catalogue: Catalogue, problem: Report) -> None:
    """Report objects on one piece of furniture that are in each other."""
    boxes: dict[str, list[tuple[str, BaseGeometry, float, float]]] = defaultdict(list)
    for (handle, unique), (_, matrix) in zip(
        task.name_to_receptacle.items(), task.rigid_objs, strict=True
    ):
        low, high = catalogue.of_handle(handle).box
        corners = [(low[0], low[2]), (low[0], high[2]), (high[0], high[2]), (high[0], low[2])]
        plan = Shape(
            [
                (
                    matrix[0][0] * x + matrix[0][2] * z + matrix[0][3],
                    matrix[2][0] * x + matrix[2][2] * z + matrix[2][3],
                )
                for x, z in corners
            ]
        )
        bottom, top = matrix[1][3] + low[1], matrix[1][3] + high[1]
        furniture = split_receptacle_id(unique)[0]
        for other, shape, low_y, high_y in boxes[furniture]:
            if bottom < high_y and low_y < top and plan.intersects(shape):
                problem(handle, f"it is in {other}")
        boxes[furniture].append((handle, plan, bottom, top))


def _holds(task: Task, scene: Scene, catalogue: Catalogue, index: int) -> bool:
    """Tell whether a proposition is true at the start, judged by supports and start states."""
    proposition = task.evaluation_propositions[index]
    name, args = proposition.function_name, proposition.args
    number = int(args.get("number", 1))
    of_state = state_holds_at_start(task, proposition)
    if of_state is not None:
        return of_state
    supports = {h: split_receptacle_id(r)[0] for h, r in task.name_to_receptacle.items()}
    if name in ("is_on_top", "is_inside"):
        places = args["receptacle_handles"]
        return sum(supports.get(h) in places for h in args["object_handles"]) >= number
    if name == "is_in_room":
        rooms = {f.handle: f.room_id for f in scene.furniture}
        # Furniture is in its own room.
        there = [h for h in args["object_handles"] if rooms[supports.get(h, h)] in args["room_ids"]]
        return len(there) >= number
    if name == "is_next_to":
        # Wider than the predicate's own threshold: nobody should be in doubt about the start.
        near = float(args.get("l2_threshold", DEFAULT_L2_THRESHOLD_M)) + 0.5
        at = _positions(task, scene)
        pairs = itertools.product(args["entity_handles_a"], args["entity_handles_b"])
        return any(math.dist(at[a], at[b]) < near for a, b in pairs)
    return False


def _positions(task: Task, scene: Scene) -> dict[str, Vec3]:
    """Return where everything is at the start (m), by handle."""
    at = {f.handle: f.pose.position for f in scene.furniture}
    for handle, (_, m) in zip(task.name_to_receptacle, task.rigid_objs, strict=True):
        at[handle] = (m[0][3], m[1][3], m[2][3])
    return at


def _goal_has_room(
    index: int, args: dict[str, Any], predicate: str, catalogue: Catalogue, problem: Report
) -> None:
    """Report a goal whose furniture lacks room for its objects on the right kind of receptacle."""
    kind = "within" if predicate == "is_inside" else "on"
    path = f"evaluation_propositions[{index}]"
    fitting = 0
    for handle in args["object_handles"]:
        low, high = catalogue.of_handle(handle).box
        across = max(high[0], -low[0], high[2], -low[2])
        for furniture in args["receptacle_handles"]:
            if any(
                r.kind == kind
                and r.clearance >= high[1] + MARGIN
                and min(r.half_x, r.half_z) >= across
                for r in catalogue.of_handle(furniture).receptacles
            ):
                fitting += 1
                break
    if fitting < int(args.get("number", 1)):
        problem(path, f"only {fitting} of its objects fit {kind} {args['receptacle_handles']}")
