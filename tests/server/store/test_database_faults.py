"""Every fault of a database is a DatabaseError with the right advice; our own errors are not."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import ExitStack
from datetime import UTC, datetime
from pathlib import Path

import pytest
from sqlalchemy import make_url, text
from sqlalchemy.exc import DBAPIError, IntegrityError

from server.cli.doctor_checks import check_database
from server.settings import Settings
from server.store import Database, DatabaseError
from server.store.participants import add_participant, participant_with_cookie
from tests.live_server import free_port
from tests.server.store.broken_databases import BREAKAGES, Breakage, database_folder

pytestmark = pytest.mark.processes

NOW = datetime(2026, 3, 1, 12, 0, tzinfo=UTC)


async def read(database: Database) -> None:
    async with database.transaction() as db:
        await participant_with_cookie(db, "hash")


async def write(database: Database, name: str = "new") -> None:
    async with database.transaction() as db:
        # More than fits into the pages that are there.
        for number in range(2000):
            add_participant(db, f"{name}_{number}", f"{name} {number}", NOW)


@pytest.mark.parametrize("breakage", BREAKAGES, ids=lambda breakage: breakage.name)
async def test_a_broken_sqlite_file(breakage: Breakage, tmp_path: Path) -> None:
    with database_folder(tmp_path / "db", breakage) as folder, ExitStack() as stack:
        file = folder / "cohabit.db"
        made = Database(f"sqlite:///{file}")
        await made.upgrade()
        async with made.transaction() as db:
            add_participant(db, "par_1", "hash", NOW)
        await made.close()
        breakage.breaks(file, stack)
        broken = Database(f"sqlite:///{file}")
        try:
            with pytest.raises(DatabaseError, match=breakage.advice):
                await write(broken)
            if not breakage.on_write:
                with pytest.raises(DatabaseError, match=breakage.advice):
                    await read(broken)
        finally:
            await broken.close()
        if not breakage.on_write:
            settings = Settings(data_dir=folder, _env_file=None)
            # An operator hears the same before a start.
            finding = await asyncio.to_thread(check_database, settings)
            if breakage.name != "no_tables":
                assert finding.stops_play
                assert breakage.advice in finding.remedy


@pytest.fixture
async def database(postgres_url: str) -> AsyncIterator[Database]:
    database = Database(postgres_url)
    await database.upgrade()
    yield database
    await database.close()


async def do(database: Database, *statements: str) -> None:
    async with database.transaction() as db:
        for statement in statements:
            await db.execute(text(statement))


POSTGRES_FAULTS = {
    "cancelled": (("SET LOCAL statement_timeout = 50", "SELECT pg_sleep(5)"), "is asked again"),
    "terminated": (("SELECT pg_terminate_backend(pg_backend_pid())", "SELECT 1"), "check that it"),
    "read only": (("SET TRANSACTION READ ONLY", "DELETE FROM participants"), "standby"),
    "no table": (("SELECT * FROM no_such_table",), "lacks tables of this release"),
    "locked": (("LOCK TABLE matches NOWAIT",), "keeps it locked"),
    "forbidden": (("SET ROLE nobody_much", "DELETE FROM participants"), "check the user"),
    "damaged": (
        ("DO $$ BEGIN RAISE EXCEPTION 'invalid page' USING ERRCODE = 'XX001'; END $$",),
        "cohabit restore",
    ),
}


@pytest.mark.parametrize("name", POSTGRES_FAULTS)
async def test_a_fault_of_postgresql(database: Database, postgres_url: str, name: str) -> None:
    statements, advice = POSTGRES_FAULTS[name]
    await do(
        database,
        "DO $$ BEGIN CREATE ROLE nobody_much; EXCEPTION WHEN duplicate_object THEN NULL; END $$",
    )
    other = Database(postgres_url)
    async with other.transaction() as db:
        await db.execute(text("LOCK TABLE matches"))
        with pytest.raises(DatabaseError, match=advice):
            await do(database, *statements)
    await other.close()
    await read(database)


async def test_what_refuses_to_connect(postgres_url: str, database: Database) -> None:
    address = make_url(postgres_url)
    unknown = Database(address.set(database="nothing_here").render_as_string())
    with pytest.raises(DatabaseError, match="name of the database"):
        await unknown.check()
    await unknown.close()
    away = Database(f"postgresql://cohabit:geheim@127.0.0.1:{free_port()}/x")
    with pytest.raises(DatabaseError, match="check that it runs") as failure:
        await away.check()
    assert "geheim" not in str(failure.value)
    await away.close()
    await do(
        database,
        "DO $$ BEGIN CREATE ROLE lonely LOGIN CONNECTION LIMIT 1;"
        " EXCEPTION WHEN duplicate_object THEN NULL; END $$",
    )
    lonely = address.set(username="lonely").render_as_string()
    first, second = Database(lonely), Database(lonely)
    async with first.engine.connect():
        with pytest.raises(DatabaseError, match="raise max_connections"):
            await second.check()
    await first.close()
    await second.close()


async def test_a_pool_without_a_free_connection(postgres_url: str) -> None:
    database = Database(postgres_url)
    pool = database.engine.pool
    pool._timeout = 0.1  # type: ignore[attr-defined]  # half a minute else
    held = [await database.engine.connect() for _ in range(15)]
    with pytest.raises(DatabaseError, match="raise max_connections"):
        await database.check()
    for connection in held:
        await connection.close()
    await database.close()


async def test_an_address_that_is_none() -> None:
    with pytest.raises(DatabaseError, match="expected one such as"):
        Database("cohabit.db")


@pytest.mark.parametrize("kind", ["sqlite", "postgresql"])
async def test_errors_of_ours_stay_what_they_are(
    kind: str, tmp_path: Path, postgres_url: str
) -> None:
    url = postgres_url if kind == "postgresql" else f"sqlite:///{tmp_path / 'cohabit.db'}"
    database = Database(url)
    await database.upgrade()
    twice = "INSERT INTO participants VALUES ('par_{}', 'twice', '2026-03-01 12:00:00', NULL, NULL)"
    with pytest.raises(IntegrityError):
        await do(database, twice.format("a"), twice.format("b"))
    with pytest.raises(DBAPIError):
        await do(database, "SELEKT 1")
    await database.close()
