"""`cohabit backup`: a copy of a server's data, while it runs."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from server.cli.settings import read_settings
from server.cli.stop import StopError
from server.cli.terminal import echo, progress


def backup(
    target: Annotated[
        Path, typer.Argument(help="File to write, or a folder in which it is named by the time.")
    ],
) -> None:
    """Write the database, recordings, houses and key into one file; the server may run."""
    from server.app import server_version
    from server.backups.backup import make_backup
    from server.backups.manifest import BackupError
    from server.store import DatabaseError

    try:
        with progress("files") as tell:
            file, sessions = make_backup(read_settings(), target, server_version(), tell)
    except (BackupError, DatabaseError) as error:
        raise StopError(str(error)) from error
    echo(f"{sessions} sessions, {file.stat().st_size / 1e6:.1f} MB in {file}")
    echo("It holds the key that signs tokens, and what people did: keep it as safe.")
    echo(f"The keys of who they are and what they wrote stay in {read_settings().keys}.")
