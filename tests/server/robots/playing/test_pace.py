"""Speed of a seat: thinking and waits that nothing cuts short, injected latency, its pace."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import pytest

from server.robots.baselines.scripted_player import Done, Rest, ScriptedPlayer, Speak
from server.robots.playing.failures import RETRY_TICKS
from server.robots.policy import Decision, Do, Pause, PolicyView, SayLine
from server.robots.policy_spec import RobotError
from server.robots.registry.registry import configured
from server.sessions.spec import TICK_RATE
from server.skills import SKILLS
from tests.server.robots.prepared_policy import PreparedPolicy, play
from tests.server.sessions.first_house_sessions import HUMAN

THINKS_S = 5.0


@pytest.mark.parametrize(
    ("first", "think_s", "least"),
    [
        (Do("Juggle[cup_0]"), 0.0, 1),
        (Do("Pick[no_such_thing_1]"), THINKS_S, round(THINKS_S * TICK_RATE)),
        (Do("Juggle[cup_0]"), THINKS_S, round(THINKS_S * TICK_RATE)),
        (SayLine("Well."), THINKS_S, round(THINKS_S * TICK_RATE)),
        (Pause(3), THINKS_S, round(THINKS_S * TICK_RATE)),
        (RuntimeError("no"), 0.0, RETRY_TICKS),
    ],
)
def test_talk_cuts_no_thinking_short(
    loop: Any, first: Decision | Exception, think_s: float, least: int
) -> None:
    policy = PreparedPolicy([first])
    talks = [step for _ in range(20) for step in (Rest(10), Speak("Well?"))]
    play(loop, policy, ScriptedPlayer(HUMAN, [*talks, Done()]), think_s=think_s)
    assert policy.views[1].tick - policy.views[0].tick == pytest.approx(least, abs=1)


@pytest.mark.parametrize(("injected", "ticks"), [(0.0, 15), (0.2, 15), (2.0, 60)])
def test_latency_can_be_injected(loop: Any, injected: float, ticks: int) -> None:
    """The latency is a minimum: what a model takes longer is not added to it."""
    player, _ = play(
        loop, PreparedPolicy([Pause(5), Pause(5)]), latency_s=0.5, seating_latency_s=injected
    )
    calls = player.take_calls()
    assert len(calls) == 3
    assert {(call.applied_tick or 0) - call.asked_tick for call in calls} == {ticks}


def test_a_body_can_be_slowed_down(loop: Any) -> None:
    def walks_to(view: PolicyView) -> Decision:
        return Do(f"Navigate[{view.graph.names.graph[view.graph.scene.rooms[-1].room_id]}]")

    took = {}
    for speed in (1.0, 0.5, 0.05):
        policy = PreparedPolicy([walks_to])
        play(loop, policy, speed=speed)
        (walk,) = policy.views[-1].history
        assert walk.succeeded
        took[speed] = walk.ended - walk.began
    assert took[0.5] == pytest.approx(2 * took[1.0], rel=0.1)
    # This is longer than a body at full pace may take.
    assert took[0.05] == pytest.approx(20 * took[1.0], rel=0.15)
    assert took[0.05] > (SKILLS["Navigate"].cap or 0)


def test_P7_a_policy_with_a_pace_is_asked_no_faster(loop: Any) -> None:
    """Answers may be calls that cannot be, lines, or pauses that end at once."""
    policy = PreparedPolicy([Do("Juggle[cup_0]"), SayLine("Well."), Pause(1), Do("Pick[x_1]")])
    policy.pace_s = 0.5
    talks = [step for _ in range(20) for step in (Rest(2), Speak("Well?"))]
    play(loop, policy, ScriptedPlayer(HUMAN, [*talks, Done()]))
    asked = [view.tick for view in policy.views]
    assert len(asked) == 5
    assert all(later - earlier == 15 for earlier, later in pairwise(asked))


@pytest.mark.parametrize("option", ["speed=0", "speed=1.5", "latency_s=-1", "think_s=-1"])
def test_a_pace_that_cannot_be_is_refused(option: str) -> None:
    with pytest.raises(RobotError, match="expected"):
        configured(f"react:{option}")
