"""Outcomes of a study by condition: hidden until it is closed, or somebody asks by name."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from sqlalchemy import select
from sqlalchemy.ext.asyncio import AsyncSession

from matchmaking.study.study_key import StudyKey
from server.store.models import EpisodeRow, MatchRow, SessionRow
from server.store.study_groups import plan_of


class Outcome(NamedTuple):
    """Outcomes of a condition: its judged attempts, but for practice."""

    attempts: int
    successes: int
    percent_complete: float
    """Mean of the attempts, 0 to 1."""
    ticks: float
    """Mean of the attempts."""


async def outcomes_of(db: AsyncSession, key: StudyKey) -> Mapping[str, Outcome]:
    """Return the outcomes of each condition that was played."""
    rows = await db.execute(
        select(MatchRow, EpisodeRow)
        .join(SessionRow, SessionRow.match_id == MatchRow.match_id)
        .join(EpisodeRow, EpisodeRow.session_id == SessionRow.session_id)
        .where(
            MatchRow.study == key.name,
            MatchRow.study_version == key.version,
            MatchRow.study_mode == key.mode,
            MatchRow.place.is_not(None),
            MatchRow.is_substituted.is_(False),
            EpisodeRow.percent_complete.is_not(None),
        )
        .order_by(EpisodeRow.episode_id)
    )
    found: dict[str, list[EpisodeRow]] = {}
    for match, episode in rows.all():
        plan = plan_of(match)
        condition = None if plan is None else plan.condition_of(episode.task_id)
        if plan is not None and condition is not None and not plan.is_practice(episode.task_id):
            found.setdefault(condition.cell, []).append(episode)
    return {name: _outcome(episodes) for name, episodes in sorted(found.items())}


def _outcome(episodes: list[EpisodeRow]) -> Outcome:
    count = len(episodes)
    return Outcome(
        count,
        sum(bool(episode.success) for episode in episodes),
        sum(episode.percent_complete or 0.0 for episode in episodes) / count,
        sum(episode.ticks or 0 for episode in episodes) / count,
    )
