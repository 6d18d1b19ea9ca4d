"""Backups that somebody made to do harm: each is refused with a sentence, and leaves nothing."""

from __future__ import annotations

import hashlib
import io
import os
import tarfile
import tracemalloc
from collections.abc import Callable
from pathlib import Path

import msgspec
import pytest

from server.backups import restoration
from server.backups.manifest import (
    FORMAT,
    MANIFEST,
    SQLITE_COPY,
    BackupError,
    Entry,
    Manifest,
)
from server.backups.restoration import restore_backup
from server.settings import Settings

GIB = 1024**3
MIB = 1024**2
Change = Callable[[tarfile.TarInfo], None]


def refused(backup: Path) -> str:
    """Return why a backup is refused; nothing may be left, and little memory be taken."""
    place = backup.parent / "place" / "data"
    before = {path.name for path in backup.parent.iterdir()}
    tracemalloc.start()
    with pytest.raises(BackupError) as caught:
        restore_backup(Settings(_env_file=None, data_dir=place, database_url=""), backup)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < 32 * MIB
    assert {path.name for path in backup.parent.iterdir()} == before
    said = str(caught.value)
    assert str(backup) in said
    assert "\n" not in said
    return said


def plain(name: str, data: bytes = b"data") -> tuple[tarfile.TarInfo, bytes]:
    member = tarfile.TarInfo(name)
    member.size = len(data)
    return member, data


def written(
    folder: Path, *members: tuple[tarfile.TarInfo, bytes], listed: dict[str, bytes] | None = None
) -> Path:
    """Write a backup with a valid manifest of these members, or of what is ``listed``."""
    all_members = [plain(SQLITE_COPY), *members]
    of = {m.name: data for m, data in all_members} | (listed or {})
    entries = tuple(
        Entry(name, len(data), hashlib.sha256(data).hexdigest()) for name, data in of.items()
    )
    manifest = Manifest(
        FORMAT, "1.2.3", Settings(_env_file=None).member, 1.0, "sqlite", entries, ""
    )
    file = folder / "backup.tar"
    with tarfile.open(file, "w") as archive:
        for member, data in (
            *all_members,
            plain(MANIFEST, msgspec.json.encode(manifest.sealed())),
        ):
            archive.addfile(member, io.BytesIO(data))
    return file


@pytest.mark.parametrize("kind", [b"x", b"g", b"L", b"K", b"S"])
@pytest.mark.parametrize("size", [6 * GIB, 65 * 1024, 2**70, -512, -(2**40)])
def test_a_head_says_how_long_it_is_and_lies(tmp_path: Path, kind: bytes, size: int) -> None:
    head = tarfile.TarInfo("recordings/a")
    head.type, head.size = kind, size
    file = tmp_path / "backup.tar"
    file.write_bytes(head.tobuf(tarfile.GNU_FORMAT))
    os.truncate(file, 7 * GIB)
    assert file.stat().st_blocks * 512 < MIB
    assert "is no backup, or is damaged" in refused(file)


def test_heads_within_heads(tmp_path: Path) -> None:
    record = b"12 path=tes\n"
    head = tarfile.TarInfo("x")
    head.type, head.size = tarfile.XHDTYPE, len(record)
    (tmp_path / "backup.tar").write_bytes((head.tobuf() + record.ljust(512, b"\0")) * 5000)
    assert "is no backup, or is damaged" in refused(tmp_path / "backup.tar")


def test_a_pipe_or_a_device_is_refused_before_anything_is_locked(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # A writer is there, so that nothing waits even without the mend.
    os.mkfifo(tmp_path / "pipe.tar")
    writer = os.open(tmp_path / "pipe.tar", os.O_RDWR | os.O_NONBLOCK)
    os.write(writer, bytes(1024))
    monkeypatch.setattr(restoration, "own", None)
    assert "expected a file, got a pipe" in refused(tmp_path / "pipe.tar")
    os.close(writer)
    settings = Settings(_env_file=None, data_dir=tmp_path / "data")
    with pytest.raises(BackupError, match="expected a file, got a device"):
        restore_backup(settings, Path("/dev/null"))


@pytest.mark.parametrize(
    "kind", [tarfile.SYMTYPE, tarfile.LNKTYPE, tarfile.CHRTYPE, tarfile.FIFOTYPE, tarfile.DIRTYPE]
)
def test_what_is_no_file(tmp_path: Path, kind: bytes) -> None:
    member = tarfile.TarInfo("recordings/ses_1.jsonl")
    member.type, member.linkname = kind, "/etc/passwd"
    assert "expected files of a data directory only" in refused(written(tmp_path, (member, b"")))


@pytest.mark.parametrize(
    "name",
    ["../../x", "/etc/x", "recordings/../../x", "recordings/./x", "owner", "elsewhere/x"],
)
def test_a_name_that_leads_elsewhere(tmp_path: Path, name: str) -> None:
    assert "expected files of a data directory only" in refused(written(tmp_path, plain(name)))


def test_a_name_that_is_there_twice_or_long(tmp_path: Path) -> None:
    twice = plain("tasks/a.json"), plain("tasks/a.json", b"more")
    assert "'tasks/a.json' is in it twice" in refused(written(tmp_path, *twice))
    assert "a name of 5006 characters" in refused(written(tmp_path, plain("tasks/" + "a" * 5000)))


def test_more_data_than_the_manifest_says_and_heads_of_no_backup(tmp_path: Path) -> None:
    more = written(tmp_path, plain("tasks/a.json", b"longer"), listed={"tasks/a.json": b"long"})
    assert "tasks/a.json has another size than its manifest says" in refused(more)
    other, data = plain("tasks/a.json")
    other.pax_headers = {"comment": "hidden"}
    assert "has a head that no backup has" in refused(written(tmp_path, (other, data)))
    sparse, data = plain("tasks/a.json")
    sparse.pax_headers = {"GNU.sparse.map": "0,4", "GNU.sparse.size": str(6 * GIB)}
    assert "expected files of a data directory only" in refused(written(tmp_path, (sparse, data)))


def test_names_that_differ_in_case_are_both_kept(tmp_path: Path) -> None:
    """On a disk that cannot keep them apart the checksum of one is wrong."""
    file = written(tmp_path, plain("tasks/a.json", b"one"), plain("tasks/A.json", b"two"))
    place = tmp_path / "place"
    restore_backup(Settings(_env_file=None, data_dir=place, database_url=""), file)
    assert (place / "tasks" / "a.json").read_bytes() == b"one"
    assert (place / "tasks" / "A.json").read_bytes() == b"two"
