"""Index of archived logs."""

from __future__ import annotations

from collections.abc import Collection
from datetime import datetime

from sqlalchemy import select
from sqlalchemy.ext.asyncio import AsyncSession

from server.recording.archive import Archived
from server.store.models import RecordingRow, SessionRow


def add_recording(db: AsyncSession, archived: Archived, now: datetime) -> None:
    """Add a log that is in the archive."""
    db.add(
        RecordingRow(
            session_id=archived.session_id,
            file=archived.file,
            format=archived.format,
            episodes=archived.episodes,
            ticks=archived.ticks,
            log_bytes=archived.bytes,
            packed_bytes=archived.packed_bytes,
            lost_bytes=archived.lost_bytes,
            sha256=archived.sha256,
            archived_at=now,
        )
    )


async def recorded_of(db: AsyncSession, session_ids: Collection[str]) -> set[str]:
    """Return which of these sessions have an archived log."""
    asked = select(RecordingRow.session_id).where(RecordingRow.session_id.in_(session_ids))
    return set(await db.scalars(asked))


async def closed_of(db: AsyncSession, session_ids: Collection[str]) -> set[str]:
    """Return which of these sessions are known and closed."""
    asked = select(SessionRow.session_id).where(
        SessionRow.session_id.in_(session_ids), SessionRow.state == "closed"
    )
    return set(await db.scalars(asked))
