from __future__ import annotations

import time
from datetime import timedelta
from pathlib import Path

import pytest

from server import wall_clock
from server.app import make_state
from server.wall_clock import FastClock, SteadyTime, utc_now
from tests.clock_double import ClockDouble
from tests.server.web.doubles import make_settings

MORNING_S = 1_795_593_600.0


def test_processes_that_follow_each_other_agree_on_a_fast_clock(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    wall, clock = ClockDouble(MORNING_S), ClockDouble()
    monkeypatch.setattr(wall_clock, "wall_s", wall)
    monkeypatch.setattr(time, "monotonic", clock)
    fast = FastClock(20.0, MORNING_S)
    first = SteadyTime(fast.monotonic, fast.utc_now())
    began = first()
    wall.now, clock.now = MORNING_S + 60, 60.0
    # A process that was started a minute later.
    second = SteadyTime(fast.monotonic, fast.utc_now())
    assert first() - began == second() - began == timedelta(minutes=20)


def test_the_time_of_visits_is_that_of_the_settings(tmp_path: Path) -> None:
    since = utc_now() - timedelta(minutes=1)
    settings = make_settings(tmp_path, clock_rate=60, clock_since=since.timestamp())
    state = make_state(settings)
    assert timedelta(minutes=60) <= state.now() - since < timedelta(minutes=90)
