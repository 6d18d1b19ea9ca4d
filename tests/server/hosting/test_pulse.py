"""Absences of the server, measured without believing a clock that anybody can set."""

from __future__ import annotations

import os
import time
from pathlib import Path

import pytest

from server.hosting import pulse
from server.hosting.pulse import Moment, Pulse, between_s


@pytest.mark.parametrize("jump_s", [0.0, 45 * 60.0, -45 * 60.0, 86_400.0, -1.7e9])
def test_within_a_run_of_the_machine_the_wall_clock_says_nothing(jump_s: float) -> None:
    last = Moment("boot", 1000.0, 1.8e9)
    assert between_s(last, Moment("boot", 1090.0, 1.8e9 + jump_s)) == 90.0


def test_across_a_start_of_the_machine_it_is_the_only_witness() -> None:
    last = Moment("one", 1000.0, 1.8e9)
    assert between_s(last, Moment("two", 20.0, 1.8e9 + 300)) == 300.0
    assert between_s(last, Moment("two", 20.0, 100.0)) == 0.0
    assert between_s(Moment("", 5.0, 1.8e9), Moment("", 9000.0, 1.8e9 + 60)) == 60.0


def test_nobody_ever_served_here(tmp_path: Path) -> None:
    assert Pulse(tmp_path / "alive").absence_s() is None


def test_a_beat_is_read_by_the_next_process(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "alive"
    Pulse(path).beat()
    Pulse(path).beat()
    then = pulse.now()
    later = then._replace(boot_s=then.boot_s + 60, wall_s=then.wall_s + 45 * 60)
    monkeypatch.setattr(pulse, "now", lambda: later)
    absence_s = Pulse(path).absence_s()
    assert absence_s is not None
    if then.boot_id:
        assert 60 <= absence_s < 120


def test_a_file_of_an_older_version_tells_its_age(tmp_path: Path) -> None:
    path = tmp_path / "alive"
    path.touch()
    hour_ago = time.time() - 3600
    os.utime(path, (hour_ago, hour_ago))
    absence_s = Pulse(path).absence_s()
    assert absence_s is not None
    assert 3600 <= absence_s < 3700
