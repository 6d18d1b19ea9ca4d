"""Accounts, sign-ins and the log in the database, SQLite and PostgreSQL."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from sqlalchemy import event, text
from sqlalchemy.exc import DBAPIError
from sqlalchemy.ext.asyncio import AsyncSession

from server.operator_accounts import Role
from server.store import Database, DatabaseError
from server.store.operator_acts import Filter, acts_before, note_act
from server.store.operator_models import OperatorRow
from server.store.operators import (
    Account,
    LastAdministratorError,
    account_of_sign_in,
    add_operator,
    add_sign_in,
    all_operators,
    operator_named,
    remove_operator,
    set_password,
    set_role,
)

pytestmark = pytest.mark.processes

NOW = datetime(2026, 3, 1, 12, tzinfo=UTC)


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE operator_acts SET who = 'somebody else'",
        "DELETE FROM operator_acts",
        "UPDATE operator_acts SET detail = '' WHERE act_id = 1",
    ],
)
async def test_the_database_itself_refuses_to_change_the_log(
    database: Database, statement: str
) -> None:
    async with database.transaction() as db:
        note_act(db, "anna", "watch", "ses_1", NOW, study="mine", detail="as it was")

    async def change() -> None:
        async with database.transaction() as db:
            await db.execute(text(statement))

    with pytest.raises((DatabaseError, DBAPIError), match="added to, and never changed"):
        await change()
    async with database.transaction() as db:
        (row,) = await acts_before(db, None, 10)
    assert (row.who, row.act, row.target, row.detail) == ("anna", "watch", "ses_1", "as it was")


async def test_no_row_of_the_log_is_replaced(tmp_path: Path) -> None:
    async with _two_processes(tmp_path) as (database, _):
        async with database.transaction() as db:
            note_act(db, "anna", "watch", "ses_1", NOW)

        async def replace() -> None:
            async with database.transaction() as db:
                await db.execute(
                    text(
                        "INSERT OR REPLACE INTO operator_acts "
                        "SELECT act_id, at, 'ben', act, target, study, outcome, detail "
                        "FROM operator_acts"
                    )
                )

        with pytest.raises((DatabaseError, DBAPIError), match="added to, and never changed"):
            await replace()
        async with database.transaction() as db:
            note_act(db, "ben", "watch", "ses_2", NOW)
        async with database.transaction() as db:
            assert [row.who for row in await acts_before(db, None, 10)] == ["ben", "anna"]


async def test_an_act_that_is_rolled_back_is_not_in_the_log(database: Database) -> None:
    async def fails() -> None:
        async with database.transaction() as db:
            add_operator(db, "anna", Role.ADMINISTER, "hash", NOW)
            note_act(db, "command line", "add_operator", "anna", NOW)
            await db.flush()
            raise KeyError

    with pytest.raises(KeyError):
        await fails()
    async with database.transaction() as db:
        assert await all_operators(db) == []
        assert await acts_before(db, None, 10) == []


async def test_the_log_is_read_from_its_end_and_filtered(database: Database) -> None:
    async with database.transaction() as db:
        for n in range(5):
            note_act(db, "anna" if n % 2 else "ben", "watch", f"ses_{n}", NOW, study=f"s{n // 3}")
    async with database.transaction() as db:
        first = await acts_before(db, None, 2)
        then = await acts_before(db, first[-1].act_id, 2)
        assert [row.target for row in (*first, *then)] == ["ses_4", "ses_3", "ses_2", "ses_1"]
        for only, found in (
            (Filter(who="anna"), ["ses_3", "ses_1"]),
            (Filter(study="s1"), ["ses_4", "ses_3"]),
            (Filter(act="purge"), []),
        ):
            assert [row.target for row in await acts_before(db, None, 10, only)] == found


async def test_the_last_administrator_stays_unless_that_is_meant(database: Database) -> None:
    async with database.transaction() as db:
        for name, role in (("anna", Role.ADMINISTER), ("ben", Role.ADMINISTER), ("cid", Role.RUN)):
            add_operator(db, name, role, "hash", NOW)
    async with database.transaction() as db:
        await set_role(db, await _row(db, "ben"), Role.WATCH, even_last=False)
    async with database.transaction() as db:
        row = await _row(db, "anna")
        with pytest.raises(LastAdministratorError, match="anna is the last"):
            await remove_operator(db, row, even_last=False)
        with pytest.raises(LastAdministratorError, match="anna is the last"):
            await set_role(db, row, Role.RUN, even_last=False)
    async with database.transaction() as db:
        await remove_operator(db, await _row(db, "cid"), even_last=False)
        await set_role(db, await _row(db, "anna"), Role.ADMINISTER, even_last=False)
        await remove_operator(db, await _row(db, "anna"), even_last=True)
        assert [row.name for row in await all_operators(db)] == ["ben"]


async def test_a_sign_in_is_of_the_account_as_it_is_now(database: Database) -> None:
    async with database.transaction() as db:
        add_operator(db, "anna", Role.ADMINISTER, "hash", NOW)
    async with database.transaction() as db:
        # The password was changed between the look at it and the sign-in.
        assert not await add_sign_in(db, "anna", "another hash", "a" * 64, NOW)
        assert not await add_sign_in(db, "nobody", "hash", "a" * 64, NOW)
        assert await add_sign_in(db, "anna", "hash", "b" * 64, NOW)
    async with database.transaction() as db:
        found = [await account_of_sign_in(db, sign_in, NOW) for sign_in in ("a" * 64, "b" * 64)]
        assert found == [None, Account("anna", Role.ADMINISTER)]
        assert await account_of_sign_in(db, "b" * 64, NOW + timedelta(days=1)) is None
        await remove_operator(db, await _row(db, "anna"), even_last=True)
    async with database.transaction() as db:
        assert await account_of_sign_in(db, "b" * 64, NOW) is None


async def test_no_two_administrators_remove_each_other(tmp_path: Path) -> None:
    async def remove(db: AsyncSession, name: str) -> bool:
        try:
            await remove_operator(db, await _row(db, name), even_last=False)
        except LastAdministratorError:
            return False
        return True

    async with _two_processes(tmp_path) as (one, other):
        done = await _at_once(
            one, lambda db: remove(db, "anna"), other, lambda db: remove(db, "ben")
        )
        assert done == (True, False)
        async with one.transaction() as db:
            assert [row.name for row in await all_operators(db)] == ["ben"]


async def test_no_sign_in_with_a_password_that_was_just_changed(tmp_path: Path) -> None:
    async def change(db: AsyncSession) -> bool:
        await set_password(db, await _row(db, "anna"), "another hash", NOW)
        return True

    async with _two_processes(tmp_path) as (one, other):
        done = await _at_once(
            one, change, other, lambda db: add_sign_in(db, "anna", "hash", "a" * 64, NOW)
        )
        assert done == (True, False)
        async with one.transaction() as db:
            assert await account_of_sign_in(db, "a" * 64, NOW) is None


@asynccontextmanager
async def _two_processes(folder: Path) -> AsyncIterator[tuple[Database, Database]]:
    """Open one file twice, as a server and a command do; two administer it."""
    url = f"sqlite:///{folder / 'cohabit.db'}"
    one, other = Database(url), Database(url)
    try:
        await one.upgrade()
        async with one.transaction() as db:
            for name in ("anna", "ben"):
                add_operator(db, name, Role.ADMINISTER, "hash", NOW)
        yield one, other
    finally:
        await one.close()
        await other.close()


_Work = Callable[[AsyncSession], Awaitable[bool]]


async def _at_once(one: Database, first: _Work, other: Database, second: _Work) -> tuple[bool, ...]:
    """Do ``first``, and commit it only when ``second`` waits to write."""
    writes = asyncio.Event()

    def note(_connection: object, _cursor: object, statement: str, *_rest: object) -> None:
        if not statement.startswith("SELECT"):
            writes.set()

    event.listen(other.engine.sync_engine, "before_cursor_execute", note)

    async def then() -> bool:
        async with other.transaction() as db:
            return await second(db)

    async with asyncio.TaskGroup() as tasks, one.transaction() as db:
        done = await first(db)
        later = tasks.create_task(then())
        await writes.wait()
    return done, later.result()


async def _row(db: AsyncSession, name: str) -> OperatorRow:
    row = await operator_named(db, name)
    assert row is not None
    return row
