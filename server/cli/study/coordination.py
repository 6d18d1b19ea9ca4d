"""`cohabit study coordination`: people and policies on the same tasks, live and in trials."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from server.cli.settings import read_settings
from server.cli.stop import StopError
from server.cli.terminal import echo, output_console


class Output(StrEnum):
    """Forms in which the table is printed."""

    table = "table"
    csv = "csv"
    json = "json"


def coordination(
    folders: Annotated[
        list[Path],
        typer.Argument(help="Folders of `cohabit study export` and of `cohabit trial`."),
    ],
    against: Annotated[
        str,
        typer.Option(
            help="Team that the others are compared with, by a part of its name. Default: the "
            "first; people together come first."
        ),
    ] = "",
    limit_s: Annotated[
        float | None,
        typer.Option(
            min=1.0,
            help="Seconds that an unsolved attempt counts as. Default: the shortest limit of all "
            "folders.",
        ),
    ] = None,
    output: Annotated[Output, typer.Option(help="Form of what is printed.")] = Output.table,
) -> None:
    """Compare people together, with policies, policies together, and either alone.

    Differences are matched by task, and say what else was not the same: live or unpaced, latency,
    reading, rules, ending. It needs the extra `analysis`.
    """
    try:
        from server.recording.recordings import RecordingError
        from server.research.coordination.lines import CoordinationError, coordination_of
        from server.research.coordination.output import notes_of, tables_of, to_csv, to_json
        from server.research.coordination.study_attempts import study_source
        from server.research.coordination.trial_attempts import is_trial, trial_source
        from server.research.study_report.export_tables import ReportError
        from server.research.trials.plan import TrialError
    except ModuleNotFoundError as error:
        raise StopError(f"the table needs {error.name}: install the extra `analysis`") from error
    data_dir = read_settings().data_dir
    try:
        sources = [
            trial_source(folder, data_dir) if is_trial(folder) else study_source(folder)
            for folder in folders
        ]
        found = coordination_of(sources, against=against, limit_s=limit_s)
    except (CoordinationError, ReportError, TrialError, RecordingError) as error:
        raise StopError(str(error)) from error
    if output is Output.csv:
        echo(to_csv(found), nl=False)
        return
    if output is Output.json:
        echo(to_json(found, sources))
        return
    console = output_console()
    for table in tables_of(found, sources):
        console.print(table)
    for note in notes_of(found, sources):
        console.print(note, markup=False, highlight=False)
