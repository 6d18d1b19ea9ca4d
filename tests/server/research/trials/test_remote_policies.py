"""Trials of policies that live elsewhere: the program of the docs, and such that misbehave."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from websockets.exceptions import ConnectionClosed, InvalidStatus
from websockets.sync.client import ClientConnection, connect

from server.recording.model_calls import model_calls_of
from server.recording.recordings import read_recording
from server.recording.rescoring import score_recording
from server.research.trials.plan import Trial, TrialError, runs_of
from server.research.trials.policy_listener import Address, PolicyListener
from server.research.trials.readiness import check_ready, remote_policies
from server.research.trials.runs import Done, Place, play
from server.robots.policy_spec import RobotError
from server.robots.registry.registry import lookup
from server.web.tokens import Tokens
from tests.patience import PATIENCE_S

pytestmark = pytest.mark.processes

ROOT = Path(__file__).parents[4]
TOKENS = Tokens("k" * 40)
TRIAL = Trial(
    teams=("robot=remote:mine",),
    dataset="tasks/first.json.gz",
    tasks=("2",),
    latency_s=0.0,
    max_ticks=3000,
)
Decide = Callable[[dict[str, Any]], dict[str, Any] | None]


@pytest.fixture
def listener() -> Iterator[PolicyListener]:
    with PolicyListener(Address.parse("127.0.0.1:0"), PATIENCE_S, TOKENS.read_policy) as listening:
        yield listening


def hello(socket: ClientConnection, name: str = "mine") -> None:
    socket.send(json.dumps({"type": "hello", "version": 1, "token": TOKENS.sign_policy(name)}))
    assert json.loads(socket.recv())["type"] == "welcome"


class Program:
    """A program that decides with ``decide`` (None: it hangs up), and what it was told."""

    def __init__(self, url: str, decide: Decide) -> None:
        self.told: list[dict[str, Any]] = []
        self.is_over = threading.Event()
        """Whether it has been told that the episode is over, or is told nothing any more."""
        self._decide = decide
        self._socket = connect(url)
        hello(self._socket)
        self._thread = threading.Thread(target=self._run)
        self._thread.start()

    def _run(self) -> None:
        try:
            for text in self._socket:
                message = json.loads(text)
                self.told.append(message)
                if message["type"] == "over":
                    self.is_over.set()
                if message["type"] == "decide":
                    answer = self._decide(message["view"])
                    if answer is None:
                        self._socket.close()
                        return
                    about = {"type": "decision", "id": message["id"]}
                    self._socket.send(json.dumps(about | answer))
        except ConnectionClosed:
            return
        finally:
            self.is_over.set()

    def close(self) -> None:
        self._socket.close()
        self._thread.join()


def played(
    houses_dir: Path, tmp_path: Path, listener: PolicyListener, decide: Decide
) -> tuple[Done, list[dict[str, Any]], Path]:
    place = Place(houses_dir, tmp_path, remote_policies=listener.path)
    program = Program(listener.url, decide)
    try:
        (run,) = runs_of(TRIAL)
        done = play(place, TRIAL, run)
        assert program.is_over.wait(PATIENCE_S)
        return done, program.told, place.recording(run)
    finally:
        program.close()


def test_the_program_of_the_docs_plays_to_a_verdict(houses_dir: Path, tmp_path: Path) -> None:
    page = (ROOT / "docs" / "policies" / "remote.md").read_text()
    (code,) = re.findall(r"^```js\n(.*?)^```$", page, re.M | re.S)
    assert len(code.splitlines()) <= 35
    (tmp_path / "fetch.mjs").write_text(code)
    node = shutil.which("node")
    assert node is not None, "expected node, with which the client is built"
    trial = Trial(
        teams=("human=scripted,robot=remote:fetch",),
        dataset="tasks/first.json.gz",
        tasks=("2",),
        latency_s=0.0,
    )
    name_of = TOKENS.read_policy
    with PolicyListener(Address.parse("127.0.0.1:0"), PATIENCE_S, name_of) as listener:
        place = Place(houses_dir, tmp_path, remote_policies=listener.path)
        check_ready(place, trial, runs_of(trial))
        program = subprocess.Popen(
            [
                node,
                "--experimental-websocket",
                "fetch.mjs",
                listener.url,
                TOKENS.sign_policy("fetch"),
            ],
            cwd=tmp_path,
            env={**os.environ, "NODE_NO_WARNINGS": "1"},
        )
        try:
            listener.wait_for(remote_policies(trial), PATIENCE_S)
            (run,) = runs_of(trial)
            done = play(place, trial, run)
        finally:
            program.kill()
            program.wait()
    assert done.failing == ()
    (recording,) = read_recording(place.recording(run))
    scored = score_recording(recording)
    assert scored.comparable
    assert scored.differences() == []
    calls = [call for call in model_calls_of(recording) if call.model == "remote:fetch"]
    assert calls
    assert {call.error for call in calls} == {""}
    assert json.loads(calls[0].prompt)["instruction"] == recording.header.task.instruction
    assert any(call.parsed.startswith("Explore[") for call in calls)


def test_it_is_told_refusals_like_any_policy_and_the_end(
    houses_dir: Path, tmp_path: Path, listener: PolicyListener
) -> None:
    def decide(view: dict[str, Any]) -> dict[str, Any]:
        tries = ["Fly[moon]", "Pick[cup_99]", "Navigate[" + view["rooms"][0]["name"] + "]"]
        count = len(view["history"])
        return {"do": tries[count]} if count < len(tries) else {"finished": True}

    done, told, _ = played(houses_dir, tmp_path, listener, decide)
    assert done.success is False
    assert done.failing == ()
    last = [message["view"] for message in told if message["type"] == "decide"][-1]
    responses = [past["response"] for past in last["history"]]
    assert responses[0].startswith("Unexpected failure!") or "Fly" in responses[0]
    assert "cup_99" in responses[1]
    assert responses[2].startswith("Success")
    game = told[0]["game"]
    assert told[-1] == {"type": "over", "game": game, "seat": "robot_0"}


def test_answers_that_are_none_are_refused_and_it_is_asked_again(
    houses_dir: Path, tmp_path: Path, listener: PolicyListener
) -> None:
    answers: Iterator[dict[str, Any]] = iter([{}, {"do": "Wait[]", "say": "x"}, {"finished": True}])
    done, told, _ = played(houses_dir, tmp_path, listener, lambda view: next(answers))
    (failing,) = done.failing
    assert (failing.policy, failing.times) == ("remote:mine", 2)
    assert "expected one of do, say, pause_s, finished" in failing.last
    kinds = [message["type"] for message in told]
    assert kinds == ["decide", "refused", "decide", "refused", "decide", "over"]


def test_a_run_without_the_policy_is_not_recorded(
    houses_dir: Path, tmp_path: Path, listener: PolicyListener
) -> None:
    with pytest.raises(TrialError, match=r"a remote policy is not there: .*is connected"):
        played(houses_dir, tmp_path, listener, lambda view: None)
    assert list((tmp_path / "recordings").iterdir()) == []


def test_a_trial_says_who_has_not_come(listener: PolicyListener) -> None:
    with pytest.raises(TrialError, match=r"expected remote policies mine to connect to ws://.* "):
        listener.wait_for(remote_policies(TRIAL), within_s=0.0)


@pytest.mark.parametrize("text", ["8765", "localhost:", "localhost:x", ":1", "h:70000"])
def test_an_address_that_is_none_is_told(text: str) -> None:
    with pytest.raises(TrialError, match="expected --listen HOST:PORT"):
        Address.parse(text)


def test_a_port_that_is_taken_is_told(listener: PolicyListener) -> None:
    taken = Address("127.0.0.1", listener.port)
    with (
        pytest.raises(TrialError, match=f"cannot listen at 127.0.0.1:{listener.port}"),
        PolicyListener(taken, 1.0, str),
    ):
        pass


@pytest.mark.parametrize(
    ("first", "code", "told"),
    [
        ("{", 4002, "expected a hello or a decision"),
        ({"type": "decision", "id": "1"}, 4401, "the first message must be a hello"),
        ({"type": "hello", "version": 2, "token": ""}, 4426, "expected version 1, got 2"),
        ({"type": "hello", "version": 1, "token": ""}, 4401, "the token is not valid"),
        (
            {"type": "hello", "version": 1, "token": Tokens("another key" * 4).sign_policy("mine")},
            4401,
            "the token is not valid",
        ),
    ],
)
def test_who_says_no_good_hello_is_sent_away(
    listener: PolicyListener, first: str | dict[str, Any], code: int, told: str
) -> None:
    with connect(listener.url) as socket:
        socket.send(first if isinstance(first, str) else json.dumps(first))
        with pytest.raises(ConnectionClosed) as closed:
            socket.recv(timeout=PATIENCE_S)
    assert closed.value.rcvd is not None
    assert closed.value.rcvd.code == code
    assert told in closed.value.rcvd.reason


def test_a_page_of_a_browser_is_refused(listener: PolicyListener) -> None:
    with pytest.raises(InvalidStatus) as refused:
        connect(listener.url, origin="http://127.0.0.1:8000")  # type: ignore[arg-type]
    assert refused.value.response.status_code == 403


@pytest.mark.parametrize("name", ["remote:", "remote:Mine", "remote:a/b", "remote:" + "x" * 25])
def test_a_name_that_is_none_is_told(name: str) -> None:
    with pytest.raises(RobotError, match="expected remote:NAME"):
        lookup(name)


def test_where_nothing_listens_it_is_said_before_anything_starts(
    houses_dir: Path, tmp_path: Path
) -> None:
    with pytest.raises(TrialError, match="needs somewhere to connect to"):
        check_ready(Place(houses_dir, tmp_path), TRIAL, runs_of(TRIAL))
