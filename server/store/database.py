"""Database: the engine, its sessions, and the upgrade to the schema of this release."""

from __future__ import annotations

import asyncio
import zlib
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, nullcontext
from pathlib import Path
from typing import Any

from alembic import command
from alembic.config import Config
from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory
from alembic.util import CommandError
from sqlalchemy import URL, Connection, event, make_url, select, text
from sqlalchemy.exc import ArgumentError
from sqlalchemy.ext.asyncio import (
    AsyncEngine,
    AsyncSession,
    async_sessionmaker,
    create_async_engine,
)

from server.personal.key_folder import KeyFolder, KeysError
from server.store.commits import committed_work
from server.store.database_faults import DatabaseError, fault, faults_of
from server.store.forgetting import settle
from server.store.models import EpisodeRow, ParticipantRow, SessionRow, TicketRow
from server.store.sealed_rows import INFO
from server.store.sqlite_connections import SqliteConnections
from server.store.sqlite_file import SqliteFile
from server.store.turns import DatabaseTurns
from server.store.types import read_json
from server.store.visit_models import VisitRow
from server.wall_clock import utc_now

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
    "PRAGMA foreign_keys=ON",
    # What is overwritten or deleted is gone from the file, too.
    "PRAGMA secure_delete=ON",
)
LOCK_WAIT_S = 5.0
"""Seconds to wait for what somebody else has locked, unless the settings say otherwise."""
TURN_WAIT_S = 30.0
"""Seconds in which nothing may have ended until those who wait for a connection give up."""
STOP_WAIT_S = 0.5
"""Longest wait (s) for the threads of connections that were stopped to end."""
POSTGRES_OPTIONS = {"timeout": 5, "command_timeout": 20}
"""Timeouts (s): a server that is away without saying so must not keep anybody waiting."""
_UPGRADE_KEY = zlib.crc32(b"cohabit.upgrade")


def database_url(url: str) -> URL:
    """Return a URL with the driver that is meant here. Raises DatabaseError for what is none."""
    try:
        parsed = make_url(url)
    except (ArgumentError, ValueError) as error:
        raise DatabaseError(
            "COHABIT_DATABASE_URL is no address of a database: expected one such as "
            "postgresql://user:password@host/name or sqlite:////folder/cohabit.db"
        ) from error
    if parsed.get_backend_name() not in ("sqlite", "postgresql"):
        raise DatabaseError(
            f"COHABIT_DATABASE_URL names {parsed.get_backend_name()}: expected SQLite or "
            "PostgreSQL, for example postgresql://user:password@host/name"
        )
    driver = _ASYNC_DRIVERS.get(parsed.drivername)
    return parsed if driver is None else parsed.set(drivername=driver)


def engine_for(url: URL, **options: Any) -> AsyncEngine:
    """Return an engine, which connects to nothing yet.

    Raises DatabaseError where the driver is not installed.
    """
    try:
        return create_async_engine(url, **options)
    except ModuleNotFoundError as error:
        raise DatabaseError(
            f"{url.render_as_string(hide_password=True)} needs the package {error.name}: "
            "pip install 'cohabit[postgres]'"
        ) from error


_BRINGS_UP = "`cohabit serve` and `cohabit study open FILE` bring it up to this release"


