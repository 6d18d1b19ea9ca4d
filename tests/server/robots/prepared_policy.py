"""Policy that decides what a test tells it, and a session in which it plays."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from typing import Any

from server.robots.baselines.scripted_player import Done, ScriptedPlayer
from server.robots.playing.policy_player import PolicyPlayer
from server.robots.playing.seat_options import SeatOptions
from server.robots.playing.thinkers import ChargedThinker
from server.robots.policy import Decision, Finished, PolicyView
from server.sessions.core import SessionCore
from server.worker.unpaced_runner import run
from tests.server.robots.call_recorder import CallRecorder
from tests.server.sessions.first_house_sessions import HUMAN, ROBOT, core_of, task

Answers = Sequence[Decision | Exception | Callable[[PolicyView], Decision]]


class PreparedPolicy(CallRecorder):
    """Policy that gives the prepared answers and keeps the views that it was shown."""

    name = "told"

    def __init__(self, answers: Answers) -> None:
        self.answers = list(answers)
        self.views: list[PolicyView] = []
        super().__init__()

    async def decide(self, view: PolicyView) -> Decision:
        self.views.append(view)
        answer = self.answers.pop(0) if self.answers else Finished()
        self.note(answer)
        if isinstance(answer, Exception):
            raise answer
        return answer(view) if callable(answer) else answer


def play(
    loop: asyncio.AbstractEventLoop,
    policy: Any,
    *others: Any,
    core: SessionCore | None = None,
    latency_s: float = 0.0,
    max_ticks: int = 6000,
    seating_latency_s: float = 0.0,
    **seating: Any,
) -> tuple[PolicyPlayer, SessionCore]:
    core = core or core_of(task(2))
    seating = {"closes_s": None, **seating, "latency_s": seating_latency_s}
    player = PolicyPlayer(ROBOT, policy, ChargedThinker(loop, latency_s), SeatOptions(**seating))
    run(core, [player, *(others or (ScriptedPlayer(HUMAN, [Done()]),))], max_ticks)
    return player, core
