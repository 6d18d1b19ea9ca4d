"""A comparison of policies with a model that plans well.

    python tests/benchmarks/robots.py --data-dir DIR

Every policy plays the first tasks of a set (`cohabit tasks build validation --count 20`) beside a
scripted person who does only what a robot cannot, and one thing more whenever nothing has happened
for a minute; each decision is charged one second. Prints success, percent complete, the robot's
share of what was brought about, steps, planning cycles (model calls), tokens per call, our own
processor time per call and per decision (view, prompt, grammar, parse, record; not the model's,
not HTTP's), how much of a prompt is the start of the one before, and which tasks were not solved
and why.
"""

from __future__ import annotations

import argparse
import asyncio
import multiprocessing
import statistics
import sys
import tempfile
import time
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import Any, NamedTuple

sys.path.insert(0, str(Path(__file__).parents[2]))

from episodes.dataset import Task, read_dataset
from episodes.metrics import Interval
from episodes.metrics.intervals import clopper_pearson
from episodes.seats import PAIR
from server.recording.log_writer import LogWriter
from server.recording.prompt_deduplication import shared_chars
from server.recording.recordings import read_recording
from server.robots.models import Completes, ModelAnswer, ModelRequest
from server.robots.models.call_record import prompt_text
from server.robots.playing.policy_player import PolicyPlayer
from server.robots.playing.thinkers import ChargedThinker
from server.robots.policies.shared.retrieval import Library
from server.robots.policy_spec import PlayerOptions
from server.robots.registry.registry import make_player
from server.robots.training.traces import traces_of
from server.sessions.core import SessionCore
from server.sessions.player import Player
from server.sessions.spec import TICK_S, Ending, EpisodeSpec, SeatSpec, SessionSpec
from server.simulators.contract import Simulator
from server.simulators.household import HouseholdSimulator, HouseLibrary
from server.worker.unpaced_runner import run
from tests.robot_doubles.cohab import CohabDouble
from tests.robot_doubles.helper import HelperDouble
from tests.robot_doubles.llamar import LlamarDouble
from tests.robot_doubles.partnr import PartnrDouble
from tests.server.sessions.first_house_sessions import HUMAN, ROBOT, task
from tests.server.sessions.first_house_sessions import simulator as first_house

POLICIES = (
    "expert", "random", "react", "react:partnr-decentralised", "react:partnr-centralised",
    "react:partnr-tools", "react-rag:library={library}", "finetuned", "helper", "cohab",
    "llamar", "llamar:paper", "llamar:paper-centralised",
)  # fmt: skip
MAY_FAIL = ("random",)
SHORT = ("llamar:paper", "llamar:paper-centralised")
"""Policies with the paper's 30 decisions: too few to look into everything for some of the tasks."""
PARTNER = "scripted:passive,helps_after_s=60,patience_s=900"
LATENCY_S = 1.0
MAX_TICKS = 20_000


class Played(NamedTuple):
    """An episode that was played.

    ``own_s`` is processor time; ``shared`` has a share for each prompt that follows another of the
    same seat.
    """

    policy: str
    task_id: str
    task_type: str
    success: bool
    percent: float
    share: float
    """Share of the propositions that the robot brought about."""
    steps: int
    decisions: int
    calls: int
    tokens: int
    own_s: float
    shared: tuple[float, ...]
    why: str


class Noted:
    """A model, with what it is asked and how long it takes."""

    def __init__(self, model: Completes) -> None:
        self._model = model
        self.requests: list[ModelRequest] = []
        self.answers: list[ModelAnswer] = []
        self.took_s = 0.0

    async def complete(self, request: ModelRequest) -> ModelAnswer:
        begun = time.thread_time()
        answer = await self._model.complete(request)
        self.took_s += time.thread_time() - begun
        self.requests.append(request)
        self.answers.append(answer)
        return answer


def double_for(policy: str, core: SessionCore) -> Completes:
    """Return a double that plans well and answers in the format of a policy."""
    match policy.partition(":")[0]:
        case "cohab":
            return CohabDouble(core)
        case "helper":
            return HelperDouble.for_tasks([core])
        case "llamar" | "llamar-oracle":
            return LlamarDouble.for_tasks([core])
    return PartnrDouble.for_tasks([core])


def core_of_seats(task: Task, simulator: Simulator, names: dict[str, str]) -> SessionCore:
    seats = tuple(SeatSpec(s, True, names[s.seat_id]) for s in PAIR)
    spec = SessionSpec("ses_1", seats, 1, finish_wait_s=0.0, ending=Ending(on_success=True))
    return SessionCore(spec, EpisodeSpec("epi_1", "tasks", task.task_id), task, simulator)


def play(
    task: Task, make_simulator: Callable[[], Simulator], policy: str, partner: str = PARTNER
) -> Played:
    """Play one policy at one task; a model for both seats has no other partner."""
    names = {ROBOT: policy, HUMAN: policy if "-centralised" in policy else partner}
    core = core_of_seats(task, make_simulator(), names)
    loop = asyncio.new_event_loop()
    model = Noted(double_for(policy, core))
    making = PlayerOptions(ChargedThinker(loop, LATENCY_S), model)
    players: list[Player] = [make_player(name, seat, making) for seat, name in names.items()]
    deciding = [_timed(p) for p in players if isinstance(p, PolicyPlayer)]
    result = run(core, players, MAX_TICKS)
    loop.close()
    verdict = core.verdict() if result is None else result.verdict
    prompts = [prompt_text(r) for r in model.requests]
    return Played(
        policy,
        task.task_id,
        task.info["cohabit"]["task_type"],
        bool(verdict.success),
        verdict.percent_complete or 0.0,
        statistics.mean(p.by_seat == ROBOT for p in verdict.propositions),
        core.tick,
        sum(p.decisions for p in players if isinstance(p, PolicyPlayer)),
        len(prompts),
        sum((a.prompt_tokens or 0) + (a.completion_tokens or 0) for a in model.answers),
        sum(took() for took in deciding) - model.took_s,
        tuple(_shared_starts(model.requests)),
        verdict.explanation,
    )


