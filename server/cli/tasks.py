"""`cohabit tasks`: build, list, show, check and report sets of tasks."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import msgspec
import typer
from rich.console import Console
from rich.markup import escape
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn
from rich.table import Table

from episodes.catalogue import catalogue
from episodes.dataset import DatasetError, Task, read_dataset
from episodes.houses import GenerationError
from episodes.houses.files import HouseError, read_scene, tasks_file
from episodes.metrics.intervals import clopper_pearson
from episodes.names import name_things
from episodes.scene import Scene
from episodes.tasks import check_task
from episodes.tasks.characteristics import (
    NOT_KNOWN,
    Line,
    about,
    language_table,
    task_table,
)
from episodes.tasks.generator import GENERATOR
from episodes.tasks.task_text import tell
from episodes.tasks.versions import SETS, SetName, expect_of, rebuild
from episodes.tasks.vetting import FAILURES, Attempt, marks, write_marks
from server.research.task_sets.attempts import attempts_at
from server.research.task_sets.builder import (
    SIZES,
    build_set,
    is_current,
    record_file,
    remove_parts,
)
from server.research.task_sets.parts import PartError, Record
from server.research.task_sets.task_trial import try_task
from server.settings import SettingsError, load_settings
from server.simulators.household import HouseholdSimulator, HouseLibrary
from server.store import Database, DatabaseError

app = typer.Typer(help="Sets of tasks.", no_args_is_help=True)

REBUILD = rebuild()
DataDir = Annotated[
    Path,
    typer.Option("--data-dir", envvar="COHABIT_DATA_DIR", help="Where houses and tasks are kept."),
]
Name = Annotated[str, typer.Argument(help="A set below the data directory, or a file.")]


def _fail(error: object) -> typer.Exit:
    Console(stderr=True).print(
        f"[red]error:[/] {escape(str(error))}", highlight=False, soft_wrap=True
    )
    return typer.Exit(1)


@app.command()
def build(
    sets: Annotated[
        list[str] | None, typer.Argument(help=f"Of {', '.join(SETS)}; all when none is named.")
    ] = None,
    data_dir: DataDir = Path("data"),
    count: Annotated[
        int | None, typer.Option(min=1, help="Tasks per set, instead of the whole of it.")
    ] = None,
    seed: Annotated[int, typer.Option(help="Another seed gives other tasks.")] = 0,
    processes: Annotated[int | None, typer.Option(min=1, help="One per core by default.")] = None,
    force: Annotated[bool, typer.Option(help="Build again what is current.")] = False,
) -> None:
    """Generate tasks, try each in the simulator and keep the good ones.

    An interrupted build goes on where it was when it is started again.
    """
    for name in _set_names(sets):
        wanted = count or SIZES[name]
        if force:
            remove_parts(data_dir, name)
        elif is_current(data_dir, name, wanted, seed):
            typer.echo(f"{name}: {wanted} tasks are current")
            continue
        try:
            with _progress() as progress:
                bar = progress.add_task(name, total=wanted)
                built = build_set(
                    data_dir,
                    name,
                    wanted,
                    seed,
                    processes=processes,
                    progress=lambda done, _, bar=bar: progress.update(bar, completed=done),  # type: ignore[misc]
                )
        except (HouseError, GenerationError, PartError, DatasetError, OSError) as error:
            raise _fail(error) from error
        except KeyboardInterrupt:
            typer.echo(f"\nstopped; `{REBUILD} {name}` goes on from here", err=True)
            raise typer.Exit(130) from None
        remove_parts(data_dir, name)
        dropped = sum(built.record.faults.values())
        typer.echo(
            f"{name}: {built.tasks} tasks in {built.file} ({dropped} dropped, "
            f"{built.record.cpu_s / built.tasks:.2f} s of CPU each)"
        )


def _set_names(sets: Sequence[str] | None) -> list[SetName]:
    unknown = [s for s in sets or () if s not in SETS]
    if unknown:
        raise _fail(f"expected sets of {', '.join(SETS)}, got {', '.join(unknown)}")
    return [s for s in SETS if not sets or s in sets]


def _progress() -> Progress:
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(),
               TimeRemainingColumn())  # fmt: skip
    console = Console(stderr=True, force_terminal=False if os.environ.get("CI") else None)
    return Progress(*columns, console=console, transient=True, disable=not console.is_terminal)


@app.command("list")
def list_sets(data_dir: DataDir = Path("data")) -> None:
    """The sets of tasks below the data directory."""
    table = Table("set", "tasks", "houses", "types", "generator")
    for file in sorted((data_dir / "tasks").glob("*.json.gz")):
        try:
            tasks = read_dataset(file)
        except DatasetError as error:
            raise _fail(error) from error
        types = sorted({str(about(task).get("task_type", "?")).replace("_", "-") for task in tasks})
        table.add_row(
            file.name.removesuffix(".json.gz"),
            str(len(tasks)),
            str(len({task.scene_id for task in tasks})),
            ", ".join(types),
            _made_by(tasks),
        )
    if table.row_count == 0:
        typer.echo(f"no tasks in {data_dir / 'tasks'}; `{REBUILD}` makes them")
        return
    Console().print(table)


def _made_by(tasks: Sequence[Task]) -> str:
    versions = {about(task).get("generator") for task in tasks} - {None}
    if not versions:
        return "by hand"
    return "current" if versions == {GENERATOR} else f"old: `{REBUILD}` makes it anew"


@app.command()
def show(name: Name, task: Annotated[str, typer.Argument(help="The task's id.")],
         data_dir: DataDir = Path("data")) -> None:  # fmt: skip
    """One task: what is said, what is asked, in which order, and where everything starts."""
    tasks = _read(name, data_dir)
    shown = next((one for one in tasks if one.task_id == task), None)
    if shown is None:
        raise _fail(f"{name} has no task {task!r}; it has {len(tasks)}")
    try:
        scene = read_scene(data_dir, shown.scene_id)
    except HouseError as error:
        raise _fail(error) from error
    labels = name_things(scene, catalogue(), shown.name_to_receptacle).labels
    for line in tell(shown, labels):
        typer.echo(line)


@app.command()
def check(
    name: Name,
    data_dir: DataDir = Path("data"),
    play: Annotated[bool, typer.Option(help="Also try each task in the simulator.")] = False,
) -> None:
    """Check every task of a set against its house; exits with 1 when something is wrong."""
    tasks = _read(name, data_dir)
    problems: list[str] = []
    scenes: dict[str, Scene] = {}
    try:
        for scene_id in sorted({task.scene_id for task in tasks}):
            scenes[scene_id] = read_scene(data_dir, scene_id)
    except HouseError as error:
        raise _fail(error) from error
    library = HouseLibrary.of(catalogue(), scenes.values())
    for task in tasks:
        problems += _problems(task, scenes[task.scene_id], name)
        if play:
            tried = try_task(task, lambda: HouseholdSimulator(library))
            if tried.fault:
                problems.append(f"task {task.task_id}: {tried.fault}: {tried.detail}")
    for problem in problems:
        typer.echo(problem, err=True)
    typer.echo(f"{len(tasks)} tasks, {len(problems)} problems")
    if problems:
        raise typer.Exit(1)


def _problems(task: Task, scene: Scene, name: str) -> list[str]:
    try:
        expect_of(task, scene, name)
    except DatasetError as error:
        return [str(error)]
    return [str(p) for p in check_task(task, scene, catalogue())]


@app.command()
def vet(
    name: Name,
    data_dir: DataDir = Path("data"),
    failures: Annotated[
        int, typer.Option(min=1, help="So many failures, and no success, mark a task.")
    ] = FAILURES,
) -> None:
    """Mark the tasks that people keep failing; nobody is given them any more.

    Looks at the attempts in the database of people alone or with each other, and writes the marks
    beside the set.
    """
    file = _file(name, data_dir)
    known = {(task.task_id, task.instruction) for task in _read(name, data_dir)}
    try:
        url = load_settings().model_copy(update={"data_dir": data_dir}).database
        attempts = asyncio.run(_attempts(url, file.relative_to(data_dir).as_posix()))
    except ValueError as error:
        raise _fail(f"expected a set below {data_dir}, got {file}") from error
    except (DatabaseError, SettingsError) as error:
        raise _fail(error) from error
    # A set that was built anew may have other tasks under the same ids.
    counting = [a for a in attempts if (a.task_id, a.instruction) in known]
    found = marks(counting, failures)
    written = write_marks(file, found)
    for mark in found:
        typer.echo(f"task {mark.task_id}: {mark.reason.replace(chr(10), ' ')}")
    typer.echo(f"{len(counting)} attempts, {len(found)} tasks left out ({written})")


async def _attempts(url: str, dataset: str) -> list[Attempt]:
    database = Database(url)
    try:
        await database.upgrade()
        async with database.transaction() as db:
            return await attempts_at(db, dataset)
    finally:
        await database.close()


@app.command()
def report(name: Name = "validation", data_dir: DataDir = Path("data")) -> None:
    """What the tasks of a set are like, beside PARTNR's, and how the expert fared with them."""
    tasks = _read(name, data_dir)
    if not tasks:
        raise _fail(f"{name} has no tasks")
    console = Console()
    console.print(_table("language (PARTNR's table 4)", language_table(tasks)))
    console.print(_table("tasks (PARTNR's table 5)", task_table(tasks)))
    typer.echo(f"{NOT_KNOWN}: a figure of PARTNR's paper that is not at hand; none is guessed")
    file = record_file(data_dir, name)
    if not file.is_file():
        typer.echo("no record of how it was built")
        return
    try:
        record = msgspec.json.decode(file.read_bytes(), type=Record)
    except msgspec.DecodeError as error:
        raise _fail(f"{file}: {error}; `{REBUILD}` makes it anew") from error
    console.print(_expert_table(record))
    for reasons, what in ((record.faults, "dropped"), (record.wrong_ways, "done wrongly by")):
        shown = ", ".join(f"{reason} {n}" for reason, n in sorted(reasons.items()))
        typer.echo(f"{what}: {shown or 'none'}")
    mean_s = record.ticks / 30 / record.count
    typer.echo(f"two experts take {mean_s:.0f} s; {record.cpu_s:.0f} s of CPU in all")


