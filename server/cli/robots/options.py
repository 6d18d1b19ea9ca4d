"""Options that several commands on robots have."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated

import typer

Key = Annotated[
    str,
    typer.Option(
        envvar="COHABIT_MODEL_KEY", help="API key that requests must bear.", show_envvar=True
    ),
]


class Output(StrEnum):
    """Forms in which a command prints what it found."""

    table = "table"
    json = "json"
