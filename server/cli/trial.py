"""`cohabit trial`: teams of policies on tasks, as fast as it goes."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from enum import StrEnum
from pathlib import Path
from typing import Annotated, Any

import msgspec
import typer
from rich.console import Console
from rich.markup import escape

from episodes.dataset import DatasetError, Task, read_dataset
from episodes.rules import as_recorded, profile_named
from server.cli.consents import refuse_withdrawn
from server.cli.terminal import echo, error_console, failed, output_console, progress_bar
from server.recording.recordings import RecordingError
from server.research.trials.digests import digests_of
from server.research.trials.plan import (
    Run,
    Trial,
    TrialError,
    check,
    doable,
    fill,
    runs_of,
    title_of,
)
from server.research.trials.policy_listener import Address, PolicyListener
from server.research.trials.readiness import check_ready, model_told, remote_policies
from server.research.trials.runs import Done, Place, play_all
from server.research.trials.table import Columns, Line, table_of
from server.research.trials.table_output import notes_of, tables_of, to_csv, to_json
from server.research.trials.trial_folder import begun_in, keep, over_the_same, refuse_another
from server.robots.models.model_server import ModelServer
from server.robots.playing.model_time import TokenTime
from server.robots.remote.spec import PREFIX
from server.sessions.spec import Ending
from server.settings import Settings, load_settings
from server.settings_error import SettingsError
from server.web.secret_key import secret_key
from server.web.tokens import Tokens

TELL_S = 60.0
"""Seconds between two messages about progress where no bar can be drawn."""


class Charge(StrEnum):
    """Charges of decisions: `time` depends on the load of the machine."""

    tokens = "tokens"
    time = "time"


class Output(StrEnum):
    """Forms in which the table is printed."""

    table = "table"
    csv = "csv"
    json = "json"


def trial(
    context: typer.Context,
    folder: Annotated[
        Path, typer.Argument(help="Folder of the trial; one that has begun goes on.")
    ],
    robot: Annotated[
        list[str] | None, typer.Option(help="Policy for the robot's seat; may be repeated.")
    ] = None,
    partner: Annotated[
        list[str] | None, typer.Option(help="Policy for the human's seat; may be repeated.")
    ] = None,
    team: Annotated[
        list[str] | None,
        typer.Option(
            help="Whole team: 3robot, or human=scripted,robot=expert,robot=expert; may be "
            "repeated. --robot and --partner fill the bodies that it leaves open."
        ),
    ] = None,
    tasks: Annotated[str, typer.Option(help="Set of tasks in the data directory.")] = "first",
    study: Annotated[
        str,
        typer.Option(
            help="Study whose very tasks and seeds are played, with its rules and its time limit: "
            "first tries of its groups, as it was opened last. For `cohabit study coordination`."
        ),
    ] = "",
    count: Annotated[
        int, typer.Option(min=0, help="Number of tasks, the first of the set; 0 for all.")
    ] = 0,
    repetitions: Annotated[
        int, typer.Option(min=1, help="Episodes of each team on each task.")
    ] = 1,
    seed: Annotated[int, typer.Option(help="Seed of the policies' draws.")] = 0,
    profile: Annotated[
        str,
        typer.Option(help="Rule profile: cohabit, partnr, or one with its version, as cohabit@1."),
    ] = "cohabit",
    latency_s: Annotated[
        float | None, typer.Option(help="Seconds charged for every decision, whatever it took.")
    ] = None,
    charge: Annotated[
        Charge | None,
        typer.Option(
            help="Charge of decisions: tokens (0.2 s a model call, 4000 new prompt "
            "tokens and 50 said ones a second), or the time that they took. Default: tokens, or "
            "time where a policy is remote."
        ),
    ] = None,
    ends_on_success: Annotated[
        bool,
        typer.Option(
            "--ends-on-success",
            help="End an episode once its goals hold and hands are empty of their things. Default: "
            "once all policies have finished.",
        ),
    ] = False,
    processes: Annotated[
        int, typer.Option(min=0, help="Processes that play at once; 0 for one per core.")
    ] = 0,
    listen: Annotated[
        str, typer.Option(help="HOST:PORT at which policies elsewhere (remote:NAME) connect.")
    ] = "",
    against: Annotated[
        str,
        typer.Option(help="Robot that the others are compared with. Default: the first one."),
    ] = "",
    by_type: Annotated[bool, typer.Option(help="Print a line for each type of task, too.")] = False,
    columns: Annotated[
        Columns,
        typer.Option(
            help="Paper whose columns are printed: partnr, or llamar (success, transport, "
            "coverage, balance, length by number of bodies)."
        ),
    ] = Columns.partnr,
    output: Annotated[Output, typer.Option(help="Form of what is printed.")] = Output.table,
) -> None:
    """Play every pair of policies, or every team, on every task, record it, and print the table.

    Episodes that were played are not played again: an interrupted trial goes on, and a finished
    one prints its table. Robots: expert, random, react, cohab, … (`cohabit robots list`); partners
    also scripted, scripted:slow, …; nobody leaves a seat empty.
    """
    console = error_console()
    try:
        settings = load_settings()
        given = robot or partner or team
        begun = None if given else begun_in(folder, settings.model_name)
        names = (*(robot or ()), *(partner or ()), *(team or ()))
        if begun is not None:
            _refuse_other_options(context, begun)
        by_tokens = charge is Charge.tokens or not (charge or any(PREFIX in n for n in names))
        wanted = begun or _with_tasks(
            settings.data_dir,
            Trial(
                robots=() if team else tuple(robot or ("expert",)),
                partners=() if team else tuple(partner or ("scripted",)),
                teams=fill(team, robot or (), partner or ()) if team else msgspec.UNSET,
                tasks=(),
                repetitions=repetitions,
                seed=seed,
                latency_s=latency_s,
                model=settings.model_name,
                ending=Ending(on_success=ends_on_success),
                charge=TokenTime() if by_tokens else msgspec.UNSET,
                **_of_study(context, settings, study, tasks, profile),
            ),
            count,
            console,
        )
        refuse_another(folder, wanted)
        runs = runs_of(wanted)
        with _listening(settings, listen, console) as listener:
            socket = None if listener is None else listener.path
            place = Place(settings.data_dir, folder, ModelServer.of(settings), socket)
            check_ready(place, wanted, runs)
            left = [run for run in runs if not place.recording(run).exists()]
            refuse_withdrawn({name for run in left for name in run.team.policies.values()})
            # A finished trial only tells its table: the model may be gone.
            told = model_told(place, runs) if left else ""
            now = digests_of(settings.data_dir, wanted, told) if left else {}
            wanted = over_the_same(folder, wanted, now)
            keep(folder, wanted)
            if listener is not None:
                listener.wait_for(remote_policies(wanted))
            problems, failing = _play(place, wanted, runs, processes, console)
        played = [(r, place.recording(r)) for r in runs if place.recording(r).exists()]
        types = _types(settings.data_dir, wanted) if by_type else None
        lines = table_of(
            played, types, columns, limit=wanted.max_ticks, against=against, digests=wanted.digests
        )
    except (SettingsError, TrialError, DatasetError, RecordingError, OSError,
            msgspec.MsgspecError) as error:  # fmt: skip
        raise failed(error) from error
    _show(lines, columns, output, notes_of(lines, wanted.max_ticks))
    for policy, (times, last) in failing.items():
        console.print(
            f"[yellow]failed decisions:[/] {times} of {escape(policy)}, the last with "
            f"{escape(last)}",
            highlight=False,
        )
    for done in problems:
        one = done.run
        console.print(
            f"[red]not played:[/] {escape(title_of(one.team))}, task "
            f"{escape(one.task_id)}: {escape(done.problem)}",
            highlight=False,
        )
    if problems:
        console.print(f"{len(problems)} runs were not played: the same command tries them again")
        raise typer.Exit(1)


def _of_study(
    context: typer.Context, settings: Settings, study: str, tasks: str, profile: str
) -> dict[str, Any]:
    """Return the fields of a trial that a study decides, or else its options.

    Raises TrialError where the options say something else than the study.
    """
    if not study:
        return {"dataset": f"tasks/{tasks}.json.gz", "profile": profile}
    from server.cli.study.stored_studies import read_stored
    from server.research.coordination.study_starts import starts_of

    given = {
        name
        for name in ("tasks", "profile")
        if (source := context.get_parameter_source(name)) and source.name == "COMMANDLINE"
    }
    if "tasks" in given:
        raise TrialError("--tasks and --study: a study has its own set of tasks: name one of both")
    found = starts_of(read_stored(settings, study))
    if "profile" not in given and len(found.profiles) > 1:
        raise TrialError(
            f"{study} was played by several rules: name one, --profile {found.profiles[0]}"
        )
    return {
        "dataset": found.dataset,
        "profile": profile if "profile" in given else found.profiles[0],
        "max_ticks": found.max_ticks,
        "starts": found.starts,
        "study": found.study,
        "study_version": found.version,
    }


def _refuse_other_options(context: typer.Context, begun: Trial) -> None:
    """Raise TrialError where an option is given that a trial which goes on was not begun with."""
    by_tokens = begun.charge is not msgspec.UNSET
    ending = begun.ending
    kept: dict[str, object] = {
        "study": "" if begun.study is msgspec.UNSET else begun.study,
        "tasks": begun.dataset.removeprefix("tasks/").removesuffix(".json.gz"),
        "count": len(begun.tasks),
        "repetitions": begun.repetitions,
        "seed": begun.seed,
        "profile": profile_named(as_recorded(begun.profile)).exact_name,
        "latency_s": begun.latency_s,
        "charge": Charge.tokens if by_tokens else Charge.time,
        "ends_on_success": begun.end_on_success is True
        or (ending is not msgspec.UNSET and ending.on_success),
    }
    for name, value in kept.items():
        source = context.get_parameter_source(name)
        given = context.params[name]
        if source is None or source.name != "COMMANDLINE":
            continue
        if name == "profile":
            given = _exact_profile(str(given))
        if given != value:
            raise TrialError(
                f"--{name.replace('_', '-')} {given}: the trial of this folder was begun with "
                f"{value}: name another folder, or leave the option out to go on with that one"
            )


def _exact_profile(name: str) -> str:
    """Return the name of a rule profile with its version. Raises TrialError if there is none."""
    try:
        return profile_named(name).exact_name
    except ValueError as error:
        raise TrialError(str(error)) from error


@contextmanager
def _listening(
    settings: Settings, listen: str, console: Console
) -> Iterator[PolicyListener | None]:
    """Listen for policies elsewhere where that is asked for. Raises TrialError, SettingsError."""
    if not listen:
        yield None
        return
    name_of = Tokens(secret_key(settings.data_dir)).read_policy
    with PolicyListener(Address.parse(listen), settings.policy_wait_s, name_of) as listener:
        console.print(f"policies connect to {listener.url}", highlight=False)
        yield listener


def _with_tasks(data_dir: Path, wanted: Trial, count: int, console: Console) -> Trial:
    """Return a trial on the first ``count`` tasks of its set that all its teams can do, or all.

    Says how many are left out. Raises TrialError if it cannot be played.
    """
    # So that a trial which goes on after a profile has a new version mixes no two of them.
    exact = _exact_profile(wanted.profile)
    wanted = msgspec.structs.replace(wanted, profile=exact)
    known = list(read_dataset(data_dir / wanted.dataset))
    if wanted.starts is not msgspec.UNSET:
        known = _started(wanted, known)
    ids = [task.task_id for task in known]
    check(msgspec.structs.replace(wanted, tasks=tuple(ids)), ids)
    fitting = doable(wanted, known)
    if len(fitting) < len(known):
        console.print(
            f"{len(known) - len(fitting)} of {len(known)} tasks are left out: not all of these "
            "teams can do them",
            highlight=False,
        )
    chosen = fitting[:count] if count else fitting
    if len(chosen) < count:
        console.print(
            f"{count} tasks were asked for, and these are {len(chosen)}: all that {wanted.dataset} "
            "has for these teams",
            highlight=False,
        )
    return msgspec.structs.replace(wanted, tasks=tuple(task.task_id for task in chosen))


def _started(wanted: Trial, known: list[Task]) -> list[Task]:
    """Return the tasks that a study started. Raises TrialError: the set lacks one of them."""
    assert wanted.starts is not msgspec.UNSET, "a study decides what is played"
    found = {task.task_id: task for task in known}
    ids = list(dict.fromkeys(start.task_id for start in wanted.starts))
    if missing := [task_id for task_id in ids if task_id not in found]:
        raise TrialError(f"{wanted.dataset} has no task {', '.join(missing)} of {wanted.study}")
    return [found[task_id] for task_id in ids]


def _types(data_dir: Path, wanted: Trial) -> dict[str, str]:
    """Return the type of each task, empty where its set does not tell."""
    return {
        task.task_id: str(task.info.get("cohabit", {}).get("task_type", ""))
        for task in read_dataset(data_dir / wanted.dataset)
    }


def _play(
    place: Place, wanted: Trial, runs: list[Run], processes: int, console: Console
) -> tuple[list[Done], dict[str, tuple[int, str]]]:
    """Play what is not recorded yet.

    Returns the runs that could not be played, and by policy how many of its decisions failed, with
    the last error.
    """
    there = sum(place.recording(r).exists() for r in runs)
    problems: list[Done] = []
    failing: dict[str, tuple[int, str]] = {}
    told = time.monotonic()
    with progress_bar(console) as progress:
        bar = progress.add_task("runs", total=len(runs), completed=there)
        for number, done in enumerate(
            play_all(place, wanted, runs, processes=processes or None), there + 1
        ):
            progress.advance(bar)
            if done.problem:
                problems.append(done)
            for policy, times, last in done.failing:
                failing[policy] = (failing.get(policy, (0, ""))[0] + times, last)
            if not console.is_terminal and time.monotonic() - told >= TELL_S:
                told = time.monotonic()
                console.print(f"{number} of {len(runs)} runs", highlight=False)
    return problems, failing


def _show(lines: list[Line], columns: Columns, output: Output, notes: list[str]) -> None:
    match output:
        case Output.csv:
            echo(to_csv(lines), nl=False)
        case Output.json:
            echo(to_json(lines))
        case Output.table:
            console = output_console()
            for table in tables_of(lines, columns):
                console.print(table)
            for note in notes:
                console.print(note, markup=False, highlight=False)