def _shared_starts(requests: Sequence[ModelRequest]) -> Iterable[float]:
    """Return the share of each prompt that follows one of the same purpose.

    A server's cache keeps several.
    """
    prompts: dict[str, list[str]] = {}
    for request in requests:
        prompts.setdefault(request.purpose, []).append(prompt_text(request))
    for same in prompts.values():
        yield from (shared_chars(a, b) / len(b) for a, b in pairwise(same))


def _timed(player: Any) -> Callable[[], float]:
    """Measure what a player's decisions take of this thread, its view included."""
    ask, took = player._ask, [0.0]

    def timed(core: SessionCore) -> None:
        begun = time.thread_time()
        ask(core)
        took[0] += time.thread_time() - begun

    player._ask = timed
    return lambda: took[0]


def write_library(path: Path) -> None:
    """Traces of `react` for `react-rag`, recorded in another house."""
    names = {ROBOT: "react", HUMAN: PARTNER}
    core = core_of_seats(task(1), first_house(), names)
    loop = asyncio.new_event_loop()
    making = PlayerOptions(ChargedThinker(loop, LATENCY_S), double_for("react", core))
    recording = path.with_suffix(".jsonl")
    with recording.open("wb") as file:
        log = LogWriter(file)
        log.open_episode(core, 0.0)
        players = [make_player(name, seat, making) for seat, name in names.items()]
        run(core, players, MAX_TICKS, log=log)
        log.close(core.tick * TICK_S)
    loop.close()
    Library(traces_of(read_recording(recording))).write(path)


@cache
def _house_library(data_dir: Path) -> HouseLibrary:
    return HouseLibrary(data_dir)


def _play_in(data_dir: Path, task: Task, policy: str, partner: str) -> Played:
    return play(task, lambda: HouseholdSimulator(_house_library(data_dir)), policy, partner)


def table(played: Sequence[Played]) -> Iterable[str]:
    """Return a line per policy, in the order in which they come."""
    yield (
        f"{'policy':30} {'solved':>8} {'95 %':>13} {'complete':>8} {'robot':>6} {'steps':>6} "
        f"{'cycles':>6} {'tokens/call':>11} {'own ms/call':>11} "
        f"{'/decision':>9} {'shared start':>12}"
    )
    for policy in dict.fromkeys(p.policy for p in played):
        mine = [p for p in played if p.policy == policy]
        solved, calls = sum(p.success for p in mine), sum(p.calls for p in mine)
        low, high = clopper_pearson(solved, len(mine)) if mine else Interval(0, 1)
        shares = [share for p in mine for share in p.shared]
        yield (
            f"{policy.partition(':library')[0]:30} {solved:>3} of {len(mine):<2} "
            f"{low:>5.0%} to {high:>4.0%} {statistics.mean(p.percent for p in mine):>8.0%} "
            f"{statistics.mean(p.share for p in mine):>6.0%} "
            f"{statistics.mean(p.steps for p in mine):>6.0f} {calls / len(mine):>6.1f} "
            + (
                f"{sum(p.tokens for p in mine) / calls:>11.0f} "
                f"{1e3 * sum(p.own_s for p in mine) / calls:>11.2f} "
                f"{1e3 * sum(p.own_s for p in mine) / sum(p.decisions for p in mine):>9.2f} "
                if calls
                else f"{'-':>11} {'-':>11} {'-':>9} "
            )
            + (f"{statistics.median(shares):>12.0%}" if shares else f"{'-':>12}")
        )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data-dir", type=Path, default=Path("data"))
    parser.add_argument("--tasks", default="validation", help="a set below the data directory")
    parser.add_argument("--count", type=int, default=20)
    parser.add_argument("--policy", action="append", help="several times; all without")
    parser.add_argument("--partner", default=PARTNER, help="in the human's seat")
    parser.add_argument("--processes", type=int, default=2)
    options = parser.parse_args()
    episodes = read_dataset(options.data_dir / f"tasks/{options.tasks}.json.gz")[: options.count]
    with tempfile.TemporaryDirectory() as folder:
        library = Path(folder) / "traces.json"
        names = [n.format(library=library) for n in options.policy or POLICIES]
        if any("react-rag" in name for name in names):
            write_library(library)
        played = []
        context = multiprocessing.get_context("spawn")
        with ProcessPoolExecutor(options.processes, mp_context=context) as pool:
            runs = [
                pool.submit(_play_in, options.data_dir, episode, name, options.partner)
                for name in names
                for episode in episodes
            ]
            for number, one in enumerate(runs, 1):
                played.append(one.result())
                print(f"\r{number} of {len(runs)}", end="", file=sys.stderr, flush=True)
    print(file=sys.stderr)
    types = sorted({p.task_type for p in played})
    print(f"{len(episodes)} tasks of {len(types)} types ({', '.join(types)})")
    print("The models are doubles that are told each task's goals: this compares policies only.")
    print("\n".join(table(played)))
    for run_ in played:
        if not run_.success and run_.policy not in MAY_FAIL:
            print(f"not solved: {run_.policy} at task {run_.task_id}: {run_.why}")


if __name__ == "__main__":
    main()
