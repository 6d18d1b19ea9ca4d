"""`cohabit tasks write`: a task of one's own, from ten lines of text."""

from __future__ import annotations

from html import escape
from pathlib import Path
from typing import Annotated

import typer

from episodes.bounded_files import UnreadableError, read_file
from episodes.catalogue import catalogue
from episodes.dataset import DatasetError, Task, read_dataset
from episodes.drawing.sheet import draw_task
from episodes.houses.files import HouseError, read_scene, tasks_file, write_tasks
from episodes.scene import Scene
from episodes.tasks import check_task
from episodes.tasks.written import made_task
from episodes.tasks.written_lines import WrittenTaskError, read_lines
from server.cli.options import DATA_DIR, DataDir
from server.cli.terminal import echo, failed
from server.research.task_sets.task_trial import try_task
from server.simulators.household import HouseholdSimulator, HouseLibrary

LARGEST_BYTES = 64 * 1024


def write(
    file: Annotated[Path, typer.Argument(help="File with the lines of the task.")],
    set_name: Annotated[str, typer.Option("--set", help="Set that the task goes into.")] = "own",
    plan: Annotated[
        Path | None, typer.Option(help="Page or picture of the task to write (.html or .svg).")
    ] = None,
    data_dir: DataDir = DATA_DIR,
) -> None:
    """Make a task of one's own from ten lines of text, try it, and draw its plan.

    Its id is the name of the file; a task of that id is replaced. One that cannot be solved goes
    into no set, but its plan is written.
    """
    task_id = file.stem
    try:
        written = read_lines(read_file(file, LARGEST_BYTES).decode())
        scene = read_scene(data_dir, written.house)
        task = made_task(written, task_id, scene, catalogue())
    except WrittenTaskError as error:
        raise failed(f"{file}, {error}") from error
    except (OSError, UnreadableError, UnicodeDecodeError, HouseError) as error:
        raise failed(error) from error
    if plan is not None:
        _draw(task, scene, plan)
    problems = [str(problem) for problem in check_task(task, scene, catalogue())]
    library = HouseLibrary.of(catalogue(), [scene])
    tried = try_task(task, lambda: HouseholdSimulator(library))
    if tried.fault:
        problems.append(f"{tried.fault}: {tried.detail}")
    if problems:
        raise failed(f"{file} cannot be used: {'; '.join(problems)}")
    count = _put(task, set_name, data_dir)
    seconds = tried.ticks / 30
    echo(f"{task_id} can be solved, in {seconds:.0f} s by two experts. {set_name}: {count} tasks")


def _put(task: Task, set_name: str, data_dir: Path) -> int:
    """Put a task into a set; return how many it has then."""
    path = tasks_file(data_dir, set_name)
    try:
        others = read_dataset(path) if path.is_file() else []
    except DatasetError as error:
        raise failed(error) from error
    tasks = [*(other for other in others if other.task_id != task.task_id), task]
    write_tasks(data_dir, tasks, set_name)
    return len(tasks)


def _draw(task: Task, scene: Scene, file: Path) -> None:
    drawn = draw_task(scene, catalogue(), task)
    if file.suffix == ".html":
        title = escape(task.instruction)
        drawn = (
            f'<!doctype html>\n<html lang="en">\n<meta charset="utf-8">\n<title>{title}</title>\n'
            f'<body style="margin:0">\n{drawn}\n</body>\n</html>\n'
        )
    try:
        file.write_text(drawn, encoding="utf-8")
    except OSError as error:
        raise failed(f"{file} cannot be written: {error}") from error
    echo(f"{file} shows where everything starts, and where it belongs")
