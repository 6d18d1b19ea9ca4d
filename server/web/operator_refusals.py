"""Acts that a role did not allow, in the operators' log: a line a minute, however many they are."""

from __future__ import annotations

import asyncio
import math
import time
from collections.abc import Callable
from datetime import datetime
from typing import NamedTuple

import structlog

from server.store import Database, DatabaseError
from server.store.operator_acts import note_act
from server.web.operator_standing import Standing

EVERY_S = 60.0
"""Seconds for which refusals of one operator and kind are counted after a line."""
ROUND_S = 5.0

log = structlog.get_logger(__name__)


class _Minute(NamedTuple):
    """Refusals of one operator and kind since a line."""

    began: float
    more: int = 0
    path: str = ""
    """Address of the last one."""
    role: str = ""


class OperatorRefusals:
    """Refusals of this process; run `keep` in a task, and call `tell_rest` at the end.

    The first is logged at once. What follows within a minute is counted, and logged as a number:
    the log is kept for good, and must neither be filled nor lack that somebody tried.
    """

    def __init__(
        self,
        database: Database,
        now: Callable[[], datetime],
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._database, self._now, self._clock = database, now, clock
        self._minutes: dict[tuple[str, str], _Minute] = {}
        """Minutes by operator and route: both are few."""

    def __len__(self) -> int:
        return len(self._minutes)

    async def note(self, operator: Standing, route: str, path: str) -> None:
        """Log that a role did not allow something, or count it."""
        key, role = (operator.who, route), operator.role.word
        minute = self._minutes.get(key)
        if minute is not None:
            self._minutes[key] = minute._replace(more=minute.more + 1, path=path, role=role)
            return
        self._minutes[key] = _Minute(self._clock())
        log.warning("operator.refused", who=operator.who, path=path)
        try:
            await self._log(operator.who, path, f"the role {role} does not allow it")
        except DatabaseError:
            # Told once the database is back.
            self._minutes[key] = _Minute(-math.inf, 1, path, role)
            raise

    async def keep(self) -> None:
        """Log now and then what was counted; runs until cancelled."""
        while True:
            await asyncio.sleep(ROUND_S)
            await self.tell(self._clock() - EVERY_S)

    async def tell_rest(self) -> None:
        """Log all that was counted."""
        await self.tell(math.inf)

    async def tell(self, before: float) -> None:
        """Log what was counted since lines from before a time."""
        due = [(key, m) for key, m in self._minutes.items() if m.began <= before]
        for key, minute in due:
            if not minute.more:
                del self._minutes[key]
                continue
            # A new minute: what comes meanwhile is counted in that.
            self._minutes[key] = _Minute(self._clock())
            who, _ = key
            more = f"{minute.more} more such since the last line, this the last of them; "
            try:
                await self._log(who, minute.path, f"{more}the role {minute.role} does not allow it")
            except DatabaseError:
                later = self._minutes[key]
                self._minutes[key] = minute._replace(more=minute.more + later.more)

    async def _log(self, who: str, path: str, detail: str) -> None:
        async with self._database.transaction() as db:
            note_act(db, who, "act", path, self._now(), outcome="refused", detail=detail)
