"""Consents as commands obey them: recordings of people who did not agree are left out."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from msgspec import UNSET

from server.cli.databases import in_database
from server.cli.recordings import warn_left_out
from server.cli.settings import read_settings
from server.cli.stop import StopError
from server.recording.recordings import Recording, RecordingError

if TYPE_CHECKING:
    from matchmaking.study.pages import Permission


def agreed(recordings: Iterable[Recording], permission: Permission) -> Iterator[Recording]:
    """Yield the recordings that may be used so; warn about the others.

    A recording says what its people had agreed to when they played; who has withdrawn since, the
    database of the server says. Raises StopError where that is there and cannot be read.
    """
    without = _sessions_without(permission)
    for recording in recordings:
        spec = recording.header.spec
        if spec.permits is not UNSET and permission not in spec.permits:
            reason = f"not everybody in it agreed to {permission}"
        elif spec.session_id in without:
            reason = f"somebody in it has withdrawn, or did not agree to {permission}"
        else:
            yield recording
            continue
        warn_left_out(RecordingError(f"{recording.path}: {reason}"))


def refuse_withdrawn(policies: Iterable[str]) -> None:
    """Refuse ghosts of people who have withdrawn since they were recorded, or did not agree.

    Raises StopError, also where nobody knows; RobotError for a recording that cannot be read.
    """
    from matchmaking.study.pages import Permission
    from server.robots.registry.replayed_sessions import WITHDRAWN, replayed_sessions

    replayed = replayed_sessions(policies)
    without = _sessions_without(Permission.REPLAY) if replayed else frozenset()
    for name, session_id in replayed.items():
        if session_id in without:
            raise StopError(f"{name}: {WITHDRAWN}")


def _sessions_without(permission: Permission) -> frozenset[str]:
    """Return the sessions that the database rules out; none where there is no database."""
    from server.store.consents import sessions_without

    settings = read_settings()
    file = settings.sqlite_file
    if file is not None and not file.exists():
        return frozenset()
    try:
        return in_database(settings, lambda db: sessions_without(db, permission))
    except StopError as error:
        raise StopError(f"nobody knows who has withdrawn: {error}") from error
