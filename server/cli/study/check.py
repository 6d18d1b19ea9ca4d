"""`cohabit study check`: what is wrong with a study before anybody is invited."""

from __future__ import annotations

from pathlib import Path

import typer

from episodes.dataset import DatasetError
from matchmaking.study import Problem, Study
from matchmaking.study.opening_rules import groups_wanted, people_wanted
from server.cli.options import DATA_DIR, DataDir
from server.cli.settings import read_settings
from server.cli.study.study_files import File, missing, read_file, tell, tell_warnings
from server.cli.terminal import echo
from server.research.studies.checks import unready
from server.research.studies.task_choice import tasks_of


def check(file: File, data_dir: DataDir = DATA_DIR) -> None:
    """Check a study file; exit with 1 if something is wrong.

    Each problem has its line and what to do. A study with an analysis is checked for power, too.
    """
    read = read_file(file)
    study = read.study
    if problems := problems_of(study, data_dir, read_settings().dataset):
        tell(file, map(read.problem, problems))
        raise typer.Exit(1)
    tell_warnings(file, read)
    echo(
        f"{file}: {study.name} version {study.version}, {len(study.cells)} conditions, "
        f"{groups_wanted(study)} groups, {people_wanted(study)} people, {study.purpose}. 0 problems"
    )


def problems_of(study: Study, data_dir: Path, dataset: str) -> list[Problem]:
    """Return all that keeps a study from being opened here, and print the sample that it needs.

    ``dataset`` is what open play draws tasks from, below the data directory.
    """
    problems = list(unready(study, data_dir, own=data_dir / dataset))
    if study.analysis is not None:
        problems += _power_problems(study, data_dir)
    return problems


def print_power(study: Study, data_dir: Path) -> int:
    """Print the sample sizes that the hypotheses of a study need; return how many tasks it has.

    Nothing is printed where its tasks are not there. Raises StopError without the libraries.
    """
    try:
        from server.research.power.adequacy import adequacies, size_line
    except ModuleNotFoundError as error:
        raise missing(error) from error
    try:
        n_tasks = len(tasks_of(study, data_dir))
    except DatasetError:
        # Told among the problems of the tasks.
        return 0
    for adequacy in adequacies(study, n_tasks):
        echo(size_line(adequacy))
    return n_tasks


def _power_problems(study: Study, data_dir: Path) -> list[Problem]:
    """Print the sample sizes of a study, and return what of its own is too small."""
    n_tasks = print_power(study, data_dir)
    if not n_tasks:
        return []
    from server.research.power.adequacy import inadequate

    return list(inadequate(study, n_tasks))
