"""Turns at a database: a few transactions at a time, one writer at a time for SQLite.

A database has few connections and SQLite one writer. Those who wait for them do so here, in turn by
the address that they work for: however much the people of one address want stored, somebody else
waits for one of them. SQLite itself lets writers ask again now and then, in no order: of sixty who
come at once, one may find it taken whenever it asks.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from contextvars import ContextVar
from typing import Any

from sqlalchemy.util import await_only

from server.fair_queue import FairQueue

ON_BEHALF_OF: ContextVar[str] = ContextVar("on_behalf_of", default="")
"""Address for which a task works; empty: it works for the server."""
AT_ONCE = 10
"""Transactions at a time: fewer than SQLAlchemy keeps connections (15), so that checks have one."""
WRITES = ("INSERT", "UPDATE", "DELETE", "REPLACE")

Place = asyncio.Future[None]


class Turns:
    """Places that those who wait get in turn by address, ``at_once`` of them.

    ``wait_s`` is how long nobody may succeed until those who wait give up; they raise what ``late``
    returns.
    """

    def __init__(self, at_once: int, wait_s: float, late: Callable[[], Exception]) -> None:
        self._queue: FairQueue[Place] = FairQueue(at_once)
        self._wait_s, self._late = wait_s, late
        self._successes = 0

    async def take(self) -> Place:
        """Wait for a place as long as the queue moves, and return it."""
        place: Place = asyncio.get_running_loop().create_future()
        self._queue.ask(ON_BEHALF_OF.get(), place)
        self._begin()
        try:
            while not place.done():
                successes = self._successes
                await asyncio.wait({place}, timeout=self._wait_s)
                if not place.done() and self._successes == successes:
                    raise self._late()
        except BaseException:
            self.leave(place, has_succeeded=False)
            raise
        return place

    def leave(self, place: Place, *, has_succeeded: bool) -> None:
        """Give a place back."""
        self._successes += has_succeeded
        self._queue.done(place)
        self._begin()

    def _begin(self) -> None:
        while (place := self._queue.begin(0.0)) is not None:
            place.set_result(None)


class _Transaction:
    """A transaction, which is the writer from its first write to its end."""

    writes: Place | None = None


_TRANSACTION: ContextVar[_Transaction | None] = ContextVar("transaction", default=None)


class DatabaseTurns:
    """Turns of the transactions of one process at one database.

    ``busy`` is what is raised by those for whom no connection was free, ``locked`` by those who
    could not write; `before_statement` is listened to where only one writes at a time.
    """

    def __init__(
        self,
        busy_s: float,
        busy: Callable[[], Exception],
        locked_s: float,
        locked: Callable[[], Exception],
    ) -> None:
        self._all = Turns(AT_ONCE, busy_s, busy)
        self._writers = Turns(1, locked_s, locked)

    @asynccontextmanager
    async def transaction(self) -> AsyncIterator[None]:
        """Keep the turns of a transaction until it is over."""
        place, has_succeeded = await self._all.take(), False
        transaction = _Transaction()
        token = _TRANSACTION.set(transaction)
        try:
            yield
            has_succeeded = True
        finally:
            _TRANSACTION.reset(token)
            if transaction.writes is not None:
                self._writers.leave(transaction.writes, has_succeeded=has_succeeded)
            self._all.leave(place, has_succeeded=has_succeeded)

    def before_statement(self, _connection: Any, _cursor: Any, statement: str, *_: Any) -> None:
        """Wait for a turn before the first write of a transaction (an event of SQLAlchemy's)."""
        transaction = _TRANSACTION.get()
        if transaction is None or transaction.writes is not None:
            return
        if statement.lstrip()[:7].upper().startswith(WRITES):
            transaction.writes = await_only(self._writers.take())
