"""Turns of this process's writers at an SQLite database: who asks first writes first.

SQLite has one writer at a time, and those who wait for it ask again now and then, in no order: of
sixty who come at once, one may find it taken whenever it asks, and be told that another program
keeps the database locked. So writers of one process wait here, and ask SQLite one by one.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from contextvars import ContextVar
from typing import Any

from sqlalchemy.util import await_only

WRITES = ("INSERT", "UPDATE", "DELETE", "REPLACE")


class _Transaction:
    """A transaction, which has its turn from its first write to its end."""

    has_turn = False


_TRANSACTION: ContextVar[_Transaction | None] = ContextVar("transaction", default=None)


class WriterTurns:
    """The queue of those who write to one database.

    ``wait_s`` is how long nobody's transaction may succeed until those who wait give up; they
    raise what ``locked`` returns.
    """

    def __init__(self, wait_s: float, locked: Callable[[], Exception]) -> None:
        self._wait_s, self._locked = wait_s, locked
        self._lock = asyncio.Lock()
        self._successes = 0

    @asynccontextmanager
    async def transaction(self) -> AsyncIterator[None]:
        """Keep the turn that a transaction takes at its first write until it is over."""
        transaction = _Transaction()
        token = _TRANSACTION.set(transaction)
        try:
            yield
            self._successes += transaction.has_turn
        finally:
            _TRANSACTION.reset(token)
            if transaction.has_turn:
                self._lock.release()

    def before_statement(self, _connection: Any, _cursor: Any, statement: str, *_: Any) -> None:
        """Wait for a turn before the first write of a transaction (an event of SQLAlchemy's)."""
        transaction = _TRANSACTION.get()
        if transaction is None or transaction.has_turn:
            return
        if statement.lstrip()[:7].upper().startswith(WRITES):
            await_only(self._take())
            transaction.has_turn = True

    async def _take(self) -> None:
        """Wait in the queue as long as it moves."""
        place = asyncio.ensure_future(self._lock.acquire())
        try:
            while True:
                successes = self._successes
                await asyncio.wait({place}, timeout=self._wait_s)
                if place.done():
                    return
                if self._successes == successes:
                    raise self._locked()
        except BaseException:
            if not place.cancel():
                self._lock.release()
            raise
