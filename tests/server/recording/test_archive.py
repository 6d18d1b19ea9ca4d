"""The packing of a finished log: whole, the same each time, readable for who scores it."""

from __future__ import annotations

import gzip
import hashlib
import os
import subprocess
import sys
from functools import cache
from pathlib import Path

import msgspec
import pytest

from server.recording import durable_file
from server.recording.archive import archive, read_log
from server.recording.durable_file import LockedError, open_log
from server.recording.recordings import RecordingError, find_recordings, read_recording
from server.sessions.intents import Finish
from tests.server.sessions.first_house_sessions import HUMAN, Recording, started


@cache
def played() -> bytes:
    recording = Recording(started(solo=True))
    recording.step([(HUMAN, Finish())])
    return recording.data()


def test_a_packed_log_is_the_log(tmp_path: Path) -> None:
    log = tmp_path / "ses_1.jsonl"
    log.write_bytes(played() + b'{"type":"tick","t":99')
    archived = archive(log, tmp_path / "archive")
    packed = tmp_path / "archive" / archived.file
    assert archived.session_id == "ses_1"
    assert (archived.episodes, archived.bytes, archived.lost_bytes) == (1, len(played()), 21)
    assert archived.sha256 == hashlib.sha256(packed.read_bytes()).hexdigest()
    assert archived.packed_bytes == packed.stat().st_size < len(played()) / 3
    assert read_log(packed) == played()
    assert archive(log, tmp_path / "archive") == archived
    assert [p.name for p in packed.parent.iterdir()] == [packed.name]

    log.unlink()
    assert find_recordings([tmp_path]) == [packed]
    (recording,) = read_recording(packed)
    assert recording.result is not None
    assert recording.result.reason == "finished"


def test_a_crash_in_the_middle_leaves_the_old_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    log = tmp_path / "ses_1.jsonl"
    log.write_bytes(played())
    archived = archive(log, tmp_path)
    before = (tmp_path / archived.file).read_bytes()

    def die(_: int) -> None:
        raise OSError("the power went")

    monkeypatch.setattr("os.fsync", die)
    with pytest.raises(OSError, match="power"):
        archive(log, tmp_path)
    assert (tmp_path / archived.file).read_bytes() == before
    assert log.read_bytes() == played()


def test_what_is_no_log_stays_where_it_is(tmp_path: Path) -> None:
    log = tmp_path / "ses_1.jsonl"
    log.write_bytes(b"something else\n")
    with pytest.raises(ValueError, match="checksum"):
        archive(log, tmp_path / "archive")
    assert log.exists()
    assert not (tmp_path / "archive").exists()


def test_a_log_that_is_being_written_is_not_packed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(durable_file, "LOCK_WAIT_S", 0.0)
    log = tmp_path / "ses_1.jsonl"
    log.write_bytes(played())
    with open_log(log), pytest.raises(LockedError):
        archive(log, tmp_path)


@pytest.mark.parametrize(
    "damage",
    [b"", b"not packed", gzip.compress(b"x" * 999)[:-9]],
    ids=["empty", "not packed", "cut off"],
)
def test_a_damaged_archive_is_named(tmp_path: Path, damage: bytes) -> None:
    packed = tmp_path / "ses_1.jsonl.gz"
    packed.write_bytes(damage)
    with pytest.raises(RecordingError, match=r"ses_1\.jsonl\.gz"):
        read_recording(packed)


def test_a_packer_whose_server_has_died_says_so_in_one_line(tmp_path: Path) -> None:
    log = tmp_path / "ses_1.jsonl"
    log.write_bytes(played())
    reader, writer = os.pipe()
    os.close(reader)
    packer = subprocess.run(
        [sys.executable, "-m", "server.recording.archive", str(tmp_path / "archive"), str(log)],
        stdout=writer,
        stderr=subprocess.PIPE,
        text=True,
        check=False,
    )
    os.close(writer)
    assert packer.returncode == 1
    assert packer.stderr == "recordings.not_archived: the server that asked for it is gone\n"
    # The next server asks for it again, and finds the same file.
    assert (tmp_path / "archive" / "ses_1.jsonl.gz").is_file()
    assert log.is_file()


def test_what_is_told_of_it_is_data(tmp_path: Path) -> None:
    log = tmp_path / "ses_1.jsonl"
    log.write_bytes(played())
    built = msgspec.to_builtins(archive(log, tmp_path))
    assert built["type"] == "archived"
