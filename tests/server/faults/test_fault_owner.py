"""Two servers and one data directory, or one database: the second one changes nothing."""

from __future__ import annotations

import asyncio
import hashlib
import os
import shutil
import signal
import socket
import sqlite3
import subprocess
import sys
from pathlib import Path

import msgspec
import pytest
from sqlalchemy import Row, text

from server.owner_lock import FILE, this_process
from server.store import Database
from server.wire.messages import FinishInput
from tests.live_server import LiveServer, free_port
from tests.patience import PATIENCE_S
from tests.postgres_server import PostgresServer
from tests.server.faults.conftest import StartNearServer
from tests.server.faults.visitor import Visitor, eventually

pytestmark = pytest.mark.processes

MOVING = {"alive", "server.log", "cohabit.db-wal", "cohabit.db-shm"}
"""Files that the first server writes while the second one is refused."""


@pytest.fixture
def other_dir(houses_dir: Path, tmp_path: Path) -> Path:
    """Return a second data directory, which has no database yet."""
    folder = tmp_path / "other"
    shutil.copytree(houses_dir, folder, ignore=shutil.ignore_patterns("*.glb"))
    return folder


def serve(data_dir: Path, **options: object) -> subprocess.Popen[str]:
    """Start another server on a data directory, with its words on a pipe."""
    given = {
        "data_dir": data_dir,
        "client_dir": data_dir.parent / "client",
        "port": free_port(),
        **options,
    }
    env = {k: v for k, v in os.environ.items() if not k.startswith("COHABIT_")}
    env |= {f"COHABIT_{name.upper()}": str(value) for name, value in given.items()}
    return subprocess.Popen(
        [sys.executable, "-m", "server.cli", "serve"],
        env=env,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        # With workers, if it starts after all.
        start_new_session=True,
    )


def end(process: subprocess.Popen[str]) -> None:
    """End a server that should have ended by itself, and its workers. Idempotent."""
    if process.poll() is None:
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()


async def refusal(data_dir: Path, **options: object) -> str:
    """Return the words of a second server, which ends by itself and fails."""
    process = serve(data_dir, owner_wait_s=0.5, **options)
    try:
        words, _ = await asyncio.to_thread(process.communicate, timeout=PATIENCE_S)
    finally:
        end(process)
    assert process.returncode == 1, words
    assert "Traceback" not in words
    return words


def contents(folder: Path) -> dict[str, str]:
    """Digest of every file below a folder but those that move by themselves."""
    return {
        str(path.relative_to(folder)): hashlib.sha256(path.read_bytes()).hexdigest()
        for path in sorted(folder.rglob("*"))
        if path.is_file() and path.name not in MOVING and path.parent.name != "recordings"
    }


def owner_files(folder: Path) -> list[Path]:
    """Files of locks in a folder."""
    return list(folder.rglob("*owner"))


def rows(data_dir: Path) -> list[tuple[object, ...]]:
    with sqlite3.connect(data_dir / "cohabit.db") as db:
        return db.execute("SELECT session_id, state, closed_at FROM sessions").fetchall() + (
            db.execute("SELECT ticket_id, state, left_at FROM tickets").fetchall()
        )


async def test_a_second_server_is_refused_and_the_first_plays_on(
    near_server: StartNearServer,
) -> None:
    server = near_server()
    visitor = Visitor(server)
    await visitor.move_in()
    async with visitor.client() as client:
        await client.until_playing()
        before, stored = contents(server.data_dir), rows(server.data_dir)
        elsewhere = server.data_dir.parent / "elsewhere" / "cohabit.db"
        every = await asyncio.gather(
            refusal(server.data_dir),
            # Declared or not: two members need two data directories.
            refusal(server.data_dir, member="other"),
            # Not even with another database, which it did not make either.
            refusal(server.data_dir, database_url=f"sqlite:///{elsewhere}"),
        )
        for words in every:
            assert "is held by the server 'main'" in words
            assert f"process {server.pid} on {socket.gethostname()}" in words
            assert "COHABIT_DATA_DIR" in words
        assert not elsewhere.exists()
        assert contents(server.data_dir) == before
        assert rows(server.data_dir) == stored
        tick = client.model.tick
        await client.until(lambda: client.model.tick > tick + 30)
        assert (client.snapshots, client.notices) == (1, [])
        await client.send(FinishInput())
        await client.until(lambda: client.over)


async def test_one_sqlite_file_of_two_data_directories(
    near_server: StartNearServer, other_dir: Path
) -> None:
    server = near_server()
    (other_dir / "link.db").symlink_to(server.data_dir / "cohabit.db")
    files = (server.data_dir / "cohabit.db", other_dir / "link.db")
    for words in await asyncio.gather(
        *(
            refusal(other_dir, database_url=f"sqlite:///{f}", member=f"m{n}")
            for n, f in enumerate(files)
        )
    ):
        assert "cohabit.db in " in words
        assert f"process {server.pid}" in words
        assert "COHABIT_DATABASE_URL" in words
    assert not (other_dir / "secret_key").exists()
    # Another name of the same file has a lock of its own.
    (other_dir / "cohabit.db").hardlink_to(server.data_dir / "cohabit.db")
    assert "has 2 names (hard links)" in await refusal(other_dir)
    assert not owner_files(other_dir)


async def test_a_start_that_is_refused_leaves_no_lock_behind(other_dir: Path) -> None:
    for wrong in (
        {"database_url": "mysql://u:p@h/cohabit"},
        {"public_url": "https://homes.example.org"},
        {"host": "nowhere.invalid"},
    ):
        await refusal(other_dir, **wrong)
        assert not owner_files(other_dir)


