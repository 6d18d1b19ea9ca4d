"""Faults of files and disks while a backup is made or restored, each with what to do about it."""

from __future__ import annotations

import errno
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from server.backups.manifest import BackupError

UNPACKED, MADE = ".restoring-", ".cohabit-backup-"
"""Begins of the names of folders that are there only while a backup is restored or made."""
_FULL = frozenset({errno.ENOSPC, errno.EDQUOT})
_ADVICE = {
    errno.ENOSPC: "free some space there, or choose another disk",
    errno.EDQUOT: "free some space there, or choose another disk",
    errno.EACCES: "run the command as the user who runs the server, or give this one the right",
    errno.EPERM: "run the command as the user who runs the server, or give this one the right",
    errno.EROFS: "choose a disk that is not mounted read-only",
    errno.ENOENT: "check its name; if it went away just now, run the command again",
    errno.ENOTDIR: "check its name",
    errno.EISDIR: "name a file",
    errno.EINVAL: "put a file in its place",
    errno.EIO: "its disk reports errors: look at the system's log, and choose another disk",
}


@contextmanager
def file_faults(written: Path) -> Iterator[None]:
    """Raise BackupError for a file that cannot be read, or for ``written`` that has no room."""
    try:
        yield
    except OSError as error:
        code = error.errno or 0
        # Who writes is not told which file it was; and a temporary one says little.
        named = str(error.filename or written)
        if code in _FULL or any(f"{os.sep}{begin}" in named for begin in (UNPACKED, MADE)):
            named = str(written)
        advice = _ADVICE.get(code, "look at the system's log, and run the command again")
        done = "written" if named == str(written) else "used"
        reason = error.strerror or str(error) or os.strerror(code)
        raise BackupError(f"{named} cannot be {done} ({reason}): {advice}") from error
