"""Logs that somebody cuts off or changes while they are written: made whole, or counted."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from server.recording.archive import archive, read_log
from server.recording.durable_file import DurableFile, open_log
from server.recording.inventory import list_recordings
from server.recording.log_checksums import verify
from server.recording.log_writer import LogWriter
from server.recording.recordings import read_recording
from server.recording.replay import resume
from server.recording.rescoring import score_recording
from server.recording.salvaged_result import result_from_log
from server.sessions.core import SessionCore
from server.sessions.intents import Drive, Finish, Ready, Say
from server.sessions.play_count import PlayCount
from server.sessions.spec import TICK_RATE, EpisodeSpec, SessionSpec
from server.simulators.household import HouseholdSimulator
from tests.server.recording.short_recordings import library
from tests.server.sessions.first_house_sessions import HUMAN, core_of

Spoil = Callable[[Path], None]


def cut(path: Path) -> None:
    os.truncate(path, path.stat().st_size // 2)


def empty(path: Path) -> None:
    os.truncate(path, 0)


def flip(path: Path) -> None:
    """Change one bit in the middle of a file, whose size and end stay."""
    with path.open("r+b") as file:
        file.seek(path.stat().st_size // 2)
        (byte,) = file.read(1)
        file.seek(-1, os.SEEK_CUR)
        file.write(bytes([byte ^ 1]))


def append(path: Path) -> None:
    with path.open("ab") as file:
        file.write(b"something of somebody else")


spoiled = pytest.mark.parametrize("spoil", [cut, empty, flip, append])


def play(core: SessionCore, log: LogWriter, seconds: int) -> None:
    for second in range(seconds):
        core.submit(HUMAN, Drive(0.1 * (second % 2), 0.0))
        for _ in range(TICK_RATE):
            log.write(core, core.step(), 0.0)


def say(core: SessionCore, log: LogWriter, line: str) -> None:
    core.submit(HUMAN, Say(line))
    log.write(core, core.step(), 0.0)


def begun(path: Path) -> tuple[SessionCore, LogWriter]:
    core = core_of(solo=True)
    log = LogWriter(open_log(path), path=path, beats=True)
    log.open_episode(core, 0.0)
    core.submit(HUMAN, Ready())
    play(core, log, 3)
    say(core, log, "before")
    return core, log


@spoiled
def test_a_log_that_is_spoiled_while_played_is_whole_within_a_second(
    tmp_path: Path, spoil: Spoil
) -> None:
    path = tmp_path / "ses_1.jsonl"
    core, log = begun(path)
    spoil(path)
    play(core, log, 2)
    verified = verify(path.read_bytes())
    assert (verified.lost_bytes, core.tick - verified.tick < TICK_RATE) == (0, True)
    say(core, log, "after")
    core.submit(HUMAN, Finish())
    log.write(core, core.step(), 0.0)
    log.close(0.0)
    (recording,) = read_recording(path)
    assert recording.result is not None
    assert recording.lines.index(b'"before"') < recording.lines.index(b'"after"')
    assert score_recording(recording).differences() == []
    assert (log.file.restored, bool(log.file.restored_why)) == (spoil is not append,) * 2
    # One that goes on from there is as well looked after.
    assert [p.name for p in tmp_path.iterdir()] == [path.name]


@spoiled
def test_a_log_that_was_resumed_is_whole_as_well(tmp_path: Path, spoil: Spoil) -> None:
    path = tmp_path / "ses_1.jsonl"
    _, log = begun(path)
    log.close(0.0)

    def simulator(_: SessionSpec, __: EpisodeSpec) -> HouseholdSimulator:
        return HouseholdSimulator(library())

    core, log, _ = resume(path, simulator, 0.0)
    spoil(path)
    play(core, log, 2)
    log.close(0.0)
    verified = verify(path.read_bytes())
    assert (verified.lost_bytes, verified.tick) == (0, core.tick)
    assert b'"before"' in verified.data


def test_what_only_looks_changed_is_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "ses_1.jsonl"
    file = DurableFile(open_log(path), path)
    file.append(b"one\n", 0.0)
    os.utime(path, ns=(1, 1))
    file.append(b"two\n", 1.0)
    assert (path.read_bytes(), file.restored, file.problem) == (b"one\ntwo\n", 0, "")


def test_while_it_cannot_be_made_whole_what_is_left_of_it_stays(tmp_path: Path) -> None:
    path = tmp_path / "ses_1.jsonl"
    file = DurableFile(open_log(path), path)
    file.append(b"one\ntwo\n", 0.0)
    os.truncate(path, 4)
    (tmp_path / "ses_1.jsonl.part").mkdir()
    file.append(b"three\n", 1.0)
    assert file.problem
    assert path.read_bytes() == b"one\n"
    (tmp_path / "ses_1.jsonl.part").rmdir()
    file.retry(2.0)
    assert (path.read_bytes(), file.problem) == (b"one\ntwo\nthree\n", "")


@pytest.mark.parametrize("spoil", [cut, flip])
def test_what_is_lost_of_a_spoiled_log_is_counted_by_everybody(
    tmp_path: Path, spoil: Spoil
) -> None:
    path, folder = tmp_path / "ses_1.jsonl", tmp_path / "archive"
    core, log = begun(path)
    play(core, log, 12)
    say(core, log, "lost")
    # Nobody is there to notice; an older release went on behind a cut.
    log.flush(0.0)
    log.file.close(0.0)
    halves = path.read_bytes()
    spoil(path)
    rest = halves[len(halves) // 2 :].split(b"\n", 1)[1]
    if spoil is cut:
        with path.open("ab") as file:
            file.write(b"\n" + rest)
    kept = verify(path.read_bytes())
    lost = PlayCount(core.tick - kept.tick, 1 + (b'"before"' not in kept.data))
    assert lost.ticks > 0
    found = result_from_log(path, core.spec, core.episode_spec, "failed")
    assert (found.lost, found.result.lost_ticks) == (lost, lost.ticks)
    (listed,) = list_recordings(tmp_path, folder)
    assert (listed.state, listed.problem) == ("closed", "")
    assert (listed.lost_ticks, listed.lost_events, listed.salvaged) == (*lost, 1)
    packed = archive(path, folder)
    assert (packed.lost_ticks, packed.lost_events) == lost
    path.unlink()
    (listed,) = list_recordings(tmp_path, folder)
    assert (listed.state, listed.lost_ticks, listed.lost_events) == ("archived", *lost)
    (recording,) = read_recording(folder / packed.file)
    assert recording.is_cut
    assert score_recording(recording).lost_ticks == lost.ticks
    assert not verify(read_log(folder / packed.file)).lost_bytes
