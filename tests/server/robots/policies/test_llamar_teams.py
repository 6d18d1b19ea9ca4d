"""``llamar`` in teams: one mind for one to five bodies, and several minds beside each other."""

from __future__ import annotations

import asyncio
import json
from typing import Any

import pytest

from episodes.teams import Team
from server.robots.models.call_record import prompt_text
from server.worker.unpaced_runner import run
from tests.robot_doubles.llamar import LlamarDouble
from tests.robot_doubles.prepared_answers import PreparedAnswers
from tests.server.robots.policies.llamar_replies import Replies, completed, plan
from tests.server.robots.policies.team_views import (
    core_of_team,
    players_of,
    run_while_one_leaves,
    view_in_team,
)
from tests.server.robots.policies.test_golden_prompts import check
from tests.server.robots.policies.test_llamar_prompts import ACT, PLAN, THEN, VERIFY

CENTRAL = "llamar:paper-centralised"
CARRYING, TOGETHER = 1, 2
"""Numbers of tasks that robots can do alone."""


def robots(count: int, policy: str) -> Team:
    return Team.parse(",".join([f"robot={policy}"] * count))


# One mind


@pytest.mark.parametrize("count", [1, 2, 3, 5])
def test_one_mind_plays_a_team_of_any_size(loop: Any, count: int) -> None:
    """A team has one memory, and one call of each module a step for all."""
    team = robots(count, CENTRAL)
    core = core_of_team(team, CARRYING)
    double = LlamarDouble.for_tasks([core])
    players = players_of(loop, double, team)
    result = run(core, players, 20_000)
    assert result is not None
    assert result.verdict.success, result.verdict.explanation
    minds = {id(player.policy.team) for player in players}
    assert len(minds) == 1
    order = [request.purpose for request in double.requests]
    left = len(order) // 4 * 4 - 2
    assert order[:2] == ["planner", "actor"]
    assert order[2 : 2 + left] == (["corrector", "verifier", "planner", "actor"] * 99)[:left]
    told = prompt_text(double.requests[1])
    names = ["robot"] if count == 1 else [f"robot {n + 1}" for n in range(count)]
    assert all(f"\n- {name} action: " in told for name in names)
    assert told.count(" action: one call") == count


def test_two_people_and_a_robot_are_one_mind(loop: Any) -> None:
    """People have what robots cannot do: the task wants something washed."""
    team = Team.parse(f"robot={CENTRAL},human={CENTRAL},human={CENTRAL}")
    core = core_of_team(team, 4)
    double = LlamarDouble.for_tasks([core])
    result = run(core, players_of(loop, double, team), 20_000)
    assert result is not None
    assert result.verdict.success, result.verdict.explanation


def asked_in(team_text: str, answers: tuple[str, ...], seats: tuple[str, ...]) -> str:
    """Return the prompts of two steps of a mind for some seats of a team."""
    loop = asyncio.new_event_loop()
    model = PreparedAnswers(*answers)
    team = Team.parse(team_text)
    players = [p for p in players_of(loop, model, team) if p.seat in seats]
    try:
        for first in (True, False):
            # Once more: who was asked before the last had come takes what was decided.
            for player in (*players, *players):
                shown = view_in_team(player.seat, team_text, first=first)
                loop.run_until_complete(player.policy.decide(shown))
    finally:
        loop.close()
    return "\n\n======\n\n".join(prompt_text(request) for request in model.requests) + "\n"


def waits(*names: str) -> str:
    return json.dumps({f"{name} action": "Wait[]" for name in names})


def test_prompts_for_three_are_what_they_were() -> None:
    team = ",".join([f"robot={CENTRAL},calls=when needed"] * 3)
    every = waits("robot 1", "robot 2", "robot 3")
    seats = tuple(f"robot_{n}" for n in range(3))
    check("llamar_three.txt", asked_in(team, (PLAN, every, VERIFY, THEN, every), seats))


def test_prompts_beside_others_are_what_they_were() -> None:
    team = "robot=llamar:suggests,robot=llamar:suggests,human=person,human=person"
    act = json.loads(ACT)
    acts = {key.replace("robot", "robot 2"): value for key, value in act.items()}
    acts["person 2 suggestion"] = "Navigate[bowl_1]"
    answers = (PLAN, json.dumps(acts), VERIFY, THEN, json.dumps(acts))
    check("llamar_beside.txt", asked_in(team, answers, ("robot_1",)))


def test_a_suggestion_is_addressed_to_whom_it_is_for(loop: Any) -> None:
    team_text = "robot=llamar:suggests,human=person,human=person"
    act = {"robot action": "Wait[]", "person 1 suggestion": "none"}
    act["person 2 suggestion"] = "Navigate[bowl_1]"
    model = Replies(planner=[plan("look")], actor=[act], verifier=[completed()])
    (player,) = players_of(loop, model, Team.parse(team_text))
    said = loop.run_until_complete(
        player.policy.decide(view_in_team("robot_0", team_text, first=True))
    )
    assert said.to == "human_1"
    assert said.text == "Could you go to the bowl_1?"


# One of the bodies is there no more


def test_a_mind_goes_on_without_a_body_that_has_left(loop: Any) -> None:
    team = robots(3, CENTRAL)
    core = core_of_team(team, CARRYING)
    double = LlamarDouble.for_tasks([core])
    players = players_of(loop, double, team)

    run_while_one_leaves(core, players, "robot_1")
    later = prompt_text(double.requests[-1])
    assert "You decide for robot 1 and robot 3: robot 2 acts by itself." in later


def test_a_mind_goes_on_without_a_body_that_may_decide_no_more(loop: Any) -> None:
    team = Team.parse(f"robot={CENTRAL},max_decisions=40,robot={CENTRAL},max_decisions=40")
    core = core_of_team(team, CARRYING)
    double = LlamarDouble.for_tasks([core])
    players = players_of(loop, double, team)
    players[1].decisions = 39
    result = run(core, players, 20_000)
    assert result is not None
    assert players[1].decisions == 40
    assert result.verdict.success, result.verdict.explanation


# Several minds


@pytest.mark.slow
@pytest.mark.parametrize("count", [2, 3])
def test_several_decide_for_themselves(loop: Any, count: int) -> None:
    team = robots(count, "llamar")
    core = core_of_team(team, CARRYING)
    double = LlamarDouble.for_tasks([core])
    players = players_of(loop, double, team)
    result = run(core, players, 20_000)
    assert result is not None
    assert result.verdict.success, result.verdict.explanation
    assert len({id(player.policy.team) for player in players}) == count
    told = prompt_text(double.requests[-1])
    assert "alone: " in told
