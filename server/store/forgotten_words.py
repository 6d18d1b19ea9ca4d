"""Words of the forgotten in logs that were written before words were sealed."""

from __future__ import annotations

import asyncio
from collections.abc import Collection
from pathlib import Path

from sqlalchemy import update
from sqlalchemy.ext.asyncio import AsyncSession

from server.recording.archive import SUFFIX
from server.recording.word_removal import Rewritten, remove_words
from server.store.forgetting import forgotten_seats
from server.store.models import RecordingRow


async def remove_older_words(
    db: AsyncSession, recordings: Path, archive: Path, only: Collection[str] | None = None
) -> None:
    """Remove what forgotten people said from the logs of a folder, where it is not sealed.

    ``only`` names the sessions to look at; None: all in which a forgotten person was. Idempotent.
    Raises OSError, msgspec.DecodeError and LockedError (`server.recording.word_removal`).
    """
    now: dict[str, Rewritten] = {}
    for session_id, seats in (await forgotten_seats(db)).items():
        if only is not None and session_id not in only:
            continue
        log = recordings / f"{session_id}{SUFFIX}"
        found = await asyncio.to_thread(remove_words, log, archive, seats)
        if found is not None:
            now[session_id] = found
    # Only now does this transaction begin to write: whoever else writes waits for no unpacking.
    for session_id, found in now.items():
        row = await db.get(RecordingRow, session_id)
        # Compared with the row, not with the log before: a crash may have come between the two.
        if row is not None and row.file and _indexed(row) != found:
            await db.execute(
                update(RecordingRow)
                .where(RecordingRow.session_id == session_id, RecordingRow.file != "")
                .values(**found._asdict())
            )


def _indexed(row: RecordingRow) -> Rewritten:
    return Rewritten(row.log_bytes, row.packed_bytes, row.sha256)
