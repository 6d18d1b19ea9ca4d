"""Versions of task sets: whether a task is of today, and which command makes it anew."""

from __future__ import annotations

from typing import Literal, get_args

from episodes.dataset import DatasetError, Task
from episodes.scene import Scene
from episodes.tasks.characteristics import about

SetName = Literal["validation", "test", "train", "forms"]
SETS: tuple[SetName, ...] = get_args(SetName)
FIRST = "first"
"""Set of tasks that is written with the houses."""


def rebuild(name: str = "") -> str:
    """Return the command that makes a set of tasks anew; for another set, all of them."""
    if name == FIRST:
        return "cohabit houses build"
    return f"cohabit tasks build {name}" if name in SETS else "cohabit tasks build"


def is_of(task: Task, scene: Scene) -> bool:
    """Tell whether a task was made for this version of its house; tasks of others do not say."""
    return about(task).get("scene_digest") in (None, scene.digest)


def expect_of(task: Task, scene: Scene, name: str = "") -> None:
    """Refuse a task of another version. Raises DatasetError with the command that helps."""
    if not is_of(task, scene):
        raise DatasetError(
            f"it was made for another version of {scene.scene_id}; `{rebuild(name)}` makes it anew",
            task=task.task_id,
        )
