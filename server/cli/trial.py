"""`cohabit trial`: policies beside partners on tasks, as fast as it goes."""

from __future__ import annotations

import os
import time
from enum import StrEnum
from pathlib import Path
from typing import Annotated, NoReturn

import msgspec
import typer
from rich.console import Console
from rich.markup import escape
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from episodes.dataset import DatasetError, read_dataset
from server.recording.recordings import RecordingError
from server.research.trials.plan import Run, Trial, TrialError, check, runs_of
from server.research.trials.readiness import check_ready
from server.research.trials.runs import Done, Place, play_all
from server.research.trials.table import Line, table_of
from server.research.trials.table_output import tables_of, to_csv, to_json
from server.robots.models.model_server import ModelServer
from server.settings import Settings, SettingsError, load_settings

SPEC = "trial.json"
TELL_S = 60.0
"""How often it is said how far it is where no bar can be drawn."""


class Output(StrEnum):
    table = "table"
    csv = "csv"
    json = "json"


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
    by_type: Annotated[bool, typer.Option(help="A line for each type of task, too.")] = False,
    output: Annotated[Output, typer.Option(help="What to print.")] = Output.table,
) -> None:
    """Play every pair of policies on every task, record it, and print the table.

    What has been played is not played again: an interrupted trial goes on, and a finished one
    prints its table. Robots: expert, random, react, cohab, … (`cohabit robots list`); partners
    also scripted, scripted:slow, …; nobody leaves a seat empty.
    """
    console = Console(stderr=True)
    try:
        settings = load_settings()
        wanted = _trial(settings, folder, robot, partner, tasks, count, repetitions, seed, profile,
                        latency_s)  # fmt: skip
        runs = runs_of(wanted)
        place = Place(settings.data_dir, folder, ModelServer.of(settings))
        check_ready(place, wanted, runs)
        _keep(folder, wanted)
        problems, failing = _play(place, wanted, runs, processes, console)
        played = [(r, place.recording(r)) for r in runs if place.recording(r).exists()]
        lines = table_of(played, _types(settings.data_dir, wanted) if by_type else None)
    except (SettingsError, TrialError, DatasetError, RecordingError, OSError,
            msgspec.MsgspecError) as error:  # fmt: skip
        _fail(error)
    _show(lines, output)
    for policy, (times, last) in failing.items():
        console.print(
            f"[yellow]failed decisions:[/] {times} of {escape(policy)}, the last with "
            f"{escape(last)}",
            highlight=False,
        )
    for done in problems:
        one = done.run
        console.print(
            f"[red]not played:[/] {escape(one.robot)} with {escape(one.partner)}, task "
            f"{escape(one.task_id)}: {escape(done.problem)}",
            highlight=False,
        )
    if problems:
        console.print(f"{len(problems)} runs were not played: the same command tries them again")
        raise typer.Exit(1)


def _fail(error: Exception) -> NoReturn:
    Console(stderr=True).print(
        f"[red]error:[/] {escape(str(error))}", highlight=False, soft_wrap=True
    )
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
    known = [task.task_id for task in read_dataset(settings.data_dir / dataset)]
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
    return wanted


def _keep(folder: Path, wanted: Trial) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    (folder / SPEC).write_bytes(msgspec.json.format(msgspec.json.encode(wanted)))


def _types(data_dir: Path, wanted: Trial) -> dict[str, str]:
    """The type of each task, as far as its set tells."""
    return {
        task.task_id: str(task.info.get("cohabit", {}).get("task_type", ""))
        for task in read_dataset(data_dir / wanted.dataset)
    }


def _play(
    place: Place, wanted: Trial, runs: list[Run], processes: int, console: Console
) -> tuple[list[Done], dict[str, tuple[int, str]]]:
    """The runs that could not be played; and of policies how many decisions failed, with the last
    error."""
    columns = (
        TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn(),
    )  # fmt: skip
    there = sum(place.recording(r).exists() for r in runs)
    problems: list[Done] = []
    failing: dict[str, tuple[int, str]] = {}
    told = time.monotonic()
    has_bar = console.is_terminal and not os.environ.get("CI")
    with Progress(*columns, console=console, transient=True, disable=not has_bar) as progress:
        bar = progress.add_task("runs", total=len(runs), completed=there)
        for number, done in enumerate(
            play_all(place, wanted, runs, processes=processes or None), there + 1
        ):
            progress.advance(bar)
            if done.problem:
                problems.append(done)
            for policy, times, last in done.failing:
                failing[policy] = (failing.get(policy, (0, ""))[0] + times, last)
            if not has_bar and time.monotonic() - told >= TELL_S:
                told = time.monotonic()
                console.print(f"{number} of {len(runs)} runs", highlight=False)
    return problems, failing


def _show(lines: list[Line], output: Output) -> None:
    match output:
        case Output.csv:
            typer.echo(to_csv(lines), nl=False)
        case Output.json:
            typer.echo(to_json(lines))
        case Output.table:
            console = Console()
            for table in tables_of(lines):
                console.print(table)
