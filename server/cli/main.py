"""The ``cohabit`` command."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from typing import TYPE_CHECKING, Annotated

import typer

from server.cli.lazy_commands import Later, group_with

if TYPE_CHECKING:
    from server.cli.doctor import Finding
    from server.settings import Settings

COMMANDS = {
    "houses": Later("server.cli.houses:app", "Generated houses and their tasks."),
    "tasks": Later("server.cli.tasks:app", "Sets of tasks."),
    "habitat": Later("server.cli.habitat:app", "Sessions on habitat-sim, in its own interpreter."),
    "robots": Later("server.cli.robots:app", "Robots driven by language models."),
    "score": Later(
        "server.cli.score:score", "Score recorded sessions again, from what was logged alone."
    ),
    "metrics": Later(
        "server.cli.score:metrics",
        "Print PARTNR's, MAP-THOR's and TEACh's metrics of recorded sessions.",
    ),
    "trial": Later(
        "server.cli.trial:trial",
        "Play every pair of policies on every task, record it, and print the table.",
    ),
}
"""Commands of other modules, which are imported when they are called."""

app = typer.Typer(
    name="cohabit",
    cls=group_with(COMMANDS),
    help="People and robots doing household tasks together, in the browser.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
)


class StopError(Exception):
    """The command cannot go on; the text is all that the operator sees."""


@app.command()
def serve(
    host: Annotated[str | None, typer.Option(help="Interface to listen on.")] = None,
    port: Annotated[int | None, typer.Option(help="Port to listen on.")] = None,
) -> None:
    """Serve the pages and run the homes, until it is told to stop."""
    from server.cli.doctor import what_stops_play
    from server.serve import serve as run
    from server.settings import Settings
    from server.store import DatabaseError

    settings = _settings()
    changed = {"host": host, "port": port}
    settings = Settings(**{**settings.model_dump(), **_given(changed)})
    problems = what_stops_play(settings)
    if problems:
        raise StopError("\n".join(_line(finding) for finding in problems))
    try:
        has_started = run(settings)
    except DatabaseError as error:
        raise StopError(str(error)) from error
    if not has_started:
        raise typer.Exit(1)


@app.command()
def doctor() -> None:
    """Check what playing needs, and say what to do about what is missing."""
    from server.cli.doctor import examine

    findings = examine(_settings())
    for finding in findings:
        typer.echo(_line(finding))
    if any(finding.stops_play for finding in findings):
        raise typer.Exit(1)
    typer.echo("Everything that playing needs is here: `cohabit serve`.")


def _settings() -> Settings:
    from server.settings import SettingsError, load_settings

    try:
        return load_settings()
    except SettingsError as error:
        raise StopError(str(error)) from error


def _given(options: Mapping[str, object]) -> dict[str, object]:
    return {name: value for name, value in options.items() if value is not None}


_MARKS = {"ok": "ok     ", "note": "note   ", "problem": "PROBLEM"}


def _line(finding: Finding) -> str:
    text = f"{_MARKS[finding.level]}  {finding.subject}: {finding.text}"
    return f"{text}\n         -> {finding.remedy}" if finding.remedy else text


def main() -> None:
    """Entry point: errors that an operator can do something about come without a traceback."""
    try:
        app()
    except StopError as stop:
        typer.echo(str(stop), err=True)
        sys.exit(1)


if __name__ == "__main__":
    main()
