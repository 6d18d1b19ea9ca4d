"""An SQLite file under a server: deleted, put back, replaced, or not to be written."""

from __future__ import annotations

import asyncio
import sqlite3
import threading
from collections.abc import AsyncIterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import text

from server.hosting.orphaned_logs import OrphanedLogs, orphaned_logs
from server.store import Database, DatabaseError
from server.store.sqlite_connections import SqliteConnections
from tests.patience import PATIENCE_S
from tests.server.store.broken_databases import BREAKAGES, database_folder
from tests.server.store.test_left_seats import open_home
from tests.server.web.doubles import make_settings

pytestmark = pytest.mark.processes


@pytest.fixture
async def database(tmp_path: Path) -> AsyncIterator[Database]:
    made = Database(f"sqlite:///{tmp_path / 'cohabit.db'}")
    await made.upgrade()
    yield made
    await made.close()


async def ask(database: Database) -> None:
    async with database.transaction() as db:
        await db.execute(text("SELECT count(*) FROM sessions"))


async def test_a_deleted_file_is_a_fault_until_it_is_back(
    database: Database, tmp_path: Path
) -> None:
    await ask(database)
    file, elsewhere = tmp_path / "cohabit.db", tmp_path / "elsewhere.db"
    file.rename(elsewhere)
    for act in (database.check, database.check_writing, lambda: ask(database)):
        with pytest.raises(DatabaseError, match="deleted or moved") as told:
            await act()
        assert "cohabit restore" in str(told.value)
    assert not file.exists()  # Nothing was made in its place.
    file.write_bytes(elsewhere.read_bytes())
    with pytest.raises(DatabaseError, match="another file has its name"):
        await ask(database)
    elsewhere.rename(file)
    await database.check_writing()
    await ask(database)


@pytest.mark.parametrize("name", ["locked", "read_only", "full"])
async def test_what_cannot_be_written_is_told(name: str, tmp_path: Path) -> None:
    breakage = next(b for b in BREAKAGES if b.name == name)
    with database_folder(tmp_path / "db", breakage) as folder, ExitStack() as stack:
        made = Database(f"sqlite:///{folder / 'cohabit.db'}")
        await made.upgrade()
        await made.check_writing()
        await made.close()
        breakage.breaks(folder / "cohabit.db", stack)
        with pytest.raises(DatabaseError, match="cannot be written") as told:
            await made.check_writing()
        assert breakage.advice in str(told.value)


async def test_a_read_only_postgresql_is_told(postgres_url: str) -> None:
    database = Database(postgres_url)
    name = database.engine.url.database
    await database.upgrade()
    await database.check_writing()
    async with database.engine.begin() as connection:
        await connection.execute(
            text(f"ALTER DATABASE {name} SET default_transaction_read_only = on")
        )
    await database.close()
    with pytest.raises(DatabaseError, match="transaction_read_only is on"):
        await database.check_writing()
    await database.close()


PLAYED = '{"type":"tick","t":4,"e":[["phase","running",null]]}\n'


async def test_logs_that_the_database_does_not_know_are_told(tmp_path: Path) -> None:
    settings = make_settings(tmp_path)
    database = Database(settings.database)
    await database.upgrade()
    assert await orphaned_logs(settings, database) is None
    settings.archive_dir.mkdir(parents=True)
    settings.log_path("ses_1").write_text(PLAYED)
    (settings.archive_dir / "ses_2.jsonl.gz").write_text("")
    # Its match was never stored, since the server died: nobody was ever in it.
    settings.log_path("ses_3").write_text(PLAYED.replace("running", "gathering"))
    told = await orphaned_logs(settings, database)
    assert told is not None
    assert "does not know 2 sessions whose logs lie in" in told
    assert "(ses_1, ses_2)" in told
    assert "cohabit restore" in told
    await database.close()


async def test_one_session_in_a_new_database_hides_no_log_of_the_old_one(
    database: Database, tmp_path: Path
) -> None:
    settings = make_settings(tmp_path, database_url=database.url)
    async with database.transaction() as db:
        known, _ = await open_home(db, ["ann", "ben", "cat"])
    settings.recordings_dir.mkdir(parents=True)
    old, new = settings.log_path("ses_old"), settings.log_path(known)
    old.write_text(PLAYED)
    new.write_text(PLAYED)
    orphans = OrphanedLogs(settings, database)
    assert list(await orphans.look()) == ["ses_old"]
    told = await orphans.problem()
    assert told is not None
    assert "a session whose log lies in" in told
    # What is begun afterwards has its row before it is played, and is not looked at again.
    settings.log_path("ses_next").write_text(PLAYED)
    assert list(await orphans.look()) == ["ses_old"]
    old.rename(tmp_path / "kept.jsonl")
    assert await orphans.problem() is None
    assert orphans.count == 0


async def test_a_close_waits_for_a_connection_whose_opening_was_cancelled(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A thread that answers an event loop which is closed dies with a traceback."""
    is_opening, may_open = threading.Event(), threading.Event()
    really_connect = sqlite3.connect

    def held(*arguments: Any, **options: Any) -> sqlite3.Connection:
        is_opening.set()
        assert may_open.wait(PATIENCE_S)
        opened: sqlite3.Connection = really_connect(*arguments, **options)
        return opened

    monkeypatch.setattr(sqlite3, "connect", held)
    monkeypatch.setattr("server.store.database.STOP_WAIT_S", PATIENCE_S)
    database = Database(f"sqlite:///{tmp_path / 'cohabit.db'}")
    opening = asyncio.create_task(database.upgrade())
    assert await asyncio.to_thread(is_opening.wait, PATIENCE_S)
    opening.cancel()
    await asyncio.gather(opening, return_exceptions=True)
    closing = asyncio.create_task(database.close())
    for _ in range(100):
        await asyncio.sleep(0)
    assert not closing.done()
    may_open.set()
    await closing


@pytest.mark.parametrize("order", ["stop close", "close stop", "stop stop close close"])
async def test_a_connection_ends_in_whatever_order_it_is_told_to(
    tmp_path: Path, order: str
) -> None:
    """SQLAlchemy closes some connections that it has terminated, for ever as aiosqlite has it."""
    connections = SqliteConnections()
    connection = await connections.connect(str(tmp_path / "x.db"))
    for step in order.split():
        if step == "stop":
            connection.stop()
        else:
            await asyncio.wait_for(connection.close(), PATIENCE_S)
    await asyncio.wait_for(connections.wait_for_ends(PATIENCE_S), PATIENCE_S)
    connection._thread.join(PATIENCE_S)
    assert not connection._thread.is_alive()
