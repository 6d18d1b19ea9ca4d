"""Logs that somebody removes while they are written: they are there again, whole."""

from __future__ import annotations

import shutil
from pathlib import Path

from server.recording.durable_file import DurableFile, open_log
from server.recording.log_checksums import verify
from server.recording.log_writer import LogWriter
from server.sessions.intents import Ready, Say
from tests.server.sessions.first_house_sessions import HUMAN, core_of


def test_a_log_whose_folder_is_removed_is_whole_within_a_second(tmp_path: Path) -> None:
    path, core = tmp_path / "recordings" / "ses_1.jsonl", core_of(solo=True)
    log = LogWriter(open_log(path), path=path, beats=True)
    log.open_episode(core, 0.0)
    core.submit(HUMAN, Ready())
    log.write(core, core.step(), 0.0)
    core.submit(HUMAN, Say("before"))
    log.write(core, core.step(), 0.0)
    shutil.rmtree(path.parent)
    for _ in range(31):
        log.write(core, core.step(), 0.0)
    assert log.file.restored == 1
    core.submit(HUMAN, Say("after"))
    log.write(core, core.step(), 0.0)
    log.close(0.0)
    verified = verify(path.read_bytes())
    assert (verified.lost_bytes, verified.tick) == (0, core.tick)
    assert verified.data.index(b'"before"') < verified.data.index(b'"after"')


def test_another_file_in_its_place_is_set_aside(tmp_path: Path) -> None:
    path = tmp_path / "ses_1.jsonl"
    file = DurableFile(open_log(path), path)
    file.append(b"one\n", 0.0)
    path.unlink()
    path.write_bytes(b"something else\n")
    file.append(b"two\n", 1.0)
    assert path.read_bytes() == b"one\ntwo\n"
    assert (tmp_path / "ses_1.jsonl.damaged-1").read_bytes() == b"something else\n"
    assert (file.problem, file.restored) == ("", 1)


def test_a_folder_that_cannot_be_made_again_is_a_problem_that_is_told(tmp_path: Path) -> None:
    path = tmp_path / "recordings" / "ses_1.jsonl"
    file = DurableFile(open_log(path), path)
    file.append(b"one\n", 0.0)
    shutil.rmtree(path.parent)
    path.parent.write_bytes(b"in the way")
    file.append(b"two\n", 1.0)
    assert file.problem
    path.parent.unlink()
    file.retry(2.0)
    assert path.read_bytes() == b"one\ntwo\n"
    assert file.problem == ""
