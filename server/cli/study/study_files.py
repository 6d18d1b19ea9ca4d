"""Study files as the arguments of commands."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Annotated

import typer

from matchmaking.study.opening_rules import opening_warnings
from matchmaking.study_file import FileProblem, StudyFile, StudyFileError, read_study
from server.cli.stop import StopError
from server.cli.terminal import echo, failed

File = Annotated[Path, typer.Argument(help="Study file (YAML).")]


def read_file(file: Path) -> StudyFile:
    """Read a study file. Prints what is wrong and raises typer.Exit where that fails."""
    try:
        text = file.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise failed(f"{file} cannot be read: {error}") from error
    try:
        return read_study(text)
    except StudyFileError as error:
        tell(file, error.problems)
        raise typer.Exit(1) from error


def tell(file: Path, problems: Iterable[FileProblem]) -> None:
    """Print problems of a file, one a line, in the order of the file."""
    for problem in sorted(problems):
        echo(problem.told(str(file)), err=True)


def tell_warnings(file: Path, read: StudyFile) -> None:
    """Print what a researcher should know of a study that may be opened."""
    for warning in map(read.problem, opening_warnings(read.study)):
        echo(warning._replace(text=f"warning: {warning.text}").told(str(file)), err=True)


def missing(error: ModuleNotFoundError) -> StopError:
    """Return the error for a library that only the extra ``analysis`` installs."""
    return StopError(
        f"{error.name} is missing, which computes sample sizes: install it with "
        "`pip install 'cohabit[analysis]'`"
    )
