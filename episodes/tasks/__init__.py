"""Tasks for a generated house, in PARTNR's format."""

from __future__ import annotations

import random
from functools import cache

from episodes.dataset import Task
from episodes.houses import DEFAULT_SEED, first_house
from episodes.houses.body_starts import floors_of, start_poses
from episodes.scene import Catalogue, Scene
from episodes.tasks.checks import TaskProblem, check_task
from episodes.tasks.draft import Draft, TaskError
from episodes.tasks.starter_tasks import CLUTTER, KINDS

__all__ = ["TaskError", "TaskProblem", "check_task", "first_tasks", "generate_tasks"]

ATTEMPTS = 20


def generate_tasks(scene: Scene, catalogue: Catalogue, seed: int = 0) -> list[Task]:
    """Generate eight tasks over PARTNR's four types, each unsolved at the start and within reach.

    They are the same for the same scene, catalogue and seed. Raises TaskError when the scene
    lacks the furniture or the room for one of them.
    """
    return [_task(index, scene, catalogue, seed) for index in range(len(KINDS))]


def _task(index: int, scene: Scene, catalogue: Catalogue, seed: int) -> Task:
    last: object = None
    for attempt in range(ATTEMPTS):
        rng = random.Random(f"cohabit task {scene.seed} {seed} {index} {attempt}")
        draft = Draft(scene, catalogue, rng)
        try:
            task_type, title, instruction = KINDS[index](draft)
        except TaskError as error:
            last = error
            continue
        draft.clutter(CLUTTER, rng.randint(3, 6))
        floors = floors_of(scene)
        rooms = [next(r for r in floors if r.startswith(c)) for c in ("living_room", "hallway")]
        task = draft.task(
            str(index + 1),
            instruction,
            start_poses(floors, rooms, rng),
            task_type=task_type,
            title=title,
        )
        problems = check_task(task, scene, catalogue)
        if not problems:
            return task
        last = problems[0]
    raise TaskError(f"{scene.scene_id}: {KINDS[index].__name__}: {last}")


@cache
def first_tasks(seed: int = DEFAULT_SEED) -> tuple[Task, ...]:
    """Return the tasks of `episodes.houses.first_house`, generated in memory."""
    scene, catalogue = first_house(seed)
    return tuple(generate_tasks(scene, catalogue))
