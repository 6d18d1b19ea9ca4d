"""Attempts of scripted groups: outcomes with effects of condition, task and group.

They have the effect that the study's analysis declares, and its shares of variance.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from random import Random
from statistics import NormalDist
from typing import NamedTuple

from matchmaking.assignment.group_plan import Attempt, GroupPlan, NextTask
from matchmaking.study import Study
from server.research.rehearsal.habits import Habits

SPREAD = 0.35
"""Standard deviation of the logarithm of an attempt's duration."""
TICK_RATE = 30


class Played(NamedTuple):
    """A simulated attempt, as a row of the data."""

    place: int
    cell: str
    task_id: str
    try_index: int
    is_practice: bool
    success: bool
    percent_complete: float
    ticks: int


class Outcomes:
    """Maker of the outcomes of a study's attempts."""

    def __init__(self, study: Study, habits: Habits, seed: int) -> None:
        self._study, self._habits, self._seed = study, habits, seed
        sample = study.analysis.sample if study.analysis is not None else None
        self._group_share = sample.group_share if sample is not None else 0.1
        self._task_share = sample.task_share if sample is not None else 0.3
        self._shifts = self._declared_shifts()

    def _declared_shifts(self) -> dict[str, float]:
        """Return by how much each condition is slower, in standard deviations."""
        plan = self._study.analysis
        if plan is None or not plan.primary:
            return {}
        hypothesis = plan.primary[0]
        if hypothesis.direction == "equivalent":
            return {}
        sign = -1.0 if hypothesis.direction == "less" else 1.0
        return {
            cell.name: sign * plan.sample.effect
            for cell in self._study.cells
            if cell.levels.get(hypothesis.factor) == hypothesis.levels[0]
        }

    def attempt(self, place: int, following: NextTask) -> Played:
        """Return the outcome of an attempt."""
        task, cell = following.task.task_id, following.condition.cell
        own_share = max(0.0, 1 - self._group_share - self._task_share)
        z = (
            math.sqrt(self._group_share) * self._normal("group", place)
            + math.sqrt(self._task_share) * self._normal("task", task)
            + math.sqrt(own_share) * self._normal("own", place, task, following.try_index)
        )
        slowness = z + self._shifts.get(cell, 0.0)
        duration_s = self._habits.attempt_s * math.exp(SPREAD * slowness)
        # A group that is slower fails more often; a further try helps.
        ease = NormalDist().inv_cdf(self._habits.succeeds) + 0.5 * following.try_index
        success = 0.5 * slowness + self._normal("luck", place, task, following.try_index) < ease
        share = self._uniform("share", place, task, following.try_index)
        return Played(
            place,
            cell,
            task,
            following.try_index,
            following.task.is_practice,
            success,
            1.0 if success else round(share, 2) * 0.99,
            round(duration_s * TICK_RATE),
        )

    def _normal(self, *name: object) -> float:
        return Random(f"{self._seed}/{name}").gauss(0.0, 1.0)

    def _uniform(self, *name: object) -> float:
        return Random(f"{self._seed}/{name}").random()


def attempts_of(played: Sequence[Played], plan: GroupPlan) -> list[Attempt]:
    """Return the attempts that rows are, those of a plan's tasks."""
    ids = {task.task_id for task in plan.tasks}
    return [Attempt(row.task_id, row.success) for row in played if row.task_id in ids]
