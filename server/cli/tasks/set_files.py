"""Files of task sets, as the options of commands name them."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from episodes.dataset import DatasetError, Task, read_dataset
from episodes.houses.files import tasks_file
from episodes.tasks.versions import rebuild
from server.cli.terminal import failed

Name = Annotated[str, typer.Argument(help="Name of a set in the data directory, or a file.")]


def file_of(name: str, data_dir: Path) -> Path:
    """Return the file of a set: ``name`` itself if it names a file."""
    return Path(name) if name.endswith((".json", ".gz")) else tasks_file(data_dir, name)


def read_set(name: str, data_dir: Path) -> list[Task]:
    """Read the tasks of a set. Raises typer.Exit where that fails."""
    file = file_of(name, data_dir)
    try:
        return read_dataset(file)
    except DatasetError as error:
        hint = "" if file.is_file() else f"; `{rebuild()}` makes it"
        raise failed(f"{error}{hint}") from error
