"""`cohabit houses check`: houses and first tasks that are sound."""

from __future__ import annotations

import typer

from episodes.dataset import DatasetError, read_dataset
from episodes.houses.files import (
    HouseError,
    list_scenes,
    read_catalogue,
    read_scene,
    tasks_file,
)
from episodes.tasks import check_task
from episodes.tasks.versions import FIRST, expect_of
from server.cli.houses import house_pool
from server.cli.options import DATA_DIR, DataDir
from server.cli.terminal import echo, failed, progress


def check(data_dir: DataDir = DATA_DIR) -> None:
    """Check every house and the first tasks; exit with 1 if something is wrong."""
    scene_ids = list_scenes(data_dir)
    try:
        shapes = read_catalogue(data_dir)
        with progress("houses") as tell:
            problems = house_pool.check(data_dir, scene_ids, shapes, tell)
        tasks = read_dataset(tasks_file(data_dir)) if tasks_file(data_dir).is_file() else []
        for task in tasks:
            if task.scene_id in scene_ids:
                scene = read_scene(data_dir, task.scene_id)
                expect_of(task, scene, FIRST)
                problems += [str(p) for p in check_task(task, scene, shapes)]
            else:
                gone = f"its house {task.scene_id} is not there"
                problems.append(f"task {task.task_id}: {gone}")
    except (HouseError, DatasetError) as error:
        raise failed(error) from error
    for problem in problems:
        echo(problem, err=True)
    echo(f"{len(scene_ids)} houses, {len(tasks)} tasks, {len(problems)} problems")
    if problems:
        raise typer.Exit(1)
