"""``helper`` in teams: it does its part beside several, and addresses whom it asks."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from episodes.teams import Team
from server.robots.models.call_record import prompt_text
from server.robots.policies.helper.addressees import is_for, to_ask, who_can
from server.robots.policy import Do, Heard, PolicyView, SayLine
from server.worker.unpaced_runner import run
from tests.robot_doubles.helper import HelperDouble
from tests.server.robots.policies.prepared_helper import helper
from tests.server.robots.policies.team_views import core_of_team, players_of, view_in_team

MIXED = "robot=helper,robot=helper,human=person,human=person"
ROBOTS = "robot=helper,robot=helper,robot=helper"
WASHES = 'cup = Thing("cup_0")\ncup.wash()\n'


def seen_in(team: str, seat: str = "robot_0") -> PolicyView:
    """Return a view in which the cup is known, and nobody has said anything."""
    return replace(view_in_team(seat, team, first=False), chat=(), history=(), partner_acts=())


def moved(view: PolicyView, seat: str, x: float) -> PolicyView:
    partners = tuple(
        p._replace(position=(x, 0.0, 2.0)) if p.seat == seat else p for p in view.partners
    )
    return replace(view, partners=partners)


@pytest.mark.parametrize("count", [1, 2, 3, 5])
def test_a_team_of_robots_does_a_task(loop: Any, count: int) -> None:
    team = Team.parse(",".join(["robot=helper"] * count))
    core = core_of_team(team, 1)
    double = HelperDouble.for_tasks([core])
    result = run(core, players_of(loop, double, team), 20_000)
    assert result is not None
    assert result.verdict.success, result.verdict.explanation
    told = prompt_text(double.requests[0])
    alone = "You think for the robot in a home, which is alone there"
    assert told.count(alone if count == 1 else "You think for robot 1 in a home, where ") == 1


def test_what_robots_ask_of_people_is_done_and_costs_nobody_a_program(loop: Any) -> None:
    team = Team.parse("robot=helper,robot=helper,human=helper,human=helper")
    core = core_of_team(team, 4)
    result = run(core, players_of(loop, HelperDouble.for_tasks([core]), team), 20_000)
    assert result is not None
    assert any(s.text.startswith("@person ") for s in core.state.chat)
    assert result.verdict.success, result.verdict.explanation


def test_what_only_people_can_do_is_asked_of_the_nearest(loop: Any) -> None:
    view = moved(seen_in(MIXED), "human_1", 2.5)
    policy, model = helper(WASHES)
    said = loop.run_until_complete(policy.decide(view))
    assert isinstance(said, SayLine)
    assert said.to == "human_1"
    assert said.text.startswith("Could you wash the cup_0, please?")
    assert "Your partners are robot 2, person 1 and person 2" in prompt_text(model.requests[0])


def test_nobody_is_asked_for_what_nobody_there_can_do(loop: Any) -> None:
    policy, _ = helper(
        WASHES + 'bowl = Thing("bowl_1")\nbed = Thing("bed_4")\nbowl.bring_onto(bed)'
    )
    decided = loop.run_until_complete(policy.decide(seen_in(ROBOTS)))
    assert isinstance(decided, Do), decided
    assert "given up: nobody here can do it" in policy.runner.progress.report()


def test_a_question_is_for_people_first_and_then_for_who_has_not_been_silent() -> None:
    view = moved(seen_in(MIXED), "robot_1", 2.1)
    assert to_ask(view) in ("human_0", "human_1")
    assert to_ask(view, {"human_0"}) == "human_1"
    assert to_ask(view, {"human_0", "human_1"}) == "robot_1"
    assert to_ask(view, {"human_0", "human_1", "robot_1"}) is None


def test_who_has_left_or_finished_is_not_asked() -> None:
    view = seen_in("robot=helper,human=person,human=person")
    view = replace(view, partners=(view.partners[0]._replace(left=True), view.partners[1]))
    assert to_ask(view) == who_can(view) == "human_1"
    gone = tuple(partner._replace(finished=True) for partner in view.partners)
    assert to_ask(replace(view, partners=gone)) is None
    assert who_can(replace(view, partners=gone)) is None


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("bring the cup", True),
        ("@robot 1 bring the cup", True),
        ("@robot 2 bring the cup", False),
        ("@robot 2 @robot 1 bring the cup", True),
    ],
)
def test_lines_for_others_by_name_are_not_for_it(text: str, told: bool) -> None:
    assert is_for(seen_in(MIXED), Heard(1, "human_0", text)) is told
    assert not is_for(seen_in(MIXED), Heard(1, "robot_0", text))


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("@robot 1 Where can I find the book?", False),
        ("I think that is all. Is anything wrong, or still missing?", False),
        ("Could you wash the cup, please? It is in the kitchen.", True),
        ("I cannot wash the cup: could you?", True),
        ("The book is on the table.", True),
    ],
)
def test_questions_of_robots_are_neither_answers_nor_orders(text: str, told: bool) -> None:
    assert is_for(seen_in(MIXED), Heard(1, "robot_1", text)) is told
    assert is_for(seen_in(MIXED), Heard(1, "human_0", text))


@pytest.mark.parametrize(("speaker", "goes_on"), [("robot_1", True), ("human_0", False)])
def test_only_people_stop_what_runs(loop: Any, speaker: str, goes_on: bool) -> None:
    brings = 'bowl = Thing("bowl_1")\nbed = Thing("bed_4")\nbowl.bring_onto(bed)'
    policy, model = helper(brings, "do_nothing()")
    view = seen_in(MIXED)
    first = loop.run_until_complete(policy.decide(view))
    assert isinstance(first, Do), first
    heard = Heard(view.tick + 1, speaker, "I take the towel.")
    view = replace(view, tick=view.tick + 30, chat=(heard,))
    then = loop.run_until_complete(policy.decide(view))
    assert [request.purpose for request in model.requests] == ["planner", "feedback"]
    assert isinstance(then, Do if goes_on else SayLine), then
    assert ("bowl" in policy.runner.progress.report()) is goes_on
