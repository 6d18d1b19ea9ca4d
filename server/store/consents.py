"""Consents of the people of a session: what their recording may be used for."""

from __future__ import annotations

from collections.abc import Collection

from sqlalchemy import func, select
from sqlalchemy.ext.asyncio import AsyncSession

from matchmaking.matches import Match
from matchmaking.study.pages import Permission
from server.store.database import Database
from server.store.models import OccupancyRow, SessionRow
from server.store.visit_models import ConsentRow, VisitRow


async def permits_of(database: Database, match: Match) -> tuple[str, ...]:
    """Return what all people of a study's match have agreed to."""
    people = {assignment.participant_id for assignment in match.assignments}
    async with database.transaction() as db:
        return tuple(map(str, await common_permissions(db, people)))


async def common_permissions(
    db: AsyncSession, participant_ids: Collection[str]
) -> tuple[Permission, ...]:
    """Return what all of some participants of a study have agreed to."""
    visits = await db.scalars(
        select(VisitRow.visit_id).where(VisitRow.participant_id.in_(participant_ids))
    )
    agreed = [await _given(db, visit_id) for visit_id in visits]
    if len(agreed) < len(set(participant_ids)):
        return ()
    return tuple(p for p in Permission if all(p in given for given in agreed))


async def _given(db: AsyncSession, visit_id: str) -> frozenset[Permission]:
    row = await db.scalar(
        select(ConsentRow)
        .where(ConsentRow.visit_id == visit_id)
        .order_by(ConsentRow.consent_id.desc())
        .limit(1)
    )
    return frozenset(p for p in Permission if row is not None and getattr(row, p))


async def sessions_without(db: AsyncSession, permission: Permission) -> frozenset[str]:
    """Return the sessions in which somebody did not agree to a use, or has withdrawn.

    Sessions of people who were asked nothing, as in open play, are not among them.
    """
    latest = (
        select(func.max(ConsentRow.consent_id).label("consent_id"))
        .group_by(ConsentRow.visit_id)
        .subquery()
    )
    agreed = (
        select(ConsentRow.visit_id)
        .join(latest, latest.c.consent_id == ConsentRow.consent_id)
        .where(getattr(ConsentRow, permission).is_(True))
    )
    rows = await db.scalars(
        select(OccupancyRow.session_id)
        .join(VisitRow, VisitRow.participant_id == OccupancyRow.participant_id)
        .where(VisitRow.withdrawn_at.is_not(None) | VisitRow.visit_id.not_in(agreed))
        .distinct()
    )
    return frozenset(rows)


async def known_sessions(db: AsyncSession) -> frozenset[str]:
    """Return all sessions, of whose people the database knows who has withdrawn."""
    return frozenset(await db.scalars(select(SessionRow.session_id)))
