"""Results of episodes that no worker brings to an end any more, from their logs."""

from __future__ import annotations

import asyncio

import msgspec
import structlog

from server.recording.salvaged_result import Salvaged, result_from_log
from server.sessions.spec import EpisodeSpec, SessionSpec
from server.settings import Settings
from server.store.database import Database
from server.store.models import EpisodeRow
from server.store.sessions import session_row

log = structlog.get_logger(__name__)


def spec_of(row: EpisodeRow, settings: Settings) -> EpisodeSpec:
    """Return the specification of an episode that is known from the database."""
    if row.spec is not None:
        return msgspec.convert(row.spec, EpisodeSpec)
    return EpisodeSpec(
        row.episode_id, row.dataset, row.task_id, row.try_index, settings.time_limit_s
    )


async def unfinished_result(
    database: Database, settings: Settings, session_id: str, reason: str
) -> Salvaged | None:
    """Return what the log says of the last episode of an open session.

    None if the episode has a verdict already, or was never recorded.
    """
    async with database.transaction() as db:
        row = await session_row(db, session_id)
    if row is None or row.state != "open" or not row.episodes:
        return None
    if row.episodes[-1].verdict is not None:
        return None
    episode, path = spec_of(row.episodes[-1], settings), settings.log_path(session_id)
    if not path.exists():
        log.error("session.log_missing", session=session_id, episode=episode.episode_id)
        return None
    spec = msgspec.convert(row.spec, SessionSpec)
    return await asyncio.to_thread(result_from_log, path, spec, episode, reason)
