"""Names in a folder that outlast a power failure: what was made, renamed or removed there."""

from __future__ import annotations

import os
from pathlib import Path


def sync_folder(folder: Path) -> None:
    """Return when the names of the files in a folder are on the disk, not only in memory.

    The content of a file is synced by whoever has it open. Raises OSError.
    """
    if os.name != "posix":
        return
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
