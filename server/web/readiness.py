"""Readiness: what playing needs and is missing, looked up once a second however many ask."""

from __future__ import annotations

import asyncio
import math
from collections.abc import Callable

from server.hosting.orphaned_logs import OrphanedLogs
from server.hosting.session_manager import SessionManager
from server.hosting.task_series import SeriesError
from server.personal.key_folder import KeysError
from server.store import Database, DatabaseError

LASTS_S = 1.0
"""Seconds for which an answer of the database is good: asking begins a write."""

LONGEST_LOOK_S = 20.0
"""Seconds after which a look is over: others wait for it."""


class Readiness:
    """Problems of the database, of tasks and of logs, for all who ask at a time together."""

    def __init__(
        self,
        database: Database,
        sessions: SessionManager,
        orphans: OrphanedLogs,
        clock: Callable[[], float],
    ) -> None:
        self._database, self._sessions, self._clock = database, sessions, clock
        self.orphans = orphans
        self._look: asyncio.Task[list[str]] | None = None
        self._began_at = -math.inf

    async def problems(self) -> list[str]:
        now = self._clock()
        if self._look is None or (self._look.done() and now - self._began_at >= LASTS_S):
            self._began_at = now
            self._look = asyncio.create_task(self._problems(), name="readiness")
        # Who hangs up takes the answer from nobody else.
        return list(await asyncio.shield(self._look))

    async def _problems(self) -> list[str]:
        try:
            async with asyncio.timeout(LONGEST_LOOK_S):
                await self._database.check()
                await self._database.check_writing()
                await self._sessions.tasks.all()
                orphans = await self.orphans.problem()
        except TimeoutError:
            return [f"the database and the tasks have not answered for {LONGEST_LOOK_S:.0f} s"]
        except (DatabaseError, KeysError, SeriesError) as error:
            return [str(error)]
        return [] if orphans is None else [orphans]
