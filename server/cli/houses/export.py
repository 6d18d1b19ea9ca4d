"""`cohabit houses export`: houses for habitat-sim."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from episodes.bounded_files import UnreadableError, read_file
from episodes.dataset import DatasetError, read_dataset
from episodes.houses.files import (
    HouseError,
    list_scenes,
    read_catalogue,
    read_scene,
    tasks_file,
)
from server.cli.options import DATA_DIR, DataDir
from server.cli.terminal import echo, failed
from server.simulators.habitat.export import ExportError, Source, export_tasks
from server.simulators.habitat.export import export as export_houses


def export(
    habitat: Annotated[Path, typer.Option(help="Folder of the Habitat scene data set.")],
    data_dir: DataDir = DATA_DIR,
    tasks: Annotated[
        list[str] | None,
        typer.Option(help="Set of tasks to export; may be repeated. Default: the first tasks."),
    ] = None,
) -> None:
    """Write the houses as a Habitat scene data set, and their tasks in PARTNR's format."""
    try:
        shapes = read_catalogue(data_dir)
        scenes = {scene_id: read_scene(data_dir, scene_id) for scene_id in list_scenes(data_dir)}
        if not scenes:
            echo(f"no houses in {data_dir}; `cohabit houses build` makes one", err=True)
            raise typer.Exit(1)
        names = tasks or (["first"] if tasks_file(data_dir).is_file() else [])
        # Read before anything is written, so that a missing set leaves no half of an export.
        sets = {name: read_dataset(tasks_file(data_dir, name)) for name in names}
        sources = [
            Source(scene, shapes, lambda path: read_file(data_dir / path))
            for scene in scenes.values()
        ]
        echo(f"{len(sources)} houses: {export_houses(sources, habitat)} files in {habitat}")
        for name, exported in sets.items():
            file = export_tasks(exported, scenes, shapes, habitat, name)
            echo(f"{len(exported)} tasks in {file}")
    except (HouseError, DatasetError, ExportError, UnreadableError, OSError) as error:
        raise failed(error) from error
