"""Play that was seen and then lost: the mark beside a log tells of it, whoever goes on."""

from __future__ import annotations

import errno
from io import FileIO
from pathlib import Path

import pytest

from server.recording import recordings, replay
from server.recording.archive import archive
from server.recording.durable_file import UnrecordedError, open_log
from server.recording.inventory import list_recordings
from server.recording.log_checksums import verify
from server.recording.log_writer import LogWriter
from server.recording.played_mark import NOTHING, Played, mark_path, read_mark
from server.recording.recordings import read_recording
from server.recording.replay import episodes_in, fold_all, resume
from server.recording.rescoring import score_recording
from server.recording.salvaged_result import result_from_log
from server.sessions.core import SessionCore
from server.sessions.intents import Drive, Ready, Say
from server.sessions.spec import TICK_RATE, EpisodeSpec, SessionSpec
from server.simulators.household import HouseholdSimulator
from tests.server.recording.short_recordings import library
from tests.server.sessions.first_house_sessions import HUMAN, core_of


class FullDisk(FileIO):
    """A log on a disk that is full from the time at which the test says so."""

    is_full = False

    def write(self, data: object) -> int:
        if self.is_full:
            raise OSError(errno.ENOSPC, "No space left on device")
        return super().write(data)  # type: ignore[arg-type]


def simulator(_: SessionSpec, __: EpisodeSpec) -> HouseholdSimulator:
    return HouseholdSimulator(library())


def play(core: SessionCore, log: LogWriter, seconds: int) -> None:
    for second in range(seconds):
        core.submit(HUMAN, Drive(0.1 * (second % 2), 0.0))
        for _ in range(TICK_RATE):
            log.write(core, core.step(), 0.0)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "recordings" / "ses_1.jsonl"


def played(path: Path, seconds: int) -> tuple[SessionCore, LogWriter, FullDisk, int]:
    """Play two seconds that are recorded, and ``seconds`` that are not; return that tick, too."""
    path.parent.mkdir()
    file, core = FullDisk(path, "a+"), core_of(solo=True)
    log = LogWriter(file, path=path, beats=True)
    log.open_episode(core, 0.0)
    core.submit(HUMAN, Ready())
    play(core, log, 2)
    log.flush(0.0)
    recorded = core.tick
    file.is_full = True
    play(core, log, seconds)
    return core, log, file, recorded


def test_a_death_on_a_full_disk_is_counted_and_said(path: Path) -> None:
    core, log, file, recorded = played(path, 5)
    assert core.tick - recorded == log.unrecorded_ticks == 5 * TICK_RATE
    # Written once a second.
    seen = read_mark(path).tick
    assert core.tick - TICK_RATE < seen <= core.tick
    file.close()
    again, next_log, report = resume(path, simulator, 0.0)
    assert (report.tick, report.lost_ticks) == (recorded, seen - recorded)
    assert again.state.lost_ticks == report.lost_ticks
    assert again.failed_result().lost_ticks == report.lost_ticks
    assert read_mark(path) == NOTHING
    play(again, next_log, 12)
    next_log.close(0.0)
    assert not mark_path(path).exists()
    # Whoever reads it finds the same, from a later keyframe and from the start.
    ((header, lines),) = episodes_in(verify(path.read_bytes()).data)
    assert fold_all(header, lines).state.lost_ticks == report.lost_ticks
    third, third_log, quiet = resume(path, simulator, 0.0)
    assert (third.state.lost_ticks, quiet.lost_ticks) == (report.lost_ticks, 0)
    third_log.close(0.0)
    (recording,) = read_recording(path)
    assert score_recording(recording).lost_ticks == report.lost_ticks
    (listed,) = list_recordings(path.parent, path.parent / "archive")
    assert (listed.state, listed.lost_ticks, listed.gaps) == ("closed", report.lost_ticks, 1)


def test_what_was_shown_counts_where_no_mark_says_more(path: Path) -> None:
    core, _, file, recorded = played(path, 2)
    file.close()
    _, log, report = resume(path, simulator, 0.0, shown_tick=core.tick + 3)
    assert report.lost_ticks == core.tick + 3 - recorded
    log.close(0.0)


