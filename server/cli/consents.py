"""Consents as commands obey them: recordings of people who did not agree are left out."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, NamedTuple

from msgspec import UNSET

from server.cli.databases import in_database
from server.cli.recordings import warn_left_out
from server.cli.settings import read_settings
from server.cli.stop import StopError
from server.cli.terminal import error_console
from server.recording.recordings import Recording, RecordingError

if TYPE_CHECKING:
    from sqlalchemy.ext.asyncio import AsyncSession

    from matchmaking.study.pages import Permission


class _Sessions(NamedTuple):
    """Sessions as the database knows them."""

    without: frozenset[str] = frozenset()
    """Sessions in which somebody has withdrawn, or did not agree."""
    known: frozenset[str] = frozenset()


def agreed(recordings: Iterable[Recording], permission: Permission) -> Iterator[Recording]:
    """Yield the recordings that may be used so; warn about the others.

    A recording says what its people had agreed to when they played; who has withdrawn since, the
    database of the server says. Raises StopError where that is there and cannot be read. Recordings
    of studies that it does not know are told of at the end; nobody is asked about open play.
    """
    sessions, unknown = _sessions(permission), 0
    for recording in recordings:
        spec = recording.header.spec
        if spec.permits is not UNSET and permission not in spec.permits:
            reason = f"not everybody in it agreed to {permission}"
        elif spec.session_id in sessions.without:
            reason = f"somebody in it has withdrawn, or did not agree to {permission}"
        else:
            unknown += spec.permits is not UNSET and spec.session_id not in sessions.known
            yield recording
            continue
        warn_left_out(RecordingError(f"{recording.path}: {reason}"))
    if unknown:
        _warn_unknown(unknown)


def _warn_unknown(count: int) -> None:
    """Say of how many recordings of studies nobody knows who has withdrawn, and what to do."""
    text = (
        f"{count} of the recordings of studies that were taken are of no session in the database: "
        "whether somebody in them has withdrawn since could not be looked up. Run this where the "
        "server's data are (COHABIT_DATA_DIR, COHABIT_DATABASE_URL), or take them out"
    )
    error_console().print(f"[yellow]warning:[/] {text}", highlight=False, soft_wrap=True)


def refuse_withdrawn(policies: Iterable[str]) -> None:
    """Refuse ghosts of people who have withdrawn since they were recorded, or did not agree.

    Those of studies whose session the database does not know are told of. Raises StopError, also
    where nobody knows; RobotError for a recording that cannot be read.
    """
    from matchmaking.study.pages import Permission
    from server.robots.registry.replayed_sessions import WITHDRAWN, replayed_sessions

    replayed = replayed_sessions(policies)
    sessions = _sessions(Permission.REPLAY) if replayed else _Sessions()
    unknown = set[str]()
    for name, spec in replayed.items():
        if spec.session_id in sessions.without:
            raise StopError(f"{name}: {WITHDRAWN}")
        if spec.permits is not UNSET and spec.session_id not in sessions.known:
            unknown.add(spec.session_id)
    if unknown:
        _warn_unknown(len(unknown))


def _sessions(permission: Permission) -> _Sessions:
    """Return the sessions as the database knows them; none where there is no database."""
    from server.store.consents import known_sessions, sessions_without

    async def read(db: AsyncSession) -> _Sessions:
        return _Sessions(await sessions_without(db, permission), await known_sessions(db))

    settings = read_settings()
    file = settings.sqlite_file
    if file is not None and not file.exists():
        return _Sessions()
    try:
        return in_database(settings, read)
    except StopError as error:
        raise StopError(f"nobody knows who has withdrawn: {error}") from error
