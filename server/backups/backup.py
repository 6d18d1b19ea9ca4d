"""Backup of a server, which may run meanwhile: one archive with its database, logs and key."""

from __future__ import annotations

import asyncio
import hashlib
import os
import tarfile
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import BinaryIO

import msgspec

from server.backups.database_copy import CopiedSession, copy_sqlite, dump_postgres
from server.backups.file_faults import MADE, file_faults
from server.backups.manifest import (
    FOLDERS,
    FORMAT,
    KEY,
    MANIFEST,
    POSTGRES_DUMP,
    SQLITE_COPY,
    BackupError,
    Entry,
    Manifest,
)
from server.backups.recorded_logs import copy_logs
from server.folder_sync import sync_folder
from server.recording.archive import PACKED_SUFFIX, SUFFIX
from server.settings import Settings
from server.unclaimed_name import claim_name
from server.wall_clock import utc_now, wall_s

UNFINISHED = ".part"
Tell = Callable[[int, int], None]


def make_backup(settings: Settings, target: Path, version: str, tell: Tell) -> tuple[Path, int]:
    """Write a backup to ``target``, a new file or a folder; return the file and its sessions.

    The database is copied first and the logs afterwards, because logs only grow: what the database
    knows is in them, and what they know beyond it is told again when a session goes on. The file
    has its name when it is whole. Raises BackupError and DatabaseError.
    """
    with file_faults(target):
        target = _place(settings, target)
        return target, _make(settings, target, version, tell)


def _make(settings: Settings, target: Path, version: str, tell: Tell) -> int:
    """Write a backup to a file that is not there yet; return its sessions."""
    with tempfile.TemporaryDirectory(prefix=MADE, dir=target.parent) as folder:
        staging = Path(folder)
        made_at = wall_s()
        sessions = _copy_database(settings, staging)
        # An archived log is not written any more; the others are copied up to a whole line.
        copy_logs(settings.recordings_dir, settings.archive_dir, staging / "recordings", sessions)
        files = dict(_files(settings, staging))
        draft = staging / f"backup{UNFINISHED}"
        manifest = Manifest(
            FORMAT, version, settings.member, made_at, settings.database_kind, (), ""
        )
        _write(draft, files, manifest, tell)
        if not claim_name(draft, target):
            raise BackupError(f"{target} has been written meanwhile: choose another name")
        sync_folder(target.parent)
    return len(sessions)


def _place(settings: Settings, target: Path) -> Path:
    if settings.keys.absolute().is_relative_to(settings.data_dir.absolute()):
        raise BackupError(
            f"{settings.keys}, the folder of keys, is inside the data directory: move it elsewhere "
            "and name it in COHABIT_KEYS_DIR, so that no copy of the data can be read without it"
        )
    if target.is_dir():
        stamp = utc_now().strftime("%Y-%m-%dT%H-%M-%SZ")
        target = target / f"cohabit-{settings.member}-{stamp}.tar"
    target = target.absolute()
    if target.exists():
        raise BackupError(f"{target} exists: choose another name, or a folder to put backups in")
    if not target.parent.is_dir():
        raise BackupError(f"{target.parent} is no folder: make it first, or choose another")
    if target.is_relative_to(settings.data_dir.absolute()):
        raise BackupError(
            f"{target} is inside the data directory: choose a place outside, best on another disk"
        )
    return target


def _copy_database(settings: Settings, staging: Path) -> dict[str, CopiedSession]:
    if settings.sqlite_file is not None:
        return copy_sqlite(settings.sqlite_file, staging / SQLITE_COPY)
    return asyncio.run(dump_postgres(settings.database, staging / POSTGRES_DUMP))


def _files(settings: Settings, staging: Path) -> Iterator[tuple[str, Path]]:
    """Yield what goes into the backup: the path in it, and the file."""
    copied = sorted(path for path in staging.rglob("*") if path.is_file())
    yield from ((path.relative_to(staging).as_posix(), path) for path in copied)
    live = {path.name.removesuffix(SUFFIX) for path in copied if path.name.endswith(SUFFIX)}
    for folder in FOLDERS:
        for path in sorted((settings.data_dir / folder).rglob("*")):
            if not path.is_file() or path.suffix == UNFINISHED or path.name.endswith(SUFFIX):
                continue
            if path.name.removesuffix(PACKED_SUFFIX) not in live:
                yield path.relative_to(settings.data_dir).as_posix(), path
    if (settings.data_dir / KEY).is_file():
        yield KEY, settings.data_dir / KEY


def _write(draft: Path, files: dict[str, Path], manifest: Manifest, tell: Tell) -> None:
    entries = []
    # For its owner only: it holds the key, and what people said.
    descriptor = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with os.fdopen(descriptor, "wb") as out:
        with tarfile.open(fileobj=out, mode="w", format=tarfile.PAX_FORMAT) as archive:
            for number, (name, path) in enumerate(files.items()):
                tell(number, len(files))
                entries.append(_add(archive, name, path))
            whole = msgspec.structs.replace(manifest, entries=tuple(entries)).sealed()
            listed = draft.with_name(MANIFEST)
            listed.write_bytes(msgspec.json.format(msgspec.json.encode(whole)))
            _add(archive, MANIFEST, listed)
            tell(len(files), len(files))
        out.flush()
        os.fsync(out.fileno())


class _Digesting:
    """A file whose bytes are counted into a checksum as they are read."""

    def __init__(self, file: BinaryIO) -> None:
        self._file, self.digest = file, hashlib.sha256()

    def read(self, size: int = -1) -> bytes:
        data = self._file.read(size)
        self.digest.update(data)
        return data


def _add(archive: tarfile.TarFile, name: str, path: Path) -> Entry:
    with path.open("rb") as file:
        info = tarfile.TarInfo(name)
        info.size = os.fstat(file.fileno()).st_size
        info.mtime = int(os.fstat(file.fileno()).st_mtime)
        info.mode = 0o600
        reading = _Digesting(file)
        archive.addfile(info, reading)
    return Entry(name, info.size, reading.digest.hexdigest())
