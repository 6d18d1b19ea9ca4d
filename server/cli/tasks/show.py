"""`cohabit tasks show`: one task in words."""

from __future__ import annotations

from typing import Annotated

import typer

from episodes.catalogue import catalogue
from episodes.houses.files import HouseError, read_scene
from episodes.names import name_things
from episodes.tasks.task_text import tell
from server.cli.options import DATA_DIR, DataDir
from server.cli.tasks.set_files import Name, read_set
from server.cli.terminal import echo, failed


def show(name: Name, task: Annotated[str, typer.Argument(help="Id of the task.")],
         data_dir: DataDir = DATA_DIR) -> None:  # fmt: skip
    """Print a task: its instruction, its goals and their order, and where everything starts."""
    tasks = read_set(name, data_dir)
    shown = next((one for one in tasks if one.task_id == task), None)
    if shown is None:
        raise failed(f"{name} has no task {task!r}; it has {len(tasks)}")
    try:
        scene = read_scene(data_dir, shown.scene_id)
    except HouseError as error:
        raise failed(error) from error
    try:
        lines = list(tell(shown, name_things(scene, catalogue(), shown.name_to_receptacle).labels))
    except KeyError as error:
        raise failed(f"{name}: task {task} names what its house does not have: {error}") from error
    for line in lines:
        echo(line)
