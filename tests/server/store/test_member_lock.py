"""Lock of a member over a connection that is cut on our side while the database keeps the other."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from sqlalchemy import URL, make_url, text
from sqlalchemy.ext.asyncio import create_async_engine

from server.settings import Settings
from server.store import Database
from server.store import member_lock as module
from server.store.member_lock import MemberLock
from tests.patience import PATIENCE_S
from tests.postgres_server import PostgresServer
from tests.server.faults.visitor import eventually

pytestmark = pytest.mark.processes

LOSE = """
    SELECT pg_terminate_backend(pid) FROM pg_locks
    WHERE locktype = 'advisory' AND pid <> pg_backend_pid()
    AND database = (SELECT oid FROM pg_database WHERE datname = current_database())
"""


class HalfOpenRelay:
    """Relay to a database that can lose its clients without telling the database."""

    def __init__(self, host: str, port: int) -> None:
        self._target = host, port
        self._clients: list[asyncio.StreamWriter] = []
        self._ours: list[asyncio.StreamWriter] = []
        self.opened = 0
        """Number of connections so far."""

    async def start(self) -> int:
        self._server = await asyncio.start_server(self._serve, "127.0.0.1", 0)
        port: int = self._server.sockets[0].getsockname()[1]
        return port

    def lose_clients(self) -> None:
        """Cut every connection on the client's side; the database hears nothing of it."""
        for writer in self._clients:
            writer.transport.abort()
        self._clients = []

    async def stop(self) -> None:
        self._server.close()
        for writer in (*self._clients, *self._ours):
            writer.transport.abort()

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.opened += 1
        self._clients.append(writer)
        inner_reader, inner = await asyncio.open_connection(*self._target)
        self._ours.append(inner)
        forth = asyncio.create_task(self._pump(reader, inner))
        await self._pump(inner_reader, writer)
        # The database has ended it, and its client hears of that. Of a client that is gone the
        # database hears nothing: its half stays open, as after a firewall forgot the connection.
        writer.close()
        await forth

    async def _pump(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            while data := await reader.read(65536):
                writer.write(data)
                await writer.drain()
        except OSError:
            return


@pytest.fixture
async def other(postgres_url: str) -> AsyncIterator[Database]:
    database = Database(postgres_url)
    yield database
    await database.close()


async def test_a_lock_that_the_database_has_not_given_back_is_not_believed_to_be_held(
    postgres_url: str, other: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "CHECK_S", 0.05)
    address = other.engine.url
    relay = HalfOpenRelay(str(address.host), int(address.port or 0))
    port = await relay.start()
    lock = MemberLock(
        Settings(database_url=address.set(port=port).render_as_string(hide_password=False))
    )
    lost: list[str] = []
    await lock.take()
    keeping = asyncio.create_task(lock.keep(lost.append))
    try:
        assert lock.has_lock
        relay.lose_clients()
        # It comes back over and over, and is not given what its own dead connection holds.
        await eventually(lambda: relay.opened >= 4)
        assert not lock.has_lock
        assert lost == []
        # The database notices: we have it again, and nobody else.
        async with other.engine.begin() as connection:
            await connection.execute(text(LOSE))
        await eventually(lambda: lock.has_lock)
        second = MemberLock(Settings(database_url=postgres_url))
        assert await second._try() is not None
        assert not second.has_lock
        # The same again, and now the second one is quicker.
        tries = relay.opened
        relay.lose_clients()
        await eventually(lambda: relay.opened >= tries + 3)
        assert not lock.has_lock
        async with other.engine.connect() as thief:
            await thief.execute(text("SET application_name = 'cohabit main 77 abcd elsewhere'"))
            asked = asyncio.create_task(
                thief.execute(
                    text("SELECT pg_advisory_lock(:namespace, :member)"),
                    lock._keys,
                )
            )
            async with other.engine.begin() as connection:
                waiting = "SELECT count(*) FROM pg_locks WHERE NOT granted"
                async with asyncio.timeout(20):
                    while not await connection.scalar(text(waiting)):  # noqa: ASYNC110
                        await asyncio.sleep(0.02)
                granted = f"{LOSE} AND granted"
                await connection.execute(text(granted))
            await asked
            await eventually(lambda: bool(lost))
            assert "process 77 on elsewhere" in lost[0]
            assert not lock.has_lock
            await asyncio.wait_for(keeping, 20)
        await second.release()
    finally:
        keeping.cancel()
        await asyncio.gather(keeping, return_exceptions=True)
        await lock.release()
        await relay.stop()


async def test_a_lock_that_was_taken_from_a_living_connection_is_noticed(
    postgres_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A pool in front may do it, which gives a connection of the database to somebody else."""
    monkeypatch.setattr(module, "CHECK_S", 0.05)
    lock = MemberLock(Settings(database_url=postgres_url))
    await lock.take()
    first = lock._connection
    assert first is not None
    await first.execute(text("SELECT pg_advisory_unlock_all()"))
    keeping = asyncio.create_task(lock.keep(pytest.fail))
    await eventually(lambda: lock.has_lock and lock._connection is not first)
    keeping.cancel()
    await asyncio.gather(keeping, return_exceptions=True)
    await lock.release()


async def test_an_odd_failure_does_not_end_the_watch_over_the_lock(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    nowhere = "postgresql://nobody@127.0.0.1:1/nothing"
    lock = MemberLock(Settings(data_dir=tmp_path, database_url=nowhere, _env_file=None))
    checks: list[str] = []

    async def is_held() -> bool:
        checks.append("odd")
        if len(checks) == 1:
            raise ZeroDivisionError
        return False

    async def somebody_else() -> str:
        return "another server"

    monkeypatch.setattr(module, "CHECK_S", 0.0)
    monkeypatch.setattr(lock, "_is_held", is_held)
    monkeypatch.setattr(lock, "_try", somebody_else)
    lost: list[str] = []
    await lock.keep(lost.append)
    assert len(checks) == 2
    assert "another server" in lost[0]


async def test_a_server_that_differs_in_the_random_part_alone_is_another_one(
    postgres: PostgresServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Two containers may share host name and process id, and a socket file has no address."""
    monkeypatch.setattr(module, "CHECK_S", 0.05)
    address = make_url(postgres.new_database())
    lock = MemberLock(Settings(database_url=address.render_as_string()))
    words = lock._name.split(" ")
    other = " ".join([*words[:3], "0badf00d", *words[4:]])
    by_file = URL.create(
        "postgresql+asyncpg",
        address.username,
        database=address.database,
        query={"host": str(postgres.folder), "port": str(address.port)},
    )
    engine = create_async_engine(by_file)
    lost: list[str] = []
    async with engine.connect() as thief:
        named = text("SELECT set_config('application_name', :name, false)")
        await thief.execute(named, {"name": other})
        await thief.execute(text("SELECT pg_advisory_lock(:namespace, :member)"), lock._keys)
        keeping = asyncio.create_task(lock.keep(lost.append))
        try:
            await asyncio.wait_for(keeping, PATIENCE_S)
        finally:
            keeping.cancel()
            await lock.release()
    await engine.dispose()
    assert len(lost) == 1
    assert "is held by the server 'main' (process" in lost[0]
