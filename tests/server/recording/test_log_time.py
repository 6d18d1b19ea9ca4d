"""Time in a log is the session's: wall time may jump, and what happens is written all the same."""

from __future__ import annotations

import io

import pytest

from server.recording.durable_file import DurableFile
from server.recording.log_checksums import verify
from server.recording.log_writer import LogWriter
from server.sessions.intents import Drive, Ready
from server.sessions.spec import TICK_RATE
from tests.server.recording.test_durable_file import Disk
from tests.server.sessions.first_house_sessions import HUMAN, core_of


@pytest.mark.parametrize("jump_s", [45 * 60.0, -45 * 60.0, 86_400.0, -1.7e9])
def test_walking_is_written_each_second_whatever_the_wall_clock_says(jump_s: float) -> None:
    file, core, wall = io.BytesIO(), core_of(solo=True), 1.8e9
    log = LogWriter(file, beats=True)
    log.open_episode(core, wall)
    core.submit(HUMAN, Ready())
    log.write(core, core.step(), wall)
    core.submit(HUMAN, Drive(1.0, 0.0))
    for _ in range(5 * TICK_RATE):
        tick = core.step()
        if tick.tick > 2 * TICK_RATE:
            wall = 1.8e9 + jump_s
        log.write(core, tick, wall)
        assert tick.tick - verify(file.getvalue()).tick <= TICK_RATE + 1
        assert log.lag_s() == 0


def test_a_disk_that_is_back_is_tried_within_a_second_after_the_clock_was_set_back() -> None:
    disk, core = Disk(), core_of(solo=True)
    disk.room = 1_000_000
    log = LogWriter(disk)
    log.open_episode(core, 1.8e9)
    disk.room = 0
    core.submit(HUMAN, Ready())
    log.write(core, core.step(), 1.8e9)
    assert log.file.problem
    disk.room = 1_000_000
    for _ in range(TICK_RATE + 1):
        log.write(core, core.step(), 100.0)
    assert not log.file.problem
    assert verify(disk.getvalue()).lost_bytes == 0


def test_what_waits_ages_with_the_session() -> None:
    file = DurableFile(Disk())
    file.append(b"a", 10.0)
    assert file.lag_s(12.5) == 2.5
