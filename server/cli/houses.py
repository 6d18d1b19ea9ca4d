"""`cohabit houses`: build, list and check the generated houses and their tasks."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.markup import escape
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from episodes.catalogue import catalogue
from episodes.dataset import DatasetError, read_dataset
from episodes.houses import DEFAULT_SEED, GenerationError
from episodes.houses.files import (
    HouseError,
    list_scenes,
    read_catalogue,
    read_scene,
    tasks_file,
    write_tasks,
)
from episodes.houses.generator import scene_id_of
from episodes.houses.splits import HOUSES, split_of
from episodes.houses.walkable_area import as_shape
from episodes.scene import Scene
from episodes.tasks import TaskError, check_task, generate_tasks
from episodes.tasks.versions import FIRST, expect_of, is_of
from server.cli import house_pool as processes
from server.cli.lazy_commands import Later, group_with
from server.simulators.habitat.export import ExportError, Source, export_tasks
from server.simulators.habitat.export import export as export_houses

COMMANDS = {
    "show": Later(
        "server.cli.houses_show:show",
        "Draw the plan of a house; with a task its start, its goal and the order of its steps.",
    ),
    "compare": Later(
        "server.cli.houses_compare:compare",
        "Walkable area, ways, clutter, closed containers and starts: by house, by split, in all.",
    ),
}
app = typer.Typer(
    cls=group_with(COMMANDS), help="Generated houses and their tasks.", no_args_is_help=True
)

DataDir = Annotated[
    Path,
    typer.Option("--data-dir", envvar="COHABIT_DATA_DIR", help="Where houses and tasks are kept."),
]


def _fail(error: Exception) -> typer.Exit:
    # Not wrapped: it names commands and files to copy.
    Console(stderr=True).print(
        f"[red]error:[/] {escape(str(error))}", highlight=False, soft_wrap=True
    )
    return typer.Exit(1)


@app.command()
def build(
    data_dir: DataDir = Path("data"),
    houses: Annotated[
        int, typer.Option(min=1, help="How many houses: those with seeds from 0 on.")
    ] = HOUSES,
    seed: Annotated[
        list[int] | None, typer.Option(help="Only the house of this seed; may be given again.")
    ] = None,
    first: Annotated[
        bool, typer.Option("--first", help="Only the house that is played in by default.")
    ] = False,
    force: Annotated[bool, typer.Option(help="Write again what is already there.")] = False,
) -> None:
    """Write the catalogue, houses and first tasks; what is current is skipped."""
    seeds = [DEFAULT_SEED] if first else seed or list(range(houses))
    home = DEFAULT_SEED if DEFAULT_SEED in seeds else seeds[0]
    try:
        with progress("houses") as tell:
            written = processes.build(data_dir, seeds, force, tell)
        lines = _told(written)
        if lines or not _first_tasks_are_current(data_dir):
            tasks = generate_tasks(read_scene(data_dir, scene_id_of(home)), catalogue())
            lines.append(f"{len(tasks)} tasks in {write_tasks(data_dir, tasks)}")
    except (HouseError, GenerationError, TaskError, OSError) as error:
        raise _fail(error) from error
    for line in lines or ["everything is current"]:
        typer.echo(line)


def _first_tasks_are_current(data_dir: Path) -> bool:
    """Whether they are there and of their house as it is: others may have built that anew."""
    try:
        tasks = read_dataset(tasks_file(data_dir))
        return all(is_of(task, read_scene(data_dir, task.scene_id)) for task in tasks)
    except (DatasetError, HouseError):
        return False


def _told(written: processes.Written) -> list[str]:
    lines = [f"catalogue of {written.templates} templates"] if written.templates else []
    if len(written.houses) > 4:
        return [*lines, f"{len(written.houses)} houses"]
    return [*lines, *written.houses]


@contextmanager
def progress(what: str) -> Iterator[processes.Tell]:
    """A bar on a terminal, while work is done: yields what to tell how much of it is."""
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn())
    console = Console(stderr=True, force_terminal=False if os.environ.get("CI") else None)
    bar = Progress(
        *columns,
        TimeRemainingColumn(),
        console=console,
        transient=True,
        disable=not console.is_terminal,
    )
    with bar:
        task = bar.add_task(what, total=None)
        yield lambda done, total: bar.update(task, completed=done, total=total)


@app.command("list")
def list_houses(data_dir: DataDir = Path("data")) -> None:
    """A line per house below the data directory: its split, its size, its rooms."""
    scene_ids = list_scenes(data_dir)
    if not scene_ids:
        typer.echo(f"no houses in {data_dir}; `cohabit houses build` makes them")
    try:
        for scene_id in scene_ids:
            typer.echo(_line(read_scene(data_dir, scene_id)))
    except HouseError as error:
        raise _fail(error) from error


def _line(scene: Scene) -> str:
    area = sum(float(as_shape(p).area) for p in scene.walkable)
    rooms = Counter(room.class_name.replace("_", " ") for room in scene.rooms)
    named = ", ".join(name if n == 1 else f"{n} {name}s" for name, n in sorted(rooms.items()))
    return (
        f"{scene.scene_id}  {split_of(scene.seed):10}  {len(scene.rooms):2} rooms  "
        f"{len(scene.furniture):2} furniture  {area:3.0f} m² to walk on  {named}"
    )


@app.command()
def check(data_dir: DataDir = Path("data")) -> None:
    """Check every house and the first tasks; exits with 1 when something is wrong."""
    scene_ids = list_scenes(data_dir)
    try:
        shapes = read_catalogue(data_dir)
        with progress("houses") as tell:
            problems = processes.check(data_dir, scene_ids, shapes, tell)
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
        raise _fail(error) from error
    for problem in problems:
        typer.echo(problem, err=True)
    typer.echo(f"{len(scene_ids)} houses, {len(tasks)} tasks, {len(problems)} problems")
    if problems:
        raise typer.Exit(1)


@app.command()
def export(
    habitat: Annotated[Path, typer.Option(help="The folder of the Habitat scene data set.")],
    data_dir: DataDir = Path("data"),
    tasks: Annotated[
        list[str] | None,
        typer.Option(help="A set of tasks to export; may be given again. Else the first tasks."),
    ] = None,
) -> None:
    """Write the houses as a Habitat scene data set, and their tasks in PARTNR's format."""
    try:
        shapes = read_catalogue(data_dir)
        scenes = {scene_id: read_scene(data_dir, scene_id) for scene_id in list_scenes(data_dir)}
        if not scenes:
            typer.echo(f"no houses in {data_dir}; `cohabit houses build` makes one", err=True)
            raise typer.Exit(1)
        names = tasks or (["first"] if tasks_file(data_dir).is_file() else [])
        # Read before anything is written: a set that is not there is no reason for half an export.
        sets = {name: read_dataset(tasks_file(data_dir, name)) for name in names}
        sources = [
            Source(scene, shapes, lambda path: (data_dir / path).read_bytes())
            for scene in scenes.values()
        ]
        typer.echo(f"{len(sources)} houses: {export_houses(sources, habitat)} files in {habitat}")
        for name, exported in sets.items():
            file = export_tasks(exported, scenes, shapes, habitat, name)
            typer.echo(f"{len(exported)} tasks in {file}")
    except (HouseError, DatasetError, ExportError, OSError) as error:
        raise _fail(error) from error
