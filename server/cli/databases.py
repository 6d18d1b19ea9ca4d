"""The server's database for commands: one transaction, and errors as sentences."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING, TypeVar

from server.cli.stop import StopError

if TYPE_CHECKING:
    from sqlalchemy.ext.asyncio import AsyncSession

    from server.settings import Settings

T = TypeVar("T")


def in_database(
    settings: Settings,
    work: Callable[[AsyncSession], Awaitable[T]],
    *,
    upgrades: bool = False,
) -> T:
    """Do something in one transaction of the server's database. Raises StopError.

    ``upgrades`` brings the schema up to date first; otherwise an older one is refused, and nothing
    is changed.
    """
    from server.personal.key_folder import KeysError
    from server.personal.process_keys import use_keys
    from server.store import Database, DatabaseError

    async def run() -> T:
        database = Database(settings.database, settings.database_wait_s, use_keys(settings.keys))
        try:
            await (database.upgrade() if upgrades else database.check_release())
            async with database.transaction() as db:
                return await work(db)
        finally:
            await database.close()

    try:
        return asyncio.run(run())
    except (DatabaseError, KeysError) as error:
        raise StopError(str(error)) from error
