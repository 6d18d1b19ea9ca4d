"""Transactions take turns by address, writers at an SQLite database one by one."""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import AsyncIterator
from datetime import UTC, datetime
from pathlib import Path

import pytest
from sqlalchemy import func, select

from server.store import Database, DatabaseError
from server.store.models import ParticipantRow
from server.store.participants import add_participant
from server.store.turns import AT_ONCE, ON_BEHALF_OF

NOW = datetime(2026, 3, 1, 12, 0, tzinfo=UTC)
WAIT_S = 0.25
WRITE_S = 0.02
"""How long each writer here keeps its turn: forty keep the last waiting for three times WAIT_S."""
WRITERS = 40


@pytest.fixture
async def impatient(tmp_path: Path) -> AsyncIterator[Database]:
    """Return a database of which nobody waits longer than ``WAIT_S`` for a lock."""
    database = Database(f"sqlite:///{tmp_path / 'cohabit.db'}", wait_s=WAIT_S)
    await database.upgrade()
    yield database
    await database.close()


async def write(database: Database, name: str, done: list[str]) -> None:
    async with database.transaction() as db:
        add_participant(db, name, f"secret of {name}", NOW)
        await db.flush()
        await asyncio.sleep(WRITE_S)
    done.append(name)


async def count(database: Database) -> int:
    async with database.transaction() as db:
        return await db.scalar(select(func.count()).select_from(ParticipantRow)) or 0


async def test_all_write_however_long_the_queue_is(impatient: Database) -> None:
    names = [f"par_{n:02}" for n in range(WRITERS)]
    done: list[str] = []
    await asyncio.gather(*(write(impatient, name, done) for name in names))
    assert sorted(done) == names
    assert await count(impatient) == WRITERS


async def test_who_reads_waits_for_no_writer(impatient: Database) -> None:
    begun, may_end = asyncio.Event(), asyncio.Event()

    async def write_slowly() -> None:
        async with impatient.transaction() as db:
            add_participant(db, "par_slow", "secret", NOW)
            await db.flush()
            begun.set()
            await may_end.wait()

    writer = asyncio.create_task(write_slowly())
    await begun.wait()
    assert await count(impatient) == 0
    may_end.set()
    await writer
    assert await count(impatient) == 1


async def test_who_works_for_another_address_waits_for_one_of_each(impatient: Database) -> None:
    done: list[str] = []
    names = [f"par_{n:02}" for n in range(WRITERS)]
    ON_BEHALF_OF.set("192.0.2.1")
    strangers = [asyncio.create_task(write(impatient, name, done)) for name in names]
    await asyncio.wait(strangers, return_when=asyncio.FIRST_COMPLETED)
    before = len(done)
    ON_BEHALF_OF.set("192.0.2.2")
    await write(impatient, "par_honest", done)
    # At most for those who have begun: without turns by address it waited for all.
    assert done.index("par_honest") - before < AT_ONCE < WRITERS // 2
    await asyncio.gather(*strangers)
    assert sorted(done) == [*names, "par_honest"]


async def test_what_another_program_locks_is_said_to_all_and_all_write_afterwards(
    impatient: Database, tmp_path: Path
) -> None:
    stranger = sqlite3.connect(tmp_path / "cohabit.db", isolation_level=None)
    stranger.execute("BEGIN IMMEDIATE")
    done: list[str] = []
    names = [f"par_{n}" for n in range(8)]
    told = await asyncio.gather(
        *(write(impatient, name, done) for name in names), return_exceptions=True
    )
    assert [type(error) for error in told] == [DatabaseError] * len(names)
    assert all("keeps it locked" in str(error) for error in told)
    stranger.close()
    await asyncio.gather(*(write(impatient, name, done) for name in names))
    assert sorted(done) == names


async def test_whoever_fails_or_is_cancelled_leaves_the_turn_to_the_next(
    impatient: Database,
) -> None:
    done: list[str] = []

    async def fail() -> None:
        async with impatient.transaction() as db:
            add_participant(db, "par_fails", "secret", NOW)
            await db.flush()
            raise LookupError

    first, failing = asyncio.create_task(write(impatient, "a", done)), asyncio.create_task(fail())
    cancelled = [asyncio.create_task(write(impatient, f"c{n}", done)) for n in range(3)]
    last = asyncio.create_task(write(impatient, "z", done))
    await asyncio.sleep(0)
    cancelled[1].cancel()
    await first
    # One whose turn it has just become, or who is next.
    cancelled[0].cancel()
    with pytest.raises(LookupError):
        await failing
    await asyncio.gather(*cancelled, return_exceptions=True)
    await last
    assert {"a", "z"} <= set(done)
    assert "c1" not in done
