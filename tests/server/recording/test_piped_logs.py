"""Logs, marks and signs of life that are named pipes: refused, and waited for by nobody."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator
from pathlib import Path
from types import FrameType

import pytest
import structlog

from episodes.bounded_files import UnreadableError, refuse_link
from server.backups.database_copy import CopiedSession
from server.backups.recorded_logs import copy_logs
from server.hosting.pulse import Pulse
from server.owner_lock import OwnedError, OwnerLock, holder_of, this_process
from server.recording.archive import archive
from server.recording.durable_file import open_log
from server.recording.inventory import Known, list_recordings
from server.recording.played_mark import NOTHING, PlayedMark, mark_path, read_mark
from server.recording.salvaged_result import result_from_log
from server.sessions.spec import EpisodeSpec
from tests.server.recording.short_recordings import record
from tests.server.sessions.first_house_sessions import core_of

PATIENCE_S = 20
"""Seconds after which a test that waits for a pipe fails; no figure of ours."""


@pytest.fixture(autouse=True)
def no_waiting() -> Iterator[None]:
    def give_up(_number: int, _frame: FrameType | None) -> None:
        raise AssertionError("something waits for a pipe")

    before = signal.signal(signal.SIGALRM, give_up)
    signal.alarm(PATIENCE_S)
    yield
    signal.alarm(0)
    signal.signal(signal.SIGALRM, before)


@pytest.fixture
def pipe(tmp_path: Path) -> Path:
    path = tmp_path / "recordings" / "ses_1.jsonl"
    path.parent.mkdir()
    os.mkfifo(path)
    return path


def test_the_list_names_it_and_goes_on(pipe: Path, tmp_path: Path) -> None:
    record(pipe.with_name("ses_2.jsonl"), 1)
    os.mkfifo(mark_path(pipe.with_name("ses_2.jsonl")))
    piped, good = list_recordings(pipe.parent, tmp_path / "archive", Known({"ses_1": False}, {}))
    assert piped.state == "unreadable"
    assert piped.problem == f"{pipe}: expected a file, got a pipe"
    assert (good.state, good.lost_ticks, good.problem) == ("closed", 0, "")


def test_whoever_writes_archives_salvages_or_copies_it_is_told(pipe: Path, tmp_path: Path) -> None:
    with pytest.raises(OSError, match="expected a file, got a pipe"):
        open_log(pipe)
    with pytest.raises(OSError, match="expected a file, got a pipe"):
        archive(pipe, tmp_path / "archive")
    core = core_of(solo=True)
    episode: EpisodeSpec = core.episode_spec
    with structlog.testing.capture_logs() as said:
        salvaged = result_from_log(pipe, core.spec, episode, "server_stopped")
    assert salvaged.result.verdict.status == "unavailable"
    assert ["expected a file, got a pipe" in line["reason"] for line in said] == [True]
    sessions = {"ses_1": CopiedSession(False, frozenset())}
    with pytest.raises(OSError, match="expected a file, got a pipe"):
        copy_logs(pipe.parent, tmp_path / "archive", tmp_path / "copy", sessions)


def test_a_mark_says_nothing_and_is_written_by_nobody(tmp_path: Path) -> None:
    log = tmp_path / "ses_1.jsonl"
    os.mkfifo(mark_path(log))
    assert read_mark(log) == NOTHING
    mark = PlayedMark(log)
    mark.close()
    with pytest.raises(UnreadableError, match="got a pipe"):
        refuse_link(mark_path(log))


def test_a_sign_of_life_is_none(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "alive")
    pulse = Pulse(tmp_path / "alive")
    assert pulse.absence_s() is None
    with pytest.raises(OSError, match=r"got a pipe|No such device"):
        pulse.beat()


def test_an_owner_is_none(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "owner")
    assert holder_of(tmp_path / "owner") is None
    with pytest.raises(OwnedError, match="expected a file, got a pipe"):
        OwnerLock(tmp_path / "owner", this_process("one")).take()
