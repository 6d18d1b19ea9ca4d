"""Turns of sessions from one episode to the next: its row first, then the host, and once.

A commit whose answer was lost may have succeeded. Such an episode is kept in mind: whoever comes
next for its session, people or housekeeping, looks whether it is stored, and begins it if so.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from datetime import datetime

from server.hosting.episode_plans import EpisodePlans, Source
from server.hosting.session_plan import provenance
from server.hosting.task_series import SeriesError
from server.sessions.spec import EpisodeSpec
from server.store.database import Database
from server.store.episodes import add_episode
from server.store.models import SessionRow
from server.store.sessions import hold_open, session_row


class SessionGoneError(Exception):
    """The session is closed or was never there."""


class NotBegunError(Exception):
    """Error for an episode that is stored and that the host could not begin."""


class EpisodeTurns:
    """Turns of all sessions; ``begin`` has the host play an episode, and is idempotent."""

    def __init__(
        self,
        database: Database,
        plans: EpisodePlans,
        server_version: str,
        now: Callable[[], datetime],
        begin: Callable[[SessionRow, EpisodeSpec], Awaitable[None]],
        is_closing: Callable[[str], bool],
    ) -> None:
        self._database, self._plans = database, plans
        self._server_version, self._now = server_version, now
        self._begin, self._is_closing = begin, is_closing
        self._turns: dict[str, asyncio.Lock] = {}
        self._undecided: dict[str, EpisodeSpec] = {}
        """Episodes that may be stored and are not begun, by session."""

    @property
    def undecided(self) -> frozenset[str]:
        """Sessions whose next episode may be stored and is not begun."""
        return frozenset(self._undecided)

    async def next(self, session_id: str, after: str, *, again: bool) -> bool:
        """Begin the task after the episode ``after``, once; return whether it was this call.

        Raises SessionGoneError if the session is closed or cannot go on, NotBegunError, and
        DatabaseError, after which it may be asked for again.
        """
        async with self._turn(session_id):
            await self._decide(session_id)
            stored = await self._store(session_id, after, again=again)
            if stored is None:
                return False
            await self._begin_stored(*stored)
            return True

    async def decide(self, session_id: str) -> None:
        """Begin what is stored and not begun. Raises NotBegunError and DatabaseError."""
        async with self._turn(session_id):
            await self._decide(session_id)

    def forget(self, session_id: str) -> None:
        """Forget a session that is over."""
        self._turns.pop(session_id, None)
        self._undecided.pop(session_id, None)
        self._plans.forget(session_id)

    def _turn(self, session_id: str) -> asyncio.Lock:
        return self._turns.setdefault(session_id, asyncio.Lock())

    async def _store(
        self, session_id: str, after: str, *, again: bool
    ) -> tuple[SessionRow, EpisodeSpec] | None:
        # Before the transaction, which keeps all others from writing: this may take seconds.
        source = await self._source_or_fault(session_id)
        async with self._database.transaction() as db:
            is_open = await hold_open(db, [session_id])
            row = await session_row(db, session_id)
            if row is None or not is_open or self._is_closing(session_id):
                raise SessionGoneError(session_id)
            last = row.episodes[-1]
            if last.episode_id != after or last.ended_at is None:
                return None
            if isinstance(source, SeriesError):
                raise SessionGoneError(str(source)) from source
            try:
                episode, choice = self._plans.next(source, row, again=again)
            except SeriesError as error:
                # The plan is done, or the data set has changed since the session began.
                raise SessionGoneError(str(error)) from error
            origin = provenance(self._server_version, row, choice)
            add_episode(db, row, episode, last.order_index + 1, origin, self._now())
            # From here on nothing but the database knows whether it is stored.
            self._undecided[session_id] = episode
        return row, episode

    async def _source_or_fault(self, session_id: str) -> Source | SeriesError:
        try:
            return await self._plans.source(session_id)
        except SeriesError as error:
            # It matters only to a session that has an episode to begin.
            return error

    async def _decide(self, session_id: str) -> None:
        episode = self._undecided.get(session_id)
        if episode is None:
            return
        async with self._database.transaction() as db:
            # Waits for a commit that is still under way: afterwards it has succeeded or failed.
            is_open = await hold_open(db, [session_id])
            row = await session_row(db, session_id)
        if row is not None and is_open and row.episodes[-1].episode_id == episode.episode_id:
            await self._begin_stored(row, episode)
        else:
            self._undecided.pop(session_id, None)

    async def _begin_stored(self, row: SessionRow, episode: EpisodeSpec) -> None:
        try:
            await self._begin(row, episode)
        except Exception as error:
            self._undecided.pop(row.session_id, None)
            raise NotBegunError(repr(error)) from error
        self._undecided.pop(row.session_id, None)
