"""File names that are given to a finished file only while nobody else has them."""

from __future__ import annotations

import errno
import fcntl
import os
from pathlib import Path

_NO_LINKS = frozenset({errno.EPERM, errno.ENOSYS, errno.EOPNOTSUPP, errno.ENOTSUP, errno.EMLINK})
"""Errors of file systems without hard links, such as exFAT, and many network and FUSE ones."""


def claim_name(draft: Path, path: Path) -> bool:
    """Give a finished file of the same folder, or of one in it, the name ``path``.

    Return whether the name was free; what has it already stays as it is. The file may be left at
    its old name too, for the caller to remove. Raises OSError.
    """
    try:
        # A link and not a rename, which would replace the file of somebody who was faster.
        os.link(draft, path)
    except FileExistsError:
        return False
    except OSError as error:
        if error.errno not in _NO_LINKS:
            raise
        return _rename(draft, path)
    return True


def _rename(draft: Path, path: Path) -> bool:
    """Do the same without links: all who claim a name in that folder take turns."""
    folder = os.open(path.parent, os.O_RDONLY | os.O_CLOEXEC)
    try:
        fcntl.flock(folder, fcntl.LOCK_EX)
        if os.path.lexists(path):
            return False
        draft.rename(path)
        return True
    finally:
        os.close(folder)
