"""PARTNR's configurations solve tasks with a model that plans well.

They are given nothing but what the paper gives them.
"""

from __future__ import annotations

from typing import Any

import pytest

from episodes.teams import Team
from server.robots.models.call_record import prompt_text
from server.robots.playing.policy_player import PolicyPlayer
from server.robots.playing.thinkers import ChargedThinker
from server.robots.policies.shared.presets import PARTNR_CALLS, PARTNR_CENTRAL_CALLS, PARTNR_TOOLS
from server.robots.policy_spec import PlayerOptions
from server.robots.registry.registry import make_player
from server.sessions.core import SessionCore
from server.sessions.spec import EpisodeSpec, SessionSpec
from server.worker.unpaced_runner import run
from tests.robot_doubles.partnr import PartnrDouble
from tests.server.robots.passive_person import passive_person
from tests.server.sessions.first_house_sessions import HUMAN, ROBOT, core_of, simulator, task
from tests.server.skills.doing import task_with

CENTRALISED = ("react:partnr-centralised", "react:partnr-centralised-full")
DECENTRALISED = (
    "react:partnr-decentralised",
    "react:partnr-decentralised-full",
    "react:partnr-tools",
    "finetuned:partnr",
)
TOO_LONG = ("react:partnr-tools", 6)
TASKS = [3, *(pytest.param(n, marks=pytest.mark.long) for n in (1, 2, 4, 5, 6))]


@pytest.mark.slow
@pytest.mark.parametrize("number", TASKS)
@pytest.mark.parametrize("name", [*DECENTRALISED, *CENTRALISED])
def test_it_solves_a_task(loop: Any, name: str, number: int) -> None:
    core = core_of(task(number))
    model = PartnrDouble.for_tasks([core])
    company: dict[str, Any] = {}
    thinker = ChargedThinker(loop, 0.1)
    robot, human = (
        make_player(name, s, PlayerOptions(thinker, model, company=company)) for s in (ROBOT, HUMAN)
    )
    assert isinstance(robot, PolicyPlayer)
    players: list[Any] = [robot]
    if name in CENTRALISED:
        players.append(human)
    else:
        players.append(passive_person())
    result = run(core, players, 20_000)
    assert result is not None
    acts = [r for r in model.requests if r.purpose == "act"]
    if (name, number) == TOO_LONG:
        # All calls are used up before it has asked about, looked for and opened up four things.
        assert (result.verdict.success, len(acts)) == (False, PARTNR_CALLS)
        return
    assert result.verdict.success, result.verdict.explanation
    assert len(acts) <= (PARTNR_CENTRAL_CALLS if name in CENTRALISED else PARTNR_CALLS)
    skills = robot.take_skills()
    assert skills
    tried = {skill.call.partition("[")[0] for skill in skills if "not found" not in skill.response}
    assert tried <= set(PARTNR_TOOLS)


def test_two_models_solve_a_task_between_them(loop: Any) -> None:
    """The paper's decentralised setting, with a task giver who washes what the robot cannot."""
    core = core_of(task_with("is_clean"))
    model = PartnrDouble.for_tasks([core])
    thinker = ChargedThinker(loop, 0.1)
    name = "react:partnr-decentralised"
    players = [
        make_player(name, seat, PlayerOptions(thinker, model, company={}))
        for seat in (ROBOT, HUMAN)
    ]
    result = run(core, players, 20_000)
    assert result is not None
    assert result.verdict.success, result.verdict.explanation
    assert HUMAN in {p.by_seat for p in result.verdict.propositions}
    roles = {"You are the person" in prompt_text(r) for r in model.requests}
    assert roles == {False, True}


@pytest.mark.slow
def test_react_single_is_a_team_of_one(loop: Any) -> None:
    """PARTNR's single agent: one model, one person's body, and nobody beside it."""
    name = "react:partnr-decentralised"
    spec = SessionSpec.of("ses_1", Team.parse(f"human={name}"), 1)
    chosen = task_with("is_clean")
    core = SessionCore(spec, EpisodeSpec("epi_1", "tasks", chosen.task_id), chosen, simulator())
    model = PartnrDouble.for_tasks([core])
    player = make_player(name, HUMAN, PlayerOptions(ChargedThinker(loop, 0.1), model))
    result = run(core, [player], 20_000)
    assert result is not None
    assert result.verdict.success, result.verdict.explanation
    assert core.state.occupied() == [HUMAN]
    first = prompt_text(model.requests[0])
    assert "beside you there is nobody" in first
    assert "partner" not in first
