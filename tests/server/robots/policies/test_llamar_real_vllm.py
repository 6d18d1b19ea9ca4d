"""LLaMAR's modules with a real vLLM server and random weights.

Each answer has the form of its grammar, whatever stands in it.
"""

from __future__ import annotations

import json
from typing import Any

import pytest

from server.robots.baselines.scripted_player import Done, ScriptedPlayer
from server.robots.models.client import ModelClient
from server.robots.playing.thinkers import ChargedThinker
from server.robots.policy_spec import PlayerOptions
from server.robots.registry.registry import make_player
from server.worker.unpaced_runner import run
from tests.server.sessions.first_house_sessions import HUMAN, ROBOT, core_of, task

pytestmark = pytest.mark.vllm
SHORT = "generation.thought_chars=40,memory_chars=60,generation.max_tokens=1500"
RANDOM = "generation.temperature=1.0,generation.seed=null"


def test_every_module_answers_in_its_form(loop: Any, client: ModelClient) -> None:
    text = f"llamar:paper,most_decisions=1,{RANDOM},{SHORT}"
    player: Any = make_player(text, ROBOT, PlayerOptions(ChargedThinker(loop, 0.0), client))
    run(core_of(task(2)), [player, ScriptedPlayer(HUMAN, [Done()])], 20_000)
    calls = player.take_calls()
    assert [call.purpose for call in calls[:2]] == ["planner", "actor"]
    if "Done[]" not in calls[1].completion:
        assert [call.purpose for call in calls[2:]] == ["corrector", "verifier"]
    for call in calls:
        assert call.error == ""
        assert call.grammar.startswith("root ::= ")
        found = json.loads(call.completion.partition("}")[0] + "}")
        assert all(f'\\"{key}\\": ' in call.grammar for key in found)
    # What the Actor answered could be carried out, if not always with success.
    for skill in player.take_skills():
        assert "SyntaxError" not in skill.response
        assert "not present in the graph" not in skill.response
