"""File of an SQLite database: whether it is the one that was opened, and can be written."""

from __future__ import annotations

import asyncio
import fcntl
import os
import shutil
import sqlite3
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, closing
from pathlib import Path

import structlog

from server.store.database_faults import fault, faults_of

WRITE_WAIT_S = 0.5
"""Longest wait (s) of a check for somebody else's lock; ours hold it for milliseconds."""

LEAST_FREE_BYTES = 256_000
"""Room on the disk below which nothing can be relied on to be stored."""

log = structlog.get_logger(__name__)


class SqliteFile:
    """A file that is open for as long as the server runs.

    Whoever has it open can go on writing to a file that was deleted, and nobody would ever read it.
    """

    def __init__(self, path: Path, url: str) -> None:
        self._path, self._url = path, url
        self._opened: tuple[int, int] | None = None
        self._is_gone = False

    def exists(self) -> bool:
        """Tell whether there is such a file; whoever connects to a missing one makes it."""
        return self._path.exists()

    @asynccontextmanager
    async def upgrading(self) -> AsyncIterator[None]:
        """Let nobody else upgrade a database of the folder meanwhile: a server, or a command.

        SQLite's own lock does not do, as migrations end transactions.
        """
        folder = os.open(self._path.parent, os.O_RDONLY)
        try:
            await asyncio.to_thread(fcntl.flock, folder, fcntl.LOCK_EX)
            yield
        finally:
            os.close(folder)

    def remember(self) -> None:
        """Remember which file it is that is open by now."""
        self._opened = self._identity()

    def check(self) -> None:
        """Raise DatabaseError if the file has been deleted or replaced since it was opened."""
        if self._opened is None:
            return
        found = self._identity()
        is_gone = found != self._opened
        if is_gone != self._is_gone:
            self._is_gone = is_gone
            if is_gone:
                log.error("database.file_gone", path=str(self._path))
            else:
                log.info("database.file_back", path=str(self._path))
        if is_gone:
            what = "it was deleted or moved" if found is None else "another file has its name"
            raise fault(self._url, "is not the file that the server opened", what, "moved")

    def check_writing(self) -> None:
        """Begin to write, and leave it at that. Raises DatabaseError where that is not possible.

        A beginning needs no room on the disk, so what is left there is asked for besides.
        """
        self.check()
        with faults_of(self._url, "cannot be written"):
            free = shutil.disk_usage(self._path.parent).free
        if free < LEAST_FREE_BYTES:
            raise fault(self._url, "cannot be written", f"{free / 1000:.0f} kB are left", "full")
        with (
            faults_of(self._url, "cannot be written"),
            # On a connection of its own, as a file that cannot be opened anew is a fault, too.
            closing(
                sqlite3.connect(
                    f"{self._path.absolute().as_uri()}?mode=rw", uri=True, timeout=WRITE_WAIT_S
                )
            ) as connection,
        ):
            connection.isolation_level = None
            connection.execute("BEGIN IMMEDIATE")
            connection.execute("ROLLBACK")

    def _identity(self) -> tuple[int, int] | None:
        try:
            found = os.stat(self._path)
        except OSError:
            return None
        return found.st_dev, found.st_ino
