"""Play that was seen and then lost: the mark beside a log tells of it, whoever goes on."""

from __future__ import annotations

import errno
import fcntl
from collections.abc import Callable
from io import FileIO
from pathlib import Path

import pytest
import structlog

from server.recording import recordings, replay
from server.recording.archive import archive
from server.recording.durable_file import UnrecordedError, open_log
from server.recording.inventory import Known, list_recordings
from server.recording.log_checksums import verify
from server.recording.log_writer import LogWriter
from server.recording.played_mark import NOTHING, Played, mark_path, read_mark
from server.recording.recordings import read_recording
from server.recording.replay import episodes_in, fold_all, resume
from server.recording.rescoring import score_recording
from server.recording.salvaged_result import UNREADABLE, result_from_log
from server.sessions.core import SessionCore
from server.sessions.intents import Drive, Ready, Say
from server.sessions.play_count import NO_PLAY, PlayCount
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


def say(core: SessionCore, log: LogWriter, *lines: str) -> None:
    for line in lines:
        core.submit(HUMAN, Say(line))
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
    say(core, log, 'a ["said", that is in the log')
    log.flush(0.0)
    recorded = core.tick
    file.is_full = True
    play(core, log, seconds)
    return core, log, file, recorded


def test_a_death_on_a_full_disk_is_counted_and_said(path: Path) -> None:
    core, log, file, recorded = played(path, 5)
    assert core.tick - recorded == log.unrecorded.ticks == 5 * TICK_RATE
    # Written once a second.
    seen = read_mark(path).tick
    assert core.tick - TICK_RATE < seen <= core.tick
    file.close()
    again, next_log, report = resume(path, simulator, 0.0)
    assert (report.tick, report.lost.ticks) == (recorded, seen - recorded)
    assert again.state.lost_ticks == report.lost.ticks
    assert again.failed_result().lost_ticks == report.lost.ticks
    assert read_mark(path) == NOTHING
    play(again, next_log, 12)
    next_log.close(0.0)
    assert not mark_path(path).exists()
    # Whoever reads it finds the same, from a later keyframe and from the start.
    ((header, lines),) = episodes_in(verify(path.read_bytes()).data)
    assert fold_all(header, lines).state.lost_ticks == report.lost.ticks
    third, third_log, quiet = resume(path, simulator, 0.0)
    assert (third.state.lost_ticks, quiet.lost.ticks) == (report.lost.ticks, 0)
    third_log.close(0.0)
    (recording,) = read_recording(path)
    assert score_recording(recording).lost_ticks == report.lost.ticks
    (listed,) = list_recordings(path.parent, path.parent / "archive")
    assert (listed.state, listed.lost_ticks, listed.gaps) == ("closed", report.lost.ticks, 1)


def test_acts_and_chat_on_a_full_disk_are_counted_and_said(path: Path) -> None:
    core, log, file, _ = played(path, 1)
    assert log.unrecorded.events == 0
    say(core, log, "one", "two")
    assert (log.unrecorded.events, log.played.events) == (2, 3)
    assert read_mark(path) == Played(core.tick, 0, 3)
    file.close()
    again, next_log, report = resume(path, simulator, 0.0, shown=PlayCount(core.tick, 4))
    assert report.lost.events == 3
    assert next_log.played == (again.tick, 1)
    say(again, next_log, "three")
    assert next_log.unrecorded == NO_PLAY
    next_log.close(0.0)
    (listed,) = list_recordings(path.parent, path.parent / "archive")
    assert (listed.lost_events, listed.gaps) == (3, 1)
    _, third_log, quiet = resume(path, simulator, 0.0)
    assert (third_log.played.events, quiet.lost) == (2, NO_PLAY)
    third_log.close(0.0)


def test_what_is_written_late_is_not_lost(path: Path) -> None:
    core, log, file, _ = played(path, 1)
    say(core, log, "late")
    file.is_full = False
    play(core, log, 2)
    file.is_full = True
    say(core, log, "never")
    assert (log.unrecorded.events, log.played.events) == (1, 3)
    file.close()
    _, next_log, report = resume(path, simulator, 0.0)
    assert report.lost.events == 1
    next_log.close(0.0)


