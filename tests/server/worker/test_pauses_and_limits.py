"""Pauses and limits: nobody can hold up the others for long. In ticks."""

from __future__ import annotations

import pytest

from server.recording.replay import rescore
from server.sessions.spec import TICK_RATE
from server.wire.messages import (
    DriveInput,
    FinishInput,
    LimitEvent,
    PhaseEvent,
)
from tests.server.sessions.first_house_sessions import HUMAN, ROBOT
from tests.server.worker.live_table import Table

# Pauses


def test_a_pause_stops_bodies_and_the_clock() -> None:
    table = Table(pause_while_away=True, time_limit_s=20.0)
    human, robot = table.start()
    table.send(human, DriveInput(1, 800, 0, 0, 0))
    table.run(5, [human])
    table.leave(robot)
    table.run(2.2, [human])
    assert table.models[human].phase == "paused"
    table.send(human, DriveInput(1, 800, 0, 0, 0))
    table.send(human, FinishInput())
    here = table.models[human].agents[1]
    table.run(16, [human])
    assert table.models[human].agents[1] == here
    assert not table.session.core.seats[HUMAN].finished
    robot = table.come(ROBOT)
    table.run(0.1)
    assert table.phase == "running"
    [limit] = [e for e in table.models[human].events if isinstance(e, LimitEvent)]
    assert limit.time_limit_ticks == pytest.approx((20 + 16.1) * TICK_RATE, abs=10)
    assert table.models[human].started_tick == table.session.core.started_tick
    assert table.models[robot].known() == table.models[human].known()
    table.run(12, [human, robot])
    assert table.phase == "running"
    table.run(3, [human, robot])
    assert table.phase == "ended"
    result = table.session.take_result()
    assert result is not None
    assert result.reason == "time_limit"
    assert rescore(table.data()) == table.session.core.verdict()


def test_a_pause_lasts_no_longer_than_the_window() -> None:
    table = Table(pause_while_away=True)
    human, robot = table.start()
    table.leave(robot)
    table.run(31, [human])
    assert (table.phase, table.presence(ROBOT)) == ("running", "gone")
    phases = [e.phase for e in table.models[human].events if isinstance(e, PhaseEvent)]
    assert phases[-2:] == ["paused", "running"]


# Finishing


def test_one_person_cannot_hold_the_other() -> None:
    table = Table(time_limit_s=900.0)
    human, robot = table.start()
    table.send(human, FinishInput())
    table.run(1, [human, robot])
    [limit] = [e for e in table.models[robot].events if isinstance(e, LimitEvent)]
    assert limit.finishing
    table.run(118, [human, robot])
    assert table.phase == "running"
    table.run(2, [human, robot])
    assert table.phase == "ended"
    assert table.session.take_result().reason == "finished"  # type: ignore[union-attr]


def test_finishing_can_be_taken_back_and_the_time_is_as_before() -> None:
    table = Table(time_limit_s=900.0)
    human, robot = table.start()
    table.send(human, FinishInput())
    table.run(1, [human, robot])
    assert table.session.core.time_limit_ticks < 900 * TICK_RATE  # type: ignore[operator]
    table.send(human, FinishInput(False))
    table.run(1, [human, robot])
    assert table.session.core.time_limit_ticks == 900 * TICK_RATE
    table.run(130, [human, robot])
    assert table.phase == "running"
    late = table.come(ROBOT)
    table.run(0.1)
    assert table.session.view.snapshot().finishing is False
    assert table.models[late].known() == table.models[human].known()


def test_who_is_away_does_not_hold_up_the_end_for_long() -> None:
    table = Table(finish_wait_s=0.0, idle_s=10.0, away_limit_s=5.0)
    human, _ = table.start()
    table.send(human, FinishInput())
    table.run(14, [human])
    assert table.phase == "running"
    table.run(2, [human])
    assert table.phase == "ended"
