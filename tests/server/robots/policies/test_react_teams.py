"""``react`` in teams: one model for all bodies, and several beside each other."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from episodes.teams import Team
from server.robots.models.call_record import prompt_text
from server.worker.unpaced_runner import run
from tests.robot_doubles.partnr import PartnrDouble
from tests.robot_doubles.prepared_answers import PreparedAnswers
from tests.server.robots.policies.team_views import (
    core_of_team,
    players_of,
    run_while_one_leaves,
    view_in_team,
)
from tests.server.robots.policies.test_golden_prompts import ANSWERS, check

CENTRAL = "react:partnr-centralised"
CARRYING = 1


def robots(count: int, policy: str) -> Team:
    return Team.parse(",".join([f"robot={policy}"] * count))


@pytest.mark.parametrize(
    "team",
    [
        robots(2, CENTRAL),
        robots(3, CENTRAL),
        robots(5, CENTRAL),
        Team.parse(f"robot={CENTRAL},human={CENTRAL},human={CENTRAL}"),
    ],
    ids=str,
)
def test_one_model_plays_a_team(loop: Any, team: Team) -> None:
    core = core_of_team(team, 4 if "human" in str(team) else CARRYING)
    double = PartnrDouble.for_tasks([core])
    result = run(core, players_of(loop, double, team), 20_000)
    assert result is not None
    assert result.verdict.success, result.verdict.explanation
    opening = prompt_text(double.requests[0])
    assert all(f"\nAgent_{n}_Action: Tool[arguments]" in opening for n in range(team.bodies))
    assert f"\nAgent_{team.bodies}_Action" not in opening


@pytest.mark.parametrize("count", [1, 2, 3])
def test_several_decide_for_themselves(loop: Any, count: int) -> None:
    team = robots(count, "react")
    core = core_of_team(team, CARRYING)
    double = PartnrDouble.for_tasks([core])
    result = run(core, players_of(loop, double, team), 20_000)
    assert result is not None
    assert result.verdict.success, result.verdict.explanation


def test_a_model_is_told_who_plays_no_more(loop: Any) -> None:
    team = robots(3, CENTRAL)
    core = core_of_team(team, CARRYING)
    double = PartnrDouble.for_tasks([core])
    players = players_of(loop, double, team)

    run_while_one_leaves(core, players, "robot_1")
    later = double.requests[-1]
    assert "Agent_1_Observation: This agent plays no more." in prompt_text(later)
    assert later.constraint is not None
    rules = dict(
        line.split(" ::= ", 1)
        for line in str(later.constraint.value).splitlines()
        if " ::= " in line
    )
    assert rules["a1_call"] == '"Wait[]"'
    assert "Navigate" in rules["a0_call"]


def asked(team: str, seat: str, answers: tuple[str, ...]) -> str:
    loop = asyncio.new_event_loop()
    model = PreparedAnswers(*answers)
    player = next(p for p in players_of(loop, model, Team.parse(team)) if p.seat == seat)
    try:
        for first in (True, False):
            loop.run_until_complete(player.policy.decide(view_in_team(seat, team, first=first)))
    finally:
        loop.close()
    return prompt_text(model.requests[-1]) + "\n"


def test_prompts_for_three_are_what_they_were() -> None:
    team = f"robot={CENTRAL},robot={CENTRAL},human={CENTRAL}"
    lines = "".join(f"Agent_{n}_Action: Explore[bedroom_1]\n" for n in range(3))
    answer = f"Thought: All look.\n{lines}"
    check("react_three.txt", asked(team, "robot_1", (answer, answer)))


def test_prompts_beside_others_are_what_they_were() -> None:
    team = "robot=react,robot=react,human=person,human=person"
    check("react_beside.txt", asked(team, "robot_1", ANSWERS))
