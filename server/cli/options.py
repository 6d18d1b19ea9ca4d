"""Options and arguments that several commands have."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

DATA_DIR = Path("data")
"""Data directory where the option does not say otherwise."""

DataDir = Annotated[
    Path,
    typer.Option("--data-dir", envvar="COHABIT_DATA_DIR", help="Folder with the houses and tasks."),
]
StudyName = Annotated[str, typer.Argument(help="Name of the study.")]
Person = Annotated[
    str, typer.Argument(help="Visit as payments print it, or pseudonym as exports have it.")
]
"""Person of a study, as `server.cli.study.visits_by_name.found_visit` finds their visit."""
