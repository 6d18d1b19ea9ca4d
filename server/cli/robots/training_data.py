"""Options of the commands that write what models learn from."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from episodes.bodies import SeatKind
from server.cli.terminal import failed

Out = Annotated[Path, typer.Option("--out", help="File to write; it must not exist yet.")]
SeatOption = Annotated[
    str, typer.Option("--seat", help="Seat whose actions are taken: robot or human.")
]
PolicyOption = Annotated[
    str,
    typer.Option("--policy", help="Take only what this policy did, such as react. Default: any."),
]


def kind_of(seat: str) -> SeatKind:
    """Return the kind of a seat from the option. Raises typer.Exit for another word."""
    if seat not in ("robot", "human"):
        raise failed(f"expected robot or human, got {seat!r}", 2)
    return "robot" if seat == "robot" else "human"
