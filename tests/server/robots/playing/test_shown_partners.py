"""Partners as a policy is shown them, and lines that are addressed to one of them."""

from __future__ import annotations

import asyncio

import pytest

from episodes.teams import Team
from server.robots.playing.knowledge import Knowledge
from server.robots.playing.policy_player import PolicyPlayer
from server.robots.playing.shown_views import spoken
from server.robots.playing.thinkers import ChargedThinker
from server.robots.policy import SayLine
from server.sessions.core import SessionCore
from server.sessions.intents import Finish, Ready
from server.sessions.spec import Ending, SessionSpec
from tests.server.robots.prepared_policy import PreparedPolicy
from tests.server.sessions.first_house_sessions import (
    HUMAN,
    ROBOT,
    episode_spec,
    simulator,
    task,
)


def team_running(team: str) -> SessionCore:
    spec = SessionSpec.of("ses_1", Team.parse(team), 1, ending=Ending())
    core = SessionCore(spec, episode_spec(task(2)), task(2), simulator())
    for seat in core.state.occupied():
        core.submit(seat, Ready())
    core.step()
    assert core.phase == "running"
    return core


def test_every_partner_is_named_by_its_body() -> None:
    core = team_running("human=person,robot=expert,robot=expert")
    partners = Knowledge(core, ROBOT).partners()
    assert {(p.seat, p.name, p.kind) for p in partners} == {
        (HUMAN, "person", "human"),
        ("robot_1", "robot 2", "robot"),
    }
    assert all(p.is_at_work for p in partners)


def test_a_body_that_nobody_plays_is_no_partner() -> None:
    core = team_running("human=person,robot=nobody")
    assert Knowledge(core, HUMAN).partners() == ()


def test_a_partner_that_has_finished_is_not_at_work() -> None:
    core = team_running("human=person,robot=expert,robot=expert")
    knows = Knowledge(core, ROBOT)
    core.submit("robot_1", Finish())
    knows.see(core.step())
    at_work = {p.seat: p.is_at_work for p in knows.partners()}
    assert at_work == {HUMAN: True, "robot_1": False}


def test_only_one_of_several_is_called_by_name() -> None:
    several = Knowledge(team_running("human=person,robot=expert,robot=expert"), ROBOT)
    assert spoken(several, SayLine("wait", "robot_1")) == "@robot 2 wait"
    assert spoken(several, SayLine("wait")) == "wait"
    with pytest.raises(ValueError, match="no partner 'robot_7' to say it to; there are: "):
        spoken(several, SayLine("wait", "robot_7"))
    pair = Knowledge(team_running("human=person,robot=expert"), ROBOT)
    assert spoken(pair, SayLine("wait", HUMAN)) == "wait"


def test_a_line_for_nobody_is_told_to_who_said_it() -> None:
    core = team_running("human=person,robot=expert,robot=expert")
    policy = PreparedPolicy([SayLine("wait", "robot_7"), SayLine("come", "robot_1")])
    loop = asyncio.new_event_loop()
    player = PolicyPlayer(ROBOT, policy, ChargedThinker(loop, 0.0))
    for _ in range(30):
        for intent in player.intents(core):
            core.submit(ROBOT, intent)
        player.see(core.step())
    player.close()
    loop.close()
    assert [entry.text for entry in core.chat] == ["@robot 2 come"]
    (past, *_) = policy.views[1].history
    assert "no partner 'robot_7' to say it to; there are: " in past.response
