"""Choice of the tasks that a study plays, from its set."""

from __future__ import annotations

import asyncio
from pathlib import Path

from episodes.dataset import Task, read_dataset
from episodes.houses.files import tasks_file
from matchmaking.study import Study


def tasks_of(study: Study, data_dir: Path) -> list[Task]:
    """Return the tasks that a study plays, in its order.

    Raises DatasetError: its set is not there. Tasks that the set does not have are left out.
    """
    tasks = {task.task_id: task for task in read_dataset(tasks_file(data_dir, study.tasks.set))}
    chosen = study.tasks.ids or [t for t in tasks if t not in study.tasks.practice]
    return [tasks[task_id] for task_id in chosen if task_id in tasks]


async def task_ids(study: Study, data_dir: Path) -> list[str]:
    """Return the ids of the tasks that a study plays, read beside whatever else runs."""
    tasks = await asyncio.to_thread(tasks_of, study, data_dir)
    return [task.task_id for task in tasks]
