"""``cohab`` in teams: several bodies, each with its own plan, bring one task to success."""

from __future__ import annotations

from typing import Any

import pytest

from episodes.dataset import Task
from episodes.teams import Team
from server.robots.playing.policy_player import PolicyPlayer
from server.robots.playing.seat_options import SeatOptions
from server.robots.playing.thinkers import ChargedThinker
from server.robots.policies.cohab.policy import Cohab
from server.robots.policies.cohab.settings import CohabSettings
from server.sessions.core import SessionCore
from server.sessions.spec import Ending, SessionSpec
from server.worker.unpaced_runner import run
from tests.robot_doubles.cohab import CohabDouble
from tests.server.sessions.first_house_sessions import episode_spec, simulator, task

CARRYING, TOGETHER = 1, 2
"""Numbers of tasks that robots can do alone; in the second, things stand next to each other."""


def team_of(count: int, chosen: Task) -> SessionCore:
    spec = SessionSpec.of(
        "ses_1", Team.parse(",".join(["robot=cohab"] * count)), 1, ending=Ending(on_success=True)
    )
    return SessionCore(spec, episode_spec(chosen), chosen, simulator())


def ticks_to_success(loop: Any, core: SessionCore, most: int = 9000) -> int | None:
    players = [
        PolicyPlayer(
            seat,
            Cohab(CohabDouble(core), CohabSettings()),
            ChargedThinker(loop, 0.2),
            SeatOptions(observability="partial"),
        )
        for seat in core.seats
    ]
    result = run(core, players, most)
    return core.tick if result is not None and result.verdict.success else None


@pytest.mark.slow
def test_teams_of_robots_do_two_tasks_in_less_time_than_one_robot(loop: Any) -> None:
    """Bodies that block may be slower than one body at a short task alone."""
    told: dict[int, int] = {}
    for count in (1, 2, 3, 5):
        ticks = [ticks_to_success(loop, team_of(count, task(n))) for n in (CARRYING, TOGETHER)]
        assert None not in ticks, f"{count} did not succeed: {ticks}"
        told[count] = sum(t for t in ticks if t is not None)
    alone = told.pop(1)
    assert max(told.values()) < alone
