"""`cohabit robots probe`: what a model understands of our tasks, without playing them."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Annotated

import msgspec
import typer
from rich.console import Console
from rich.markup import escape

from episodes.bounded_files import UnreadableError, read_json, refuse_link
from episodes.dataset import DatasetError, read_dataset
from server.cli.robots.options import Output
from server.cli.terminal import (
    PlainTable,
    echo,
    error_console,
    failed,
    output_console,
    progress_bar,
)
from server.research.probes.answers import PROBES, Probe
from server.research.probes.problem import Problem, problem_of
from server.research.probes.question_runner import Answers, Probing, Question, ask, questions
from server.research.probes.scores import Figure, figures
from server.robots.models.client import ModelClient
from server.robots.models.model_server import ModelServer
from server.settings import Settings, load_settings
from server.settings_error import SettingsError
from server.simulators.contract import SimulatorError
from server.simulators.household import HouseholdSimulator, HouseLibrary

SPEC = "probe.json"


class ProbeError(Exception):
    """A probing cannot be done; the text says what was expected and what came."""


def probe(
    folder: Annotated[
        Path, typer.Argument(help="Folder of the probing; one that has begun goes on.")
    ],
    tasks: Annotated[str, typer.Option(help="Set of tasks in the data directory.")] = "first",
    count: Annotated[
        int, typer.Option(min=0, help="Number of tasks, the first of the set; 0 for all.")
    ] = 0,
    only: Annotated[
        list[str] | None,
        typer.Option(help=f"Probe to ask: {', '.join(PROBES)}; may be repeated. Default: all."),
    ] = None,
    whole_home: Annotated[
        bool, typer.Option(help="Describe the whole house, not only what matters to the goals.")
    ] = False,
    example: Annotated[bool, typer.Option(help="Show an example from another house.")] = True,
    constrained: Annotated[
        bool, typer.Option(help="Constrain answers to a schema, which rules out errors of form.")
    ] = False,
    max_tokens: Annotated[int, typer.Option(min=1, help="Tokens of one answer at most.")] = 1500,
    output: Annotated[Output, typer.Option(help="Form of what is printed.")] = Output.table,
) -> None:
    """Ask the model what it understands of tasks, and score its answers as EAI does.

    Asks the model of the settings what goals mean, for subgoals, for actions, and what actions do;
    scores the answers as the Embodied Agent Interface does, and prints the figures. Questions that
    were answered are not asked again: an interrupted probing goes on, and a finished one prints
    its table.
    """
    console = output_console()
    try:
        settings = load_settings()
        wanted = Probing(
            dataset=f"tasks/{tasks}.json.gz",
            tasks=(),
            probes=_probes(only),
            model=settings.model_name,
            relevant_only=not whole_home,
            example=example,
            constrained=constrained,
            max_tokens=max_tokens,
        )
        wanted, problems = _prepared(settings, folder, wanted, count)
        answers = Answers(folder / "answers.jsonl")
    except (SettingsError, ProbeError, DatasetError, SimulatorError, UnreadableError, OSError,
            msgspec.MsgspecError) as error:  # fmt: skip
        raise failed(error) from error
    asked = questions(wanted, problems)
    not_answered = _ask(settings, asked, answers)
    there = [answer for question in asked if (answer := answers.to(question)) is not None]
    lines = figures(there, problems)
    if output is Output.json:
        echo(msgspec.json.format(msgspec.json.encode([f._asdict() for f in lines])).decode())
    else:
        _print(lines, console)
    if not_answered:
        shown = error_console()
        shown.print(
            f"[red]not answered:[/] {len(not_answered)} of {len(asked)}: {escape(not_answered[0])}"
        )
        raise typer.Exit(1)


def _probes(names: list[str] | None) -> tuple[Probe, ...]:
    unknown = [n for n in names or () if n not in PROBES]
    if unknown:
        raise ProbeError(f"no probe {', '.join(unknown)}; there are: {', '.join(PROBES)}")
    return tuple(p for p in PROBES if not names or p in names)


def _prepared(
    settings: Settings, folder: Path, wanted: Probing, count: int
) -> tuple[Probing, dict[str, Problem]]:
    """Return a probing with its tasks and their problems, and write it to its folder.

    Raises ProbeError if the folder holds another probing.
    """
    tasks = read_dataset(settings.data_dir / wanted.dataset)
    tasks = tasks[:count] if count else tasks
    wanted = msgspec.structs.replace(wanted, tasks=tuple(task.task_id for task in tasks))
    file = folder / SPEC
    try:
        begun = read_json(refuse_link(file), Probing)
    except FileNotFoundError:
        begun = wanted
    if begun != wanted:
        raise ProbeError(
            f"{folder} holds another probing ({SPEC} says which): name another folder, or give "
            "the same options and the same model"
        )
    library = HouseLibrary(settings.data_dir)
    problems = {task.task_id: problem_of(task, HouseholdSimulator(library)) for task in tasks}
    folder.mkdir(parents=True, exist_ok=True)
    file.write_bytes(msgspec.json.format(msgspec.json.encode(wanted)))
    return wanted, problems


def _ask(settings: Settings, asked: list[Question], answers: Answers) -> list[str]:
    """Ask what has no answer yet; return the errors of the calls that failed."""
    left = [question for question in asked if answers.to(question) is None]
    if not left:
        return []
    server = ModelServer.of(settings)
    if server is None:
        raise failed(ProbeError("probing needs a model server: set COHABIT_MODEL_URL"))
    not_answered: list[str] = []

    async def work() -> None:
        async with ModelClient(server) as model:
            async for answer in ask(model, left, answers, server.concurrency):
                progress.advance(bar)
                if answer.error:
                    not_answered.append(answer.error)

    with progress_bar(error_console()) as progress:
        bar = progress.add_task("questions", total=len(asked), completed=len(asked) - len(left))
        asyncio.run(work())
    return not_answered


def _print(lines: list[Figure], console: Console) -> None:
    table = PlainTable("probe", "", "value", "95 %", "tasks")
    for line in lines:
        interval = line.interval
        between = "-" if interval is None else f"{interval.low:.2f} to {interval.high:.2f}"
        table.add_row(line.probe, line.name, f"{line.value:.2f}", between, str(line.tasks))
    console.print(table)
