"""``helper`` with a real vLLM server and random weights.

Its programs are programs because the grammar of that very call held.
"""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest

from server.robots.baselines.scripted_player import Done, ScriptedPlayer
from server.robots.models.client import ModelClient
from server.robots.models.model_server import ModelServer
from server.robots.playing.thinkers import ChargedThinker
from server.robots.policy_spec import PlayerOptions
from server.robots.registry.registry import make_player
from server.sessions.policy_records import CallRecord
from server.worker.unpaced_runner import run
from tests.server.sessions.first_house_sessions import HUMAN, ROBOT, core_of, task

pytestmark = pytest.mark.vllm
OPTIONS = (
    "examples=0,feedback_rounds=0,max_decisions=4,generation.max_tokens=200,"
    "generation.temperature=1.0,generation.seed=null"
)


def calls_of(vllm_url: str, text: str) -> list[CallRecord]:
    loop = asyncio.new_event_loop()
    client = ModelClient(ModelServer(vllm_url, model="tiny", deadline_s=300))
    loop.run_until_complete(client.__aenter__())
    try:
        core = core_of(task(2))
        robot: Any = make_player(text, ROBOT, PlayerOptions(ChargedThinker(loop, 0.0), client))
        run(core, [robot, ScriptedPlayer(HUMAN, [Done()])], 9000)
        calls: list[CallRecord] = robot.take_calls()
        return calls
    finally:
        loop.run_until_complete(client.__aexit__(None, None, None))
        loop.close()


def test_every_line_of_a_program_is_in_the_language(vllm_url: str, tmp_path: Path) -> None:
    """Every line counts, what is to be remembered too."""
    remembers = f"routines=true,memory={tmp_path / 'memory.jsonl'}"
    calls = calls_of(vllm_url, f"helper:{OPTIONS},{remembers}")
    planner = [call for call in calls if call.purpose == "planner"]
    assert planner
    for call in calls:
        assert call.error == ""
        assert call.grammar.startswith("root ::= ")
    for call in planner:
        assert "remember_as(" in call.grammar
        # The last line may be cut off by the limit of tokens, which a random model meets.
        lines = call.completion.count("\n") + 1
        refused = call.parsed.partition("; refused: ")[2]
        assert not refused or refused.startswith(f"line {lines} "), call.completion
        assert refused.count("; line ") == 0


def test_without_the_grammar_it_is_no_program(vllm_url: str) -> None:
    calls = calls_of(vllm_url, f"helper:{OPTIONS},generation.grammar=false")
    assert calls[0].purpose == "planner"
    assert calls[0].parsed.startswith("0 lines")
