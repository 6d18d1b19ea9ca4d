"""`cohabit houses`: build, list and check the generated houses and their tasks."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn
from rich.table import Table

from episodes.catalogue import catalogue
from episodes.dataset import DatasetError, read_dataset
from episodes.houses import DEFAULT_SEED, GenerationError, check_house
from episodes.houses.files import (
    HouseError,
    build_house,
    catalogue_is_current,
    list_scenes,
    read_catalogue,
    read_scene,
    tasks_file,
    write_asset,
    write_catalogue,
    write_tasks,
)
from episodes.houses.generate import scene_id_of
from episodes.tasks import TaskError, check_task, generate_tasks
from server.simulators.habitat.export import ExportError, Source, export_tasks
from server.simulators.habitat.export import export as export_house

app = typer.Typer(help="Generated houses and their tasks.", no_args_is_help=True)

DataDir = Annotated[
    Path,
    typer.Option("--data-dir", envvar="COHABIT_DATA_DIR", help="Where houses and tasks are kept."),
]


def _fail(error: Exception) -> typer.Exit:
    Console(stderr=True).print(f"[red]error:[/] {error}", highlight=False)
    return typer.Exit(1)


@app.command()
def build(
    data_dir: DataDir = Path("data"),
    seed: Annotated[
        list[int] | None, typer.Option(help="A house per seed; may be given several times.")
    ] = None,
    force: Annotated[bool, typer.Option(help="Write again what is already there.")] = False,
) -> None:
    """Write the catalogue, houses and first tasks; what is current is skipped."""
    seeds = seed or [DEFAULT_SEED]
    shapes = catalogue()
    try:
        written = _write_catalogue(data_dir, force)
        for number in seeds:
            if force:
                (data_dir / "houses" / scene_id_of(number) / "scene.json").unlink(missing_ok=True)
            if build_house(data_dir, number, shapes):
                written.append(scene_id_of(number))
        scene = read_scene(data_dir, scene_id_of(seeds[0]))
        tasks = generate_tasks(scene, shapes)
        if written or not tasks_file(data_dir).is_file():
            written.append(f"{len(tasks)} tasks in {write_tasks(data_dir, tasks)}")
    except (HouseError, GenerationError, TaskError, OSError) as error:
        raise _fail(error) from error
    for line in written or ["everything is current"]:
        typer.echo(line)


def _write_catalogue(data_dir: Path, force: bool) -> list[str]:
    shapes = catalogue()
    if not force and catalogue_is_current(data_dir, shapes):
        return []
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn())
    console = Console(stderr=True, force_terminal=False if os.environ.get("CI") else None)
    with Progress(*columns, console=console, transient=True) as progress:
        for name in progress.track(sorted(shapes.templates), description="catalogue"):
            write_asset(data_dir, shapes, name)
    # Last, so that a catalogue that is there has its assets.
    write_catalogue(data_dir, shapes)
    return [f"catalogue of {len(shapes.templates)} templates"]


@app.command("list")
def list_houses(data_dir: DataDir = Path("data")) -> None:
    """The houses below the data directory."""
    table = Table("house", "rooms", "furniture", "walkable m²")
    try:
        for scene_id in list_scenes(data_dir):
            scene = read_scene(data_dir, scene_id)
            rooms = ", ".join(r.room_id for r in scene.rooms)
            table.add_row(
                scene_id,
                rooms,
                str(len(scene.furniture)),
                f"{_walkable_m2(scene_id, data_dir):.0f}",
            )
    except HouseError as error:
        raise _fail(error) from error
    if table.row_count == 0:
        typer.echo(f"no houses in {data_dir}; `cohabit houses build` makes one")
        return
    Console().print(table)


def _walkable_m2(scene_id: str, data_dir: Path) -> float:
    from episodes.houses.walkable import as_shape

    scene = read_scene(data_dir, scene_id)
    return sum(float(as_shape(p).area) for p in scene.walkable)


@app.command()
def check(data_dir: DataDir = Path("data")) -> None:
    """Check every house and the first tasks; exits with 1 when something is wrong."""
    problems: list[str] = []
    scene_ids = list_scenes(data_dir)
    try:
        shapes = read_catalogue(data_dir)
        scenes = {scene_id: read_scene(data_dir, scene_id) for scene_id in scene_ids}
        episodes = read_dataset(tasks_file(data_dir)) if tasks_file(data_dir).is_file() else []
    except (HouseError, DatasetError) as error:
        raise _fail(error) from error
    for scene_id, scene in scenes.items():
        problems += [f"{scene_id}: {p}" for p in check_house(scene, shapes)]
    for episode in episodes:
        scene_of = scenes.get(episode.scene_id)
        if scene_of is None:
            problems.append(f"task {episode.episode_id}: its house {episode.scene_id} is not there")
        else:
            problems += [str(p) for p in check_task(episode, scene_of, shapes)]
    for problem in problems:
        typer.echo(problem, err=True)
    typer.echo(f"{len(scenes)} houses, {len(episodes)} tasks, {len(problems)} problems")
    if problems:
        raise typer.Exit(1)


@app.command()
def export(
    habitat: Annotated[Path, typer.Option(help="The folder of the Habitat scene data set.")],
    data_dir: DataDir = Path("data"),
) -> None:
    """Write the houses as a Habitat scene data set, and their tasks in PARTNR's format."""
    try:
        shapes = read_catalogue(data_dir)
        scenes = {scene_id: read_scene(data_dir, scene_id) for scene_id in list_scenes(data_dir)}
        if not scenes:
            typer.echo(f"no houses in {data_dir}; `cohabit houses build` makes one", err=True)
            raise typer.Exit(1)
        for scene_id, scene in scenes.items():
            source = Source(scene, shapes, lambda path: (data_dir / path).read_bytes())
            typer.echo(f"{scene_id}: {export_house(source, habitat)} files in {habitat}")
        if tasks_file(data_dir).is_file():
            tasks = read_dataset(tasks_file(data_dir))
            typer.echo(f"{len(tasks)} tasks in {export_tasks(tasks, scenes, shapes, habitat)}")
    except (HouseError, DatasetError, ExportError, OSError) as error:
        raise _fail(error) from error
