"""Removal of a recording: its log, packed or not, and all that was made of it."""

from __future__ import annotations

from collections.abc import Collection
from pathlib import Path

from server.folder_sync import sync_folder
from server.recording.archive import SUFFIX


def remove_recording(log: Path, archive: Path) -> None:
    """Remove the recording of a session that is over. Idempotent. Raises OSError.

    Everything that has the session's name is of it: log and mark, logs that were set aside, the
    packed log and its summary, and drafts that a crash left.
    """
    for folder in (log.parent, archive):
        if not folder.is_dir():
            continue
        for file in folder.glob(f"{log.name.removesuffix(SUFFIX)}.*"):
            file.unlink(missing_ok=True)
        sync_folder(folder)


def left_of(sessions: Collection[str], *folders: Path) -> list[str]:
    """Return the sessions of some of which files lie in the folders. Raises OSError."""
    there = {
        file.name.partition(".")[0]
        for folder in folders
        if folder.is_dir()
        for file in folder.iterdir()
    }
    return sorted(there & set(sessions))
