"""`cohabit serve`: the web process, until it is told to stop."""

from __future__ import annotations

from contextlib import nullcontext
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
    from server.owner_lock import OwnedError, left_as_it_was, own
    from server.serve import serve as run
    from server.serve import tell
    from server.settings import Settings
    from server.settings_error import SettingsError
    from server.store import DatabaseError

    settings = read_settings()
    given = {name: v for name, v in {"host": host, "port": port}.items() if v is not None}
    settings = Settings(**{**settings.model_dump(), **given})
    # Without a data directory there is nothing to own, and the checks say how to make one.
    has_data = settings.data_dir.is_dir()
    try:
        with own(settings, tell) if has_data else nullcontext() as ownership:
            problems = what_stops_play(settings)
            if ownership is None:
                raise StopError("\n".join(map(line_of, problems)))
            with left_as_it_was(ownership):
                if problems:
                    raise StopError("\n".join(map(line_of, problems)))
                has_started = run(settings, ownership, operator_link=operator_link)
    except (DatabaseError, OwnedError, SettingsError) as error:
        raise StopError(str(error)) from error
    if not has_started:
        raise typer.Exit(1)
