"""Attempts of people at tasks, from the database: what vetting looks at."""

from __future__ import annotations

from sqlalchemy import select
from sqlalchemy.ext.asyncio import AsyncSession

from episodes.tasks.vetting import Attempt
from server.store.models import EpisodeRow, OccupancyRow

ENDINGS = ("finished", "time_limit", "success")
"""Endings that say something of the task; somebody who left has not failed it."""


async def attempts_at(db: AsyncSession, dataset: str) -> list[Attempt]:
    """Return people's attempts at the tasks of a data set, in the order they were opened.

    ``dataset`` is as in settings, below the data directory. The people played alone or with
    each other.
    """
    with_policies = select(OccupancyRow.session_id).where(OccupancyRow.policy.is_not(None))
    rows = await db.scalars(
        select(EpisodeRow)
        .where(
            EpisodeRow.dataset == dataset,
            EpisodeRow.success.is_not(None),
            EpisodeRow.end_reason.in_(ENDINGS),
            EpisodeRow.session_id.not_in(with_policies),
        )
        .order_by(EpisodeRow.opened_at, EpisodeRow.episode_id)
    )
    return [
        Attempt(row.task_id, row.task_text, bool(row.success), (row.explanation or "").strip())
        for row in rows
    ]
