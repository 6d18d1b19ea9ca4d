"""Logs of people whose words are sealed: they fold the same once somebody is forgotten."""

from __future__ import annotations

import io
from collections.abc import Iterator
from pathlib import Path

import pytest

from server.personal import process_keys
from server.personal.key_folder import ForgottenError, KeyFolder
from server.personal.process_keys import use_keys
from server.personal.sealing import FORGOTTEN
from server.recording.line_sealing import LineSealer
from server.recording.log_checksums import verify
from server.recording.log_records import ModelCalled, SkillEnded
from server.recording.log_writer import LogWriter
from server.recording.model_calls import model_calls_of
from server.recording.prompt_deduplication import LEAST_CHARS
from server.recording.recordings import Recording, read_recording
from server.recording.replay import fold_all, recorded_play, rescore, resume
from server.robots.baselines.ghost import part_of
from server.sessions.core import SessionCore
from server.sessions.intents import Intent, Ready, Say
from server.sessions.policy_records import CallRecord, SkillRecord
from server.sessions.spec import TICK_S
from tests.server.sessions.first_house_sessions import HUMAN, ROBOT, core_of, simulator

ANN, BEN = "par_ann", "par_ben"
HERS, HIS = "my name is Ann Marker-One", "and mine is Ben Marker-Two"
START = "You are a robot. " * (LEAST_CHARS // 10)


@pytest.fixture
def keys(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[KeyFolder]:
    monkeypatch.setattr(process_keys._Process, "keys", None)
    monkeypatch.delenv(process_keys.VARIABLE, raising=False)
    yield use_keys(tmp_path / "keys")
    # What it set is put back with the rest.
    monkeypatch.setenv(process_keys.VARIABLE, "")


def call_of(prompt: str, completion: str) -> CallRecord:
    """Return a model call as a policy makes it."""
    import hashlib

    return CallRecord(
        purpose="act",
        model="m",
        prompt=prompt,
        prompt_sha256=hashlib.sha256(prompt.encode()).hexdigest(),
        completion=completion,
        parsed=completion,
        parameters={},
        seat=ROBOT,
    )


class Game:
    """A session of two people with a log, tick by tick."""

    def __init__(self, path: Path, sealer: LineSealer | None) -> None:
        self.core: SessionCore = core_of()
        self.path = path
        self.log = LogWriter(path.open("wb", 0), sealer=sealer)
        self.log.open_episode(self.core, 0.0)

    def say(self, *wishes: tuple[str, Intent]) -> None:
        for seat, intent in wishes:
            self.core.submit(seat, intent)
        self.log.write(self.core, self.core.step(), self.core.tick * TICK_S)

    def play(self) -> None:
        """Have both talk, and a model asked before and after that."""
        self.say((HUMAN, Ready()), (ROBOT, Ready()))
        now = 1.0
        self.log.model_calls(self.core, [call_of(START, "Wait[]")], now)
        self.say((HUMAN, Say(HERS)))
        self.log.model_calls(self.core, [call_of(f"{START}\n{HERS}", f"Say[hello, {HERS}]")], now)
        self.say((ROBOT, Say(HIS)))
        self.log.model_calls(self.core, [call_of(f"{START}\n{HERS}\n{HIS}", "Done[]")], now)
        skills = [
            SkillRecord(seat=ROBOT, call=f"Say[{HIS}]", response="said", began=1, ended=2),
            SkillRecord(seat=ROBOT, call="Pick[cup_0]", response="done", began=1, ended=2),
        ]
        self.log.skills(self.core, skills, now)
        for _ in range(30):
            self.say()
        self.log.flush(now)

    def recording(self) -> Recording:
        (found,) = read_recording(self.path)
        return found

    def chat(self) -> list[str]:
        found = self.recording()
        return [line.text for line in fold_all(found.header, found.lines).state.chat]

    def prompts(self) -> list[str]:
        return [call.prompt for call in model_calls_of(self.recording())]


@pytest.fixture
def game(tmp_path: Path, keys: KeyFolder) -> Game:
    for person in (ANN, BEN):
        keys.made_key(person)
    made = Game(tmp_path / "ses_1.jsonl", LineSealer(keys, {HUMAN: ANN, ROBOT: BEN}))
    made.play()
    return made


def test_words_are_in_no_file_and_are_read_where_the_keys_are(game: Game) -> None:
    data = game.path.read_bytes()
    for marker in (b"Marker-One", b"Marker-Two"):
        assert marker not in data
    assert game.chat() == [HERS, HIS]
    assert game.chat() == [line.text for line in game.core.chat]
    assert game.prompts() == [START, f"{START}\n{HERS}", f"{START}\n{HERS}\n{HIS}"]
    assert b"You are a robot." in data, "before anybody speaks there is nobody to quote"
    assert b"Pick[cup_0]" in data, "a call that names things alone quotes nobody"
    skills = [x.skill.call for x in game.recording().decoded() if isinstance(x, SkillEnded)]
    assert skills == [f"Say[{HIS}]", "Pick[cup_0]"]


def test_a_log_folds_to_the_same_once_somebody_is_forgotten(game: Game, keys: KeyFolder) -> None:
    data = game.path.read_bytes()
    found = game.recording()
    before = fold_all(found.header, found.lines)
    verdict, count = rescore(data), recorded_play(verify(data))
    hashes = [call.prompt_sha256 for call in model_calls_of(found)]
    keys.forget(ANN, 1.0)
    found = game.recording()
    after = fold_all(found.header, found.lines)
    assert after.state.world.digest() == before.state.world.digest()
    assert after.state.seats == before.state.seats
    assert [(line.tick, line.seat) for line in after.state.chat] == [
        (line.tick, line.seat) for line in before.state.chat
    ]
    assert (rescore(data), recorded_play(verify(data))) == (verdict, count)
    assert game.path.read_bytes() == data, "nothing is written again, so checksums are right"
    assert not verify(data).rest
    assert game.chat() == [FORGOTTEN, HIS], "what the partner said stays"
    assert game.prompts() == [START, "", ""], "what quoted her is gone, also beside what he said"
    assert [call.prompt_sha256 for call in model_calls_of(found)] == hashes
    completions = [x.call.completion for x in found.decoded() if isinstance(x, ModelCalled)]
    assert completions == ["Wait[]", FORGOTTEN, FORGOTTEN]
    said = [i for intents in part_of(found, HUMAN).intents.values() for i in intents]
    assert not any(isinstance(i, Say) for i in said), "a ghost does not say that it is forgotten"
    assert HIS in str(part_of(found, ROBOT).intents)


def test_a_session_goes_on_from_a_sealed_log(game: Game, keys: KeyFolder) -> None:
    game.log.close(2.0)
    sealer = LineSealer(keys, {HUMAN: ANN, ROBOT: BEN}, [ANN, BEN])
    core, log, _ = resume(game.path, simulator, now=3.0, sealer=sealer)
    assert [line.text for line in core.chat] == [HERS, HIS]
    core.submit(HUMAN, Say("Marker-Three"))
    log.write(core, core.step(), 4.0)
    log.close(5.0)
    assert b"Marker-Three" not in game.path.read_bytes()
    assert game.chat() == [HERS, HIS, "Marker-Three"]


def test_nobody_plays_on_who_was_forgotten(keys: KeyFolder) -> None:
    keys.forget(ANN, 1.0)
    with pytest.raises(ForgottenError, match=ANN):
        LineSealer(keys, {HUMAN: ANN})


def test_without_keys_words_are_written_as_they_are(tmp_path: Path, keys: KeyFolder) -> None:
    plain = Game(tmp_path / "ses_2.jsonl", None)
    plain.play()
    assert HERS.encode() in plain.path.read_bytes()
    assert plain.chat() == [HERS, HIS]
    writer = io.BytesIO()
    LogWriter(writer).open_episode(core_of(), 0.0)
    assert list(keys.path.parent.glob("keys/*")) == []
