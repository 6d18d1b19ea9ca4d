"""Records of a visit: consent, answers, drafts, troubles and signs."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from sqlalchemy import delete, func, select
from sqlalchemy.ext.asyncio import AsyncSession

from matchmaking.study.pages import Permission
from matchmaking.visit_signs import Sign
from server.store.sealed_rows import (
    keys_of,
    open_value,
    person_of,
    sealed_object,
    sealed_text,
    sealed_value,
)
from server.store.visit_models import (
    AnswerRow,
    ConsentRow,
    DraftRow,
    SignRow,
    TroubleRow,
    VisitRow,
)
from server.store.visits import standing_of

Fields = Mapping[str, Any]
"""Fields of a form by name; those that may be given several times have lists."""


async def consent_of(db: AsyncSession, visit_id: str) -> ConsentRow | None:
    """Return the latest consent of a visit; None: there is none."""
    return await db.scalar(
        select(ConsentRow)
        .where(ConsentRow.visit_id == visit_id)
        .order_by(ConsentRow.consent_id.desc())
        .limit(1)
    )


async def may_be_noted(db: AsyncSession, visit: VisitRow) -> bool:
    """Tell whether what a visitor does on pages may be stored: they have agreed, and still do.

    A page in another tab may tell something after everything was erased.
    """
    consent = await consent_of(db, visit.visit_id)
    is_open = visit.withdrawn_at is None and not standing_of(visit).has_ended
    return is_open and consent is not None and consent.research


def add_consent(
    db: AsyncSession,
    visit: VisitRow,
    version: str,
    text_digest: str,
    given: Mapping[Permission, bool],
    now: datetime,
) -> None:
    """Store a consent; what was not asked for is not given."""
    row = ConsentRow(
        visit_id=visit.visit_id,
        version=version,
        language=visit.language,
        text_digest=text_digest,
        given_at=now,
        research=given.get(Permission.RESEARCH, False),
        sharing=given.get(Permission.SHARING, False),
        training=given.get(Permission.TRAINING, False),
        replay=given.get(Permission.REPLAY, False),
    )
    db.add(row)


async def attempts_at(db: AsyncSession, visit_id: str, page: str, occasion: str = "") -> int:
    """Return how many attempts at a page are stored."""
    found = await db.scalar(
        select(func.max(AnswerRow.attempt)).where(
            AnswerRow.visit_id == visit_id, AnswerRow.page == page, AnswerRow.occasion == occasion
        )
    )
    return found or 0


async def latest_answer(db: AsyncSession, visit_id: str, page: str, question: str) -> Any:
    """Return the answer of the latest attempt at a question; None: it was not answered."""
    stored = await db.scalar(
        select(AnswerRow.value)
        .where(
            AnswerRow.visit_id == visit_id, AnswerRow.page == page, AnswerRow.question == question
        )
        .order_by(AnswerRow.attempt.desc())
        .limit(1)
    )
    return open_value(keys_of(db), stored)


async def add_answers(
    db: AsyncSession,
    visit_id: str,
    page: str,
    attempt: int,
    values: Mapping[str, Any],
    now: datetime,
    *,
    occasion: str = "",
    identifying: frozenset[str] = frozenset(),
    words: frozenset[str] = frozenset(),
) -> None:
    """Store the answers of one attempt at a page, by the names of its questions.

    What is identifying or in words is sealed.
    """
    person = await person_of(db, visit_id)
    for question, value in values.items():
        row = AnswerRow(
            visit_id=visit_id,
            page=page,
            occasion=occasion,
            attempt=attempt,
            question=question,
            value=await sealed_value(db, person, value)
            if question in identifying | words
            else value,
            is_identifying=question in identifying,
            answered_at=now,
        )
        db.add(row)


async def erase_answers(db: AsyncSession, visit_id: str) -> None:
    """Remove what somebody answered who withdraws and asks for it; steps and pay stay."""
    for table in (AnswerRow, DraftRow, SignRow):
        await db.execute(delete(table).where(table.visit_id == visit_id))


async def erase_troubles(db: AsyncSession, visit_id: str) -> None:
    """Remove what somebody reported, which is in their own words."""
    await db.execute(delete(TroubleRow).where(TroubleRow.visit_id == visit_id))


async def draft_of(db: AsyncSession, visit_id: str, page: str) -> Fields:
    """Return the fields of a page that were filled in and not sent; empty: none."""
    row = await db.get(DraftRow, (visit_id, page))
    return row.fields if row is not None else {}


async def save_draft(
    db: AsyncSession, visit_id: str, page: str, fields: Fields, now: datetime
) -> None:
    """Keep the fields of a page until it is sent, in the turn of its visit."""
    kept = await sealed_object(db, await person_of(db, visit_id), dict(fields))
    row = DraftRow(visit_id=visit_id, page=page, fields=kept, saved_at=now)
    await db.merge(row)


async def drop_draft(db: AsyncSession, visit_id: str, page: str) -> None:
    """Forget the fields of a page."""
    await db.execute(delete(DraftRow).where(DraftRow.visit_id == visit_id, DraftRow.page == page))


async def add_trouble(db: AsyncSession, visit: VisitRow, text: str, now: datetime) -> None:
    """Store what somebody reported, with where they were."""
    row = TroubleRow(
        visit_id=visit.visit_id,
        place=visit.place,
        page=visit.page,
        session_id=visit.session_id,
        text=await sealed_text(db, visit.participant_id, text),
        reported_at=now,
    )
    db.add(row)


async def add_sign(db: AsyncSession, visit_id: str, sign: Sign, page: str, now: datetime) -> None:
    """Store a sign for the researcher, once for each page; nothing else comes of it."""
    known = select(SignRow.sign_id).where(
        SignRow.visit_id == visit_id, SignRow.kind == sign.kind, SignRow.page == page
    )
    if await db.scalar(known.limit(1)) is None:
        row = SignRow(visit_id=visit_id, kind=sign.kind, page=page, detail=sign.detail, seen_at=now)
        db.add(row)


async def signs_of_study(db: AsyncSession, study: str) -> list[SignRow]:
    """Return the signs of all visits of a study, visit by visit."""
    rows = await db.scalars(
        select(SignRow)
        .join(VisitRow, VisitRow.visit_id == SignRow.visit_id)
        .where(VisitRow.study == study)
        .order_by(SignRow.visit_id, SignRow.sign_id)
    )
    return list(rows)
