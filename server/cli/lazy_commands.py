"""Commands whose modules are imported when they are called.

The command line has many commands, and each needs other heavy libraries (a database, shapes,
drawing); to list them, or to run one, only that one's are wanted.
"""

from __future__ import annotations

from importlib import import_module
from typing import Any, NamedTuple

import typer
from typer.core import TyperCommand, TyperGroup
from typer.main import get_command, get_group


class Later(NamedTuple):
    """Where a command is: ``module:attribute``, a function or a `typer.Typer` with more of them.

    ``help`` is what the list of commands says of it.
    """

    source: str
    help: str


class _StandIn(TyperCommand):
    """Takes the place of a command in its group; the real one parses and runs."""

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


def group_with(commands: dict[str, Later]) -> type[TyperGroup]:
    """The class of a group (for ``typer.Typer(cls=…)``) that also has these commands.

    Typer makes a group only of what has two commands of its own, or a callback.
    """

    class Group(TyperGroup):
        def __init__(self, **attributes: Any) -> None:
            super().__init__(**attributes)
            for name, later in commands.items():
                self.add_command(_StandIn(name, later))

    return Group
