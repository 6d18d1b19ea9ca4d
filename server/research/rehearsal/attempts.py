"""Attempts of scripted groups: outcomes with effects of condition, task and group.

They have the effects that the study's analysis declares, and its shares of variance.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from random import Random

from matchmaking.assignment.group_plan import Attempt, GroupPlan, NextTask
from matchmaking.study import Study
from matchmaking.study.analysis import RETRIES
from server.research.rehearsal.declared_effects import (
    DIFFICULTY,
    RETRY,
    SLOWNESS,
    declared_shifts,
    percent_complete,
    quantity_of,
    ticks,
)
from server.research.rehearsal.habits import Habits
from server.research.studies.counted_attempts import Played

IN_COMMON = 0.5
"""Correlation of the difficulty of an attempt with its slowness."""


class Outcomes:
    """Maker of the outcomes of a study's attempts."""

    def __init__(self, study: Study, habits: Habits, seed: int) -> None:
        self._habits, self._seed = habits, seed
        plan = study.analysis
        self._group_share = plan.sample.group_share if plan is not None else 0.1
        self._task_share = plan.sample.task_share if plan is not None else 0.3
        self._shifts = declared_shifts(study, habits)
        named = {quantity_of(h.outcome) for h in plan.hypotheses} if plan is not None else set()
        self._others = sorted(named - {SLOWNESS, DIFFICULTY, RETRY, None}, key=str)
        self._once, self._answered = study.asked_once, set[int]()
        # What is declared of later tries is the whole difference of conditions in these.
        self._later = RETRY if RETRY in named else DIFFICULTY

    def attempt(self, place: int, following: NextTask) -> Played:
        """Return the outcome of an attempt."""
        task, cell = following.task.task_id, following.condition.cell
        slow, own = (
            self._usual(SLOWNESS, place, following),
            self._usual(DIFFICULTY, place, following),
        )
        hard = IN_COMMON * slow + math.sqrt(1 - IN_COMMON**2) * own
        shift = self._shift(self._later if following.try_index else DIFFICULTY, cell)
        share = percent_complete(hard + shift, self._habits, following.try_index)
        return Played(
            place,
            cell,
            task,
            following.try_index,
            following.task.is_practice,
            share == 1.0,
            share,
            ticks(slow + self._shift(SLOWNESS, cell), self._habits),
            {**self._of_attempt(place, following), **self._of_group(place, following)},
        )

    def _of_attempt(self, place: int, following: NextTask) -> dict[str, float]:
        """Return the further columns that an attempt has."""
        cell = following.condition.cell
        return {
            name: self._usual(name, place, following) + self._shift(name, cell)
            for name in map(str, self._others)
            if name not in self._once and (following.try_index or not name.startswith(RETRIES))
        }

    def _of_group(self, place: int, following: NextTask) -> dict[str, float]:
        """Return what is asked once, which stands with the group's first attempt that counts."""
        if following.task.is_practice or place in self._answered:
            return {}
        self._answered.add(place)
        cell = following.condition.cell
        return {
            name: self._normal(name, "group", place) + self._shift(name, cell)
            for name in map(str, self._others)
            if name in self._once
        }

    def _shift(self, quantity: str, cell: str) -> float:
        return self._shifts.get((quantity, cell), 0.0)

    def _usual(self, quantity: str, place: int, following: NextTask) -> float:
        """Return a hidden quantity of an attempt, where conditions make no difference."""
        task, own_share = following.task.task_id, 1 - self._group_share - self._task_share
        return (
            math.sqrt(self._group_share) * self._normal(quantity, "group", place)
            + math.sqrt(self._task_share) * self._normal(quantity, "task", task)
            + math.sqrt(max(0.0, own_share))
            * self._normal(quantity, "own", place, task, following.try_index)
        )

    def _normal(self, *name: object) -> float:
        return Random(f"{self._seed}/{name}").gauss(0.0, 1.0)


def attempts_of(played: Sequence[Played], plan: GroupPlan) -> list[Attempt]:
    """Return the attempts that rows are, those of a plan's tasks."""
    ids = {task.task_id for task in plan.tasks}
    return [Attempt(row.task_id, row.success) for row in played if row.task_id in ids]
