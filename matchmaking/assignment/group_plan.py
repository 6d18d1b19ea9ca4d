"""Plan of a group: the conditions that it plays, the tasks of each, and how each is played."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, NamedTuple

import msgspec

from matchmaking.assignment.task_slots import PlannedTask
from matchmaking.study.treatment import Explanation, Treatment


class Attempt(NamedTuple):
    """An attempt that a group has made at a task; ``success`` is None until it is judged."""

    task_id: str
    success: bool | None


class PlayedCondition(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A condition as a group plays it."""

    cell: str
    """Name of the condition; empty: the group has none, because too few people came."""
    treatment: Treatment
    tasks: tuple[PlannedTask, ...]


class NextTask(NamedTuple):
    """An attempt that a group makes next."""

    task: PlannedTask
    condition: PlayedCondition
    try_index: int


After = Literal["failed_try", "success", "last_try_failed", "last_try", "practice", "task"]
"""The attempt that was just made: a failed one with a further try; a success; a failure without a
further try; a last try whose result people are not told; practice that is over; the only one."""


class Progress(NamedTuple):
    """Progress of a group after an attempt, as its people are told of it. It counts tasks."""

    after: After
    made: int
    """Attempts at the task that was just played."""
    tries: int
    """Attempts at a task that there are at most."""
    done: int
    """Tasks that are over, practice left out."""
    of: int
    """All tasks, practice left out."""


class GroupPlan(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Plan of all that a group plays, in its order."""

    task_set: str
    """Name of the set of tasks in the data directory."""
    tries: int = 1
    """Attempts at a task; the group goes on to the next one at success."""
    limit_s: float | None = None
    """Time limit of an attempt; None: that of the rule profile, or of the server."""
    conditions: tuple[PlayedCondition, ...]

    @property
    def tasks(self) -> tuple[PlannedTask, ...]:
        """All tasks, in their order."""
        return tuple(task for condition in self.conditions for task in condition.tasks)

    def next_task(self, attempts: Sequence[Attempt]) -> NextTask | None:
        """Return what is played after some attempts; None: all tasks are done."""
        for condition in self.conditions:
            for task in condition.tasks:
                made = [a.success for a in attempts if a.task_id == task.task_id]
                if len(made) < self.tries and not any(made):
                    return NextTask(task, condition, len(made))
        return None

    def is_done(self, attempts: Sequence[Attempt]) -> bool:
        """Tell whether all tasks are done, and the last attempt is judged."""
        is_judged = all(attempt.success is not None for attempt in attempts)
        return is_judged and self.next_task(attempts) is None

    def condition_of(self, task_id: str) -> PlayedCondition | None:
        """Return the condition in which a task is played; None: it is none of the plan's."""
        return next(
            (c for c in self.conditions if any(t.task_id == task_id for t in c.tasks)), None
        )

    def is_practice(self, task_id: str) -> bool:
        """Tell whether a task is for practice, and in no measure."""
        return any(task.is_practice for task in self.tasks if task.task_id == task_id)

    def is_over(self, task_id: str, attempts: Sequence[Attempt]) -> bool:
        """Tell whether a task is done, or has no further try."""
        made = [a.success for a in attempts if a.task_id == task_id]
        return len(made) >= self.tries or any(made)

    def progress(self, attempts: Sequence[Attempt]) -> Progress | None:
        """Return how far a group is after some attempts; None: it has made none."""
        if not attempts:
            return None
        task_id = attempts[-1].task_id
        measured = [task.task_id for task in self.tasks if not task.is_practice]
        return Progress(
            self._after(task_id, attempts),
            sum(attempt.task_id == task_id for attempt in attempts),
            self.tries,
            sum(self.is_over(measured_id, attempts) for measured_id in measured),
            len(measured),
        )

    def _after(self, task_id: str, attempts: Sequence[Attempt]) -> After:
        made = [a.success for a in attempts if a.task_id == task_id]
        if not self.is_over(task_id, attempts):
            return "failed_try"
        if self.is_practice(task_id):
            return "practice"
        if self.tries == 1:
            return "task"
        # A success before the last try shows in that no other try follows.
        if len(made) == self.tries and self.explanation(task_id, attempts) == "none":
            return "last_try"
        return "success" if any(made) else "last_try_failed"

    def explanation(self, task_id: str, attempts: Sequence[Attempt]) -> Explanation:
        """Return the explanation of a task that people are shown after some attempts."""
        condition = self.condition_of(task_id)
        if condition is None:
            return "none"
        treatment = condition.treatment
        is_time = {
            "after_each_try": True,
            "after_each_task": self.is_over(task_id, attempts),
            "at_the_end": self.is_done(attempts),
        }
        return treatment.explanation if is_time[treatment.explained] else "none"

    def is_delayed(self, task_id: str, attempts: Sequence[Attempt]) -> bool:
        """Tell whether people are shown nothing of a task now, and will be later."""
        condition = self.condition_of(task_id)
        explains = condition is not None and condition.treatment.explanation != "none"
        return explains and self.explanation(task_id, attempts) == "none"
