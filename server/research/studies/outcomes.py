"""Outcomes of a study by condition: hidden until it is closed, or somebody asks by name."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from sqlalchemy import select
from sqlalchemy.ext.asyncio import AsyncSession
from sqlalchemy.orm import selectinload

from matchmaking.assignment.group_plan import GroupPlan
from matchmaking.study.pages import Permission
from matchmaking.study_key import StudyKey
from server.research.studies.counted_attempts import Played
from server.store.consents import sessions_without
from server.store.models import EpisodeRow, MatchRow, SessionRow
from server.store.study_groups import attempts_of, plan_of


class Recorded(NamedTuple):
    """Attempts of a study that count, and how many groups do not."""

    attempts: Sequence[Played]
    """Judged attempts of groups that completed."""
    left_out: int
    """Groups that began and did not complete, had a policy in a person's place, or of which
    somebody has withdrawn."""


async def outcomes_of(db: AsyncSession, key: StudyKey) -> Recorded:
    """Return what the groups of a study did."""
    rows = await db.execute(
        select(MatchRow, SessionRow)
        .join(SessionRow, SessionRow.match_id == MatchRow.match_id)
        .options(selectinload(SessionRow.episodes))
        .where(
            MatchRow.study == key.name,
            MatchRow.study_version == key.version,
            MatchRow.study_mode == key.mode,
            MatchRow.place.is_not(None),
        )
        .order_by(MatchRow.place)
    )
    withdrawn = await sessions_without(db, Permission.RESEARCH)
    attempts: list[Played] = []
    left_out = 0
    for match, session in rows.all():
        plan, episodes = plan_of(match), session.episodes
        is_substituted = match.is_substituted or any(e.is_substituted for e in episodes)
        is_out = plan is None or is_substituted or session.session_id in withdrawn
        if plan is None or is_out or not plan.is_done(attempts_of(episodes)):
            left_out += 1
        else:
            assert match.place is not None, "only those with a place were asked for"
            attempts += [
                _played(match.place, plan, episode)
                for episode in episodes
                if episode.percent_complete is not None
            ]
    return Recorded(attempts, left_out)


def _played(place: int, plan: GroupPlan, episode: EpisodeRow) -> Played:
    condition = plan.condition_of(episode.task_id)
    return Played(
        place,
        condition.cell if condition is not None else "",
        episode.task_id,
        episode.try_index,
        plan.is_practice(episode.task_id),
        bool(episode.success),
        episode.percent_complete or 0.0,
        episode.ticks or 0,
    )
