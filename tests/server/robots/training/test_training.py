"""Training samples and traces for retrieval, made from a recorded session."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import msgspec
import pytest
from typer.testing import CliRunner, Result

from episodes.seats import PAIR
from server.cli.robots import app as robots
from server.recording.log_writer import LogWriter
from server.recording.recordings import Recording, RecordingError, read_recording
from server.robots.grammar.calls import DONE
from server.robots.playing.policy_player import PolicyPlayer
from server.robots.playing.seat_options import SeatOptions
from server.robots.playing.thinkers import ChargedThinker
from server.robots.policies.finetuned.policy import Finetuned
from server.robots.policies.react.policy import React
from server.robots.policies.shared.retrieval import Library
from server.robots.policy import Policy
from server.robots.training.rerun import rerun
from server.robots.training.samples import Rules, Sample, calls_in, lines_of, samples_of, skills_in
from server.robots.training.traces import traces_of
from server.sessions.player import Player
from server.sessions.spec import Ending, SeatSpec
from server.skills import SUCCESS
from server.worker.unpaced_runner import run
from tests.robot_doubles.partnr import PartnrDouble
from tests.server.robots.passive_person import passive_person
from tests.server.sessions.first_house_sessions import ROBOT, core_of, simulator, task

TASK = 1
PART = Rules(percent=0.01)


def recorded(
    path: Path, name: str, *, early: bool = False, time_limit_s: float | None = None, **spec: Any
) -> Recording:
    """Record a robot with a good model beside a person who leaves the carrying to it.

    With ``early`` it decides while its calls run.
    """
    seats = tuple(
        SeatSpec(s, True, name if s.kind == "robot" else "scripted:passive") for s in PAIR
    )
    core = core_of(task(TASK), seats=seats, time_limit_s=time_limit_s, **spec)
    model = PartnrDouble.for_tasks([core])
    policy: Policy = Finetuned(model) if name == "finetuned" else React(model)
    loop = asyncio.new_event_loop()
    try:
        players: list[Player] = [
            PolicyPlayer(ROBOT, policy, ChargedThinker(loop, 0.5), SeatOptions(prefetch=early)),
            passive_person(),
        ]
        with path.open("wb") as file:
            log = LogWriter(file)
            log.open_episode(core, 0.0)
            result = run(core, players, 9000, log=log)
            log.close(1000.0)
    finally:
        loop.close()
    assert result is not None
    assert result.verdict.success == (time_limit_s is None)
    return read_recording(path)[0]


@pytest.fixture(scope="module")
def of_react(tmp_path_factory: pytest.TempPathFactory) -> Recording:
    return recorded(tmp_path_factory.mktemp("react") / "ses_1.jsonl", "react")


@pytest.fixture(scope="module")
def of_finetuned(tmp_path_factory: pytest.TempPathFactory) -> Recording:
    return recorded(tmp_path_factory.mktemp("finetuned") / "ses_1.jsonl", "finetuned")


def test_a_sample_is_what_the_finetuned_planner_is_asked(of_finetuned: Recording) -> None:
    """Samples come from the log alone, and yet are the very prompts that were sent."""
    samples = samples_of(of_finetuned, simulator)
    asked = {call.asked_tick: call.prompt for call in calls_in(of_finetuned, ROBOT)}
    assert len(samples) > 3
    for sample in samples[:-1]:
        assert sample.prompt == asked[sample.tick]


def test_what_was_decided_early_is_learned_of_things_as_they_were_then(tmp_path: Path) -> None:
    """The call that ended the episode is not forgotten either."""
    of = recorded(tmp_path / "ses_1.jsonl", "finetuned", early=True, ending=Ending(on_success=True))
    assert any(c.prefetched and c.applied_tick is not None for c in calls_in(of, ROBOT))
    samples = samples_of(of, simulator)
    calls = [sample.completion.removesuffix("<end_act>") for sample in samples]
    done = list(skills_in(of, ROBOT))
    went_well = [n for n, skill in enumerate(done) if skill.response == SUCCESS]
    assert calls == [done[n].call for n in went_well] + [DONE]
    assert "Rearrange" in calls[-2]
    # What went wrong in between is told, and is nothing to learn.
    right_after = [
        after for after, n in enumerate(went_well, 1) if n + 1 in {*went_well, len(done)}
    ]
    assert len(right_after) > 3
    for after in right_after:
        call = calls[after - 1]
        last = f"Agent_Action: {call}\nAction Result: {SUCCESS}\n\nNext Agent_Action:"
        assert last in samples[after].prompt


def test_nobody_learns_to_stop_before_the_end(tmp_path: Path, of_react: Recording) -> None:
    of = recorded(tmp_path / "ses_1.jsonl", "react", time_limit_s=155.0)
    assert of.result is not None
    assert 0.0 < (of.result.verdict.percent_complete or 0.0) < 1.0
    assert samples_of(of, simulator) == []
    calls = [s.completion.removesuffix("<end_act>") for s in samples_of(of, simulator, PART)]
    assert calls == [s.call for s in skills_in(of, ROBOT) if s.response == SUCCESS]
    # Where a part is enough, what came after that part is still learned if more was reached.
    assert samples_of(of_react, simulator, PART) == samples_of(of_react, simulator)


def test_only_what_a_policy_did(of_react: Recording, of_finetuned: Recording) -> None:
    assert samples_of(of_react, simulator, Rules(policy="finetuned")) == []
    assert len(samples_of(of_finetuned, simulator, Rules(policy="finetuned"))) > 3
    # The example is the one with thoughts, though it is the longer of the two.
    (trace,) = traces_of([of_finetuned, of_react])
    assert trace.text.startswith("Thought: ")
    (bare,) = traces_of([of_finetuned, of_react], policy="finetuned")
    assert "Thought: " not in bare.text


def test_only_successful_calls_up_to_success_and_then_done(of_react: Recording) -> None:
    samples = samples_of(of_react, simulator)
    succeeded = [s.call for s in skills_in(of_react, ROBOT) if s.response == SUCCESS]
    calls = [sample.completion.removesuffix("<end_act>") for sample in samples]
    assert calls[-1] == DONE
    assert calls[:-1] == succeeded[: len(calls) - 1]
    assert DONE not in calls[:-1]
    # The last call is what made it a success: nothing of what came after it is learned from.
    assert samples[-1].prompt.endswith("Next Agent_Action:<|reserved_special_token_0|>")
    assert f"Agent_Action: {calls[-2]}\nAction Result: {SUCCESS}" in samples[-1].prompt


def test_what_was_not_achieved_or_not_a_robots_is_left_out(of_react: Recording) -> None:
    assert samples_of(of_react, simulator, Rules(kind="human")) == []
    failed = of_react._replace(result=None)
    assert samples_of(failed, simulator) == []


def test_an_episode_in_another_house_is_refused(of_react: Recording) -> None:

    header = msgspec.structs.replace(of_react.header, scene_digest="0" * 64)
    with pytest.raises(RecordingError, match="has been built anew"):
        list(rerun(of_react._replace(header=header), simulator))


def test_traces_have_thoughts_calls_and_results(of_react: Recording, tmp_path: Path) -> None:
    (trace,) = traces_of([of_react, of_react])
    assert trace.instruction == task(TASK).instruction
    lines = trace.text.splitlines()
    assert lines[0].startswith("Thought: ")
    assert lines[-2:] == [DONE, "Assigned!"]
    assert lines.count("Assigned!") == len(skills_in(of_react, ROBOT)) + 1
    library = Library([trace])
    library.write(tmp_path / "traces.json")
    again = Library.read(tmp_path / "traces.json")
    assert again.traces == library.traces
    assert again.digest == library.digest
    with pytest.raises(FileExistsError):
        library.write(tmp_path / "traces.json")


def test_samples_are_plain_lines(of_react: Recording) -> None:

    samples = samples_of(of_react, simulator)
    lines = b"".join(lines_of(samples)).splitlines()
    assert [msgspec.json.decode(line, type=Sample) for line in lines] == samples


def run_command(*words: str) -> Result:
    return CliRunner(env={"COLUMNS": "400"}).invoke(robots, list(words))


def test_the_command_writes_the_training_set(
    of_react: Recording, houses_dir: Path, tmp_path: Path
) -> None:
    out = tmp_path / "sft.jsonl"
    words = ["export-sft", str(of_react.path), "--out", str(out), "--data-dir", str(houses_dir)]
    done = run_command(*words)
    assert done.exit_code == 0, done.output
    samples = [msgspec.json.decode(line, type=Sample) for line in out.read_bytes().splitlines()]
    assert samples == samples_of(of_react, simulator)
    assert f"{len(samples)} samples of 1 episodes" in done.output
    # It never overwrites, and leaves nothing behind where there is nothing to learn from.
    again = run_command(*words)
    assert again.exit_code == 2
    assert "File exists" in again.output
    none = tmp_path / "none.jsonl"
    found = run_command(*words[:3], str(none), *words[4:], "--seat", "human")
    assert found.exit_code == 2
    assert "no episode here has a success of a policy in that seat" in found.output
    assert not none.exists()


def test_the_command_writes_the_library(of_react: Recording, tmp_path: Path) -> None:
    out = tmp_path / "traces.json"
    done = run_command("traces", str(of_react.path.parent), "--out", str(out))
    assert done.exit_code == 0, done.output
    assert f"1 traces in {out}, sha256 {Library.read(out).digest}" in done.output
    assert run_command("traces", str(of_react.path), "--out", str(out)).exit_code == 2
    nobody = run_command("traces", str(of_react.path), "--out", str(out), "--seat", "cat")
    assert "expected robot or human, got 'cat'" in nobody.output
