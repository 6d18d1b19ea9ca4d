"""Manifest of a backup: what is in it, of which release, with the checksum of every file."""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import BinaryIO, Literal

import msgspec

FORMAT = 1
MANIFEST = "manifest.json"
SQLITE_COPY = "cohabit.db"
POSTGRES_DUMP = "database.dump"
FOLDERS = ("catalogue", "houses", "tasks", "recordings")
"""Folders of a data directory that are in a backup."""
KEY = "secret_key"
_CHUNK = 1024 * 1024

DatabaseKind = Literal["sqlite", "postgresql"]


class BackupError(Exception):
    """A backup cannot be made or restored; the text says why and what to do."""


class Entry(msgspec.Struct, frozen=True):
    """A file of a backup, by its path in the data directory."""

    path: str
    size: int
    sha256: str


class Manifest(msgspec.Struct, frozen=True):
    """List of a backup's files, and what a restoration has to know."""

    format: int
    version: str
    """Release that made it."""
    member: str
    made_at: float
    """Time (seconds since 1970) when the database was copied: sessions go on as they were then."""
    database: DatabaseKind
    entries: tuple[Entry, ...]
    checksum: str
    """SHA-256 of this list itself, as it is without a checksum."""

    def sealed(self) -> Manifest:
        """Return the manifest with its checksum."""
        bare = msgspec.structs.replace(self, checksum="")
        digest = hashlib.sha256(msgspec.json.encode(bare)).hexdigest()
        return msgspec.structs.replace(self, checksum=digest)


class AnyManifest(msgspec.Struct, frozen=True):
    """Part of a manifest that every format has."""

    format: int
    version: str = "unknown"


def digest_of(file: BinaryIO) -> str:
    """Return the SHA-256 of the rest of a file, in hex."""
    digest = hashlib.sha256()
    while chunk := file.read(_CHUNK):
        digest.update(chunk)
    return digest.hexdigest()


def entry_of(root: Path, path: str) -> Entry:
    """Measure a file below ``root``."""
    with (root / path).open("rb") as file:
        return Entry(path, (root / path).stat().st_size, digest_of(file))
