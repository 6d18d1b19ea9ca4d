"""The ``cohabit`` command."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from typing import Annotated

import typer

from server.doctor import Finding, examine, what_stops_play
from server.habitat_cli import app as habitat
from server.houses_cli import app as houses
from server.houses_compare import compare
from server.houses_show import show
from server.robots_cli import app as robots
from server.score_cli import metrics, score
from server.settings import Settings, SettingsError, load_settings
from server.store import DatabaseError
from server.tasks_cli import app as tasks
from server.trial_cli import trial

app = typer.Typer(
    name="cohabit",
    help="People and robots doing household tasks together, in the browser.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
)
houses.command()(show)
houses.command()(compare)
app.add_typer(houses, name="houses")
app.add_typer(tasks, name="tasks")
app.add_typer(habitat, name="habitat")
app.add_typer(robots, name="robots")
app.command()(score)
app.command()(metrics)
app.command()(trial)


class StopError(Exception):
    """The command cannot go on; the text is all that the operator sees."""


@app.command()
def serve(
    host: Annotated[str | None, typer.Option(help="Interface to listen on.")] = None,
    port: Annotated[int | None, typer.Option(help="Port to listen on.")] = None,
) -> None:
    """Serve the pages and run the homes, until it is told to stop."""
    from server.serve import serve as run

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
    findings = examine(_settings())
    for finding in findings:
        typer.echo(_line(finding))
    if any(finding.stops_play for finding in findings):
        raise typer.Exit(1)
    typer.echo("Everything that playing needs is here: `cohabit serve`.")


def _settings() -> Settings:
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