class Database:
    """A database; make it, `upgrade` it, `close` it at the end.

    ``keys`` seal the words of people; None: this one writes and opens none.
    """

    def __init__(
        self, url: str, wait_s: float = LOCK_WAIT_S, keys: KeyFolder | None = None
    ) -> None:
        parsed = database_url(url)
        self.url = parsed.render_as_string(hide_password=True)
        self._is_sqlite = parsed.get_backend_name() == "sqlite"
        self._file: SqliteFile | None = None
        self._connections = SqliteConnections()
        self._turns = DatabaseTurns(TURN_WAIT_S, self._busy, wait_s, self._locked)
        if self._is_sqlite and parsed.database not in (None, "", ":memory:"):
            assert parsed.database is not None
            self._file = SqliteFile(Path(parsed.database), self.url)
            with faults_of(self.url, "cannot be opened"):
                Path(parsed.database).parent.mkdir(parents=True, exist_ok=True)
        self.engine = engine_for(
            parsed,
            pool_pre_ping=not self._is_sqlite,
            json_deserializer=read_json,
            connect_args=(
                {"async_creator_fn": self._connections.connect}
                if self._is_sqlite
                else _postgres_options(wait_s)
            ),
        )
        if self._is_sqlite:
            # Where a statement was cancelled, SQLAlchemy awaits the close of its connection, which
            # may be cancelled again and leave the database locked; and it closes it a second time,
            # for which aiosqlite waits for ever. This leaves the close to the connection's thread.
            dialect: Any = self.engine.sync_engine.dialect
            dialect.do_terminate = _stop_connection
            event.listen(self.engine.sync_engine, "connect", _set_pragmas(wait_s))
            event.listen(
                self.engine.sync_engine, "before_cursor_execute", self._turns.before_statement
            )
        self._keys = keys
        self._make_session = async_sessionmaker(
            self.engine, expire_on_commit=False, info={INFO: keys}
        )

    @asynccontextmanager
    async def transaction(self) -> AsyncIterator[AsyncSession]:
        """Open a session that commits at the end of the block, or rolls back if it raises.

        What `after_commit` was given is done then. Raises DatabaseError for a fault of the
        database, whichever it is.
        """
        self._check_file()
        with faults_of(self.url):
            async with (
                self._turns.transaction(),
                self._make_session() as session,
                session.begin(),
            ):
                yield session
        # Reached only where the commit went through.
        for work in committed_work(session):
            work()

    def _busy(self) -> DatabaseError:
        says, reason = "does not answer", f"nothing that was asked ended in {TURN_WAIT_S:g} s"
        return fault(self.url, says, reason, "locked" if self._is_sqlite else "away")

    def _locked(self) -> DatabaseError:
        return fault(self.url, "does not answer", "nobody could write meanwhile", "locked")

    async def upgrade(self, *, needs_all_keys: bool = True) -> None:
        """Bring the schema to this release's.

        With keys, what older rows hold is sealed, and the list of the forgotten is applied. Raises
        DatabaseError when the database cannot be used or is of a later release, and KeysError for
        a folder of keys that cannot be, or lacks some and ``needs_all_keys``.
        """
        try:
            with faults_of(self.url, "cannot be opened"):
                file = nullcontext() if self._file is None else self._file.upgrading()
                async with file, self.engine.begin() as connection:
                    await connection.run_sync(_upgrade)
        except CommandError as error:
            raise _another_release(self.url, str(error)) from error
        if self._file is not None:
            self._file.remember()
        if self._keys is not None:
            async with self.transaction() as db:
                await settle(db, utc_now(), needs_all_keys=needs_all_keys)

    def _check_file(self) -> None:
        # Before a connection is opened, which would make an empty file.
        if self._file is not None:
            self._file.check()

    async def check(self) -> None:
        """Ask the database something that it must read.

        Raises DatabaseError if it cannot, or has not been brought up to date, and KeysError where
        its folder of keys is not there any more.
        """
        if self._keys is not None and not await asyncio.to_thread(self._keys.exists):
            raise KeysError(f"{self._keys.path}, the folder of keys, is gone: bring it back")
        self._check_file()
        with faults_of(self.url):
            async with self.engine.connect() as connection:
                await connection.execute(text("SELECT version_num FROM alembic_version"))
                # What somebody who enters needs: one part of a damaged file says little of another.
                for table in (ParticipantRow, TicketRow, SessionRow, EpisodeRow, VisitRow):
                    await connection.execute(select(table.__table__).limit(1))

    async def check_release(self) -> None:
        """Compare the schema with this release's, and change nothing.

        Raises DatabaseError where there is no database, or one of another release.
        """
        if self._file is not None and not self._file.exists():
            raise DatabaseError(f"{self.url} does not exist yet: {_BRINGS_UP}")
        with faults_of(self.url):
            async with self.engine.connect() as connection:
                current = await connection.run_sync(_revision)
        if current is None:
            raise DatabaseError(f"{self.url} has no tables yet: {_BRINGS_UP}")
        if current not in _known_revisions():
            raise _another_release(self.url, f"revision {current}")
        if current not in ScriptDirectory.from_config(alembic_config()).get_heads():
            raise DatabaseError(
                f"{self.url} is of an earlier release (revision {current}), and this command "
                f"changes no schema: {_BRINGS_UP}. Make a backup before (`cohabit backup`)"
            )

    async def check_writing(self) -> None:
        """Begin to write, which changes nothing.

        Raises DatabaseError for a database that is read-only, locked by another program for longer
        than a moment, or not the file that was opened.
        """
        if self._file is not None:
            await asyncio.to_thread(self._file.check_writing)
        elif not self._is_sqlite:
            with faults_of(self.url):
                async with self.engine.connect() as connection:
                    if await connection.scalar(text("SHOW transaction_read_only")) == "on":
                        says = "cannot be written"
                        raise fault(self.url, says, "transaction_read_only is on", "read_only")

    async def examine(self) -> None:
        """Read all of the database, and compare its release with this one.

        Raises DatabaseError for one that is damaged, or is not of this release. Takes long for a
        large one.
        """
        with faults_of(self.url):
            async with self.engine.connect() as connection:
                if self._is_sqlite:
                    found = (await connection.execute(text("PRAGMA quick_check(1)"))).scalar()
                    if found != "ok":
                        raise fault(self.url, "is damaged", str(found), "corrupt")
                current = await connection.run_sync(_revision)
        if current is not None and current not in _known_revisions():
            raise _another_release(self.url, f"revision {current}")

    async def close(self) -> None:
        """Close every connection, also those that failed or whose statement was cancelled."""
        await self.engine.dispose()
        await self._connections.wait_for_ends(STOP_WAIT_S)


