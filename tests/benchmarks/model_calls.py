"""The cost of a model call to this process.

    python tests/benchmarks/model_calls.py

A robot plays the first tasks by `react`, beside a person, with a model that plans well. Then every
decision is made once more over HTTP, from the views that the robot was shown; another process
answers without delay. Prints the processor time of this process's event loop per decision (view,
prompt, grammar, call, parse, record), and of its parts.
"""

from __future__ import annotations

import asyncio
import json
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from itertools import pairwise, takewhile
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[2]))

from server.robots.baselines.scripted_people import ScriptedPerson
from server.robots.grammar import calls_of, vocabulary_of
from server.robots.models import ModelAnswer, ModelRequest
from server.robots.models.call_record import prompt_text
from server.robots.models.client import ModelClient
from server.robots.models.model_server import ModelServer
from server.robots.playing.policy_player import PolicyPlayer
from server.robots.playing.seat_options import SeatOptions
from server.robots.playing.thinkers import ChargedThinker
from server.robots.policies.react.policy import React
from server.robots.policy import Decision, Policy, PolicyView
from server.worker.unpaced_runner import run
from tests.robot_doubles.partnr import PartnrDouble
from tests.server.sessions.first_house_sessions import HUMAN, ROBOT, core_of, task

TASKS = (1, 2, 3, 4)
ROUNDS = 5
WARM_UP = 3
MAX_TICKS = 20_000


@dataclass
class Played:
    """An episode: the views, and what the model was asked and answered."""

    views: list[PolicyView] = field(default_factory=list)
    requests: list[ModelRequest] = field(default_factory=list)
    answers: list[str] = field(default_factory=list)


class Noting(Policy):
    """A policy and its model, written down."""

    def __init__(self, model: Any, played: Played) -> None:
        self.name = "react"
        self._model, self._played = model, played
        self._policy = React(self)

    async def complete(self, request: ModelRequest) -> ModelAnswer:
        answer: ModelAnswer = await self._model.complete(request)
        self._played.requests.append(request)
        self._played.answers.append(answer.text)
        return answer

    async def decide(self, view: PolicyView) -> Decision:
        self._played.views.append(view)
        return await self._policy.decide(view)

    def take_calls(self) -> Any:
        return self._policy.take_calls()


def play(number: int) -> Played:
    core, played, loop = core_of(task(number)), Played(), asyncio.new_event_loop()
    policy = Noting(PartnrDouble.for_tasks([core]), played)
    player = PolicyPlayer(ROBOT, policy, ChargedThinker(loop, 0.1), SeatOptions(max_decisions=60))
    run(core, [player, ScriptedPerson(HUMAN)], MAX_TICKS)
    loop.close()
    return played


async def decisions_s(played: Played, url: str) -> list[float]:
    """Processor seconds of each decision, made again."""
    took: list[float] = []
    async with ModelClient(ModelServer(url, model="double")) as model:
        for number in range(ROUNDS):
            policy = React(model)
            for view in played.views:
                begun = time.thread_time()
                seen = view.graph.copy()  # what a player does for each view
                await policy.decide(view)
                policy.take_calls()
                del seen
                if number or len(took) >= WARM_UP:
                    took.append(time.thread_time() - begun)
                else:
                    took.append(0.0)
    return took[WARM_UP:]


def seconds_of(work: Callable[[], object], times: int = 20) -> float:
    begun = time.thread_time()
    for _ in range(times):
        work()
    return (time.thread_time() - begun) / times


def shared(before: str, after: str) -> float:
    """Return how much of ``after`` is the start of ``before``."""
    same = takewhile(lambda pair: pair[0] == pair[1], zip(before, after, strict=False))
    return sum(1 for _ in same) / len(after)


def main() -> None:
    took: list[float] = []
    episodes = [play(number) for number in TASKS]
    for played in episodes:
        with tempfile.TemporaryDirectory() as folder:
            script = Path(folder) / "answers.json"
            script.write_text(json.dumps(played.answers))
            command = [sys.executable, "-m", "tests.model_double", f"script:{script}"]
            double = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
            assert double.stdout is not None
            url = double.stdout.readline().strip().partition("=")[2]
            took += asyncio.run(decisions_s(played, url))
            double.terminate()
            double.wait()
    views = [view for played in episodes for view in played.views]
    prompts = [[prompt_text(r) for r in played.requests] for played in episodes]
    alike = [shared(a, b) for texts in prompts for a, b in pairwise(texts)]
    print(f"{len(views)} decisions in {len(TASKS)} tasks, made {ROUNDS} times")
    print(
        f"prompt: median {statistics.median(len(t) for ts in prompts for t in ts):.0f} characters"
    )
    print(
        f"start shared with the prompt before: median {statistics.median(alike):.0%}, "
        f"least {min(alike):.0%}"
    )
    print(
        f"a decision: median {statistics.median(took) * 1e3:.2f} ms, "
        f"p95 {statistics.quantiles(took, n=20)[-1] * 1e3:.2f} ms   (to reach: <= 5 ms)"
    )
    largest = max(views, key=lambda view: len(view.graph.objects))
    tools = largest.tools
    print(
        f"of that, copying the graph for the view: {seconds_of(largest.graph.copy) * 1e3:.2f} ms; "
        f"a grammar never seen before: "
        f"{seconds_of(lambda: calls_of(tools, vocabulary_of(largest.graph.copy()))) * 1e3:.2f} ms"
    )


if __name__ == "__main__":
    main()
