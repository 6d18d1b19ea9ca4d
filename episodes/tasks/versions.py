"""The sets of tasks; whether a task is of today, and which command makes it anew."""

from __future__ import annotations

from typing import Literal, get_args

from episodes.dataset import DatasetError, Task
from episodes.scene import Scene
from episodes.tasks.characteristics import about

SetName = Literal["validation", "test", "train", "forms"]
SETS: tuple[SetName, ...] = get_args(SetName)
FIRST = "first"
"""The set of tasks that is written with the houses."""


def rebuild(name: str = "") -> str:
    """The command that makes a set of tasks anew; of a set of others, the one that makes all."""
    if name == FIRST:
        return "cohabit houses build"
    return f"cohabit tasks build {name}" if name in SETS else "cohabit tasks build"


def is_of(task: Task, scene: Scene) -> bool:
    """Whether a task was made for this very version of its house; tasks of others do not say."""
    return about(task).get("scene_digest") in (None, scene.digest)


def expect_of(task: Task, scene: Scene, name: str = "") -> None:
    """Raises DatasetError, with the command that helps, where a task is of another version."""
    if not is_of(task, scene):
        raise DatasetError(
            f"it was made for another version of {scene.scene_id}; `{rebuild(name)}` makes it anew",
            task=task.task_id,
        )
