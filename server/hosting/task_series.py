"""Series of tasks that a session plays: every task of the data set once, then again."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from pathlib import Path
from random import Random
from typing import NamedTuple

from episodes.dataset import DatasetError, Task, read_dataset
from episodes.houses.files import HouseError, read_scene
from episodes.rules.profiles import PROFILES
from episodes.tasks.team_fit import task_problem
from episodes.tasks.vetting import read_marks, vetting_file
from episodes.teams import Team

_ROBOT = Team.parse("robot=person")

LAST_REASONS = frozenset({"left", "operator", "failed", "abandoned"})
"""Ends of an episode after which the same people do not go on together."""


class TaskInfo(NamedTuple):
    """Facts of a task that the series needs."""

    task_id: str
    text: str
    scene_id: str
    difficulty: int
    """Number of propositions and constraints: a rough measure that needs no playing."""
    scene_digest: str | None = None
    takes_human: bool = False
    """Whether it asks for states that only a human body changes."""


class Choice(NamedTuple):
    """A task to play; ``try_index`` counts the attempts at it within the session."""

    task: TaskInfo
    try_index: int


class SeriesError(Exception):
    """Error for want of tasks to play; the text says what to do."""


def order(tasks: Sequence[TaskInfo], seed: int) -> list[TaskInfo]:
    """Return the tasks in the order of a session.

    It is drawn from the session's seed, but an easy task comes first.
    """
    drawn = sorted(tasks)
    Random(seed).shuffle(drawn)
    if drawn:
        first = min(range(len(drawn)), key=lambda i: drawn[i].difficulty)
        drawn.insert(0, drawn.pop(first))
    return drawn


def has_human(team: Team) -> bool:
    """Tell whether somebody plays a human body, which can do all that any task asks for."""
    return any(seat.kind == "human" for seat in team.occupied)


def playable(tasks: Sequence[TaskInfo], team: Team) -> list[TaskInfo]:
    """Return the tasks that a team's bodies can do. Raises SeriesError if there are none."""
    found = [task for task in tasks if has_human(team) or not task.takes_human]
    if tasks and not found:
        raise SeriesError(
            f"no task can be done by {team}: all want something clean, filled or switched on, "
            "which takes a human body"
        )
    return found


def next_choice(
    tasks: Sequence[TaskInfo], seed: int, played: Sequence[str], *, again: bool = False
) -> Choice:
    """Choose the task after ``played`` (task ids, in order); ``again`` repeats the last one.

    Raises SeriesError if there are no tasks.
    """
    ordered = order(tasks, seed)
    if not ordered:
        raise SeriesError("there are no tasks: run `make houses`")
    counts = {task.task_id: played.count(task.task_id) for task in ordered}
    if again and played and played[-1] in counts:
        task = next(t for t in ordered if t.task_id == played[-1])
    else:
        # `min` takes the first of the least played, so a round ends before the next begins.
        task = min(ordered, key=lambda t: counts[t.task_id])
    return Choice(task, counts[task.task_id])


class TaskSource:
    """Tasks of a data set file, read again when the file changes."""

    def __init__(self, data_dir: Path, name: str) -> None:
        self.path = data_dir / name
        self._data_dir = data_dir
        self._read_at: tuple[int, int] | None = None
        self._tasks: list[TaskInfo] = []

    async def all(self) -> list[TaskInfo]:
        """Return all tasks. Raises SeriesError when the file is missing, broken or empty."""
        try:
            changed_at = (self.path.stat().st_mtime_ns, self._vetted_at())
            if changed_at != self._read_at:
                # Reading a large data set takes seconds; nobody else waits for it.
                self._tasks = await asyncio.to_thread(self._read)
                self._read_at = changed_at
        except OSError as error:
            raise SeriesError(f"there are no tasks at {self.path}: run `make houses`") from error
        except DatasetError as error:
            raise SeriesError(f"the tasks cannot be read: {error}") from error
        if not self._tasks:
            raise SeriesError(f"{self.path} has no tasks: run `make houses`")
        return self._tasks

    def _vetted_at(self) -> int:
        try:
            return vetting_file(self.path).stat().st_mtime_ns
        except FileNotFoundError:
            return 0

    def _read(self) -> list[TaskInfo]:
        left_out = {(m.task_id, m.instruction) for m in read_marks(self.path)}
        tasks = [t for t in read_dataset(self.path) if (t.task_id, t.instruction) not in left_out]
        digests = {scene: self._digest(scene) for scene in {t.scene_id for t in tasks}}
        return [_info(task, digests[task.scene_id]) for task in tasks]

    def _digest(self, scene_id: str) -> str | None:
        try:
            return read_scene(self._data_dir, scene_id).digest
        except HouseError:
            # Opening the session says so to the person who wants to play in it.
            return None


def _info(task: Task, scene_digest: str | None) -> TaskInfo:
    difficulty = len(task.evaluation_propositions) + len(task.evaluation_constraints)
    takes_human = bool(task_problem(_ROBOT, task, PROFILES["cohabit"]))
    return TaskInfo(
        task.task_id, task.instruction, task.scene_id, difficulty, scene_digest, takes_human
    )
