"""Terminal output of commands beside their results: errors and progress."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import typer
from rich.console import Console
from rich.markup import escape
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

Tell = Callable[[int, int], None]
"""Callback with the number of pieces of work that are done, and how many there are in all."""


def error_console() -> Console:
    """Return a console on standard error, which is no terminal where ``CI`` is set."""
    return Console(stderr=True, force_terminal=False if os.environ.get("CI") else None)


def failed(error: object, status: int = 1) -> typer.Exit:
    """Print an error and return the exception that ends the command with ``status``."""
    # Not wrapped: errors name commands and files to copy.
    Console(stderr=True).print(
        f"[red]error:[/] {escape(str(error))}", highlight=False, soft_wrap=True
    )
    return typer.Exit(status)


def progress_bar(console: Console) -> Progress:
    """Return a progress bar that is gone when it is done, and never drawn outside a terminal."""
    return Progress(
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeRemainingColumn(),
        console=console,
        transient=True,
        disable=not console.is_terminal,
    )


@contextmanager
def progress(what: str) -> Iterator[Tell]:
    """Draw a progress bar while work is done; yields what to call with the state of the work."""
    with progress_bar(error_console()) as bar:
        task = bar.add_task(what, total=None)
        yield lambda done, total: bar.update(task, completed=done, total=total)
