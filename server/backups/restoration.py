"""Restoration of a backup into a data directory and a database that are empty."""

from __future__ import annotations

import asyncio
import os
import shutil
import tarfile
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO, cast

import msgspec

from episodes.bounded_files import regular_file
from server.backups.database_copy import is_empty_postgres, restore_postgres
from server.backups.file_faults import UNPACKED, file_faults
from server.backups.manifest import (
    FOLDERS,
    FORMAT,
    KEY,
    MANIFEST,
    POSTGRES_DUMP,
    SQLITE_COPY,
    AnyManifest,
    BackupError,
    Entry,
    Manifest,
    entry_of,
)
from server.backups.untrusted_tar import BoundedReads, checked_members
from server.owner_lock import FILE, SUFFIX, own
from server.personal.key_folder import KeyFolder
from server.settings import Settings
from server.store.database import Database
from server.store.forgotten_words import remove_older_words
from server.store.member_lock import member_lock

_LARGEST_MANIFEST = 64 * 1024 * 1024


def restore_backup(settings: Settings, backup: Path) -> Manifest:
    """Restore a backup, whole or not at all, and return its manifest.

    The list of the forgotten, which lies with the keys, is applied before anything is in its place.
    Raises BackupError for a backup that is damaged or does not fit, and for a place that is not
    empty; OwnedError beside a running server; DatabaseError; and KeysError for a folder of keys
    that cannot be read. Nothing is left behind then.
    """
    # Opened before anything is locked: nobody may be kept waiting by a pipe.
    with file_faults(settings.data_dir):
        descriptor = regular_file(backup, os.O_RDONLY)
    with os.fdopen(descriptor, "rb") as file, own(settings) as ownership:
        try:
            with file_faults(settings.data_dir):
                manifest = _restore(settings, backup, file)
        except BaseException:
            ownership.undo()
            raise
    os.sync()
    return manifest


def _restore(settings: Settings, backup: Path, file: BinaryIO) -> Manifest:
    # Nobody else is at it: these are of a restoration that was killed.
    for left in settings.data_dir.glob(f"{UNPACKED}*"):
        shutil.rmtree(left)
    _refuse_what_is_there(settings)
    with tempfile.TemporaryDirectory(prefix=UNPACKED, dir=settings.data_dir) as folder:
        staging = Path(folder)
        manifest = _unpack(backup, file, staging, settings)
        keys = KeyFolder(settings.keys)
        if manifest.database == "sqlite" and keys.exists():
            copy = f"sqlite+aiosqlite:///{staging / SQLITE_COPY}"
            unpacked = settings.model_copy(update={"data_dir": staging})
            asyncio.run(_apply_forgotten(copy, keys, unpacked))
        with _moved_in(settings, staging, manifest):
            if manifest.database == "postgresql":
                # Last, because nothing can take it back.
                asyncio.run(_restore_postgres(settings, staging / POSTGRES_DUMP))
    return manifest


def _refuse_what_is_there(settings: Settings) -> None:
    names = [path.name for path in settings.data_dir.iterdir()]
    there = sorted(n for n in names if n not in {FILE, "lost+found"} and not n.endswith(SUFFIX))
    if there:
        raise BackupError(
            f"{settings.data_dir} is not empty (it has {', '.join(there[:5])}): restore into a new "
            "data directory (COHABIT_DATA_DIR)"
        )
    for path in _database_files(settings):
        if path.exists():
            raise BackupError(
                f"{path} exists: move it away, or set COHABIT_DATABASE_URL to another file"
            )


def _database_files(settings: Settings) -> list[Path]:
    """Return the files of an SQLite database; what stands in a journal would be put into it."""
    file = settings.sqlite_file
    endings = ("", "-wal", "-journal", "-shm")
    return [] if file is None else [file.with_name(file.name + end) for end in endings]


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


def _unpack(backup: Path, file: BinaryIO, staging: Path, settings: Settings) -> Manifest:
    """Unpack a backup and check every file of it. Raises BackupError for one that is damaged."""
    try:
        reads = cast("BinaryIO", BoundedReads(file))
        with tarfile.open(fileobj=reads, mode="r:") as archive:
            members = checked_members(archive)
            manifest = _manifest(backup, file, members)
            _refuse_what_does_not_fit(settings, manifest)
            listed = _listed(backup, manifest, members)
            needed, free = sum(m.size for m in members.values()), shutil.disk_usage(staging).free
            if needed > free:
                raise BackupError(
                    f"{backup} needs {needed / 1e6:.1f} MB and {staging.parent} has "
                    f"{free / 1e6:.1f} MB free: free some space"
                )
            # The filter refuses what would leave the folder, even if a name above passed.
            archive.extractall(staging, members.values(), filter="data")
    except (tarfile.TarError, ValueError, OverflowError, RecursionError) as error:
        # All but the first of names, numbers and nested heads that are damaged.
        raise BackupError(_damage(backup, str(error))) from error
    for path, entry in listed.items():
        if entry_of(staging, path) != entry:
            raise BackupError(_damage(backup, f"{path} is not what it was: wrong checksum"))
    return manifest


