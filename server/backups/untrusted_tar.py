"""Members of a backup that somebody may have made to do harm, read within bounds."""

from __future__ import annotations

import tarfile
from pathlib import PurePosixPath
from typing import BinaryIO

from server.backups.manifest import FOLDERS, KEY, MANIFEST, POSTGRES_DUMP, SQLITE_COPY

LARGEST_READ = 64 * 1024
"""Most bytes that are read at once: heads of members say how long they are, and may lie."""
MOST_MEMBERS = 400_000
"""Most files of a backup; its list of more would be larger than a list may be."""
LONGEST_NAME = 4096
MOST_NAMES = 64 * 1024 * 1024
"""Most characters of all names together."""
_SINGLE = (KEY, MANIFEST, SQLITE_COPY, POSTGRES_DUMP)
_EXTENDED = frozenset({"path", "size", "mtime"})
"""Extended heads that a backup may have: for names and sizes that are too long for a plain one."""


class BoundedReads:
    """A file that `tarfile` reads in small parts only."""

    def __init__(self, file: BinaryIO) -> None:
        self._file = file

    def read(self, size: int = -1) -> bytes:
        if not 0 <= size <= LARGEST_READ:
            raise tarfile.ReadError(f"a head of {size} bytes is in it")
        return self._file.read(size)

    def seek(self, position: int) -> int:
        return self._file.seek(position)

    def tell(self) -> int:
        return self._file.tell()


def checked_members(archive: tarfile.TarFile) -> dict[str, tarfile.TarInfo]:
    """Return the members by name: plain files of a data directory. Raises tarfile.TarError."""
    found: dict[str, tarfile.TarInfo] = {}
    letters = 0
    for member in archive:
        _check(member)
        letters += len(member.name)
        if archive.pax_headers or not _EXTENDED.issuperset(member.pax_headers):
            raise tarfile.TarError(f"{member.name!r} has a head that no backup has")
        if member.name in found:
            raise tarfile.TarError(f"{member.name!r} is in it twice")
        if len(found) == MOST_MEMBERS or letters > MOST_NAMES:
            raise tarfile.TarError("it has more files than any backup")
        found[member.name] = member
    return found


def _check(member: tarfile.TarInfo) -> None:
    if len(member.name) > LONGEST_NAME:
        raise tarfile.TarError(f"a name of {len(member.name)} characters is in it")
    path = PurePosixPath(member.name)
    is_known = member.name in _SINGLE or (len(path.parts) > 1 and path.parts[0] in FOLDERS)
    # A sparse one may be larger than the disk, and counts as a regular file for `tarfile`.
    is_plain = member.type in (tarfile.REGTYPE, tarfile.AREGTYPE) and not member.issparse()
    is_here = ".." not in path.parts and path.as_posix() == member.name
    if not is_plain or not is_known or not is_here or member.size < 0:
        raise tarfile.TarError(f"expected files of a data directory only, got {member.name!r}")
