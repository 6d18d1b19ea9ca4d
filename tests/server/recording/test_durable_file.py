"""A log on a disk that is full or read-only for a while: nothing torn, nothing out of order."""

from __future__ import annotations

import errno
import fcntl
import multiprocessing
from io import BytesIO
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from server.recording import durable_file
from server.recording.durable_file import (
    MOST_WAITING_BYTES,
    RETRY_S,
    DurableFile,
    LockedError,
    UnrecordedError,
    open_log,
)


class Disk(BytesIO):
    """A disk that takes ``room`` bytes more, the last of them in part, as a full one does."""

    room = 0

    def write(self, data: object) -> int:
        part = bytes(data)[: self.room]  # type: ignore[call-overload]
        self.room -= len(part)
        if part:
            return super().write(part)
        raise OSError(errno.ENOSPC, "No space left on device")


@given(st.lists(st.tuples(st.binary(min_size=1, max_size=20), st.integers(0, 30)), max_size=20))
def test_what_is_on_the_disk_is_always_whole_blocks_in_their_order(
    steps: list[tuple[bytes, int]],
) -> None:
    disk = Disk()
    file = DurableFile(disk)
    wholes, blocks, now = {b""}, b"", 0.0
    for block, room in steps:
        disk.room = room
        blocks += block
        wholes.add(blocks)
        file.append(block, now)
        now += RETRY_S
        # A torn end is there while the disk is full, and is cut before anything follows.
        assert any(disk.getvalue().startswith(whole) for whole in wholes)
        assert bool(file.problem) == (disk.getvalue() != blocks)
        assert (file.lag_s(now) > 0) == bool(file.problem)
    disk.room = len(blocks) + 1
    file.retry(now)
    assert disk.getvalue() == blocks
    assert file.problem == ""
    assert file.lag_s(now) == 0


def test_it_is_tried_again_once_a_second_not_with_every_block() -> None:
    disk = Disk()
    file = DurableFile(disk)
    file.append(b"a", 10.0)
    disk.room = 100
    file.append(b"b", 10.5)
    assert disk.getvalue() == b""
    assert file.problem == "No space left on device"
    file.append(b"c", 10.0 + RETRY_S)
    assert disk.getvalue() == b"abc"


def test_a_session_that_cannot_be_recorded_for_long_does_not_go_on() -> None:
    file = DurableFile(Disk())
    file.append(b"x" * MOST_WAITING_BYTES, 0.0)
    with pytest.raises(UnrecordedError, match="No space left"):
        file.append(b"x", 1.0)
    with pytest.raises(UnrecordedError, match=f"{MOST_WAITING_BYTES + 1} bytes"):
        file.close(2.0)


def _hold(path: Path, is_held: object, let_go: object) -> None:
    with open_log(path):
        is_held.set()  # type: ignore[attr-defined]
        let_go.wait(20)  # type: ignore[attr-defined]


def test_only_one_process_writes_a_log(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    context = multiprocessing.get_context("spawn")
    is_held, let_go = context.Event(), context.Event()
    path = tmp_path / "log.jsonl"
    other = context.Process(target=_hold, args=(path, is_held, let_go))
    other.start()
    assert is_held.wait(20)
    monkeypatch.setattr(durable_file, "LOCK_WAIT_S", 0.1)
    with pytest.raises(LockedError, match=r"log\.jsonl"):
        open_log(path)
    # However it ends, it lets go.
    other.kill()
    other.join()
    monkeypatch.undo()
    with open_log(path) as file:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
