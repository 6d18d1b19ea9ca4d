"""Rows that visitors of a preflight leave: found by the name of their study, and removed."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import delete, select
from sqlalchemy.ext.asyncio import AsyncSession

from server.store.commits import after_commit
from server.store.models import MatchRow, ParticipantRow, RecordingRow, SessionRow, TicketRow
from server.store.outdated import remove_sessions
from server.store.sealed_rows import keys_of
from server.store.study_models import DrawRow, ModelReadingRow, StudyRunRow
from server.store.visit_models import (
    AnswerRow,
    ConsentRow,
    DraftRow,
    IdentityRow,
    SignRow,
    StudyPauseRow,
    StudyRow,
    TroubleRow,
    VisitRow,
    VisitStepRow,
)

_OF_VISITS = (VisitStepRow, IdentityRow, ConsentRow, AnswerRow, DraftRow, TroubleRow, SignRow)
_OF_STUDIES = (DrawRow, StudyPauseRow, ModelReadingRow, StudyRunRow, StudyRow)


async def left_over(
    db: AsyncSession, beginning: str, before: datetime, *, member: str
) -> list[str]:
    """Return the studies with such names that were opened before a time, and broke off.

    Those with sessions of another server than this ``member`` are left to that: it has their files.
    """
    found = await db.scalars(
        select(StudyRunRow.study).where(
            StudyRunRow.study.startswith(beginning, autoescape=True),
            StudyRunRow.opened_at < before,
        )
    )
    elsewhere = await db.scalars(
        select(MatchRow.study)
        .join(SessionRow, SessionRow.match_id == MatchRow.match_id)
        .where(MatchRow.study.startswith(beginning, autoescape=True), SessionRow.member != member)
    )
    return sorted(set(found) - set(elsewhere))


async def sessions_of(db: AsyncSession, study: str) -> list[SessionRow]:
    """Return the sessions of a study."""
    matches = select(MatchRow.match_id).where(MatchRow.study == study)
    return list(await db.scalars(select(SessionRow).where(SessionRow.match_id.in_(matches))))


async def are_packed(db: AsyncSession, study: str) -> bool:
    """Tell whether all sessions of a study are over, and their logs in the archive."""
    sessions = await sessions_of(db, study)
    ids = [session.session_id for session in sessions]
    packed = set(
        await db.scalars(select(RecordingRow.session_id).where(RecordingRow.session_id.in_(ids)))
    )
    return all(s.state == "closed" for s in sessions) and packed == set(ids)


async def remove_study(db: AsyncSession, study: str) -> None:
    """Remove a study with its people, and all that the database has of them; files are elsewhere.

    Their keys go once that is committed.
    """
    visits = list(await db.scalars(select(VisitRow.visit_id).where(VisitRow.study == study)))
    people = list(await db.scalars(select(VisitRow.participant_id).where(VisitRow.study == study)))
    for table in _OF_VISITS:
        await db.execute(delete(table).where(table.visit_id.in_(visits)))
    await db.execute(delete(VisitRow).where(VisitRow.study == study))
    await remove_sessions(db, [session.session_id for session in await sessions_of(db, study)])
    await db.execute(delete(TicketRow).where(TicketRow.participant_id.in_(people)))
    await db.execute(delete(MatchRow).where(MatchRow.study == study))
    for of_study in _OF_STUDIES:
        await db.execute(delete(of_study).where(of_study.study == study))
    await db.execute(delete(ParticipantRow).where(ParticipantRow.participant_id.in_(people)))
    if people and (keys := keys_of(db)) is not None:
        after_commit(db, lambda: keys.destroy(people))
