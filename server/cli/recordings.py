"""Recordings as commands are given them, and how they are scored."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Annotated, TypeVar

import typer
from rich.markup import escape

from episodes.bounded_files import LARGEST, MIB
from episodes.visible_text import visible_line
from server.cli.terminal import error_console, failed
from server.recording.recordings import Recording, RecordingError, find_recordings, read_recording

T = TypeVar("T")

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

LargestOption = Annotated[
    int,
    typer.Option(
        "--largest", min=1, help="Most MiB of a recording, unpacked; larger ones are left out."
    ),
]
LARGEST_MIB = LARGEST // MIB


def check_semantics(name: str | None) -> None:
    """Refuse semantics that the evaluator does not have. Raises typer.Exit."""
    if name is not None and name not in SEMANTICS:
        raise failed(f"expected documented or released, got {name!r}", 2)


def read_recordings(paths: Iterable[Path], largest_mib: int = LARGEST_MIB) -> Iterator[Recording]:
    """Yield every recorded episode; warn about a file that is no recording, and go on.

    Raises typer.Exit for a path that does not exist.
    """
    try:
        files = find_recordings(paths)
    except RecordingError as error:
        raise failed(error, 2) from error
    for path in files:
        try:
            yield from read_recording(path, largest_mib * MIB)
        except RecordingError as error:
            warn_left_out(error)


def for_each(
    recordings: Iterable[Recording], work: Callable[[Recording], T]
) -> Iterator[tuple[Recording, T]]:
    """Yield each recording with what ``work`` made of it; warn about those that it cannot fold.

    An episode that was read before is left out, too: it would count twice.
    """
    known: dict[tuple[str, str], Path] = {}
    for recording in recordings:
        try:
            first = known.get(recording.key)
            if first is not None:
                raise RecordingError(
                    f"{recording.path}: episode {recording.episode_id} was read from {first}"
                )
            with recording.folding():
                made = work(recording)
            known[recording.key] = recording.path
        except RecordingError as error:
            warn_left_out(error)
        else:
            yield recording, made


def warn_left_out(error: RecordingError) -> None:
    """Say that a recording is left out, and why."""
    why = escape(visible_line(str(error)))
    error_console().print(f"[yellow]left out:[/] {why}", highlight=False, soft_wrap=True)
