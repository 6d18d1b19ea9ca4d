"""Prompts in the log: short, and restored as they were."""

from __future__ import annotations

import asyncio
import hashlib
from pathlib import Path

import msgspec
from hypothesis import given
from hypothesis import strategies as st

from server.recording.log_records import ModelCalled
from server.recording.log_writer import LogWriter
from server.recording.model_calls import model_calls_of
from server.recording.prompt_deduplication import (
    LEAST_CHARS,
    PromptDeduplicator,
    restored,
    shared_chars,
)
from server.recording.recordings import read_recording
from server.robots.baselines.scripted_people import ScriptedPerson
from server.robots.baselines.settings import PersonManner
from server.robots.playing.policy_player import PolicyPlayer
from server.robots.playing.seat_options import SeatOptions
from server.robots.playing.thinkers import ChargedThinker
from server.robots.policies.react.policy import React
from server.sessions.policy_records import CallRecord
from server.worker.unpaced_runner import run
from tests.robot_doubles.partnr import PartnrDouble
from tests.server.sessions.first_house_sessions import HUMAN, ROBOT, core_of, task


def call_of(prompt: str, grammar: str = "", seat: str = ROBOT) -> CallRecord:
    def sha256(text: str) -> str:
        return hashlib.sha256(text.encode()).hexdigest()

    return CallRecord(
        purpose="act", model="m", prompt=prompt, prompt_sha256=sha256(prompt), completion="",
        parameters={}, grammar=grammar, grammar_sha256=sha256(grammar) if grammar else "",
        seat=seat,
    )  # fmt: skip


START = "é".join("the world as it is told at first" for _ in range(20))
pieces = st.text(alphabet="ab \né𝄞", max_size=30)
grown = st.builds(lambda cut, more: START[:cut] + more, st.integers(0, len(START)), pieces)


@given(st.lists(st.tuples(grown, st.sampled_from(["", "root ::= a", "root ::= b"]))))
def test_what_is_written_is_restored(told: list[tuple[str, str]]) -> None:
    calls = [call_of(prompt, grammar) for prompt, grammar in told]
    short = PromptDeduplicator()
    written = [short.shorten(call) for call in calls]
    assert list(restored(written)) == calls
    for call in written:
        assert call.prompt_shared == 0 or call.prompt_shared >= LEAST_CHARS


@given(pieces, pieces)
def test_the_shared_start_is_as_long_as_it_is(one: str, other: str) -> None:
    same = shared_chars(one, other)
    assert one[:same] == other[:same]
    assert one[same : same + 1] != other[same : same + 1] or same == min(len(one), len(other))


def test_a_conversation_is_written_once() -> None:
    prompts = [START]
    for turn in range(100):
        prompts.append(f"{prompts[-1]}\nResult {turn}: done")
    short = PromptDeduplicator()
    written = [short.shorten(call_of(prompt, "root ::= a")) for prompt in prompts]
    assert sum(len(call.prompt) for call in written) == len(prompts[-1])
    assert [call.grammar for call in written if call.grammar] == ["root ::= a"]


def test_what_was_lost_is_not_guessed() -> None:
    short = PromptDeduplicator()
    first, second, third = (
        short.shorten(call_of(prompt)) for prompt in (START, f"{START} and more", "another")
    )
    assert second.prompt == " and more"
    whole = list(restored([second, third]))
    assert [call.prompt for call in whole] == ["", "another"]
    # A hash tells that the start is another one.
    wrong = msgspec.structs.replace(call_of(START.upper()), prompt_sha256=first.prompt_sha256)
    assert [call.prompt for call in restored([wrong, second])][1] == ""


def test_an_episode_does_not_go_back_to_the_one_before() -> None:
    short = PromptDeduplicator()
    short.shorten(call_of(START, "root ::= a"))
    short.begin()
    assert short.shorten(call_of(START, "root ::= a")) == call_of(START, "root ::= a")


def test_react_is_recorded_without_its_square(tmp_path: Path) -> None:
    core, loop = core_of(task(2)), asyncio.new_event_loop()
    model = PartnrDouble.for_tasks([core])
    policy = PolicyPlayer(
        ROBOT, React(model), ChargedThinker(loop, 0.1), SeatOptions(max_decisions=60)
    )
    person = ScriptedPerson(HUMAN, PersonManner(does="what only people can", patience_s=60.0))
    path = tmp_path / "ses_1.jsonl"
    with path.open("wb") as file:
        log = LogWriter(file)
        log.open_episode(core, 0.0)
        run(core, [policy, person], 20_000, log=log)
        log.close(100.0)
    loop.close()
    (recording,) = read_recording(path)
    written = [line.call for line in recording.decoded() if isinstance(line, ModelCalled)]
    whole = model_calls_of(recording, ROBOT)
    assert len(whole) == len(model.requests) > 3
    for call, request in zip(whole, model.requests, strict=True):
        assert not isinstance(request.prompt, str)
        assert call.prompt == "\n\n".join(f"[{m.role}]\n{m.content}" for m in request.prompt)
        assert call.grammar
    assert sum(len(c.prompt) for c in written) <= len(whole[-1].prompt)
