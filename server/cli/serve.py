"""`cohabit serve`: the web process, until it is told to stop."""

from __future__ import annotations

from typing import Annotated

import typer

from server.cli.settings import read_settings
from server.cli.stop import StopError


def serve(
    host: Annotated[
        str | None, typer.Option(help="Interface to listen on, instead of the setting's.")
    ] = None,
    port: Annotated[
        int | None, typer.Option(help="Port to listen on, instead of the setting's.")
    ] = None,
    operator_link: Annotated[
        bool,
        typer.Option(
            "--operator-link",
            help="Link for operators, printed at the start: it works once, for 15 minutes.",
        ),
    ] = False,
) -> None:
    """Serve the pages and run the sessions until told to stop."""
    from server.cli.doctor_checks import line_of, what_stops_play
    from server.serve import serve as run
    from server.settings import Settings, SettingsError
    from server.store import DatabaseError

    settings = read_settings()
    given = {name: v for name, v in {"host": host, "port": port}.items() if v is not None}
    settings = Settings(**{**settings.model_dump(), **given})
    problems = what_stops_play(settings)
    if problems:
        raise StopError("\n".join(line_of(finding) for finding in problems))
    try:
        has_started = run(settings, operator_link=operator_link)
    except (DatabaseError, SettingsError) as error:
        raise StopError(str(error)) from error
    if not has_started:
        raise typer.Exit(1)
