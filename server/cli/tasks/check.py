"""`cohabit tasks check`: tasks against their houses."""

from __future__ import annotations

from typing import Annotated

import typer

from episodes.catalogue import catalogue
from episodes.dataset import DatasetError, Task
from episodes.houses.files import HouseError, read_scene
from episodes.scene import Scene
from episodes.tasks import check_task
from episodes.tasks.versions import expect_of
from server.cli.options import DATA_DIR, DataDir
from server.cli.tasks.set_files import Name, read_set
from server.cli.terminal import echo, failed
from server.research.task_sets.task_trial import try_task
from server.simulators.household import HouseholdSimulator, HouseLibrary


def check(
    name: Name,
    data_dir: DataDir = DATA_DIR,
    play: Annotated[bool, typer.Option(help="Try each task in the simulator, too.")] = False,
) -> None:
    """Check every task of a set against its house; exit with 1 if something is wrong."""
    tasks = read_set(name, data_dir)
    problems: list[str] = []
    scenes: dict[str, Scene] = {}
    try:
        for scene_id in sorted({task.scene_id for task in tasks}):
            scenes[scene_id] = read_scene(data_dir, scene_id)
    except HouseError as error:
        raise failed(error) from error
    library = HouseLibrary.of(catalogue(), scenes.values())
    for task in tasks:
        problems += _problems(task, scenes[task.scene_id], name)
        if play:
            tried = try_task(task, lambda: HouseholdSimulator(library))
            if tried.fault:
                problems.append(f"task {task.task_id}: {tried.fault}: {tried.detail}")
    for problem in problems:
        echo(problem, err=True)
    echo(f"{len(tasks)} tasks, {len(problems)} problems")
    if problems:
        raise typer.Exit(1)


def _problems(task: Task, scene: Scene, name: str) -> list[str]:
    try:
        expect_of(task, scene, name)
    except DatasetError as error:
        return [str(error)]
    return [str(p) for p in check_task(task, scene, catalogue())]
