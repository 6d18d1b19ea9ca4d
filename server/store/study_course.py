"""Course of a study: when its people came, ended and waited. Nothing of its outcomes."""

from __future__ import annotations

from datetime import datetime
from typing import NamedTuple

from sqlalchemy import and_, select
from sqlalchemy.ext.asyncio import AsyncSession

from matchmaking.study.endings import Ending
from matchmaking.tickets import State
from server.store.models import TicketRow
from server.store.visit_models import VisitRow


class Course(NamedTuple):
    """Times of a study's visits, in the order of the clock."""

    arrived: list[datetime]
    completed: list[datetime]
    left: list[datetime]
    """Ends of visits that came to another end than *complete*."""


class Wait(NamedTuple):
    """Stay in the lobby that is over."""

    joined_at: datetime
    waited_s: float
    is_matched: bool


async def course_of(db: AsyncSession, study: str, mode: str) -> Course:
    """Return when the visits of a study began and ended, of all its versions."""
    rows = await db.execute(
        select(VisitRow.arrived_at, VisitRow.ended_at, VisitRow.ending).where(
            VisitRow.study == study, VisitRow.mode == mode
        )
    )
    course = Course([], [], [])
    for arrived_at, ended_at, ending in rows:
        course.arrived.append(arrived_at)
        if ended_at is not None:
            (course.completed if ending == Ending.COMPLETED else course.left).append(ended_at)
    for times in course:
        times.sort()
    return course


async def waits_of(db: AsyncSession, study: str, mode: str) -> list[Wait]:
    """Return the stays in the lobby of a study's people, in the order in which they began."""
    # A ticket says of which study it is; of which mode, the visit of its participant.
    rows = await db.execute(
        select(TicketRow.joined_at, TicketRow.left_at, TicketRow.state)
        .join(
            VisitRow,
            and_(
                VisitRow.participant_id == TicketRow.participant_id,
                VisitRow.study == TicketRow.team,
            ),
        )
        .where(VisitRow.study == study, VisitRow.mode == mode, TicketRow.left_at.is_not(None))
        .order_by(TicketRow.joined_at)
    )
    return [
        Wait(joined_at, (left_at - joined_at).total_seconds(), state == State.MATCHED)
        for joined_at, left_at, state in rows
        if left_at is not None
    ]
