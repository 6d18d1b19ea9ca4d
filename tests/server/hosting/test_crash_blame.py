"""Tests of whose fault a dead worker is, and of the mark of what it was at work on."""

from __future__ import annotations

import signal
import subprocess
import sys
from pathlib import Path

import pytest

from server.hosting import crash_blame
from server.hosting.crash_blame import Death, Finding
from server.ipc import work_marker

NOBODY: frozenset[str] = frozenset()
OUTSIDE, IN_IT = Death(0.0, was_at_work=False), Death(0.0, was_at_work=True)


def test_the_first_death_ends_nothing_whatever_was_being_done() -> None:
    assert crash_blame.find({"a": [IN_IT]}) == Finding(NOBODY, NOBODY)
    assert crash_blame.find({"a": [IN_IT], "b": [OUTSIDE]}) == Finding(NOBODY, NOBODY)
    assert crash_blame.find({}) == Finding(NOBODY, NOBODY)


def test_a_session_at_work_in_two_deaths_is_the_culprit_and_its_neighbours_go_on() -> None:
    found = crash_blame.find({"a": [IN_IT, OUTSIDE], "b": [IN_IT, IN_IT], "c": [OUTSIDE, OUTSIDE]})
    assert found == Finding(frozenset("b"), NOBODY)


def test_a_session_alone_with_its_worker_is_the_culprit_at_the_second_death() -> None:
    assert crash_blame.find({"a": [OUTSIDE, OUTSIDE]}) == Finding(frozenset("a"), NOBODY)


def test_deaths_without_a_culprit_part_the_sessions_until_it_is_alone() -> None:
    sessions = "abcdefgh"
    deaths = {session: [OUTSIDE, OUTSIDE] for session in sessions}
    assert crash_blame.find(deaths) == Finding(NOBODY, NOBODY), "may still be bad luck"
    together, rounds = set(sessions), 0
    while True:
        rounds += 1
        deaths = {session: [*deaths[session], OUTSIDE] for session in together}
        found = crash_blame.find(deaths)
        if found.culprits:
            break
        assert len(found.moving) == len(together) // 2
        together = set(found.moving) if "f" in found.moving else together - found.moving
    assert found == Finding(frozenset("f"), NOBODY)
    assert rounds == 4


def test_deaths_long_ago_do_not_count() -> None:
    deaths = [Death(0.0, True), Death(10.0, True)]
    assert crash_blame.recent(deaths, crash_blame.WINDOW_S + 5.0) == deaths[1:]


def test_marks_outlive_a_process_that_is_killed(tmp_path: Path) -> None:
    path = work_marker.path_beside(tmp_path / "0.sock")
    program = f"""
import os, signal
from pathlib import Path
from server.ipc.work_marker import WorkMarker
marks = WorkMarker(Path({str(path)!r}))
with marks.playing("ses_done"):
    pass
with marks.opening("ses_opening"), marks.playing("ses_playing"):
    os.kill(os.getpid(), signal.SIGKILL)
"""
    done = subprocess.run([sys.executable, "-c", program], check=False)
    assert done.returncode == -signal.SIGKILL
    assert work_marker.read(path) == {"ses_opening", "ses_playing"}


def test_what_was_finished_or_raised_leaves_no_mark(tmp_path: Path) -> None:
    path = tmp_path / "marks"
    assert work_marker.read(path) == NOBODY
    marks = work_marker.WorkMarker(path)
    with marks.playing("ses_1"):
        assert work_marker.read(path) == {"ses_1"}
    assert work_marker.read(path) == NOBODY
    with pytest.raises(ZeroDivisionError), marks.playing("ses_2"):
        _ = 1 / 0
    assert work_marker.read(path) == NOBODY