def alembic_config(connection: Connection | None = None) -> Config:
    """Return Alembic's configuration; it needs no ini file."""
    config = Config()
    config.set_main_option("script_location", str(MIGRATIONS).replace("%", "%%"))
    if connection is not None:
        config.attributes["connection"] = connection
    return config


def _upgrade(connection: Connection) -> None:
    if connection.dialect.name == "postgresql":
        # Members that start together come one after the other.
        connection.execute(text("SELECT pg_advisory_xact_lock(:key)"), {"key": _UPGRADE_KEY})
    command.upgrade(alembic_config(connection), "head")


def _stop_connection(connection: Any) -> None:
    connection.driver_connection.stop()


def _set_pragmas(wait_s: float) -> Callable[[Any, object], None]:
    def connected(connection: Any, _record: object) -> None:
        cursor = connection.cursor()
        for pragma in (*_SQLITE_PRAGMAS, f"PRAGMA busy_timeout={round(1000 * wait_s)}"):
            cursor.execute(pragma)
        cursor.close()

    return connected


def _postgres_options(wait_s: float) -> dict[str, Any]:
    lock_timeout_ms = max(1, round(1000 * wait_s))
    return {**POSTGRES_OPTIONS, "server_settings": {"lock_timeout": str(lock_timeout_ms)}}


def _revision(connection: Connection) -> str | None:
    return MigrationContext.configure(connection).get_current_revision()


def _known_revisions() -> set[str]:
    scripts = ScriptDirectory.from_config(alembic_config())
    return {script.revision for script in scripts.walk_revisions()}


def _another_release(url: str, found: str) -> DatabaseError:
    return DatabaseError(
        f"{url} is of another release ({found}): install that one, "
        "or set COHABIT_DATABASE_URL to another database"
    )
