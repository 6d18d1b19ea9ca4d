"""`cohabit trial`: policies beside partners on tasks, as fast as it goes."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Annotated, NoReturn

import msgspec
import typer
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn
from rich.table import Table

from episodes.dataset import DatasetError, read_dataset
from server.robots.models.server import ModelServer
from server.scoring import RecordingError
from server.settings import Settings, SettingsError, load_settings
from server.trials.plan import Run, Trial, TrialError, check, runs_of
from server.trials.running import Done, Place, play_all
from server.trials.table import CALLS, COLUMNS, Line, Value, table_of

SPEC = "trial.json"


def trial(
    folder: Annotated[Path, typer.Argument(help="Where it is kept; one that is there goes on.")],
    robot: Annotated[
        list[str] | None, typer.Option(help="A policy for the robot's seat; several times.")
    ] = None,
    partner: Annotated[
        list[str] | None, typer.Option(help="A policy for the human's seat; several times.")
    ] = None,
    tasks: Annotated[str, typer.Option(help="A set of tasks below the data directory.")] = "first",
    count: Annotated[int, typer.Option(min=0, help="The first so many tasks; 0: all.")] = 0,
    repetitions: Annotated[int, typer.Option(min=1)] = 1,
    seed: int = 0,
    profile: Annotated[str, typer.Option(help="The rules: cohabit or partnr.")] = "cohabit",
    latency_s: Annotated[
        float | None, typer.Option(help="Charge every decision with this; default: as measured.")
    ] = None,
    processes: Annotated[int, typer.Option(min=0, help="0: one per core.")] = 0,
) -> None:
    """Play every pair of policies on every task, record it, and print the table.

    What has been played is not played again: an interrupted trial goes on, and a finished one
    prints its table. Robots: expert, random, react, cohab, … (`cohabit robots list`); partners
    also scripted, scripted:slow, …; nobody leaves a seat empty.
    """
    console = Console()
    try:
        settings = load_settings()
        wanted = _trial(settings, folder, robot, partner, tasks, count, repetitions, seed, profile,
                        latency_s)  # fmt: skip
    except (SettingsError, TrialError, DatasetError, OSError, msgspec.MsgspecError) as error:
        _fail(error)
    runs = runs_of(wanted)
    place = Place(settings.data_dir, folder, ModelServer.of(settings))
    problems = _play(place, wanted, runs, processes, console)
    try:
        lines = table_of((r, place.recording(r)) for r in runs if place.recording(r).exists())
    except RecordingError as error:
        _fail(error)
    _print(lines, console)
    for done in problems:
        one = done.run
        console.print(
            f"[red]not played:[/] {one.robot} with {one.partner}, task {one.task_id}: "
            f"{done.problem}",
            highlight=False,
        )
    if problems:
        raise typer.Exit(1)


def _fail(error: Exception) -> NoReturn:
    Console(stderr=True).print(f"[red]error:[/] {error}", highlight=False, soft_wrap=True)
    raise typer.Exit(1)


def _trial(
    settings: Settings,
    folder: Path,
    robots: list[str] | None,
    partners: list[str] | None,
    tasks: str,
    count: int,
    repetitions: int,
    seed: int,
    profile: str,
    latency_s: float | None,
) -> Trial:
    """What is asked for, or what the folder holds. Raises TrialError where the two differ."""
    file = folder / SPEC
    kept = msgspec.json.decode(file.read_bytes(), type=Trial) if file.exists() else None
    if kept is not None and not robots and not partners:
        if kept.model != settings.model_name:
            raise TrialError(
                f"{folder} was begun with COHABIT_MODEL_NAME={kept.model or '(none)'}, now it is "
                f"{settings.model_name or '(none)'}: its table would mix two models"
            )
        return kept
    dataset = f"tasks/{tasks}.json.gz"
    known = [e.episode_id for e in read_dataset(settings.data_dir / dataset)]
    wanted = Trial(
        robots=tuple(robots or ("expert",)),
        partners=tuple(partners or ("scripted",)),
        dataset=dataset,
        tasks=tuple(known[:count] if count else known),
        repetitions=repetitions,
        seed=seed,
        profile=profile,
        latency_s=latency_s,
        model=settings.model_name,
    )
    check(wanted, known)
    if kept is not None and kept != wanted:
        raise TrialError(
            f"{folder} holds another trial: name another folder, or give no options to go on "
            "with that one"
        )
    folder.mkdir(parents=True, exist_ok=True)
    file.write_bytes(msgspec.json.format(msgspec.json.encode(wanted)))
    return wanted


def _play(
    place: Place, wanted: Trial, runs: list[Run], processes: int, console: Console
) -> list[Done]:
    columns = (
        TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn(),
    )  # fmt: skip
    there = sum(place.recording(r).exists() for r in runs)
    problems = []
    shown = Console(stderr=True, force_terminal=False if os.environ.get("CI") else None)
    with Progress(*columns, console=shown, transient=True) as progress:
        bar = progress.add_task("runs", total=len(runs), completed=there)
        for done in play_all(place, wanted, runs, processes=processes or None):
            progress.advance(bar)
            if done.problem:
                problems.append(done)
    return problems


def _print(lines: list[Line], console: Console) -> None:
    headings = [h for h, _, _ in COLUMNS] + list(CALLS)
    shown = [h for h in headings if any(h in line.values for line in lines)]
    table = Table("robot", "partner", "n", *shown)
    for line in lines:
        cells = [_cell(line.values.get(heading)) for heading in shown]
        table.add_row(line.robot, line.partner, str(line.episodes), *cells)
    console.print(table)


def _cell(value: Value | None) -> str:
    if value is None:
        return "-"
    text = _figure(value.mean)
    if value.interval is not None:
        text += f"\n{_figure(value.interval.low)} to {_figure(value.interval.high)}"
    return text


def _figure(value: float) -> str:
    return f"{value:.0f}" if abs(value) >= 100 else f"{value:.2f}"
