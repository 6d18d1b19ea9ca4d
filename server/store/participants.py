"""Participants by their cookie."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import select
from sqlalchemy.ext.asyncio import AsyncSession

from server.store.models import ParticipantRow


async def participant_with_cookie(db: AsyncSession, cookie_hash: str) -> str | None:
    """Return the id of the participant whose cookie has this hash; None if there is none."""
    return await db.scalar(
        select(ParticipantRow.participant_id).where(ParticipantRow.cookie_hash == cookie_hash)
    )


def add_participant(
    db: AsyncSession, participant_id: str, cookie_hash: str, now: datetime
) -> ParticipantRow:
    row = ParticipantRow(participant_id=participant_id, cookie_hash=cookie_hash, created_at=now)
    db.add(row)
    return row