async def test_a_lock_of_the_dead_is_taken_at_once(near_server: StartNearServer) -> None:
    """A killed server may be named in the file, or this very process in a container made anew."""
    server = near_server()
    visitor = Visitor(server)
    await visitor.move_in()
    server.kill()
    assert msgspec.json.decode((server.data_dir / FILE).read_bytes())["member"] == "main"
    server.start()
    async with visitor.client() as client:
        await client.until_playing()
    server.kill()
    (server.data_dir / FILE).write_bytes(msgspec.json.encode(this_process("main")))
    server.start()
    async with visitor.client() as client:
        await client.until_playing()
    assert "waiting up to" not in server.output()


async def test_the_next_server_waits_for_one_that_lets_episodes_end(
    near_server: StartNearServer,
) -> None:
    server = near_server(drain_s=30)
    visitor = Visitor(server)
    await visitor.move_in()
    async with visitor.client() as client:
        await client.until_playing()
        os.kill(server.pid, signal.SIGTERM)
        holder = server.data_dir / FILE
        await eventually(lambda: b'"leaves_within_s":38' in holder.read_bytes())
        url = {"port": server.port}
        following = serve(server.data_dir, **url)
        assert following.stdout is not None
        told = await asyncio.to_thread(following.stdout.readline)
        assert "waiting up to 43 s" in told
        tick = client.model.tick
        await client.until(lambda: client.model.tick > tick + 30)
        assert following.poll() is None
        await client.send(FinishInput())
        await client.until(lambda: client.over)
    line = ""
    while "Cohabit is at" not in line and following.poll() is None:
        line = await asyncio.to_thread(following.stdout.readline)
    assert f":{server.port}" in line
    assert (await visitor.browser.get("/healthz")).status_code == 200
    following.terminate()
    await asyncio.to_thread(following.communicate, timeout=30)


async def ask(url: str, statement: str) -> list[Row[tuple[object, ...]]]:
    database = Database(url)
    try:
        async with database.engine.begin() as connection:
            return list((await connection.execute(text(statement))).all())
    finally:
        await database.close()


@pytest.mark.long
async def test_a_postgresql_database_of_two_data_directories(
    near_server: StartNearServer, postgres_url: str, other_dir: Path
) -> None:
    server = near_server(database_url=postgres_url)
    visitor = Visitor(server)
    await visitor.move_in()
    async with visitor.client() as client:
        await client.until_playing()
        words = await refusal(other_dir, database_url=postgres_url)
        assert f"is held by the server 'main' (process {server.pid} on" in words
        assert "COHABIT_MEMBER" in words
        assert not (other_dir / "secret_key").exists()
        assert await open_members(postgres_url) == [("main", "open")]
        tick = client.model.tick
        await client.until(lambda: client.model.tick > tick + 30)
        # A declared one shares the database, and leaves alone what is not its own.
        member = LiveServer(
            other_dir,
            database_url=postgres_url,
            member="east",
            client_dir=server.data_dir.parent / "client",
        )
        member.start()
        try:
            guest = Visitor(member)
            await guest.move_in()
            assert await open_members(postgres_url) == [("east", "open"), ("main", "open")]
            assert (client.snapshots, client.notices) == (1, [])
            member.kill()
            member.start()
            async with guest.client() as other:
                await other.until_playing()
            words = await refusal(
                other_dir.parent / "data", database_url=postgres_url, member="east"
            )
            assert "is held by the server 'main'" in words
        finally:
            member.stop()
        await client.send(FinishInput())
        await client.until(lambda: client.over)


async def open_members(url: str) -> list[tuple[object, ...]]:
    found = await ask(url, "SELECT member, state FROM sessions ORDER BY member")
    return [tuple(row) for row in found]


LOSE = """
    SELECT pg_terminate_backend(pid) FROM pg_stat_activity
    WHERE application_name LIKE 'cohabit main %' AND datname = current_database()
"""


async def test_a_lost_lock_of_postgresql_is_taken_again(
    near_server: StartNearServer, own_postgres: PostgresServer
) -> None:
    server = near_server(database_url=own_postgres.url)
    assert len(await ask(own_postgres.url, LOSE)) == 1
    await eventually(lambda: "member_lock.taken_again" in server.output())
    await asyncio.to_thread(own_postgres.stop)
    await eventually(lambda: "member_lock.away" in server.output())
    await asyncio.to_thread(own_postgres.start)
    await eventually(lambda: server.output().count("member_lock.taken_again") == 2)
    assert "is held by" in await refusal(server.data_dir, database_url=own_postgres.url)


async def test_a_server_whose_lock_was_taken_meanwhile_stops(
    near_server: StartNearServer, postgres_url: str
) -> None:
    server = near_server(database_url=postgres_url)
    visitor = Visitor(server)
    await visitor.move_in()
    process = server._process
    assert process is not None
    held = (
        "SELECT classid::int8::bit(32)::int4, objid::int8::bit(32)::int4 FROM pg_locks"
        " WHERE locktype = 'advisory'"
        " AND database = (SELECT oid FROM pg_database WHERE datname = current_database())"
    )
    (row,) = await ask(postgres_url, held)
    namespace, member = (str(key) for key in row)
    database = Database(postgres_url)
    async with database.engine.connect() as thief:
        await thief.execute(text("SET application_name = 'cohabit main 77 abcd elsewhere'"))
        await thief.execute(text(f"{LOSE} AND pid <> pg_backend_pid()"))
        await thief.execute(text(f"SELECT pg_advisory_lock({namespace}, {member})"))
        await thief.commit()
        assert await asyncio.to_thread(process.wait, 30) == 1
        assert "process 77 on elsewhere" in server.output()
        assert await open_members(postgres_url) == [("main", "open")]
    await database.close()
