"""Ends of sessions that an operator says: the first who says so ends one, whoever says it too."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Protocol

from server.hosting.session_host import SessionHost
from server.hosting.session_times import CLOSE_DELAY_S, SessionTimes
from server.store.database import Database
from server.store.models import EpisodeRow
from server.store.sessions import session_row


class _Close(Protocol):
    def __call__(self, session_id: str, reason: str) -> Awaitable[None]: ...


class OperatorEnds:
    """Ends of the sessions of one process; ``episode`` waits for a verdict, ``close`` closes."""

    def __init__(
        self,
        database: Database,
        host: SessionHost,
        times: SessionTimes,
        is_open: Callable[[str], bool],
        episode: Callable[[str], Awaitable[EpisodeRow | None]],
        close: _Close,
    ) -> None:
        self._database, self._host, self._times = database, host, times
        self._is_open, self._episode, self._close = is_open, episode, close

    async def end(self, session_id: str) -> bool:
        """End a session; False: it is over, or somebody ends it already.

        Its people read their reports. It is closed at once where it stands between two tasks, or
        its worker does not answer.
        """
        if not self._is_open(session_id) or self._times.is_closing(session_id):
            return False
        # From here on nobody else ends it; whatever fails below, it is closed in a while.
        self._times.close_after(session_id, CLOSE_DELAY_S, "operator")
        self._host.end_episode(session_id, "operator")
        async with self._database.transaction() as db:
            row = await session_row(db, session_id)
        last = row.episodes[-1] if row is not None else None
        if last is not None and last.ended_at is None:
            last = await self._episode(last.episode_id)
        if last is None or last.end_reason != "operator":
            await self._close(session_id, "operator")
        return True
