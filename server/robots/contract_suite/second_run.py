"""Second run of a candidate with the recorded answers of a first one, here or in another process.

As a program it reads a `Script` as JSON and writes the run's `Outcome`.
"""

from __future__ import annotations

import asyncio
import os
import subprocess
import sys
from typing import Any

import msgspec

from episodes.dataset import Task
from server.robots.contract_suite.candidate import Candidate
from server.robots.contract_suite.models import Exchange, RecordedModel, RecordingModel
from server.robots.contract_suite.sessions import Session, new_core
from server.robots.playing.thinkers import ChargedThinker

LATENCY_S = 0.2
LONGEST_S = 240.0
"""Seconds after which a run in another process is given up."""


class Script(msgspec.Struct, frozen=True, kw_only=True):
    """Script that a run is made from."""

    name: str
    seat: str
    seed: int
    ticks: int
    task: Task | None = None
    exchanges: list[Exchange] | None = None
    """Exchanges with a model: what it was asked and answered; None: the policy asks none."""


class Outcome(msgspec.Struct, frozen=True):
    """Result of a run: its trace, and the first prompt that was not the recorded one."""

    trace: list[Any]
    other_prompt: str = ""


def first_run(candidate: Candidate, seat: str, ticks: int) -> tuple[Script, Outcome]:
    """Play with the candidate's own model, whose answers are recorded."""
    core = new_core(candidate)
    model = None if candidate.model is None else RecordingModel(candidate.model(core))
    loop = asyncio.new_event_loop()
    try:
        thinker = ChargedThinker(loop, LATENCY_S)
        session = Session(candidate, seat, thinker, model=model, core=core).play(ticks)
        session.close()
    finally:
        loop.close()
    script = Script(
        name=candidate.name,
        seat=seat,
        seed=candidate.seed,
        ticks=ticks,
        task=candidate.task,
        exchanges=None if model is None else model.exchanges,
    )
    return script, _as_read(Outcome(session.trace()))


def run_here(script: Script) -> Outcome:
    """Play again in this process."""
    model = None if script.exchanges is None else RecordedModel(script.exchanges)
    candidate = Candidate(script.name, seed=script.seed, task=script.task)
    loop = asyncio.new_event_loop()
    try:
        thinker = ChargedThinker(loop, LATENCY_S)
        session = Session(candidate, script.seat, thinker, model=model).play(script.ticks)
        session.close()
    finally:
        loop.close()
    return _as_read(Outcome(session.trace(), "" if model is None else model.differs))


def run_elsewhere(script: Script, hash_seed: int) -> Outcome:
    """Play again in another process, whose sets and hashes of texts differ."""
    paths = [path for path in sys.path if path]
    environment = {
        **os.environ,
        "PYTHONPATH": os.pathsep.join(paths),
        "PYTHONHASHSEED": str(hash_seed),
    }
    done = subprocess.run(  # noqa: S603
        [sys.executable, "-m", __name__],
        input=msgspec.json.encode(script),
        env=environment,
        capture_output=True,
        timeout=LONGEST_S,
        check=False,
    )
    assert done.returncode == 0, done.stderr.decode(errors="replace")
    return msgspec.json.decode(done.stdout.splitlines()[-1], type=Outcome)


def _as_read(outcome: Outcome) -> Outcome:
    """Return an outcome as it is once it was written as JSON and read."""
    return msgspec.json.decode(msgspec.json.encode(outcome), type=Outcome)


def main() -> None:
    """Play a script from the standard input."""
    script = msgspec.json.decode(sys.stdin.buffer.read(), type=Script)
    # What the policy prints stands on lines of its own.
    sys.stdout.buffer.write(b"\n" + msgspec.json.encode(run_here(script)) + b"\n")


if __name__ == "__main__":
    main()
