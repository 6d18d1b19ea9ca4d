"""Pauses of studies' recruiting, and what their operator has not been told yet."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from datetime import datetime

from sqlalchemy import and_, false, or_, select, update
from sqlalchemy.ext.asyncio import AsyncSession

from matchmaking.study_key import Mode
from server.store.visit_models import StudyPauseRow, TroubleRow, VisitRow


async def pause_of(db: AsyncSession, study: str, mode: Mode) -> StudyPauseRow | None:
    """Return the pause of a study that goes on; None: it takes people."""
    return await db.scalar(
        select(StudyPauseRow)
        .where(
            StudyPauseRow.study == study,
            StudyPauseRow.mode == mode,
            StudyPauseRow.resumed_at.is_(None),
        )
        .order_by(StudyPauseRow.pause_id.desc())
        .limit(1)
    )


def add_pause(
    db: AsyncSession, study: str, mode: Mode, cause: str, text: str, now: datetime
) -> StudyPauseRow:
    """Store that a study takes nobody for now."""
    row = StudyPauseRow(study=study, mode=mode, cause=cause, text=text, paused_at=now)
    db.add(row)
    return row


async def resume_study(db: AsyncSession, study: str, now: datetime) -> int:
    """Let a study take people again; return how many pauses that ends."""
    ended = await db.scalars(
        update(StudyPauseRow)
        .where(StudyPauseRow.study == study, StudyPauseRow.resumed_at.is_(None))
        .values(resumed_at=now)
        .returning(StudyPauseRow.pause_id)
        .execution_options(synchronize_session=False)
    )
    return len(ended.all())


async def resumed_at(db: AsyncSession, study: str, mode: Mode) -> datetime | None:
    """Return when a study was last taken up again; None: never."""
    return await db.scalar(
        select(StudyPauseRow.resumed_at)
        .where(
            StudyPauseRow.study == study,
            StudyPauseRow.mode == mode,
            StudyPauseRow.resumed_at.is_not(None),
        )
        .order_by(StudyPauseRow.resumed_at.desc())
        .limit(1)
    )


async def pauses_of(db: AsyncSession, study: str) -> list[StudyPauseRow]:
    """Return all pauses of a study, oldest first."""
    rows = await db.scalars(
        select(StudyPauseRow).where(StudyPauseRow.study == study).order_by(StudyPauseRow.pause_id)
    )
    return list(rows)


async def troubles_of(db: AsyncSession, study: str) -> list[TroubleRow]:
    """Return what people of a study have reported, oldest first."""
    rows = await db.scalars(
        select(TroubleRow)
        .join(VisitRow, VisitRow.visit_id == TroubleRow.visit_id)
        .where(VisitRow.study == study)
        .order_by(TroubleRow.trouble_id)
    )
    return list(rows)


async def pauses_that_go_on(db: AsyncSession, modes: Mapping[str, str]) -> list[StudyPauseRow]:
    """Return the pauses of studies that nobody has ended, oldest first.

    ``modes`` are the modes in which the studies run: a pilot's pause is none of the live study.
    """
    rows = await db.scalars(
        select(StudyPauseRow)
        .where(StudyPauseRow.study.in_(modes), StudyPauseRow.resumed_at.is_(None))
        .order_by(StudyPauseRow.pause_id)
    )
    return [row for row in rows if row.mode == modes[row.study]]


async def untold_pauses(db: AsyncSession, studies: Collection[str]) -> list[StudyPauseRow]:
    """Return the pauses of some studies that their operator does not know of."""
    rows = await db.scalars(
        select(StudyPauseRow)
        .where(StudyPauseRow.study.in_(studies), StudyPauseRow.told_at.is_(None))
        .order_by(StudyPauseRow.pause_id)
    )
    return list(rows)


async def latest_troubles(
    db: AsyncSession, modes: Mapping[str, str], most: int
) -> list[tuple[TroubleRow, str]]:
    """Return up to ``most`` reports of problems, the newest first, each with its study.

    ``modes`` are the modes in which the studies run.
    """
    runs = [and_(VisitRow.study == study, VisitRow.mode == mode) for study, mode in modes.items()]
    rows = await db.execute(
        select(TroubleRow, VisitRow.study)
        .join(VisitRow, VisitRow.visit_id == TroubleRow.visit_id)
        .where(or_(false(), *runs))
        .order_by(TroubleRow.trouble_id.desc())
        .limit(most)
    )
    return [(trouble, study) for trouble, study in rows]


async def untold_troubles(
    db: AsyncSession, studies: Collection[str]
) -> list[tuple[TroubleRow, str]]:
    """Return reports of problems that the operator does not know of, each with its study."""
    rows = await db.execute(
        select(TroubleRow, VisitRow.study)
        .join(VisitRow, VisitRow.visit_id == TroubleRow.visit_id)
        .where(VisitRow.study.in_(studies), TroubleRow.told_at.is_(None))
        .order_by(TroubleRow.trouble_id)
    )
    return [(trouble, study) for trouble, study in rows]


async def note_told(db: AsyncSession, row: StudyPauseRow | TroubleRow, now: datetime) -> None:
    """Note that the operator knows of a pause or of a problem."""
    if isinstance(row, StudyPauseRow):
        changed = update(StudyPauseRow).where(StudyPauseRow.pause_id == row.pause_id)
    else:
        changed = update(TroubleRow).where(TroubleRow.trouble_id == row.trouble_id)
    await db.execute(changed.values(told_at=now).execution_options(synchronize_session=False))
