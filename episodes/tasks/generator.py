"""Tasks for a house from a seed: drawn, put into words, checked."""

from __future__ import annotations

import random
from collections import Counter

from episodes.dataset import Task
from episodes.houses.body_starts import NoStartError, start_poses
from episodes.tasks.checks import check_task
from episodes.tasks.draft import Draft, TaskError
from episodes.tasks.goals import Move, write_goals
from episodes.tasks.household import Household
from episodes.tasks.instructions import put_into_words
from episodes.tasks.sampler import Sampler, rooms_of
from episodes.tasks.task_types import TASK_TYPES, TaskType, draw_plan

GENERATOR = 1
"""Version of the task generator; raised when the same seed gives other tasks."""
ATTEMPTS = 60
CLUTTER = (1, 5)
"""Fewest and most things that only lie about, as PARTNR asks for."""


def generate_task(
    household: Household,
    seed: int,
    index: int,
    task_type: TaskType | None = None,
    rejected: Counter[str] | None = None,
) -> Task:
    """Generate the task of a number: the same for the same house, seed and generator.

    Its id is the number. The types take turns unless one is given. ``rejected`` counts, by
    reason, the drafts that were thrown away. Raises TaskError when no draft was good.
    """
    task_type = task_type or TASK_TYPES[index % len(TASK_TYPES)]
    rng = random.Random(f"cohabit task {GENERATOR} {household.scene.scene_id} {seed} {index}")
    last = "nothing was drawn"
    for _ in range(ATTEMPTS):
        try:
            task = _draft(household, task_type, rng, str(index))
        except (TaskError, NoStartError) as error:
            last, reason = str(error), "the house has no place for it"
        else:
            problems = check_task(task, household.scene, household.catalogue)
            if not problems:
                return task
            last, reason = str(problems[0]), problems[0].what.partition("[")[0]
        if rejected is not None:
            rejected[reason] += 1
    raise TaskError(f"{household.scene.scene_id}, task {index}: {last}")


def _draft(household: Household, task_type: TaskType, rng: random.Random, task_id: str) -> Task:
    draft = Draft(household.scene, household.catalogue, rng, household.places)
    sampler = Sampler(household, draft, rng)
    plan = draw_plan(task_type, sampler, rng)
    write_goals(plan, draft)
    targets = [c.target for group in plan.groups for c in group if isinstance(c, Move)]
    sampler.clutter(rng.randint(*CLUTTER), targets)
    worded = put_into_words(plan, rng, rooms_of(targets, household))
    return draft.task(
        task_id,
        worded.instruction,
        start_poses(household.floors, sampler.start_rooms(), rng),
        task_type=task_type,
        title=worded.title,
        phenomena=list(worded.phenomena),
        generator=GENERATOR,
    )
