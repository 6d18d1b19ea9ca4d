"""`cohabit retention`: what is kept longer than the settings say, and its removal."""

from __future__ import annotations

import asyncio
from typing import Annotated

import typer

from server.cli.settings import read_settings
from server.cli.stop import StopError
from server.cli.terminal import echo


def retention(
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Only say what would be removed, as without options.")
    ] = False,
    yes: Annotated[
        bool, typer.Option("--yes", help="Remove it. It cannot be brought back.")
    ] = False,
) -> None:
    """Say what is kept longer than the settings allow, or remove it now.

    The server does the same by itself every hour. It may run meanwhile.
    """
    from server.personal.key_folder import KeysError
    from server.personal.process_keys import use_keys
    from server.privacy.retention import Kind, Removal, Retention
    from server.store import Database, DatabaseError
    from server.store.operator_acts import COMMAND_LINE
    from server.wall_clock import utc_now

    if dry_run and yes:
        raise StopError("--dry-run and --yes exclude each other")
    settings = read_settings()

    async def work() -> list[Removal]:
        database = Database(settings.database, settings.database_wait_s, use_keys(settings.keys))
        try:
            await (database.upgrade() if yes else database.check_release())
            kept = Retention(settings, database, utc_now)
            return await (kept.run(COMMAND_LINE) if yes else kept.due())
        finally:
            await database.close()

    try:
        removals = {removal.kind: removal for removal in asyncio.run(work())}
    except (DatabaseError, KeysError) as error:
        raise StopError(str(error)) from error
    for kind in Kind:
        days = kind.days(settings)
        if kind not in removals:
            echo(f"{kind.words}: kept without an end ({kind.variable}=0)")
            continue
        told = "removed" if yes else "would remove"
        removal = removals[kind]
        echo(f"{kind.words}, after {days:g} days ({kind.variable}): {told} {removal.text}")
        for session_id in removal.sessions:
            echo(f"  {session_id}")
    if left := [session_id for removal in removals.values() for session_id in removal.left]:
        raise StopError(
            f"not all is removed: the files of {', '.join(left)}. Do it again when it can be"
        )
    if not yes and any(not removal.is_empty for removal in removals.values()):
        echo("Nothing is removed yet: say --yes. It cannot be brought back.")
