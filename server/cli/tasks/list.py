"""`cohabit tasks list`: the sets that there are."""

from __future__ import annotations

from collections.abc import Sequence

from episodes.dataset import DatasetError, Task, read_dataset
from episodes.tasks.characteristics import (
    about,
)
from episodes.tasks.generator import GENERATOR
from episodes.tasks.versions import rebuild
from server.cli.options import DATA_DIR, DataDir
from server.cli.terminal import PlainTable, echo, failed, output_console


def list_sets(data_dir: DataDir = DATA_DIR) -> None:
    """List the sets of tasks below the data directory."""
    table = PlainTable("set", "tasks", "houses", "types", "generator")
    for file in sorted((data_dir / "tasks").glob("*.json.gz")):
        try:
            tasks = read_dataset(file)
        except DatasetError as error:
            raise failed(error) from error
        types = sorted({str(about(task).get("task_type", "?")).replace("_", "-") for task in tasks})
        table.add_row(
            file.name.removesuffix(".json.gz"),
            str(len(tasks)),
            str(len({task.scene_id for task in tasks})),
            ", ".join(types),
            _made_by(tasks),
        )
    if table.row_count == 0:
        echo(f"no tasks in {data_dir / 'tasks'}; `{rebuild()}` makes them")
        return
    output_console().print(table)


def _made_by(tasks: Sequence[Task]) -> str:
    versions = {about(task).get("generator") for task in tasks} - {None}
    if not versions:
        return "by hand"
    return "current" if versions == {GENERATOR} else f"old: `{rebuild()}` makes it anew"