def test_what_was_shown_counts_where_no_mark_says_more(path: Path) -> None:
    core, _, file, recorded = played(path, 2)
    file.close()
    _, log, report = resume(path, simulator, 0.0, shown=PlayCount(core.tick + 3))
    assert report.lost.ticks == core.tick + 3 - recorded
    log.close(0.0)


def test_two_deaths_on_a_full_disk_are_both_counted(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    core, first_log, file, recorded = played(path, 4)
    say(core, first_log, "lost")
    file.close()

    def still_full(log: Path) -> FileIO:
        found = FullDisk(log, "a+")
        found.is_full = True
        return found

    with monkeypatch.context() as patch:
        patch.setattr(replay, "open_log", still_full)
        second, log, first_report = resume(path, simulator, 0.0, shown=PlayCount(core.tick))
    assert first_report.lost == (4 * TICK_RATE + 1, 1)
    say(second, log, "lost as well")
    play(second, log, 3)
    assert read_mark(path) == Played(read_mark(path).tick, 4 * TICK_RATE + 1, 2, 1)
    third, third_log, report = resume(path, simulator, 0.0, shown=PlayCount(second.tick))
    assert (report.tick, report.lost) == (recorded, (3 * TICK_RATE + 1, 1))
    assert third.state.lost_ticks == 7 * TICK_RATE + 2
    third_log.close(0.0)
    (listed,) = list_recordings(path.parent, path.parent / "archive")
    assert (listed.lost_s, listed.lost_events) == (7.1, 2)


def test_an_end_that_could_not_be_written_is_said_in_the_archive(path: Path) -> None:
    core, log, _, recorded = played(path, 6)
    say(core, log, "lost")
    with pytest.raises(UnrecordedError):
        log.close(0.0)
    assert read_mark(path).tick == core.tick
    found = result_from_log(path, core.spec, core.episode_spec, "failed")
    assert found.lost.ticks == found.result.lost_ticks == core.tick - recorded
    assert found.lost.events == 1
    packed = archive(path, path.parent / "archive")
    again = archive(path, path.parent / "archive")
    assert packed == again
    path.unlink()
    mark_path(path).unlink()
    (listed,) = list_recordings(path.parent, path.parent / "archive")
    assert (listed.state, listed.lost_ticks) == ("archived", core.tick - recorded)
    assert listed.lost_events == 1
    assert (listed.salvaged, listed.lost_bytes, listed.ticks) == (1, 0, recorded)


def test_where_nothing_is_lost_nothing_of_it_is_written(path: Path) -> None:
    core, log, file, _ = played(path, 2)
    file.is_full = False
    play(core, log, 2)
    assert (read_mark(path), log.unrecorded) == (NOTHING, NO_PLAY)
    core.submit(HUMAN, Say("all is well"))
    log.write(core, core.step(), 0.0)
    file.close()
    again, next_log, report = resume(path, simulator, 0.0)
    next_log.close(0.0)
    assert (report.lost.ticks, again.state.lost_ticks) == (0, 0)
    assert b"lost_ticks" not in path.read_bytes()
    assert not mark_path(path).exists()


def test_a_recording_that_vanished_or_is_hostile_is_in_the_list(path: Path) -> None:
    _, _, file, _ = played(path, 2)
    other = path.with_name("ses_2.jsonl")
    other.write_bytes(b"\x00 nothing of ours\n")
    path.with_name("ses_4.jsonl").touch()
    known = Known(
        {"ses_1": True, "ses_3": False, "ses_4": False}, {"ses_3": 150, "ses_4": 60, "ses_1": 900}
    )
    found = {
        listed.session_id: listed
        for listed in list_recordings(path.parent, path.parent / "archive", known)
    }
    assert found["ses_1"].state == "open"
    assert found["ses_2"].state == "unreadable"
    assert found["ses_2"].problem
    # Of these nothing is left, and results say how much there was.
    assert (found["ses_3"].state, found["ses_3"].lost_s) == ("vanished", 5.0)
    assert (found["ses_4"].state, found["ses_4"].lost_s) == ("unreadable", 2.0)
    assert found["ses_2"].lost_s == 0.0
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
    ("mark", "recorded", "shown", "lost"),
    [
        (NOTHING, (90, 5), (0, 0), (0, 0)),
        (Played(120), (90, 5), (0, 0), (30, 0)),
        (Played(60), (90, 5), (0, 0), (0, 0)),
        (Played(120, 7), (90, 5), (0, 0), (37, 0)),
        (Played(60, 7), (90, 5), (0, 0), (7, 0)),
        (Played(120), (90, 5), (150, 6), (60, 1)),
        (Played(120), (90, 5), (100, 5), (30, 0)),
        (Played(120, 7, 8, 2), (90, 5), (0, 0), (37, 5)),
        (Played(120, 0, 8), (90, 5), (150, 9), (60, 4)),
        (Played(120, 0, 4, 1), (90, 5), (0, 0), (30, 1)),
    ],
)
def test_play_that_is_lost_after_a_log(
    mark: Played, recorded: tuple[int, int], shown: tuple[int, int], lost: tuple[int, int]
) -> None:
    assert mark.lost_after(PlayCount(*recorded), PlayCount(*shown)) == lost