def test_two_deaths_on_a_full_disk_are_both_counted(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    core, _, file, recorded = played(path, 4)
    file.close()

    def still_full(log: Path) -> FileIO:
        found = FullDisk(log, "a+")
        found.is_full = True
        return found

    with monkeypatch.context() as patch:
        patch.setattr(replay, "open_log", still_full)
        second, log, first_report = resume(path, simulator, 0.0, shown_tick=core.tick)
    assert first_report.lost_ticks == 4 * TICK_RATE
    play(second, log, 3)
    assert read_mark(path) == Played(read_mark(path).tick, 4 * TICK_RATE)
    third, third_log, report = resume(path, simulator, 0.0, shown_tick=second.tick)
    assert (report.tick, report.lost_ticks) == (recorded, 3 * TICK_RATE)
    assert third.state.lost_ticks == 7 * TICK_RATE
    third_log.close(0.0)
    (listed,) = list_recordings(path.parent, path.parent / "archive")
    assert listed.lost_s == 7.0


def test_an_end_that_could_not_be_written_is_said_in_the_archive(path: Path) -> None:
    core, log, _, recorded = played(path, 6)
    with pytest.raises(UnrecordedError):
        log.close(0.0)
    assert read_mark(path).tick == core.tick
    found = result_from_log(path, core.spec, core.episode_spec, "failed")
    assert found.lost_ticks == found.result.lost_ticks == core.tick - recorded
    packed = archive(path, path.parent / "archive")
    again = archive(path, path.parent / "archive")
    assert packed == again
    path.unlink()
    mark_path(path).unlink()
    (listed,) = list_recordings(path.parent, path.parent / "archive")
    assert (listed.state, listed.lost_ticks) == ("archived", core.tick - recorded)
    assert (listed.salvaged, listed.lost_bytes, listed.ticks) == (1, 0, recorded)


def test_where_nothing_is_lost_nothing_of_it_is_written(path: Path) -> None:
    core, log, file, _ = played(path, 2)
    file.is_full = False
    play(core, log, 2)
    assert (read_mark(path), log.unrecorded_ticks) == (NOTHING, 0)
    core.submit(HUMAN, Say("all is well"))
    log.write(core, core.step(), 0.0)
    file.close()
    again, next_log, report = resume(path, simulator, 0.0)
    next_log.close(0.0)
    assert (report.lost_ticks, again.state.lost_ticks) == (0, 0)
    assert b"lost_ticks" not in path.read_bytes()
    assert not mark_path(path).exists()


def test_a_recording_that_vanished_or_is_hostile_is_in_the_list(path: Path) -> None:
    _, _, file, _ = played(path, 2)
    other = path.with_name("ses_2.jsonl")
    other.write_bytes(b"\x00 nothing of ours\n")
    found = {
        listed.session_id: listed
        for listed in list_recordings(
            path.parent, path.parent / "archive", {"ses_1": True, "ses_3": False}
        )
    }
    assert found["ses_1"].state == "open"
    assert found["ses_2"].state == "unreadable"
    assert found["ses_2"].problem
    assert found["ses_3"].state == "vanished"
    file.close()
    with open_log(path):
        (first, *_) = list_recordings(path.parent, path.parent / "archive")
        assert first.state == "recording"


@pytest.mark.parametrize("data", [b"", b"{", b"[-5,-5]", b'{"tick":1e99}', b"\xff" * 64])
def test_a_mark_that_cannot_be_read_says_nothing(path: Path, data: bytes) -> None:
    path.parent.mkdir()
    mark_path(path).write_bytes(data)
    assert read_mark(path) == NOTHING


@pytest.mark.parametrize(
    ("mark", "tick", "shown_tick", "lost"),
    [
        (NOTHING, 90, 0, 0),
        (Played(120), 90, 0, 30),
        (Played(60), 90, 0, 0),
        (Played(120, 7), 90, 0, 37),
        (Played(60, 7), 90, 0, 7),
        (Played(120), 90, 150, 60),
        (Played(120), 90, 100, 30),
    ],
)
def test_ticks_that_are_lost_after_a_log(
    mark: Played, tick: int, shown_tick: int, lost: int
) -> None:
    assert mark.lost_after(tick, shown_tick) == lost


def test_the_list_reads_each_recording_once(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    _, _, file, _ = played(path, 2)
    file.close()
    read: list[Path] = []

    def read_log(path: Path, largest: int) -> bytes:
        read.append(path)
        return path.read_bytes()

    monkeypatch.setattr(recordings, "read_log", read_log)
    (listed,) = list_recordings(path.parent, path.parent / "archive")
    assert (listed.state, read) == ("closed", [path])
