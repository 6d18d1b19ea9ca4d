"""Recordings as commands are given them, and how they are scored."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.markup import escape

from server.cli.terminal import failed
from server.recording.recordings import Recording, RecordingError, find_recordings, read_recording

SEMANTICS = ("documented", "released")
NO_RECORDING = "there is no recording here"

Recordings = Annotated[
    list[Path], typer.Argument(help="Recordings, or folders that contain recordings.")
]
SemanticsOption = Annotated[
    str | None,
    typer.Option(
        "--semantics",
        help="Evaluator semantics, documented or released. Default: those of the recording.",
    ),
]


def check_semantics(name: str | None) -> None:
    """Refuse semantics that the evaluator does not have. Raises typer.Exit."""
    if name is not None and name not in SEMANTICS:
        raise failed(f"expected documented or released, got {name!r}", 2)


def read_recordings(paths: Iterable[Path]) -> Iterator[Recording]:
    """Yield every recorded episode; warn about a file that is no recording, and go on.

    Raises typer.Exit for a path that does not exist.
    """
    try:
        files = find_recordings(paths)
    except RecordingError as error:
        raise failed(error, 2) from error
    for path in files:
        try:
            yield from read_recording(path)
        except RecordingError as error:
            warn_left_out(error)


def warn_left_out(error: RecordingError) -> None:
    """Say that a recording is left out, and why."""
    Console(stderr=True).print(f"[yellow]left out:[/] {escape(str(error))}", highlight=False)
