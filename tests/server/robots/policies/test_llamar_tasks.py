"""``llamar`` solves tasks when its model plans well, whole and with parts left out."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest

from server.worker.unpaced_runner import run
from tests.robot_doubles.llamar import LlamarDouble
from tests.server.robots.passive_person import passive_person
from tests.server.robots.policies.llamar_replies import both_of, play
from tests.server.sessions.first_house_sessions import core_of, task


@pytest.mark.parametrize("number", range(1, 7))
def test_it_solves_the_first_tasks_beside_a_person(loop: Any, number: int) -> None:
    core = core_of(task(number))
    double = LlamarDouble.for_tasks([core])
    player, result = play(loop, "llamar", double, passive_person(), core=core)
    assert result is not None
    assert result.verdict.success, result.verdict.explanation
    calls = player.take_calls()
    assert not any(call.error for call in calls)
    # A Corrector is asked only after a failure, a Verifier only when something was done.
    counts = Counter(call.purpose for call in calls)
    assert counts["planner"] >= counts["actor"] >= counts["verifier"] >= 1


@pytest.mark.parametrize(
    "options",
    ["modules=one", "corrector=fused", "corrector=off", "exploration=headings", "memory=false"],
)
def test_parts_can_be_left_out(loop: Any, options: str) -> None:
    core = core_of(task(1))
    double = LlamarDouble.for_tasks([core])
    _, result = play(loop, f"llamar:{options}", double, passive_person(), core=core)
    assert result is not None
    assert result.verdict.success, result.verdict.explanation
    roles = {request.purpose for request in double.requests}
    whole = {"all"} if options == "modules=one" else {"planner", "actor", "verifier"}
    # What is open already cannot be opened: the Corrector, where there is one, is asked then.
    assert roles - {"corrector"} == whole
    assert "corrector" not in roles or not options.startswith(("corrector=", "modules="))


@pytest.mark.parametrize("number", [1, 4])
def test_it_solves_tasks_as_in_the_paper(loop: Any, number: int) -> None:
    """The paper has one model for both bodies."""
    core = core_of(task(number))
    double = LlamarDouble.for_tasks([core])
    players = both_of(loop, double, "llamar:paper-centralised")
    result = run(core, players, 20_000)
    assert result is not None
    assert result.verdict.success, result.verdict.explanation
    team = players[0].policy.team
    assert team is players[1].policy.team
    assert team.decisions <= 30
    # Four calls for a decision, whoever of the two asks; the first has nothing to look back on.
    order = [request.purpose for request in double.requests]
    assert order[:2] == ["planner", "actor"]
    left = len(order) // 4 * 4 - 2
    assert order[2 : 2 + left] == (["corrector", "verifier", "planner", "actor"] * 99)[:left]
