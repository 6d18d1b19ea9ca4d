"""Logs of sessions of which the database knows nothing, as after it was deleted and made anew."""

from __future__ import annotations

from sqlalchemy import select

from server.recording.archive import PACKED_SUFFIX, SUFFIX
from server.settings import Settings
from server.store.database import Database
from server.store.models import SessionRow


def count_logs(settings: Settings) -> int:
    """Return how many sessions have a log, open or archived."""
    live = {p.name.removesuffix(SUFFIX) for p in settings.recordings_dir.glob(f"ses_*{SUFFIX}")}
    packed = settings.archive_dir.glob(f"ses_*{PACKED_SUFFIX}")
    return len(live | {p.name.removesuffix(PACKED_SUFFIX) for p in packed})


async def orphaned_logs(settings: Settings, database: Database) -> str | None:
    """Return what is wrong where there are logs and the database has never had a session.

    None if all is well. Raises DatabaseError.
    """
    count = count_logs(settings)
    if not count:
        return None
    async with database.transaction() as db:
        if await db.scalar(select(SessionRow.session_id).limit(1)) is not None:
            return None
    return orphans_text(settings, database.url, count)


def orphans_text(settings: Settings, url: str, count: int) -> str:
    """Return the sentence about logs that no database knows."""
    logs = "the log of a session" if count == 1 else f"the logs of {count} sessions"
    return (
        f"{url} knows no session and {settings.recordings_dir} holds {logs}: was the database "
        "deleted, or does COHABIT_DATABASE_URL name another? Stop the server and restore the last "
        "backup into an empty data directory (cohabit restore); without one the logs are still "
        "whole (cohabit recordings list): move them elsewhere and keep them"
    )
