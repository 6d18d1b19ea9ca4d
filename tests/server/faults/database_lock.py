"""A second process that holds a lock on the database, as a backup or somebody's console does."""

from __future__ import annotations

import asyncio
import sys

from sqlalchemy import make_url

_SQLITE = """
import sqlite3, sys
db = sqlite3.connect(sys.argv[1], isolation_level=None)
db.execute("BEGIN IMMEDIATE")
print("locked", flush=True)
sys.stdin.readline()
"""
_POSTGRES = """
import asyncio, asyncpg, sys
async def hold():
    db = await asyncpg.connect(sys.argv[1])
    async with db.transaction():
        await db.execute("LOCK TABLE tickets, sessions, matches IN EXCLUSIVE MODE")
        print("locked", flush=True)
        await asyncio.to_thread(sys.stdin.readline)
asyncio.run(hold())
"""


class DatabaseLock:
    """Lock on a database; reading goes on. `take` it, `release` it."""

    def __init__(self, url: str) -> None:
        self._url = make_url(url)
        self._process: asyncio.subprocess.Process | None = None

    async def take(self) -> None:
        """Take the lock; return when the other process has it."""
        is_sqlite = self._url.get_backend_name() == "sqlite"
        code = _SQLITE if is_sqlite else _POSTGRES
        address = self._url.database if is_sqlite else self._url.render_as_string(False)
        assert address is not None
        pipe = asyncio.subprocess.PIPE
        self._process = await asyncio.create_subprocess_exec(
            sys.executable, "-c", code, address, stdin=pipe, stdout=pipe
        )
        assert self._process.stdout is not None
        assert await self._process.stdout.readline() == b"locked\n"

    async def release(self) -> None:
        """Release the lock; return when the other process is gone. Idempotent."""
        if self._process is not None:
            process, self._process = self._process, None
            await process.communicate(b"\n")
