"""Series of tasks that a session plays: every task of the data set once, then again."""

from __future__ import annotations

import asyncio
from collections.abc import Collection, Sequence
from pathlib import Path
from random import Random
from typing import NamedTuple

from episodes.dataset import DatasetError, Task, read_dataset
from episodes.houses.files import HouseError, read_scene
from episodes.rules.profiles import PROFILES
from episodes.tasks.team_fit import task_problem
from episodes.tasks.versions import FIRST
from episodes.tasks.vetting import read_marks, vetting_file
from episodes.teams import Team
from matchmaking.tutorials import is_tutorial

_ROBOT = Team.parse("robot=person")


class TaskInfo(NamedTuple):
    """Facts of a task that the series needs."""

    task_id: str
    text: str
    scene_id: str
    difficulty: int
    """Number of things to see to and constraints: a rough measure that needs no playing."""
    scene_digest: str | None = None
    takes_human: bool = False
    """Whether it asks for states that only a human body changes."""
    is_first: bool = False
    """Whether it is one of the first tasks, which go from easy to hard."""
    things: int = 1
    """Number of things to see to: what several bodies can share out."""


class Choice(NamedTuple):
    """A task to play; ``try_index`` counts the attempts at it within the session."""

    task: TaskInfo
    try_index: int


class SeriesError(Exception):
    """Error for want of tasks to play; the text says what to do."""


def order(tasks: Sequence[TaskInfo], seed: int, bodies: int = 1) -> list[TaskInfo]:
    """Return the tasks in the order of a session of so many bodies.

    First tasks go from easy to hard: from one fetch to order and ties. Where several play, a single
    fetch comes last, since there is nothing in it to share. The order of others is drawn from the
    session's seed, but an easy task comes first: not that of tutorials, which newcomers know.
    """
    drawn = sorted(tasks)
    if drawn and all(task.is_first for task in drawn):
        return sorted(drawn, key=lambda task: (bodies > 1 and task.things < 2, task.difficulty))
    Random(seed).shuffle(drawn)
    if drawn:
        learnt = tutorial_task(drawn) if len(drawn) > 1 else None
        unknown = [index for index, task in enumerate(drawn) if task != learnt]
        first = min(unknown, key=lambda i: drawn[i].difficulty)
        drawn.insert(0, drawn.pop(first))
    return drawn


def tutorial_task(tasks: Sequence[TaskInfo]) -> TaskInfo:
    """Return the task that a tutorial ends with: the easiest. Raises SeriesError without tasks."""
    if not tasks:
        raise SeriesError("there are no tasks: run `make houses`")
    return min(tasks, key=lambda task: (task.difficulty, task.task_id))


def to_share(tasks: Sequence[TaskInfo], team: Team) -> list[TaskInfo]:
    """Return the tasks that a team begins with: several share no first task with one thing in it.

    A tutorial has such a task, whoever waits there; without any other task everybody has it.
    """
    if len(team.occupied) < 2 or is_tutorial(team):
        return list(tasks)
    shared = [task for task in tasks if not task.is_first or task.difficulty > 1]
    return shared or list(tasks)


def has_human(team: Team) -> bool:
    """Tell whether somebody plays a human body, which can do all that any task asks for."""
    return any(seat.kind == "human" for seat in team.occupied)


def playable(tasks: Sequence[TaskInfo], team: Team) -> list[TaskInfo]:
    """Return the tasks that a team's bodies can do. Raises SeriesError if there are none."""
    found = [task for task in to_share(tasks, team) if has_human(team) or not task.takes_human]
    if tasks and not found:
        raise SeriesError(
            f"no task can be done by {team}: all want something clean, filled or switched on, "
            "which takes a human body"
        )
    return found


def for_those_left(
    tasks: Sequence[TaskInfo], team: Team, vacated: Collection[str]
) -> list[TaskInfo]:
    """Return the tasks for those of a team who are still there.

    One body alone has the easier half of what it can do. Raises SeriesError if there are none.
    """
    there = [seat for seat in team.occupied if seat.seat_id not in vacated]
    if not vacated or not there:
        return playable(tasks, team)
    left = Team.parse(",".join(f"{seat.kind}=person" for seat in there))
    found = sorted(playable(tasks, left), key=lambda task: task.difficulty)
    if len(there) > 1:
        return found
    hardest = found[(len(found) - 1) // 2].difficulty if found else 0
    return [task for task in found if task.difficulty <= hardest]


def next_choice(
    tasks: Sequence[TaskInfo],
    seed: int,
    played: Sequence[str],
    *,
    bodies: int = 1,
    again: bool = False,
) -> Choice:
    """Choose the task after ``played`` (task ids, in order) for so many bodies.

    ``again`` repeats the last one. Raises SeriesError if there are no tasks.
    """
    ordered = order(tasks, seed, bodies)
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
        are_first = self.path.name.partition(".")[0] == FIRST
        digests = {scene: self._digest(scene) for scene in {t.scene_id for t in tasks}}
        return [_info(task, digests[task.scene_id], are_first) for task in tasks]

    def _digest(self, scene_id: str) -> str | None:
        try:
            return read_scene(self._data_dir, scene_id).digest
        except HouseError:
            # Opening the session says so to the person who wants to play in it.
            return None


def _info(task: Task, scene_digest: str | None, is_first: bool) -> TaskInfo:
    # Two books are one proposition, and more work than one.
    counts = [p.args.get("number") for p in task.evaluation_propositions]
    things = sum(count if isinstance(count, int) else 1 for count in counts)
    difficulty = things + len(task.evaluation_constraints)
    takes_human = bool(task_problem(_ROBOT, task, PROFILES["cohabit"]))
    return TaskInfo(
        task.task_id,
        task.instruction,
        task.scene_id,
        difficulty,
        scene_digest,
        takes_human,
        is_first,
        things,
    )
