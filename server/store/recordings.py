"""Index of archived logs."""

from __future__ import annotations

from collections.abc import Collection
from datetime import datetime

from sqlalchemy import select
from sqlalchemy.ext.asyncio import AsyncSession

from server.recording.archive import Archived
from server.store.models import OccupancyRow, RecordingRow, SessionRow


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


async def note_removal(db: AsyncSession, session_id: str, now: datetime) -> None:
    """Note that the recording of a session is removed for good: it has a row without a file."""
    await db.merge(
        RecordingRow(
            session_id=session_id,
            file="",
            format=0,
            episodes=0,
            ticks=0,
            log_bytes=0,
            packed_bytes=0,
            lost_bytes=0,
            sha256="",
            archived_at=now,
        )
    )


async def removed_recordings(db: AsyncSession) -> set[str]:
    """Return the sessions whose recordings were removed on purpose."""
    return set(await db.scalars(select(RecordingRow.session_id).where(RecordingRow.file == "")))


async def recorded_sessions(db: AsyncSession, participant_id: str) -> list[SessionRow]:
    """Return the sessions in which somebody had a seat, if only for a while."""
    taken = select(OccupancyRow.session_id).where(OccupancyRow.participant_id == participant_id)
    asked = select(SessionRow).where(SessionRow.session_id.in_(taken))
    return list(await db.scalars(asked.order_by(SessionRow.session_id)))


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
