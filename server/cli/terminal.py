"""Terminal output of commands.

Everything that a command prints goes through here: names, texts and errors come from files and
models of other people, and must command no terminal.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import typer
from rich.console import Console
from rich.markup import escape
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn
from rich.table import Table
from rich.text import Text

from episodes.visible_text import shortened, visible

Tell = Callable[[int, int], None]
"""Callback with the number of pieces of work that are done, and how many there are in all."""


class VisibleConsole(Console):
    """A console that shows control and invisible characters escaped."""

    def render_str(self, text: str, **options: Any) -> Text:
        """Return a string as it is printed."""
        return super().render_str(visible(text), **options)


class PlainTable(Table):
    """A table whose strings are shown as they are: no markup is read in them."""

    def add_row(self, *cells: Any, **options: Any) -> None:
        """Add a row."""
        shown = (Text(visible(c)) if isinstance(c, str) else c for c in cells)
        super().add_row(*shown, **options)


def echo(text: str, *, err: bool = False, nl: bool = True) -> None:
    """Print a text that is not wrapped: what people copy, and what programs read."""
    typer.echo(visible(text), err=err, nl=nl)


def output_console(**options: Any) -> Console:
    """Return a console on standard output."""
    return VisibleConsole(emoji=False, **options)


def error_console() -> Console:
    """Return a console on standard error, which is no terminal where ``CI`` is set."""
    forced = False if os.environ.get("CI") else None
    return VisibleConsole(stderr=True, emoji=False, force_terminal=forced)


def failed(error: object, status: int = 1) -> typer.Exit:
    """Print an error and return the exception that ends the command with ``status``."""
    # Not wrapped: errors name commands and files to copy.
    VisibleConsole(stderr=True, emoji=False).print(
        f"[red]error:[/] {escape(shortened(str(error)))}", highlight=False, soft_wrap=True
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
