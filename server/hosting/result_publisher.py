"""Publisher of results: each is stored first, and told afterwards."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Coroutine
from pathlib import Path
from typing import Any

import structlog

from server.recording.salvaged_result import Salvaged, result_from_log
from server.sessions.play_count import PlayCount
from server.sessions.results import EpisodeResult
from server.sessions.spec import EpisodeSpec, SessionSpec
from server.store.attempts import retry_pauses

log = structlog.get_logger(__name__)

OnResult = Callable[[EpisodeResult], Awaitable[None]]
"""Callback with each result; players hear that an episode is over when it has returned."""
OnEnded = Callable[[str, str], Coroutine[Any, Any, None]]
"""Callback with the id of a session that cannot go on, and the reason."""

OnSalvaged = Callable[[Salvaged], None]
"""Callback with what the log of a broken session says, and what it lacks, before that is stored."""


class ResultPublisher:
    """Hands results to ``store`` and calls ``told`` when that has returned.

    A verdict waits for a database that is away however long that takes. One that could not be
    stored when the server stops is told again when its session is resumed from its log.
    """

    def __init__(self, store: OnResult, told: Callable[[EpisodeResult], None]) -> None:
        self._store, self._told = store, told
        self._tasks: set[asyncio.Task[None]] = set()
        self.waiting = 0
        """Number of results that are not stored yet."""

    def publish(self, result: EpisodeResult) -> None:
        self.start(self._publish(result))

    def publish_from_log(
        self,
        path: Path,
        spec: SessionSpec,
        episode: EpisodeSpec,
        shown: PlayCount,
        told: OnSalvaged,
    ) -> None:
        """Publish the result that the log of a broken session says, and say what it lacks."""
        self.start(self._publish_from_log(path, spec, episode, shown, told))

    def start(self, work: Coroutine[Any, Any, None]) -> None:
        """Run ``work`` beside everything else; `finish` waits for it."""
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def finish(self, timeout_s: float) -> None:
        """Wait for the work under way, for ``timeout_s`` at most."""
        if self._tasks:
            _, late = await asyncio.wait(self._tasks, timeout=timeout_s)
            for task in late:
                task.cancel()

    async def _publish_from_log(
        self,
        path: Path,
        spec: SessionSpec,
        episode: EpisodeSpec,
        shown: PlayCount,
        told: OnSalvaged,
    ) -> None:
        found = await asyncio.to_thread(result_from_log, path, spec, episode, "failed", shown)
        told(found)
        await self._publish(found.result)

    async def _publish(self, result: EpisodeResult) -> None:
        self.waiting += 1
        try:
            for pause_s in retry_pauses():
                try:
                    await self._store(result)
                    break
                except Exception as error:
                    log.warning("result.not_stored", episode=result.episode_id, reason=repr(error))
                await asyncio.sleep(pause_s)
        finally:
            self.waiting -= 1
        self._told(result)
