"""Time for which operators watch what is played, kept with each episode."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import datetime
from typing import NamedTuple

import structlog

from server.log_throttle import LogThrottle
from server.store import Database, DatabaseError
from server.store.episodes import note_watched

ROUND_S = 5.0
"""Seconds between two notes: what a process that dies had not noted yet is lost."""

log = structlog.get_logger(__name__)


class _Watched(NamedTuple):
    """Time for which a session was watched, by however many."""

    session_id: str
    since: datetime
    until: datetime


class WatchTally:
    """Sessions that are watched in this process; run `keep` in a task, `tell` at the end.

    Of several who watch at once the time counts once. Who they are stands in the operators' log.
    """

    def __init__(self, database: Database, now: Callable[[], datetime]) -> None:
        self._database, self._now = database, now
        self._watchers: Counter[str] = Counter()
        self._since: dict[str, datetime] = {}
        """Time since when each session has been watched, or its time was last taken."""
        self._untold: list[_Watched] = []
        self._throttle = LogThrottle()
        self._one_teller = asyncio.Lock()

    def __len__(self) -> int:
        """Return how many sessions are watched now."""
        return len(self._since)

    @contextmanager
    def watching(self, session_id: str) -> Iterator[None]:
        """Count somebody who watches a session while the block lasts."""
        self._since.setdefault(session_id, self._now())
        self._watchers[session_id] += 1
        try:
            yield
        finally:
            self._watchers[session_id] -= 1
            if not self._watchers[session_id]:
                del self._watchers[session_id]
                self._take(session_id)
                del self._since[session_id]

    def _take(self, session_id: str) -> None:
        """Take the time since it was last taken, to be noted."""
        since, until = self._since[session_id], self._now()
        self._since[session_id] = until
        last = next((w for w in reversed(self._untold) if w.session_id == session_id), None)
        if last is not None and last.until == since:
            # The database is away: one piece for however long that lasts.
            self._untold.remove(last)
            since = last.since
        self._untold.append(_Watched(session_id, since, until))

    async def keep(self) -> None:
        """Note now and then what was watched; runs until cancelled."""
        while True:
            await asyncio.sleep(ROUND_S)
            await self.tell()

    async def tell(self) -> None:
        """Note what was watched until now; what cannot be noted is kept for the next time."""
        for session_id in self._since:
            self._take(session_id)
        async with self._one_teller:
            untold, self._untold = self._untold, []
            try:
                if untold:
                    async with self._database.transaction() as db:
                        for watched in untold:
                            await note_watched(db, *watched)
            except BaseException as error:
                self._untold = [*untold, *self._untold]
                if not isinstance(error, DatabaseError):
                    raise
                if count := self._throttle.count("watching.no_database"):
                    log.warning("watching.no_database", reason=str(error), count=count)
