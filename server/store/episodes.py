"""Episodes and their verdicts."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any, NamedTuple

import msgspec
from sqlalchemy import select
from sqlalchemy.ext.asyncio import AsyncSession
from sqlalchemy.orm import selectinload

from server.sessions.events import LAST_REASONS
from server.sessions.results import EpisodeResult
from server.sessions.spec import TICK_RATE, EpisodeSpec
from server.store.models import EpisodeRow, PropositionRow, SessionRow
from server.store.sessions import free_seats, note_substitute
from server.store.study_groups import has_played_all, plan_of_session


class Provenance(NamedTuple):
    """The origin of an episode: its task, and the versions and digests that it is played on."""

    server_version: str
    task_text: str = ""
    scene_id: str | None = None
    simulator_version: str | None = None
    profile_digest: str | None = None
    scene_digest: str | None = None


def add_episode(
    db: AsyncSession,
    session: SessionRow,
    spec: EpisodeSpec,
    order_index: int,
    provenance: Provenance,
    now: datetime,
) -> EpisodeRow:
    """Add an episode that is about to be played."""
    row = EpisodeRow(
        episode_id=spec.episode_id,
        session_id=session.session_id,
        order_index=order_index,
        dataset=spec.dataset,
        task_id=spec.task_id,
        try_index=spec.try_index,
        spec=msgspec.to_builtins(spec),
        task_text=provenance.task_text,
        scene_id=provenance.scene_id,
        opened_at=now,
        watched_s=0.0,
        simulator=session.simulator,
        profile=session.profile,
        semantics=session.semantics,
        simulator_version=provenance.simulator_version,
        profile_digest=provenance.profile_digest,
        scene_digest=provenance.scene_digest,
        server_version=provenance.server_version,
    )
    db.add(row)
    return row


async def episode_row(db: AsyncSession, episode_id: str) -> EpisodeRow | None:
    """Return an episode with its session, seats and propositions; None if it is not known."""
    return await db.scalar(
        select(EpisodeRow)
        .where(EpisodeRow.episode_id == episode_id)
        .options(
            selectinload(EpisodeRow.propositions),
            selectinload(EpisodeRow.session).selectinload(SessionRow.occupancies),
            selectinload(EpisodeRow.session).selectinload(SessionRow.episodes),
        )
    )


async def store_result(db: AsyncSession, result: EpisodeResult, now: datetime) -> bool:
    """Store the verdict of an episode; return False if it has one already or is not known.

    A worker that was resumed may report an ending twice: the first one counts.
    """
    episode = await db.get(EpisodeRow, result.episode_id)
    if episode is None or episode.verdict is not None:
        return False
    verdict = result.verdict
    episode.ended_at = now
    episode.end_reason = result.reason
    episode.ticks = result.ticks
    episode.lost_ticks = result.lost_ticks
    episode.is_substituted = result.is_substituted
    episode.clock, episode.clock_ticks = result.clock, result.clock_ticks
    episode.task_text = result.task_text
    episode.state_digest = result.state_digest
    episode.verdict = _json(verdict)
    episode.percent_complete = verdict.percent_complete
    episode.success = verdict.success
    episode.explanation = verdict.explanation
    episode.semantics = verdict.semantics
    episode.evaluator_version = verdict.evaluator_version
    if result.is_substituted:
        await note_substitute(db, result.session_id)
    if result.reason in LAST_REASONS or await _is_done(db, result.session_id):
        # Nothing follows that they could come back for.
        left_at = {seat: now - timedelta(seconds=t / TICK_RATE) for seat, t in result.gone.items()}
        await free_seats(db, result.session_id, left_at)
    db.add_all(
        PropositionRow(
            episode_id=result.episode_id,
            proposition_index=p.index,
            text=p.text,
            satisfied=p.satisfied,
            valid=p.valid,
            satisfied_tick=p.satisfied_tick,
            by_seat=p.by_seat,
            broken_tick=p.broken_tick,
            broken_by_seat=p.broken_by_seat,
        )
        for p in verdict.propositions
    )
    return True


async def note_watched(db: AsyncSession, session_id: str, since: datetime, until: datetime) -> None:
    """Note that an operator watched a session: with each episode that was played meanwhile."""
    played = await db.scalars(
        select(EpisodeRow).where(
            EpisodeRow.session_id == session_id,
            EpisodeRow.opened_at < until,
            (EpisodeRow.ended_at.is_(None)) | (EpisodeRow.ended_at > since),
        )
    )
    for episode in played:
        end = until if episode.ended_at is None else min(until, episode.ended_at)
        seconds = (end - max(since, episode.opened_at)).total_seconds()
        # Of an episode of before nobody knows whether it was watched until now.
        if episode.watched_s is not None:
            episode.watched_s += seconds


async def _is_done(db: AsyncSession, session_id: str) -> bool:
    """Tell whether all tasks of a group of a study have been played; open play has no such plan."""
    plan = await plan_of_session(db, session_id)
    if plan is None:
        return False
    played = await db.scalars(select(EpisodeRow).where(EpisodeRow.session_id == session_id))
    return has_played_all(plan, played)


def _json(value: object) -> dict[str, Any]:
    built = msgspec.to_builtins(value)
    assert isinstance(built, dict)
    return built


async def ended_lately(db: AsyncSession, most: int) -> list[EpisodeRow]:
    """Return the episodes that ended last, the latest first."""
    rows = await db.scalars(
        select(EpisodeRow)
        .where(EpisodeRow.ended_at.is_not(None))
        .order_by(EpisodeRow.ended_at.desc(), EpisodeRow.episode_id)
        .limit(most)
    )
    return list(rows)
