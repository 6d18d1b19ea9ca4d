"""Backups that are cut, changed or of another format, and disks without room: told, and undone."""

from __future__ import annotations

import asyncio
import errno
import io
import json
import os
import random
import shutil
import subprocess
import tarfile
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from server import owner_lock
from server.backups.backup import make_backup
from server.backups.manifest import FORMAT, MANIFEST, BackupError
from server.backups.restoration import restore_backup
from server.owner_lock import OwnerLock, this_process
from server.settings import Settings
from server.store import Database
from tests.server.faults import small_disks

FLIPS = 150


def settings_of(data_dir: Path, database_url: str = "") -> Settings:
    return Settings(_env_file=None, data_dir=data_dir, database_url=database_url)


def backup(settings: Settings, target: Path) -> Path:
    return make_backup(settings, target, "1.2.3", lambda _done, _all: None)[0]


@pytest.fixture(scope="module")
def data_dir(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("data")
    (folder / "recordings").mkdir()
    (folder / "recordings" / "ses_a.jsonl.zst").write_bytes(b"packed" * 300)
    (folder / "tasks").mkdir()
    (folder / "tasks" / "a.json").write_text("{}")
    (folder / "secret_key").write_text("k" * 64)
    asyncio.run(_upgraded(folder))
    return folder


async def _upgraded(folder: Path) -> None:
    database = Database(f"sqlite:///{folder / 'cohabit.db'}")
    await database.upgrade()
    await database.close()


@pytest.fixture(scope="module")
def whole(data_dir: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return backup(settings_of(data_dir), tmp_path_factory.mktemp("backup") / "b.tar")


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    folder = small_disks.mount(tmp_path / "disk")
    yield folder
    subprocess.run(["umount", str(folder)], check=True)


def refusal(data: bytes, folder: Path) -> str:
    """Return why a backup with these bytes is not restored; nothing may be left of the attempt."""
    place, spoilt = folder / "place" / "data", folder / "spoilt.tar"
    spoilt.write_bytes(data)
    with pytest.raises(BackupError) as caught:
        restore_backup(settings_of(place), spoilt)
    assert not place.parent.exists()
    return str(caught.value)


def test_a_backup_that_was_cut_off(whole: Path, tmp_path: Path) -> None:
    data = whole.read_bytes()
    with tarfile.open(whole) as archive:
        last = archive.getmembers()[-1]
    assert last.name == MANIFEST
    rng = random.Random(1)
    cuts = {*range(0, last.offset + 1, 512), *(rng.randrange(last.offset) for _ in range(50))}
    said = [refusal(data[:cut], tmp_path) for cut in sorted(cuts)]
    assert all("copy it again" in words and "Errno" not in words for words in said)
    assert sum("was it cut off?" in words for words in said) >= 4


def test_a_backup_with_one_other_byte(
    whole: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each is refused, or what it restores is what was backed up."""
    monkeypatch.setattr("os.sync", lambda: None)
    data, rng = whole.read_bytes(), random.Random(2)
    with tarfile.open(whole) as archive:
        members = archive.getmembers()
        kept = {m.name: data[m.offset_data : m.offset_data + m.size] for m in members}
    heads = [at for m in members for at in range(m.offset, m.offset_data)]
    listed = range(members[-1].offset_data, members[-1].offset_data + members[-1].size)
    spots = [rng.choice(part) for part in (heads, listed, range(len(data))) for _ in range(FLIPS)]
    refused = 0
    for number, at in enumerate(spots):
        spoilt = tmp_path / "spoilt.tar"
        spoilt.write_bytes(data[:at] + bytes([data[at] ^ rng.randrange(1, 256)]) + data[at + 1 :])
        place = tmp_path / str(number)
        try:
            manifest = restore_backup(settings_of(place), spoilt)
        except BackupError:
            refused += 1
            assert not place.exists()
        else:
            assert json.loads(kept[MANIFEST])["made_at"] == manifest.made_at
            names = [m.name for m in members if m.name != MANIFEST]
            assert [(place / n).read_bytes() for n in names] == [kept[n] for n in names]
            shutil.rmtree(place)
    print(f"\n{refused} of {len(spots)} refused")
    assert refused >= FLIPS


def changed(whole: Path, change: Callable[[dict[str, object]], None]) -> bytes:
    """Return a backup with another manifest."""
    out = io.BytesIO()
    with tarfile.open(whole) as old, tarfile.open(fileobj=out, mode="w") as new:
        for member in old.getmembers():
            file = old.extractfile(member)
            assert file is not None
            content = file.read()
            if member.name == MANIFEST:
                manifest = json.loads(content)
                change(manifest)
                content = json.dumps(manifest).encode()
                member.size = len(content)
            new.addfile(member, io.BytesIO(content))
    return out.getvalue()


def test_a_backup_of_another_format(whole: Path, tmp_path: Path) -> None:
    def later(manifest: dict[str, object]) -> None:
        del manifest["entries"]
        manifest["format"] = FORMAT + 1

    said = refusal(changed(whole, later), tmp_path)
    assert f"has format {FORMAT + 1}, and this release reads format {FORMAT}" in said
    assert "restore it with release 1.2.3" in said
    older = refusal(changed(whole, lambda m: m.update(made_at=1.0)), tmp_path)
    assert "its manifest is not what it was" in older
    assert "its manifest cannot be read" in refusal(changed(whole, dict.clear), tmp_path)


def test_backups_that_are_not_there(data_dir: Path, tmp_path: Path) -> None:
    place = tmp_path / "place"
    for name, says in ((tmp_path / "none.tar", "check its name"), (tmp_path, "name a file")):
        with pytest.raises(BackupError, match=f"{name} cannot be used .*{says}"):
            restore_backup(settings_of(place), name)
    assert not place.exists()


def test_a_full_disk_is_named_and_nothing_is_left(
    data_dir: Path, whole: Path, tmp_path: Path, small_disk: Path
) -> None:
    small_disks.fill(small_disk)
    for target in (small_disk, small_disk / "b.tar"):
        with pytest.raises(BackupError, match=f"^{target} cannot be written .*free some space"):
            backup(settings_of(data_dir), target)
    elsewhere = f"sqlite:///{small_disk}/new/cohabit.db"
    place = tmp_path / "place"
    with pytest.raises(BackupError, match=f"^{small_disk}/new/cohabit.db cannot be written"):
        restore_backup(settings_of(place, database_url=elsewhere), whole)
    assert not place.exists()
    assert [path.name for path in small_disk.iterdir()] == ["other"]
    # A data directory on a full disk is backed up elsewhere all the same.
    (small_disk / "other").unlink()
    full = small_disk / "data"
    shutil.copytree(data_dir, full)
    small_disks.fill(small_disk)
    assert backup(settings_of(full), tmp_path / "of_full.tar").exists()


def test_a_fault_while_files_are_moved_in_takes_them_away_again(
    whole: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fails(_source: Path, _target: Path) -> None:
        raise PermissionError(1, "Operation not permitted", str(tmp_path / "place" / "x"))

    monkeypatch.setattr("shutil.move", fails)
    with pytest.raises(BackupError, match="Operation not permitted"):
        restore_backup(settings_of(tmp_path / "place"), whole)
    assert not (tmp_path / "place").exists()
    monkeypatch.undo()
    restore_backup(settings_of(tmp_path / "place"), whole)


def test_a_journal_of_another_database_is_not_put_into_the_restored_one(
    whole: Path, tmp_path: Path
) -> None:
    (tmp_path / "other").mkdir()
    (tmp_path / "other" / "cohabit.db-wal").write_bytes(b"pages of another database")
    url = f"sqlite:///{tmp_path / 'other' / 'cohabit.db'}"
    with pytest.raises(BackupError, match=r"cohabit\.db-wal exists: move it away"):
        restore_backup(settings_of(tmp_path / "place", database_url=url), whole)


def test_what_a_killed_restoration_left_is_no_hindrance(whole: Path, tmp_path: Path) -> None:
    left = tmp_path / "place" / ".restoring-killed"
    left.mkdir(parents=True)
    (left / "cohabit.db").write_bytes(b"half")
    restore_backup(settings_of(tmp_path / "place"), whole)
    assert not left.exists()


def test_a_lock_on_a_file_that_was_removed_is_none(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A process may open it before that and lock it then, which would keep nobody out."""
    path = tmp_path / "place" / "owner"
    lock, lock_file = OwnerLock(path, this_process("late")), owner_lock._try_flock

    def removed_before(descriptor: int, kind: int, path: Path) -> bool:
        path.unlink()
        return lock_file(descriptor, kind, path)

    monkeypatch.setattr(owner_lock, "_try_flock", removed_before)
    assert not lock.take()
    monkeypatch.undo()
    assert lock.take()
    assert not OwnerLock(path, this_process("later")).take()
    lock.undo()
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("has_links", [True, False])
def test_a_file_that_appears_while_a_backup_is_made_is_not_overwritten(
    data_dir: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, has_links: bool
) -> None:
    target = tmp_path / "b.tar"
    link, rename = os.link, os.rename

    def write_first(*_: object) -> None:
        if not target.is_file():
            target.write_text("somebody else's")

    def late_link(draft: Path, path: Path) -> None:
        write_first()
        if not has_links:
            raise PermissionError(errno.EPERM, os.strerror(errno.EPERM))
        link(draft, path)

    def late_replace(draft: Path, path: Path) -> None:
        write_first()
        rename(draft, path)

    monkeypatch.setattr("os.link", late_link)
    monkeypatch.setattr("os.replace", late_replace)
    with pytest.raises(BackupError, match="has been written meanwhile"):
        backup(settings_of(data_dir), target)
    assert target.read_text() == "somebody else's"
    assert os.listdir(tmp_path) == ["b.tar"]