def test_a_mark_without_events_is_still_read(path: Path) -> None:
    path.parent.mkdir()
    mark_path(path).write_bytes(b"[120,7]".ljust(63) + b"\n")
    assert read_mark(path) == Played(120, 7, 0, 0)


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


@pytest.mark.parametrize("spoil", [Path.unlink, lambda path: path.write_bytes(b"")])
def test_people_are_told_nothing_of_files_where_their_log_is_gone(
    path: Path, spoil: Callable[[Path], object]
) -> None:
    core, log, file, _ = played(path, 2)
    file.is_full = False
    log.close(0.0)
    spoil(path)
    shown = PlayCount(core.tick, 1)
    with structlog.testing.capture_logs() as said:
        found = result_from_log(path, core.spec, core.episode_spec, "failed", shown)
    assert (found.lost, found.recorded) == (shown, NO_PLAY)
    verdict = found.result.verdict
    assert verdict.status == "unavailable"
    assert verdict.reason == UNREADABLE
    assert str(path) not in str(verdict)
    # Operators are.
    assert [(line["event"], line["log"]) for line in said] == [
        ("session.log_unreadable", str(path))
    ]


def test_what_a_running_server_still_has_is_not_lost_in_the_list(path: Path) -> None:
    """Only what an earlier process had is lost of the play that its log lacks."""
    core, log, file, _ = played(path, 3)
    say(core, log, "one", "two")
    lacking = log.unrecorded
    assert lacking == (3 * TICK_RATE + 2, 2)
    mark = read_mark(path)
    assert log._mark is not None
    log._mark.say(mark._replace(lost_ticks=60, lost_events=1))  # As after a death before.
    folder = path.parent / "archive"
    with path.open("rb") as reader:
        fcntl.flock(reader, fcntl.LOCK_EX)
        (listed,) = list_recordings(path.parent, folder)
    assert listed.state == "recording"
    assert (listed.unrecorded_ticks, listed.unrecorded_events) == lacking
    assert listed.unrecorded_s == round(lacking.ticks / TICK_RATE, 1)
    assert (listed.lost_ticks, listed.lost_events, listed.lost_s) == (60, 1, 2.0)
    file.close()
    # The server is dead: now all of it is lost.
    (listed,) = list_recordings(path.parent, folder)
    assert (listed.state, listed.unrecorded_ticks, listed.unrecorded_events) == ("closed", 0, 0)
    assert (listed.lost_ticks, listed.lost_events) == (60 + lacking.ticks, 1 + lacking.events)
