"""Sessions that ghosts replay, so that it can be asked whether their people still agree to it."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from server.recording.recordings import RecordingError, read_recording
from server.robots.baselines.settings import GhostSettings
from server.robots.policy_spec import RobotError
from server.robots.registry.registry import lookup
from server.sessions.spec import SessionSpec

WITHDRAWN = "somebody in it has withdrawn, or did not agree to be replayed as a partner"


def replayed_sessions(names: Iterable[str]) -> dict[str, SessionSpec]:
    """Return the session that each ghost among some policies replays, by the policy's name.

    Raises RobotError for a name that means nothing, or a recording that cannot be read.
    """
    found = {}
    for name in names:
        settings = lookup(name).setup.settings
        if isinstance(settings, GhostSettings) and settings.recording:
            try:
                recording = next(iter(read_recording(Path(settings.recording))))
            except (StopIteration, RecordingError, OSError) as error:
                raise RobotError(f"ghost: {settings.recording} cannot be read: {error}") from error
            found[name] = recording.header.spec
    return found
