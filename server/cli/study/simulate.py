"""`cohabit study simulate`: a rehearsal with scripted participants, before anybody is invited."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from episodes.dataset import DatasetError
from server.cli.options import DATA_DIR, DataDir
from server.cli.study.study_files import File, read_file
from server.cli.terminal import echo, failed
from server.research.rehearsal.habits import Habits, usual_success
from server.research.rehearsal.rehearsal import RehearsalError, rehearse
from server.research.rehearsal.tables import draw, lines, write_rows
from server.research.studies.task_choice import tasks_of

USUAL = Habits()


def simulate(
    file: File,
    groups: Annotated[
        int | None,
        typer.Option(min=1, help="Groups that complete the study; without it all targets."),
    ] = None,
    seed: Annotated[int, typer.Option(help="Seed of everything that is drawn.")] = 0,
    per_hour: Annotated[float, typer.Option(help="People who open the link in an hour.")] = (
        USUAL.per_hour
    ),
    refuses: Annotated[float, typer.Option(help="Share that does not consent.")] = USUAL.refuses,
    fails: Annotated[float, typer.Option(help="Share that fails each check.")] = USUAL.fails,
    reads_slowly: Annotated[
        float, typer.Option(help="Share that takes five times as long for each page.")
    ] = USUAL.reads_slowly,
    comes_twice: Annotated[
        float, typer.Option(help="Share that opens the link a second time.")
    ] = USUAL.comes_twice,
    drops_out: Annotated[
        float, typer.Option(help="Share of people who leave within an attempt.")
    ] = USUAL.drops_out,
    rows: Annotated[Path | None, typer.Option(help="CSV file for the simulated attempts.")] = None,
    figure: Annotated[
        Path | None, typer.Option(help="Picture of the outcomes to write (.svg, .png, .pdf).")
    ] = None,
    data_dir: DataDir = DATA_DIR,
) -> None:
    """Play a study with scripted participants: conditions, waits, cost, power, outcomes.

    They refuse, fail, read slowly, come twice and drop out. The state machines are those in use;
    nothing is opened, and no robot is asked. Attempts have the effect that the analysis declares.
    """
    study = read_file(file).study
    habits = Habits(
        per_hour=per_hour,
        refuses=refuses,
        fails=fails,
        reads_slowly=reads_slowly,
        comes_twice=comes_twice,
        drops_out=drops_out,
        succeeds=usual_success(study),
    )
    try:
        tasks = [task.task_id for task in tasks_of(study, data_dir)]
        found = rehearse(study, tasks, habits, groups=groups, seed=seed)
    except (RehearsalError, DatasetError) as error:
        raise failed(error) from error
    for line in lines(study, found):
        echo(line)
    if study.analysis is not None:
        from server.cli.study.check import print_power

        print_power(study, data_dir)
    try:
        if rows is not None:
            write_rows(found, rows)
        if figure is not None:
            draw(study, found, figure)
    except ModuleNotFoundError as error:
        raise failed("a picture needs matplotlib: install the extra `analysis`") from error
    except (OSError, ValueError) as error:
        raise failed(f"the file could not be written: {error}") from error
