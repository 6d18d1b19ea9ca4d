"""Waits of readers for verdicts that are on their way."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager, suppress

from server.store.database import Database
from server.store.episodes import episode_row
from server.store.models import EpisodeRow


class VerdictWaits:
    """Waits for verdicts; each reader has its own, which ends with its reading."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._waits: dict[str, set[asyncio.Event]] = {}

    async def episode(self, episode_id: str, wait_s: float) -> EpisodeRow | None:
        """Return an episode, waiting ``wait_s`` for a verdict that is on its way.

        None for an episode that is not known.
        """
        with self._arrival(episode_id) as arrived:
            row = await self._stored(episode_id)
            if row is None or row.verdict is not None or row.session.state != "open":
                return row
            with suppress(TimeoutError):
                await asyncio.wait_for(arrived.wait(), wait_s)
            return await self._stored(episode_id)

    async def _stored(self, episode_id: str) -> EpisodeRow | None:
        async with self._database.transaction() as db:
            return await episode_row(db, episode_id)

    @contextmanager
    def _arrival(self, episode_id: str) -> Iterator[asyncio.Event]:
        """Give what is set when the verdict of an episode is stored from now on.

        Whoever reads the episode within the block, and finds no verdict, misses none.
        """
        arrived = asyncio.Event()
        waits = self._waits.setdefault(episode_id, set())
        waits.add(arrived)
        try:
            yield arrived
        finally:
            waits.discard(arrived)
            if not waits and self._waits.get(episode_id) is waits:
                del self._waits[episode_id]

    def tell(self, episode_id: str) -> None:
        """End all waits for the verdict of an episode: it is stored."""
        for arrived in self._waits.get(episode_id, ()):
            arrived.set()
