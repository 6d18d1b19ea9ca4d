"""`cohabit study new`: a commented start."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from matchmaking.study.study import NAME
from server.cli.terminal import echo, failed
from server.research.studies.ready_studies import NoSuchStudyError, begun_like


def new(
    name: Annotated[str, typer.Argument(help="Name of the study, and of the file that is made.")],
    like: Annotated[
        str, typer.Option(help="Ready study that it begins as, such as explanation or latency.")
    ] = "partnr-table3",
    folder: Annotated[Path, typer.Option(help="Folder of the file.")] = Path(),
) -> None:
    """Write a commented study file that begins as a ready study."""
    if NAME.fullmatch(name) is None:
        raise failed(f"expected small letters, digits and hyphens for the name, got {name!r}")
    try:
        text = begun_like(name, like)
    except NoSuchStudyError as error:
        raise failed(error) from error
    file = folder / f"{name}.yaml"
    try:
        with file.open("x", encoding="utf-8") as made:
            made.write(text)
    except FileExistsError as error:
        raise failed(f"{file} is there already: give the study another name") from error
    except OSError as error:
        raise failed(f"{file} cannot be written: {error}") from error
    echo(f"{file} begins as {like}. Change it, then `cohabit study check {file}`.")
