"""Walking and looking in the session core: speeds, limits, what is not a number."""

from __future__ import annotations

import math

import pytest

from episodes.poses import wrap_angle
from server.sessions.events import (
    PresenceChanged,
)
from server.sessions.intents import Drive, Look, Place, Ready
from server.sessions.spec import TICK_RATE
from tests.server.sessions.first_house_sessions import (
    HUMAN,
    core_of,
    stand,
    started,
)


def test_walking_has_the_speed_asked_for_up_to_the_profiles() -> None:
    core = started()
    stand(core, HUMAN, core.world.agents[HUMAN].position)
    start = core.world.agents[HUMAN].position
    core.submit(HUMAN, Drive(0.6, 0.0))
    for _ in range(10):
        core.step()
    walked = math.dist(start, core.world.agents[HUMAN].position)
    assert walked == pytest.approx(0.2, rel=0.01)
    start = core.world.agents[HUMAN].position
    core.submit(HUMAN, Drive(-40.0, 0.0))
    core.step()
    assert math.dist(start, core.world.agents[HUMAN].position) <= 1.5 / TICK_RATE + 1e-9


def test_looking_turns_body_and_view_within_limits() -> None:
    core = started()
    goal = wrap_angle(core.world.agents[HUMAN].yaw + 3.0)
    core.submit(HUMAN, Look(goal, 9.0))
    core.step()
    turned = abs(wrap_angle(core.world.agents[HUMAN].yaw - goal))
    assert turned == pytest.approx(3.0 - 12.0 / TICK_RATE)
    for _ in range(8):
        core.step()
    assert core.world.agents[HUMAN].yaw == pytest.approx(goal)
    assert core.world.agents[HUMAN].pitch == core.profile.pitch.up
    assert core.step().changes == ()


def test_only_the_last_drive_of_a_tick_counts() -> None:
    core = started()
    core.submit(HUMAN, Drive(1.0, 0.0))
    core.submit(HUMAN, Drive(0.0, 0.0))
    tick = core.step()
    assert [h.intent for h in tick.intents] == [Drive(0.0, 0.0)]
    assert tick.changes == ()


def test_a_lost_connection_stops_the_body() -> None:
    core = started()
    core.submit(HUMAN, Drive(-0.5, 0.0))
    core.step()
    core.set_presence(HUMAN, "reconnecting", 30.0)
    core.step()
    assert core.step().changes == ()
    core.submit(HUMAN, Ready())
    assert PresenceChanged(HUMAN, "connected") in core.step().events


@pytest.mark.parametrize(
    "intent",
    [
        Drive(math.nan, 0.0),
        Look(0.0, math.inf),
        Place(1, (0.0, math.nan, 0.0), 0.0),
        Drive(1e300, 0.0),
    ],
)
def test_numbers_that_are_none_never_get_in(intent: Drive) -> None:
    with pytest.raises(ValueError, match="expected numbers"):
        started().submit(HUMAN, intent)


def test_unknown_seats() -> None:
    core = core_of()
    with pytest.raises(KeyError):
        core.submit("human_7", Ready())
    with pytest.raises(KeyError):
        core.set_presence("human_7", "gone")
