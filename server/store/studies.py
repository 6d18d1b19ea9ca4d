"""Studies as they were opened, so that what is owed can be reckoned when no server runs them."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from datetime import datetime

import msgspec
from sqlalchemy import select
from sqlalchemy.ext.asyncio import AsyncSession

from matchmaking.study import Study
from matchmaking.study_key import StudyKey
from server.store.visit_models import StudyRow


async def note_opened(db: AsyncSession, studies: Iterable[Study], now: datetime) -> None:
    """Store studies that are opened; one that was opened before is the latest again."""
    for study in studies:
        value = msgspec.json.encode(study)
        row = StudyRow(
            study=study.name,
            version=study.version,
            digest=hashlib.sha256(value).hexdigest(),
            value=msgspec.json.decode(value),
            opened_at=now,
        )
        await db.merge(row)


async def opened_study(db: AsyncSession, name: str) -> Study | None:
    """Return a study as it was opened last, of whatever version; None: it never was."""
    asked = select(StudyRow).where(StudyRow.study == name)
    row = await db.scalar(asked.order_by(StudyRow.opened_at.desc()).limit(1))
    return msgspec.convert(row.value, Study) if row is not None else None


async def opened_version(db: AsyncSession, key: StudyKey) -> Study | None:
    """Return a version of a study in one mode, as it was opened last; None: it never was."""
    rows = await db.scalars(
        select(StudyRow)
        .where(StudyRow.study == key.name, StudyRow.version == key.version)
        .order_by(StudyRow.opened_at.desc())
    )
    studies = (msgspec.convert(row.value, Study) for row in rows)
    return next((study for study in studies if study.key == key), None)
