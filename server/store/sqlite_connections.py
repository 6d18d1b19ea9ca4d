"""Connections to an SQLite database, each with a thread of its own, whose ends can be awaited."""

from __future__ import annotations

import asyncio
import sqlite3
from functools import partial
from typing import Any

import aiosqlite

_ROWS_AT_ONCE = 64
"""Rows that an iteration over a cursor fetches at a time (the default of aiosqlite)."""

_Ends = set["asyncio.Future[object]"]


class SqliteConnections:
    """Connections that `connect` makes; `wait_for_ends` waits for the threads of stopped ones.

    aiosqlite stops a connection that could not be opened, or whose opening was cancelled, and waits
    for nothing. A thread that answers after its event loop was closed ends in a traceback.
    """

    def __init__(self) -> None:
        self._ends: _Ends = set()

    def connect(self, *arguments: Any, **options: Any) -> aiosqlite.Connection:
        """Return a connection to await, with the arguments of `sqlite3.connect`."""
        connection = _Connection(partial(sqlite3.connect, *arguments, **options), self._ends)
        # A process that ends does not wait for a connection that nobody has closed.
        connection._thread.daemon = True
        return connection

    async def wait_for_ends(self, longest_s: float) -> None:
        """Return when all threads that were told to stop have ended, or after so long."""
        if self._ends:
            await asyncio.wait(self._ends, timeout=longest_s)


class _Connection(aiosqlite.Connection):
    def __init__(self, connector: partial[sqlite3.Connection], ends: _Ends) -> None:
        super().__init__(connector, _ROWS_AT_ONCE)
        self._ends = ends
        self._end: asyncio.Future[object] | None = None

    async def close(self) -> None:
        """Close the connection, once, however often and in whatever order it is told to end.

        What is asked of a thread that was told to stop has no answer, and SQLAlchemy closes some
        connections that it has terminated.
        """
        if self._end is None:
            await super().close()
        else:
            await asyncio.wait({self._end})

    def stop(self) -> asyncio.Future[object] | None:
        if self._end is not None:
            # The thread reads nothing that is asked of it now.
            return self._end
        end: asyncio.Future[object] | None = super().stop()
        if end is not None:
            self._end = end
            self._ends.add(end)
            end.add_done_callback(self._ends.discard)
        return end
