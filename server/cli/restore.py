"""`cohabit restore`: a backup becomes the data of a server again."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated

import typer

from server.cli.settings import read_settings
from server.cli.stop import StopError
from server.cli.terminal import echo


def restore(
    backup: Annotated[Path, typer.Argument(help="File that `cohabit backup` wrote.")],
) -> None:
    """Restore a backup into an empty data directory, and an empty database."""
    from server.backups.manifest import BackupError
    from server.backups.restoration import restore_backup
    from server.owner_lock import OwnedError
    from server.personal.key_folder import KeyFolder, KeysError
    from server.store import DatabaseError

    settings = read_settings()
    try:
        manifest = restore_backup(settings, backup)
    except (BackupError, DatabaseError, KeysError, OwnedError) as error:
        raise StopError(str(error)) from error
    made_at = datetime.fromtimestamp(manifest.made_at, UTC).isoformat(timespec="seconds")
    echo(f"{len(manifest.entries)} files of {made_at} are in {settings.data_dir}")
    if not KeyFolder(settings.keys).exists():
        echo(
            f"There are no keys in {settings.keys}: bring the server's there before it "
            "starts. It has the list of those who were forgotten since, and without it nothing "
            "that people wrote can be read."
        )
    echo(f"Sessions go on if a server starts within {settings.resume_age_s:.0f} s of then.")
