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
