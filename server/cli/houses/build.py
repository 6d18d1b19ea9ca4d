"""`cohabit houses build`: the catalogue, houses and first tasks below the data directory."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from episodes.catalogue import catalogue
from episodes.dataset import DatasetError, read_dataset
from episodes.houses import DEFAULT_SEED, GenerationError
from episodes.houses.files import (
    HouseError,
    read_scene,
    tasks_file,
    write_tasks,
)
from episodes.houses.generator import scene_id_of
from episodes.houses.splits import HOUSES
from episodes.tasks import TaskError, generate_tasks
from episodes.tasks.versions import is_of
from server.cli.houses import house_pool
from server.cli.options import DATA_DIR, DataDir
from server.cli.terminal import echo, failed, progress
from server.owner_lock import OwnedError


def build(
    data_dir: DataDir = DATA_DIR,
    houses: Annotated[
        int, typer.Option(min=1, help="Number of houses; their seeds count from 0.")
    ] = HOUSES,
    seed: Annotated[
        list[int] | None, typer.Option(help="Build only the house of this seed; may be repeated.")
    ] = None,
    first: Annotated[
        bool, typer.Option("--first", help="Build only the house that is played in by default.")
    ] = False,
    force: Annotated[bool, typer.Option(help="Write current houses again, too.")] = False,
) -> None:
    """Write the catalogue, houses and first tasks; skip what is current."""
    seeds = [DEFAULT_SEED] if first else seed or list(range(houses))
    home = DEFAULT_SEED if DEFAULT_SEED in seeds else seeds[0]
    try:
        with progress("houses") as tell:
            written = house_pool.build(data_dir, seeds, force, tell)
        lines = _told(written)
        if lines or not _first_tasks_are_current(data_dir):
            tasks = generate_tasks(read_scene(data_dir, scene_id_of(home)), catalogue())
            lines.append(f"{len(tasks)} tasks in {write_tasks(data_dir, tasks)}")
    except (HouseError, GenerationError, TaskError, OwnedError, OSError) as error:
        raise failed(error) from error
    for line in lines or ["everything is current"]:
        echo(line)


def _first_tasks_are_current(data_dir: Path) -> bool:
    """Tell whether the first tasks exist and fit their house, which may have been built anew."""
    try:
        tasks = read_dataset(tasks_file(data_dir))
        return all(is_of(task, read_scene(data_dir, task.scene_id)) for task in tasks)
    except (DatasetError, HouseError):
        return False


def _told(written: house_pool.Written) -> list[str]:
    lines = [f"catalogue of {written.templates} templates"] if written.templates else []
    if len(written.houses) > 4:
        return [*lines, f"{len(written.houses)} houses"]
    return [*lines, *written.houses]
