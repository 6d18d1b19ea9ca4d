"""Commands whose modules are imported when they are called.

The command line has many commands, and each needs other heavy libraries (a database, shapes,
drawing). A list of commands imports none of them, and a command imports only its own.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module
from typing import Any, NamedTuple

import typer
from typer.core import TyperCommand, TyperGroup
from typer.main import get_command, get_group

from episodes.visible_text import shortened


class Later(NamedTuple):
    """A command's place, ``module:attribute``, and what the list of commands says of it.

    The attribute is a function, or a `typer.Typer` with more commands.
    """

    source: str
    help: str


def command_group(commands: dict[str, Later], about: str, name: str | None = None) -> typer.Typer:
    """Return a group of commands that are imported when called; ``about`` is its help."""
    group = typer.Typer(
        name=name,
        cls=group_with(commands),
        help=about,
        no_args_is_help=True,
        add_completion=False,
        pretty_exceptions_enable=False,
    )
    # Typer makes a group only of what has commands of its own, or a callback.
    group.callback()(lambda: None)
    return group


def group_with(commands: dict[str, Later]) -> type[TyperGroup]:
    """Return the class of a group (for ``typer.Typer(cls=…)``) that also has these commands."""

    class Group(TyperGroup):
        # What is wrong with an argument is raised in here, also below a group below this one.
        def make_context(self, *args: Any, **extra: Any) -> Any:
            with _brief_errors():
                return super().make_context(*args, **extra)

        def invoke(self, ctx: Any) -> Any:
            with _brief_errors():
                return super().invoke(ctx)

        def __init__(self, **attributes: Any) -> None:
            super().__init__(**attributes)
            for name, later in commands.items():
                self.add_command(_StandIn(name, later))

    return Group


@contextmanager
def _brief_errors() -> Iterator[None]:
    """Shorten what errors quote of the command line."""
    try:
        yield
    except typer.TyperException as error:
        error.message = shortened(error.message)
        raise


class _StandIn(TyperCommand):
    """Place of a command in its group; the real command parses and runs."""

    def __init__(self, name: str, later: Later) -> None:
        super().__init__(name, help=later.help)
        self._later = later

    def make_context(
        self, info_name: str | None, args: list[str], parent: Any = None, **extra: Any
    ) -> Any:
        return self._found().make_context(info_name, args, parent=parent, **extra)

    def _found(self) -> Any:
        module, _, attribute = self._later.source.partition(":")
        found = getattr(import_module(module), attribute)
        if isinstance(found, typer.Typer):
            # Without the options for completion that a command line of its own has.
            return get_group(found)
        app = typer.Typer(add_completion=False)
        app.command(self.name)(found)
        return get_command(app)
