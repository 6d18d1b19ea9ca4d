"""`cohabit houses show`: the plan of a house, or a task in it, as SVG or PNG."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from episodes.dataset import DatasetError, Task, read_dataset
from episodes.drawing import draw_house, draw_task
from episodes.evaluation import EvaluationError
from episodes.houses.files import (
    HouseError,
    list_scenes,
    read_catalogue,
    read_scene,
    tasks_file,
    write_bytes,
)
from episodes.tasks.versions import expect_of
from server.cli.options import DATA_DIR, DataDir
from server.cli.terminal import echo, failed

WIDEST_PX = 8000


class ShowError(Exception):
    """A house or task cannot be drawn; the text says why and what to do."""


def show(
    house: Annotated[str, typer.Argument(help="House, as `cohabit houses list` names it.")],
    task: Annotated[str | None, typer.Option(help="Id of a task to draw in the house.")] = None,
    out: Annotated[
        Path | None, typer.Option(help="File to write, .svg or .png. Default: HOUSE.svg.")
    ] = None,
    width: Annotated[
        int,
        typer.Option(
            min=200,
            max=WIDEST_PX,
            help="Width in pixels; below 720 laid out for a phone.",
        ),
    ] = 1280,
    tasks: Annotated[str, typer.Option(help="Set that has the task.")] = "first",
    data_dir: DataDir = DATA_DIR,
) -> None:
    """Draw the plan of a house, or a task in it: its start, goal and order of steps."""
    try:
        name = house if task is None else f"{house}_task_{task}"
        file = out or Path(f"{name}.svg")
        drawn = _draw(data_dir, house, task, tasks, width)
        write_bytes(file, _encode(drawn, file))
    except (ShowError, HouseError, DatasetError, EvaluationError, OSError) as error:
        raise failed(error) from error
    echo(f"{file}")


def _draw(data_dir: Path, house: str, task: str | None, tasks: str, width: int) -> str:
    if house not in list_scenes(data_dir):
        there = ", ".join(list_scenes(data_dir)[:8]) or "none; `cohabit houses build` makes one"
        raise ShowError(f"expected a house in {data_dir}, got {house!r}; there are: {there}")
    scene, shapes = read_scene(data_dir, house), read_catalogue(data_dir)
    if task is None:
        return draw_house(scene, shapes, float(width))
    drawn = _task(tasks_file(data_dir, tasks), house, task)
    expect_of(drawn, scene, tasks)
    try:
        return draw_task(scene, shapes, drawn, float(width))
    except (KeyError, ValueError) as error:
        raise ShowError(f"task {task!r} cannot be drawn in {house}: {error}") from error


def _task(file: Path, house: str, task_id: str) -> Task:
    if not file.is_file():
        raise ShowError(f"expected tasks at {file}; `cohabit houses build` writes the first ones")
    tasks = [task for task in read_dataset(file) if task.scene_id == house]
    for task in tasks:
        if task.task_id == task_id:
            return task
    ids = ", ".join(task.task_id for task in tasks[:12]) or "none"
    raise ShowError(f"expected a task of {house} in {file}, got {task_id!r}; there are: {ids}")


def _encode(drawn: str, file: Path) -> bytes:
    if file.suffix == ".svg":
        return drawn.encode()
    if file.suffix == ".png":
        return picture(drawn)
    raise ShowError(f"expected a file that ends with .svg or .png, got {file}")


def picture(drawn: str, zoom: int = 1) -> bytes:
    """Return a drawing as PNG, with ``zoom`` pixels per pixel of the drawing."""
    # Only pictures need it.
    from resvg_py import svg_to_bytes

    return bytes(
        svg_to_bytes(
            svg_string=drawn,
            background="#ffffff",
            zoom=zoom,
            font_family="DejaVu Sans",
            sans_serif_family="DejaVu Sans",
        )
    )