def _listed(
    backup: Path, manifest: Manifest, members: Mapping[str, tarfile.TarInfo]
) -> dict[str, Entry]:
    """Return the entries of a manifest by path. Raises BackupError where members are others."""
    listed = {entry.path: entry for entry in manifest.entries}
    odd = sorted((members.keys() - {MANIFEST}) ^ listed.keys())
    if odd:
        raise BackupError(_damage(backup, f"{odd[0]} is not both in it and in its manifest"))
    for path, entry in listed.items():
        if members[path].size != entry.size:
            raise BackupError(_damage(backup, f"{path} has another size than its manifest says"))
    if (SQLITE_COPY if manifest.database == "sqlite" else POSTGRES_DUMP) not in listed:
        raise BackupError(_damage(backup, "there is no database in it"))
    return listed


def _damage(backup: Path, found: str) -> str:
    return (
        f"{backup} is no backup, or is damaged ({found}): copy it again from where it was made, "
        "or take another one; nothing has been changed"
    )


def _manifest(backup: Path, file: BinaryIO, members: Mapping[str, tarfile.TarInfo]) -> Manifest:
    member = members.get(MANIFEST)
    if member is None:
        # It is the last one that is written.
        raise tarfile.TarError(f"it ends before its {MANIFEST}: was it cut off?")
    if member.size > _LARGEST_MANIFEST:
        raise tarfile.TarError("its manifest is too large")
    file.seek(member.offset_data)
    data = file.read(member.size)
    try:
        head = msgspec.json.decode(data, type=AnyManifest)
        if head.format != FORMAT:
            raise BackupError(
                f"{backup} has format {head.format}, and this release reads format {FORMAT}: "
                f"restore it with release {head.version}"
            )
        manifest = msgspec.json.decode(data, type=Manifest)
    except msgspec.DecodeError as error:
        raise tarfile.TarError(f"its manifest cannot be read: {error}") from error
    if manifest != manifest.sealed():
        raise tarfile.TarError("its manifest is not what it was: wrong checksum")
    return manifest


async def _restore_postgres(settings: Settings, dump: Path) -> None:
    async with member_lock(settings):
        if not await is_empty_postgres(settings.database):
            raise BackupError(
                "the database that COHABIT_DATABASE_URL names is not empty: make an empty one "
                "(createdb) and name that"
            )
        await restore_postgres(settings.database, dump)
        keys = KeyFolder(settings.keys)
        if keys.exists():
            await _apply_forgotten(settings.database, keys, settings)


async def _apply_forgotten(url: str, keys: KeyFolder, settings: Settings) -> None:
    """Bring a database up to date, in which nobody is known who was forgotten since.

    Logs of older releases lose their words, too. Raises DatabaseError, KeysError and BackupError.
    """
    database = Database(url, keys=keys)
    try:
        # A key that is missing may come later: the server starts with all of them only.
        await database.upgrade(needs_all_keys=False)
        async with database.transaction() as db:
            await remove_older_words(db, settings.recordings_dir, settings.archive_dir)
    except msgspec.DecodeError as error:
        raise BackupError(
            f"a log in the backup has words of somebody who was forgotten, and cannot be read "
            f"({error}): take another backup"
        ) from error
    finally:
        await database.close()


@contextmanager
def _moved_in(settings: Settings, staging: Path, manifest: Manifest) -> Iterator[None]:
    """Move files to their places; they are taken away again where the block fails."""
    moved: list[Path] = []
    try:
        for name in (*FOLDERS, KEY):
            if (staging / name).exists():
                moved.append(settings.data_dir / name)
                (staging / name).replace(moved[-1])
        # The time of the last sign of life, from which the server reckons whether sessions go on.
        moved.append(settings.data_dir / "alive")
        moved[-1].touch()
        os.utime(moved[-1], (manifest.made_at, manifest.made_at))
        if settings.sqlite_file is not None:
            # Perhaps on another disk: it has its name when it is whole.
            unfinished = settings.sqlite_file.with_name(f"{settings.sqlite_file.name}.part")
            moved.append(unfinished)
            with file_faults(settings.sqlite_file):
                shutil.move(staging / SQLITE_COPY, unfinished)
                unfinished.replace(settings.sqlite_file)
                moved.append(settings.sqlite_file)
        yield
    except BaseException:
        for path in moved:
            shutil.rmtree(path) if path.is_dir() else path.unlink(missing_ok=True)
        raise
