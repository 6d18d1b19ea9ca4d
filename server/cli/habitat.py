"""`cohabit habitat`: which interpreter has habitat-sim, and whether it has what sessions need."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Annotated

import typer

from server.cli.terminal import echo
from server.simulators.habitat.interpreter import (
    VARIABLE,
    InterpreterError,
    Report,
    examine,
    known,
    remember,
)

app = typer.Typer(help="Sessions on habitat-sim, in its own interpreter.", no_args_is_help=True)

Python = Annotated[Path, typer.Argument(help="Interpreter that can import habitat-sim.")]


@app.command()
def use(python: Python) -> None:
    """Check an interpreter, and remember it for this user."""
    # Not resolved: the python of a virtual environment is a link to one that has nothing.
    python = Path(os.path.abspath(python.expanduser()))
    if not _tell(python):
        raise typer.Exit(1)
    echo(f"remembered in {remember(python)}")
    named = os.environ.get(VARIABLE)
    if named:
        echo(f"but {VARIABLE} is set, and goes before: {named}")


@app.command()
def doctor() -> None:
    """Print which interpreter is used, what it has and what it lacks."""
    found = known()
    if found is None:
        echo(
            "no interpreter with habitat-sim is known; sessions run on the household.\n"
            f"-> cohabit habitat use PYTHON, or set {VARIABLE}"
        )
        raise typer.Exit(1)
    echo(f"{found.python} (from {found.source})")
    if not _tell(found.python):
        raise typer.Exit(1)


def _tell(python: Path) -> bool:
    """Print what an interpreter has; return whether that suffices."""
    try:
        report = examine(python)
    except InterpreterError as error:
        echo(f"PROBLEM  {error}", err=True)
        return False
    version = ".".join(map(str, report.python))
    echo(f"Python {version}, habitat-sim {report.habitat_sim or 'missing'}")
    for problem in report.problems():
        echo(f"PROBLEM  {problem}", err=True)
    if report.packages:
        echo(f"PROBLEM  packages are missing\n{_pip(python, report)}", err=True)
    return not report.problems() and not report.packages


def _pip(python: Path, report: Report) -> str:
    wanted = " ".join(f"'{package}'" for package in report.packages)
    return f"         -> {python} -m pip install {wanted}"
