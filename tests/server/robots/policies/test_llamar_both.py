"""A single ``llamar`` for both bodies."""

from __future__ import annotations

from typing import Any

from server.skills import SUCCESS
from server.worker.unpaced_runner import run
from tests.server.robots.policies.llamar_replies import (
    Replies,
    both_of,
    completed,
    plan,
    rooms,
)
from tests.server.sessions.first_house_sessions import HUMAN, ROBOT, core_of, task


def test_both_act_at_once_and_the_first_to_end_waits(loop: Any) -> None:
    near, far = rooms()[0], rooms()[3]
    both = {"robot action": f"Navigate[{near}]", "person action": f"Explore[{far}]"}
    model = Replies(planner=[plan("find cup")], corrector=[{}], verifier=[completed()], actor=[
        both, {"robot action": "Done[]", "person action": "Done[]"},
    ])  # fmt: skip
    robot, human = both_of(loop, model, "llamar:paper-centralised,exploration=chosen")
    core = core_of(task(2))
    run(core, [robot, human], 20_000)
    ends = {p.seat: p.take_skills()[0].ended for p in (robot, human)}
    assert ends[ROBOT] != ends[HUMAN]
    asked = [
        c.asked_tick for p in (robot, human) for c in p.take_calls() if c.purpose == "verifier"
    ]
    assert len(asked) == 1
    assert asked[0] >= max(ends.values())
    assert robot.finished
    assert human.finished


def test_only_one_of_both_explores(loop: Any) -> None:
    both = {"robot action": "Explore[]", "person action": "Explore[]"}
    model = Replies(planner=[plan("find cup")], corrector=[{}], verifier=[completed()], actor=[
        both, {"robot action": "Done[]", "person action": "Done[]"},
    ])  # fmt: skip
    players = both_of(loop, model, "llamar:paper-centralised")
    run(core_of(task(2)), players, 20_000)
    # Three walks are one decision.
    assert [len(p.take_skills()) for p in players] == [3, 0]
    told = model.asked("actor")[1]
    assert f"The robot tried Explore[]. Result: {SUCCESS} Looked towards " in told
    assert "The robot explores already" in told
