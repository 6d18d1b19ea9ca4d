"""Copies of a database that is in use: SQLite's own backup, and `pg_dump` with `pg_restore`."""

from __future__ import annotations

import asyncio
import errno
import os
import shutil
import sqlite3
import subprocess
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from sqlalchemy import URL, text

from server.backups.manifest import BackupError
from server.store.database import POSTGRES_OPTIONS, database_url, engine_for
from server.store.database_faults import DatabaseError, faults_of

_EPISODES = (
    "SELECT s.session_id, r.session_id IS NOT NULL, e.episode_id FROM sessions s"
    " LEFT JOIN recordings r ON r.session_id = s.session_id"
    " LEFT JOIN episodes e ON e.session_id = s.session_id"
)

_ADVICE = {
    "version mismatch": "install PostgreSQL's client programs of the server's version",
    "unsupported version": "install PostgreSQL's client programs of the version that dumped it",
    "No space left": "free some space, or choose another disk",
    "could not connect": "check that it runs, and COHABIT_DATABASE_URL",
    "connection to server": "check that it runs, and COHABIT_DATABASE_URL",
    "permission denied": "name a user who may read and write all of it in COHABIT_DATABASE_URL",
}
"""Advice by parts of what `pg_dump` and `pg_restore` say."""


class CopiedSession(NamedTuple):
    """A session in a copy: whether its log is in the archive's index, and its episodes."""

    is_archived: bool
    episodes: frozenset[str]


def copy_sqlite(source: Path, target: Path) -> dict[str, CopiedSession]:
    """Copy an SQLite database as it is at one moment; return the sessions in the copy.

    Raises BackupError for one that is not there or damaged, DatabaseError, and OSError for a disk
    that has no room for the copy.
    """
    if not source.is_file():
        raise BackupError(f"{source} is not there: there is no database to back up")
    try:
        found, rows = _copied(source, target)
    except DatabaseError as error:
        if getattr(error.__cause__, "sqlite_errorcode", None) == sqlite3.SQLITE_FULL:
            # Nothing but the copy is written.
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC)) from error
        raise
    if found != "ok":
        raise BackupError(f"{source} is damaged ({found}): restore an older backup; see the docs")
    return _sessions(rows)


def _copied(source: Path, target: Path) -> tuple[str, list[tuple[object, ...]]]:
    """Copy a database; return whether it is "ok", and its sessions. Raises DatabaseError."""
    with faults_of(str(source), "cannot be copied"):
        origin = sqlite3.connect(f"{source.resolve().as_uri()}?mode=ro", uri=True, timeout=30)
        copy = sqlite3.connect(target)
        try:
            # In one step: it waits for no writer, and no writer waits for it.
            origin.backup(copy, pages=-1)
            copy.execute("PRAGMA journal_mode=DELETE")
            found = str(copy.execute("PRAGMA quick_check(1)").fetchone()[0])
            return found, copy.execute(_EPISODES).fetchall()
        finally:
            copy.close()
            origin.close()


async def dump_postgres(url: str, target: Path) -> dict[str, CopiedSession]:
    """Dump a PostgreSQL database as it is at one moment; return the sessions in the dump.

    Raises BackupError and DatabaseError.
    """
    parsed = database_url(url)
    program = _program("pg_dump")
    engine = engine_for(parsed, connect_args=POSTGRES_OPTIONS)
    try:
        with faults_of(parsed.render_as_string(hide_password=True), "cannot be copied"):
            async with engine.connect() as connection:
                await connection.execution_options(isolation_level="REPEATABLE READ")
                # The dump sees what this transaction sees, so that both know the same sessions.
                snapshot = await connection.scalar(text("SELECT pg_export_snapshot()"))
                rows = (await connection.execute(text(_EPISODES))).all()
                options = ["--format=custom", "--no-owner", "--no-privileges"]
                command = [program, *options, f"--snapshot={snapshot}", f"--file={target}"]
                await asyncio.to_thread(_run, command, parsed)
    finally:
        await engine.dispose()
    return _sessions([tuple(row) for row in rows])


async def restore_postgres(url: str, dump: Path) -> None:
    """Fill an empty PostgreSQL database from a dump, whole or not at all. Raises BackupError."""
    options = ["--single-transaction", "--exit-on-error", "--no-owner", "--no-privileges"]
    parsed = database_url(url)
    command = [_program("pg_restore"), *options, f"--dbname={parsed.database}", str(dump)]
    await asyncio.to_thread(_run, command, parsed)


async def is_empty_postgres(url: str) -> bool:
    """Tell whether a PostgreSQL database has no tables. Raises DatabaseError."""
    parsed = database_url(url)
    engine = engine_for(parsed, connect_args=POSTGRES_OPTIONS)
    asked = text("SELECT count(*) FROM pg_tables WHERE schemaname = current_schema()")
    try:
        with faults_of(parsed.render_as_string(hide_password=True)):
            async with engine.connect() as connection:
                return not await connection.scalar(asked)
    finally:
        await engine.dispose()


def _sessions(rows: Sequence[Sequence[object]]) -> dict[str, CopiedSession]:
    found: dict[str, CopiedSession] = {}
    for session_id, is_archived, episode_id in rows:
        before = found.get(str(session_id), CopiedSession(bool(is_archived), frozenset()))
        episodes = before.episodes | ({str(episode_id)} if episode_id is not None else set())
        found[str(session_id)] = before._replace(episodes=frozenset(episodes))
    return found


def _program(name: str) -> str:
    found = shutil.which(name)
    if found is None:
        raise BackupError(
            f"expected {name} on the path, which copies a PostgreSQL database: install "
            "PostgreSQL's client programs (Debian: postgresql-client), of the server's version"
        )
    return found


def _run(command: list[str], url: URL) -> None:
    given = {
        "PGHOST": url.host or url.query.get("host"),
        "PGPORT": str(url.port) if url.port else None,
        "PGUSER": url.username,
        # Not on the command line, where all users of the machine could read it.
        "PGPASSWORD": url.password,
        "PGDATABASE": url.database,
        "PGSSLMODE": url.query.get("sslmode") or url.query.get("ssl"),
    }
    env = {**os.environ, **{k: str(v) for k, v in given.items() if v}}
    done = subprocess.run(  # noqa: S603 — fixed programs, found on the path
        command, env=env, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False
    )
    if done.returncode != 0:
        raise BackupError(_failure(Path(command[0]).name, done.returncode, done.stderr, env))


def _failure(program: str, status: int, said: str, env: Mapping[str, str]) -> str:
    lines = [line.removeprefix(f"{program}: ") for line in said.strip().splitlines()]
    reason = "; ".join(lines[:2]) or f"status {status}"
    where = f"the database {env.get('PGDATABASE')} on {env.get('PGHOST', 'this machine')}"
    advice = next((does for part, does in _ADVICE.items() if part in said), "see PostgreSQL's log")
    return f"{program} failed for {where} ({reason}): {advice}"
