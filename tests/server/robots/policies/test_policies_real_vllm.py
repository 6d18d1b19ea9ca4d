"""PARTNR policies with a real vLLM server and random weights.

What is well-formed is so because the grammar of that very call held.
"""

from __future__ import annotations

from typing import Any

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


def play(loop: Any, client: ModelClient, text: str) -> tuple[list[CallRecord], list[str]]:
    """Return the model calls of an episode in their order, and the responses to what they asked."""
    core = core_of(task(2))
    company: dict[str, Any] = {}
    thinker = ChargedThinker(loop, 0.0)
    robot: Any = make_player(text, ROBOT, PlayerOptions(thinker, client, company=company))
    others: list[Any] = [ScriptedPlayer(HUMAN, [Done()])]
    if "centralised" in text and "decentralised" not in text:
        others = [make_player(text, HUMAN, PlayerOptions(thinker, client, company=company))]
    run(core, [robot, *others], 20_000)
    players = [p for p in (robot, *others) if hasattr(p, "take_calls")]
    # Two of one mind keep calls of their own: which was the last, their ticks tell.
    calls = sorted(
        (call for player in players for call in player.take_calls()),
        key=lambda call: call.observed_tick,
    )
    return calls, [skill.response for player in players for skill in player.take_skills()]


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
    calls, responses = play(loop, client, text)
    assert calls
    assert len(calls) == CAP or "Done[]" in calls[-1].completion
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
    calls, responses = play(loop, client, text)
    assert len(calls) == CAP
    assert all(call.grammar == "" for call in calls)
    assert len(responses) == CAP
    assert all("SyntaxError" in r or "not found" in r for r in responses)
