"""Time to think, and the wait after a failed decision, are not cut short by what goes on."""

from __future__ import annotations

from typing import Any

import pytest

from server.robots.failing import RETRY_TICKS
from server.robots.player import PolicyPlayer
from server.robots.policy import Decision, Do, Finished, Pause, PolicyView, SayLine
from server.robots.scripted import Done, Rest, ScriptedPlayer, Speak
from server.robots.seating import Seating
from server.robots.thinking import ChargedInTicks
from server.sessions.spec import TICK_RATE
from server.sessions.unpaced import run
from tests.server.robots.noted_calls import NotesCalls
from tests.server.sessions.playing import HUMAN, ROBOT, core_of, task

THINKS_S = 5.0


class Decides(NotesCalls):
    """Decides one thing, then that it has finished."""

    name = "decides"

    def __init__(self, first: Decision | Exception) -> None:
        super().__init__()
        self.first = first
        self.asked: list[int] = []

    async def decide(self, view: PolicyView) -> Decision:
        self.asked.append(view.tick)
        if len(self.asked) > 1:
            return Finished()
        if isinstance(self.first, Exception):
            raise self.first
        return self.first


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
    policy = Decides(first)
    player = PolicyPlayer(ROBOT, policy, ChargedInTicks(loop, 0.0), Seating(think_s=think_s))
    talks = [step for _ in range(20) for step in (Rest(10), Speak("Well?"))]
    run(core_of(task(2)), [player, ScriptedPlayer(HUMAN, [*talks, Done()])], 2000)
    assert policy.asked[1] - policy.asked[0] == pytest.approx(least, abs=1)


def test_talk_ends_a_pause(loop: Any) -> None:
    policy = Decides(Pause(10 * TICK_RATE))
    player = PolicyPlayer(ROBOT, policy, ChargedInTicks(loop, 0.0))
    run(core_of(task(2)), [player, ScriptedPlayer(HUMAN, [Rest(10), Speak("Well?"), Done()])], 2000)
    assert policy.asked[1] - policy.asked[0] < 30
