"""PARTNR policies with a real vLLM server and random weights.

What is well-formed is so because the grammar of that very call held.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import pytest

from server.robots.baselines.scripted_player import Done, ScriptedPlayer
from server.robots.models.client import ModelClient
from server.robots.playing.thinkers import ChargedThinker
from server.robots.policy_spec import PlayerOptions
from server.robots.registry.registry import make_player
from server.sessions.policy_records import CallRecord
from server.worker.unpaced_runner import run
from tests.server.sessions.first_house_sessions import HUMAN, ROBOT, core_of, task

pytestmark = pytest.mark.vllm
CAP = 6
COMMON = f"max_decisions={CAP},generation.temperature=1.0,generation.seed=null"


class Played(NamedTuple):
    calls: list[CallRecord]
    responses: list[str]
    """What came of each thing that the calls asked for."""
    decisions: list[int]
    """How often each robot decided: two of one mind share calls, so that these may be more."""


def play(loop: Any, client: ModelClient, text: str) -> Played:
    """Play an episode to its end, and return what its robots asked and did."""
    core = core_of(task(2))
    company: dict[str, Any] = {}
    thinker = ChargedThinker(loop, 0.0)
    robots: list[Any] = [make_player(text, ROBOT, PlayerOptions(thinker, client, company=company))]
    others: list[Any] = [ScriptedPlayer(HUMAN, [Done()])]
    if "centralised" in text and "decentralised" not in text:
        others = []
        robots.append(make_player(text, HUMAN, PlayerOptions(thinker, client, company=company)))
    run(core, [*robots, *others], 20_000)
    assert all(robot.status == "finished" for robot in robots)
    return Played(
        [call for robot in robots for call in robot.take_calls()],
        [skill.response for robot in robots for skill in robot.take_skills()],
        [robot.decisions for robot in robots],
    )


@pytest.mark.parametrize(
    "text",
    [
        f"react:partnr-decentralised,{COMMON},context_chars=9000",
        f"react:partnr-centralised,{COMMON},most_calls={CAP},context_chars=9000",
        f"finetuned:partnr,{COMMON}",
    ],
)
def test_with_its_grammar_every_answer_is_a_valid_call(
    loop: Any, client: ModelClient, text: str
) -> None:
    calls, responses, decisions = play(loop, client, text)
    assert calls
    # It ends where a cap is reached, of calls or of decisions, or where the model says so.
    assert CAP in (len(calls), *decisions) or any("Done[]" in call.completion for call in calls)
    for call in calls:
        assert call.error == ""
        assert call.grammar.startswith("root ::= ")
        assert call.parsed
    # Everything could be read, and named what is known; whether it succeeded is another matter.
    for response in responses:
        assert "SyntaxError" not in response
        assert "not present in the graph" not in response
        assert "not found" not in response


def test_without_it_nothing_is(loop: Any, client: ModelClient) -> None:
    text = f"react:partnr-decentralised,{COMMON},generation.grammar=false,context_chars=9000"
    calls, responses, _ = play(loop, client, text)
    assert len(calls) == CAP
    assert all(call.grammar == "" for call in calls)
    assert len(responses) == CAP
    assert all("SyntaxError" in r or "not found" in r for r in responses)
