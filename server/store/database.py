"""Database: the engine, its sessions, and the upgrade to the schema of this release."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from alembic import command
from alembic.config import Config
from alembic.util import CommandError
from sqlalchemy import Connection, event, make_url, text
from sqlalchemy.exc import InterfaceError, OperationalError, SQLAlchemyError
from sqlalchemy.ext.asyncio import AsyncSession, async_sessionmaker, create_async_engine

MIGRATIONS = Path(__file__).parent / "migrations"
_ASYNC_DRIVERS = {
    "sqlite": "sqlite+aiosqlite",
    "postgres": "postgresql+asyncpg",
    "postgresql": "postgresql+asyncpg",
}
"""Driver that is meant here, by the one that people write in a URL."""
_SQLITE_PRAGMAS = (
    # Readers do not wait for the writer, and a killed process loses nothing that was committed.
    "PRAGMA journal_mode=WAL",
    "PRAGMA synchronous=NORMAL",
    "PRAGMA busy_timeout=5000",
    "PRAGMA foreign_keys=ON",
)
_POSTGRES_OPTIONS = {"timeout": 5, "command_timeout": 20}
"""Timeouts (s): a server that is away without saying so must not keep anybody waiting."""


class DatabaseError(Exception):
    """The database cannot be used; the text says why and what to do."""


class Database:
    """A database; make it, `upgrade` it, `close` it at the end."""

    def __init__(self, url: str) -> None:
        parsed = make_url(url)
        driver = _ASYNC_DRIVERS.get(parsed.drivername)
        if driver is not None:
            parsed = parsed.set(drivername=driver)
        self.url = parsed.render_as_string(hide_password=True)
        self._is_sqlite = parsed.get_backend_name() == "sqlite"
        if self._is_sqlite and parsed.database not in (None, "", ":memory:"):
            assert parsed.database is not None
            Path(parsed.database).parent.mkdir(parents=True, exist_ok=True)
        try:
            self.engine = create_async_engine(
                parsed,
                pool_pre_ping=not self._is_sqlite,
                connect_args={} if self._is_sqlite else _POSTGRES_OPTIONS,
            )
        except ModuleNotFoundError as error:
            raise DatabaseError(
                f"{self.url} needs the package {error.name}: pip install 'cohabit[postgres]'"
            ) from error
        if self._is_sqlite:
            event.listen(self.engine.sync_engine, "connect", _set_pragmas)
        self._make_session = async_sessionmaker(self.engine, expire_on_commit=False)

    @asynccontextmanager
    async def transaction(self) -> AsyncIterator[AsyncSession]:
        """Open a session that commits at the end of the block, or rolls back if it raises.

        Raises DatabaseError when the database is away.
        """
        try:
            async with self._make_session() as session, session.begin():
                yield session
        except (OperationalError, InterfaceError, OSError) as error:
            raise DatabaseError(f"{self.url} does not answer: {_first_line(error)}") from error

    async def upgrade(self) -> None:
        """Bring the schema to this release's.

        Raises DatabaseError when the database cannot be reached or is of a later release.
        """
        try:
            async with self.engine.begin() as connection:
                await connection.run_sync(_upgrade)
        except CommandError as error:
            raise DatabaseError(
                f"{self.url} is of another release ({error}): install that one, "
                "or set COHABIT_DATABASE_URL to another database"
            ) from error
        except (SQLAlchemyError, OSError) as error:
            raise DatabaseError(
                f"{self.url} cannot be opened ({_first_line(error)}): check that it runs, that "
                "the address and password are right and that the folder can be written"
            ) from error

    async def check(self) -> None:
        """Ask the database something. Raises DatabaseError if it does not answer."""
        try:
            async with self.engine.connect() as connection:
                await connection.execute(text("SELECT 1"))
        except (SQLAlchemyError, OSError) as error:
            raise DatabaseError(f"{self.url} does not answer: {_first_line(error)}") from error

    async def close(self) -> None:
        await self.engine.dispose()


def alembic_config(connection: Connection | None = None) -> Config:
    """Return Alembic's configuration; it needs no ini file."""
    config = Config()
    config.set_main_option("script_location", str(MIGRATIONS).replace("%", "%%"))
    if connection is not None:
        config.attributes["connection"] = connection
    return config


def _upgrade(connection: Connection) -> None:
    command.upgrade(alembic_config(connection), "head")


def _set_pragmas(connection: Any, _record: object) -> None:
    cursor = connection.cursor()
    for pragma in _SQLITE_PRAGMAS:
        cursor.execute(pragma)
    cursor.close()


def _first_line(error: BaseException) -> str:
    return str(error).partition("\n")[0]
