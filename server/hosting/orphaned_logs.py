"""Logs of sessions that the database does not know, as after it was deleted and made anew.

Nobody resumes, judges or archives them. Sessions open before their rows are stored, and play begins
after that, so a log without play is no sign of anything.
"""

from __future__ import annotations

import asyncio
from collections.abc import Collection, Mapping
from pathlib import Path

from server.recording.archive import PACKED_SUFFIX, SUFFIX
from server.settings import Settings
from server.store.database import Database
from server.store.sessions import known_sessions

PLAY_BEGAN = b'["phase","running",'
"""Part of the line of a log with which the first task of its session begins."""
NAMED = 3
"""Most sessions that a sentence names."""


class OrphanedLogs:
    """Logs that lie there from before and that the database does not know.

    The first look compares all; later ones look again at those that it has found, since what is
    begun by this process is stored before it is played.
    """

    def __init__(self, settings: Settings, database: Database) -> None:
        self._settings, self._database = settings, database
        self._found: dict[str, Path] | None = None

    @property
    def count(self) -> int:
        """Number of them at the last look."""
        return len(self._found or {})

    async def problem(self) -> str | None:
        """Return what is wrong with the logs; None if all is well. Raises DatabaseError."""
        found = await self.look()
        return orphans_text(self._settings, self._database.url, found) if found else None

    async def look(self) -> Collection[str]:
        """Return the sessions of such logs. Raises DatabaseError."""
        if self._found is None:
            logs = await asyncio.to_thread(logs_of, self._settings)
        else:
            logs = {name: path for name, path in self._found.items() if path.exists()}
        self._found = await _unknown(logs, self._database)
        return self._found


def logs_of(settings: Settings) -> dict[str, Path]:
    """Return the logs of a data directory by their sessions, open and archived."""
    packed = settings.archive_dir.glob(f"ses_*{PACKED_SUFFIX}")
    logs = {path.name.removesuffix(PACKED_SUFFIX): path for path in packed}
    live = settings.recordings_dir.glob(f"ses_*{SUFFIX}")
    return logs | {path.name.removesuffix(SUFFIX): path for path in live}


def were_played(logs: Mapping[str, Path]) -> dict[str, Path]:
    """Return those of some logs in which play began; an archived one was played."""
    return {name: path for name, path in logs.items() if _was_played(path)}


async def orphaned_logs(settings: Settings, database: Database) -> str | None:
    """Return what is wrong where the database does not know all logs; None if all is well.

    Raises DatabaseError.
    """
    return await OrphanedLogs(settings, database).problem()


def orphans_text(settings: Settings, url: str, session_ids: Collection[str]) -> str:
    """Return the sentence about logs that the database does not know."""
    count = len(session_ids)
    sessions = "a session whose log lies" if count == 1 else f"{count} sessions whose logs lie"
    names = ", ".join(sorted(session_ids)[:NAMED]) + (", …" if count > NAMED else "")
    return (
        f"{url} does not know {sessions} in {settings.recordings_dir} ({names}): was the database "
        "deleted, or does COHABIT_DATABASE_URL name another? Stop the server and restore the last "
        "backup into an empty data directory (cohabit restore); without one the logs are still "
        "whole (cohabit recordings list): move them elsewhere and keep them"
    )


async def _unknown(logs: Mapping[str, Path], database: Database) -> dict[str, Path]:
    if not logs:
        return {}
    async with database.transaction() as db:
        known = await known_sessions(db, logs)
    rest = {name: path for name, path in logs.items() if name not in known}
    return await asyncio.to_thread(were_played, rest)


def _was_played(path: Path) -> bool:
    if path.name.endswith(PACKED_SUFFIX):
        return True
    try:
        with path.open("rb") as file:
            return any(PLAY_BEGAN in line for line in file)
    except OSError:
        # Whoever reads it next says why; that somebody played is likelier than not.
        return True
