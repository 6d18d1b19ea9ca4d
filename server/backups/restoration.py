"""Restoration of a backup into a data directory and a database that are empty."""

from __future__ import annotations

import asyncio
import os
import shutil
import tarfile
import tempfile
from pathlib import Path, PurePosixPath

import msgspec

from server.backups.database_copy import is_empty_postgres, restore_postgres
from server.backups.manifest import (
    FOLDERS,
    FORMAT,
    KEY,
    MANIFEST,
    POSTGRES_DUMP,
    SQLITE_COPY,
    BackupError,
    Manifest,
    entry_of,
)
from server.owner_lock import FILE, SUFFIX, own
from server.settings import Settings
from server.store.member_lock import member_lock

_SINGLE = (KEY, MANIFEST, SQLITE_COPY, POSTGRES_DUMP)
_LARGEST_MANIFEST = 64 * 1024 * 1024


def restore_backup(settings: Settings, backup: Path) -> Manifest:
    """Restore a backup, whole or not at all, and return its manifest.

    Raises BackupError for a backup that is damaged or does not fit, and for a place that is not
    empty; OwnedError beside a running server; DatabaseError and OSError.
    """
    with own(settings):
        _refuse_what_is_there(settings)
        with tempfile.TemporaryDirectory(prefix=".restoring-", dir=settings.data_dir) as folder:
            staging = Path(folder)
            manifest = _unpack(backup, staging)
            _refuse_what_does_not_fit(settings, manifest)
            if manifest.database == "postgresql":
                asyncio.run(_restore_postgres(settings, staging / POSTGRES_DUMP))
            _move_in(settings, staging, manifest)
    os.sync()
    return manifest


def _refuse_what_is_there(settings: Settings) -> None:
    names = [path.name for path in settings.data_dir.iterdir()]
    there = sorted(n for n in names if n not in {FILE, "lost+found"} and not n.endswith(SUFFIX))
    if there:
        raise BackupError(
            f"{settings.data_dir} is not empty (it has {', '.join(there[:5])}): restore into a new "
            "data directory (COHABIT_DATA_DIR)"
        )
    if settings.sqlite_file is not None and settings.sqlite_file.exists():
        raise BackupError(
            f"{settings.sqlite_file} exists: move it away, or set COHABIT_DATABASE_URL to another "
            "file"
        )


def _refuse_what_does_not_fit(settings: Settings, manifest: Manifest) -> None:
    if manifest.database != settings.database_kind:
        raise BackupError(
            f"the backup is of a {manifest.database} database, and COHABIT_DATABASE_URL names a "
            f"{settings.database_kind} one: name an empty {manifest.database} database"
        )
    if manifest.member != settings.member:
        raise BackupError(
            f"the backup is of the member {manifest.member!r}, and this is {settings.member!r}, "
            f"which would not go on with its sessions: set COHABIT_MEMBER={manifest.member}"
        )


def _unpack(backup: Path, staging: Path) -> Manifest:
    """Unpack a backup and check every file of it. Raises BackupError for one that is damaged."""
    try:
        with tarfile.open(backup, mode="r:") as archive:
            members = archive.getmembers()
            for member in members:
                _check_name(member)
            needed, free = sum(m.size for m in members), shutil.disk_usage(staging).free
            if needed > free:
                raise BackupError(
                    f"{backup} needs {needed / 1e6:.0f} MB and {staging.parent} has "
                    f"{free / 1e6:.0f} MB free: free some space"
                )
            # The filter refuses what would leave the folder, even if a name above passed.
            archive.extractall(staging, members, filter="data")
    except tarfile.TarError as error:
        raise BackupError(f"{backup} is no backup, or is damaged: {error}") from error
    manifest = _manifest(backup, staging)
    found = {m.name for m in members} - {MANIFEST}
    listed = {entry.path: entry for entry in manifest.entries}
    if found != set(listed):
        odd = sorted(found ^ set(listed))[0]
        raise BackupError(f"{backup} is damaged: {odd} is not both in it and in its manifest")
    for path, entry in listed.items():
        if entry_of(staging, path) != entry:
            raise BackupError(f"{backup} is damaged: {path} is not what it was (wrong checksum)")
    if (SQLITE_COPY if manifest.database == "sqlite" else POSTGRES_DUMP) not in listed:
        raise BackupError(f"{backup} is damaged: there is no database in it")
    return manifest


def _check_name(member: tarfile.TarInfo) -> None:
    path = PurePosixPath(member.name)
    is_known = member.name in _SINGLE or (len(path.parts) > 1 and path.parts[0] in FOLDERS)
    if not member.isreg() or not is_known or ".." in path.parts or path.as_posix() != member.name:
        raise tarfile.TarError(f"expected files of a data directory only, got {member.name!r}")


def _manifest(backup: Path, staging: Path) -> Manifest:
    path = staging / MANIFEST
    try:
        if path.stat().st_size > _LARGEST_MANIFEST:
            raise BackupError(f"{backup} is no backup: its manifest is too large")
        manifest = msgspec.json.decode(path.read_bytes(), type=Manifest)
    except (FileNotFoundError, msgspec.DecodeError) as error:
        raise BackupError(f"{backup} is no backup, or is damaged: {error}") from error
    if manifest.format != FORMAT:
        raise BackupError(
            f"{backup} has format {manifest.format}, and this release reads format {FORMAT}: "
            f"restore it with release {manifest.version}"
        )
    return manifest


async def _restore_postgres(settings: Settings, dump: Path) -> None:
    async with member_lock(settings):
        if not await is_empty_postgres(settings.database):
            raise BackupError(
                "the database that COHABIT_DATABASE_URL names is not empty: make an empty one "
                "(createdb) and name that"
            )
        await restore_postgres(settings.database, dump)


def _move_in(settings: Settings, staging: Path, manifest: Manifest) -> None:
    if settings.sqlite_file is not None:
        shutil.move(staging / SQLITE_COPY, settings.sqlite_file)
    for name in (*FOLDERS, KEY):
        if (staging / name).exists():
            (staging / name).replace(settings.data_dir / name)
    # The time of the last sign of life, from which the server reckons whether sessions go on.
    alive = settings.data_dir / "alive"
    alive.touch()
    os.utime(alive, (manifest.made_at, manifest.made_at))