def _table(title: str, lines: Sequence[Line]) -> Table:
    table = Table("", "ours", "PARTNR", title=title, title_justify="left")
    for line in lines:
        table.add_row(*line)
    return table


def _expert_table(record: Record) -> Table:
    table = Table("type", "tried", "solved by two experts", "95 % interval",
                  title="expert", title_justify="left")  # fmt: skip
    rows = [(t, record.tried[t], record.solved.get(t, 0)) for t in sorted(record.tried)]
    rows.append(("all", sum(r[1] for r in rows), sum(r[2] for r in rows)))
    for task_type, tried, solved in rows:
        if tried:
            low, high = clopper_pearson(solved, tried)
            table.add_row(
                task_type.replace("_", "-"),
                str(tried),
                f"{100 * solved / tried:.1f} %",
                f"{100 * low:.1f} to {100 * high:.1f} %",
            )
    return table


def _file(name: str, data_dir: Path) -> Path:
    return Path(name) if name.endswith((".json", ".gz")) else tasks_file(data_dir, name)


def _read(name: str, data_dir: Path) -> list[Task]:
    file = _file(name, data_dir)
    try:
        return read_dataset(file)
    except DatasetError as error:
        hint = "" if file.is_file() else f"; `{REBUILD}` makes it"
        raise _fail(f"{error}{hint}") from error
