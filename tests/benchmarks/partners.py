"""A comparison of `cohab` and `react` beside scripted people.

    python tests/benchmarks/partners.py --data-dir DIR

Each person plays each task alone, with `react` and with `cohab` (`cohabit tasks build validation
test --count 10` makes the tasks). The models are doubles that plan and read well; the time that a
model would take is charged: 0.2 s a call, what is new in the prompt at 4000 tokens a second, and
what is said at 50. Prints PARTNR's measures with 95 % intervals over tasks, the tokens and seconds
of all model calls of an episode, and how `cohab` differs from the others at the tasks that both
solved.

Steps, offloading and differences are of solved tasks; somebody who gives up early takes no steps.
"""

from __future__ import annotations

import argparse
import asyncio
import math
import multiprocessing
import statistics
import sys
import tempfile
import time
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import cache
from pathlib import Path
from typing import Any, Literal, NamedTuple

sys.path.insert(0, str(Path(__file__).parents[2]))

from episodes.dataset import Task, read_dataset
from episodes.metrics.intervals import bootstrap
from episodes.metrics.partnr import partnr
from episodes.seats import PAIR
from server.recording.log_writer import LogWriter
from server.recording.prompt_deduplication import shared_chars
from server.recording.recordings import read_recording
from server.recording.traces import trace_of
from server.robots.models import Completes, ModelAnswer, ModelRequest
from server.robots.models.call_record import prompt_text
from server.robots.playing.policy_player import PolicyPlayer
from server.robots.playing.thinkers import ChargedThinker, Thought
from server.robots.policy_spec import PlayerOptions
from server.robots.registry.registry import make_player
from server.sessions.core import SessionCore, Tick
from server.sessions.player import Player
from server.sessions.spec import TICK_S, Ending, EpisodeSpec, SeatSpec, SessionSpec
from server.simulators.household import HouseholdSimulator, HouseLibrary
from server.worker.unpaced_runner import run_to_an_end
from tests.benchmarks.charging import Later
from tests.robot_doubles.cohab import CohabDouble
from tests.robot_doubles.partnr import PartnrDouble
from tests.server.sessions.first_house_sessions import HUMAN, ROBOT

ALONE = "alone"
PEOPLE = ("scripted:slow", "scripted:erring", "scripted:passive", "scripted:contrary")
"""`cohab` was tuned beside them on `train`: the held-out part is houses and tasks."""
ROBOTS = (ALONE, "react", "cohab")
MAX_TICKS = 15_000
CALL_S, READ_PER_S, SAID_PER_S = 0.2, 4000.0, 50.0


class Played(NamedTuple):
    """An episode that was played.

    ``tokens`` and ``model_s`` are of all its calls; ``stood_s`` is how long the robot stood still
    for them in all.
    """

    robot: str
    person: str
    task: str
    success: bool
    percent: float
    steps: int
    extraneous: float
    rearranged: float | None
    """The share of rearrangements that were extraneous."""
    offloading: float | None
    calls: int
    tokens: int
    model_s: float
    stood_s: float
    why: str


class Charging:
    """A model, with the time that its answers would take; charges it to the body that waits."""

    def __init__(self, model: Completes, loop: asyncio.AbstractEventLoop) -> None:
        self._model, self._loop = model, loop
        self._last = ""
        self.latencies: list[float] = []
        self.tokens = 0

    async def complete(self, request: ModelRequest) -> ModelAnswer:
        answer = await self._model.complete(request)
        prompt = prompt_text(request)
        # Servers keep the start of the prompt before.
        new = (len(prompt) - shared_chars(self._last, prompt)) / 4
        self._last = prompt
        asked, said = len(prompt) / 4, len(answer.text) / 4
        self.latencies.append(CALL_S + new / READ_PER_S + said / SAID_PER_S)
        self.tokens += round(asked + said)
        return answer

    def start(self, deciding: Any, tick: int) -> Thought:
        """Return a thinker whose decisions take as long as their calls."""
        calls = len(self.latencies)
        made = ChargedThinker(self._loop, 0.0).start(deciding, tick)
        took_s = math.fsum(self.latencies[calls:])
        return Later(made, tick + math.ceil(took_s / TICK_S))


def _core(task: Task, library: HouseLibrary, robot: str, person: str) -> SessionCore:
    names = {ROBOT: "" if robot == ALONE else robot, HUMAN: person}
    seats = tuple(SeatSpec(s, bool(names[s.seat_id]), names[s.seat_id]) for s in PAIR)
    return SessionCore(
        SessionSpec("ses_1", seats, 1, ending=Ending(on_success=True)),
        EpisodeSpec("epi_1", "tasks", task.task_id),
        task,
        HouseholdSimulator(library),
    )


def play(task: Task, library: HouseLibrary, robot: str, person: str, name: str) -> Played:
    """Play one episode, recorded, and measure it from the recording."""
    core = _core(task, library, robot, person)
    loop = asyncio.new_event_loop()
    model: Completes = (
        PartnrDouble.for_tasks([core]) if robot.startswith("react") else CohabDouble(core)
    )
    charging = Charging(model, loop)
    making = PlayerOptions(charging, charging)
    players: list[Player] = [make_player(person, HUMAN, making)]
    if robot != ALONE:
        players.append(make_player(robot, ROBOT, making))
    stood = 0

    def watch(_: Tick) -> None:
        nonlocal stood
        stood += any(isinstance(p, PolicyPlayer) and p.status == "thinking" for p in players)

    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "ses_1.jsonl"
        log = LogWriter(path.open("wb"))
        log.open_episode(core, 0.0)
        result = run_to_an_end(core, players, MAX_TICKS, log=log, watch=watch)
        log.close(core.tick * TICK_S)
        (recording,) = read_recording(path)
    loop.close()
    measures = partnr(trace_of(recording))
    return Played(
        robot,
        person,
        name,
        bool(result.verdict.success),
        result.verdict.percent_complete or 0.0,
        measures.steps,
        1.0 if measures.extraneous is None else measures.extraneous,
        measures.extraneous_study,
        measures.offloading,
        len(charging.latencies),
        charging.tokens,
        math.fsum(charging.latencies),
        stood * TICK_S,
        result.verdict.explanation,
    )


@cache
def _library(data_dir: Path) -> HouseLibrary:
    return HouseLibrary(data_dir)


def _play_in(data_dir: Path, task: Task, robot: str, person: str, name: str) -> Played:
    return play(task, _library(data_dir), robot, person, name)


# The table


class Measure(NamedTuple):
    heading: str
    of: Callable[[Played], float | None]
    among: Literal["all", "solved"]
    form: str


MEASURES = (
    Measure("solved", lambda p: float(p.success), "all", ".2f"),
    Measure("complete", lambda p: p.percent, "all", ".2f"),
    Measure("steps", lambda p: float(p.steps), "solved", ".0f"),
    # PARTNR's paper has two: section 4.2.2 counts all successful actions, appendix A.11 placements.
    Measure("extraneous 4.2.2", lambda p: p.extraneous, "solved", ".2f"),
    Measure("A.11", lambda p: p.rearranged, "solved", ".2f"),
    Measure("offloading", lambda p: p.offloading, "solved", ".2f"),
    Measure("calls", lambda p: float(p.calls), "all", ".1f"),
    Measure("tokens", lambda p: float(p.tokens), "all", ".0f"),
    Measure("model s", lambda p: p.model_s, "all", ".1f"),
    Measure("stood s", lambda p: p.stood_s, "all", ".1f"),
)
COMPARED = ("steps", "extraneous 4.2.2", "A.11", "tokens", "model s", "stood s")


def _cell(values: Sequence[float], form: str, low: float | None = None) -> str:
    if not values:
        return "-"
    text = format(statistics.fmean(values), form)
    interval = bootstrap(values) if low is None else bootstrap(values, low=low)
    if interval is None:
        return text
    return f"{text} ({format(interval.low, form)} to {format(interval.high, form)})"


def table(played: Sequence[Played]) -> Iterable[str]:
    """Lines of Markdown: a row for each person and robot."""
    yield "| person | robot | " + " | ".join(m.heading for m in MEASURES) + " |"
    yield "|---" * (len(MEASURES) + 2) + "|"
    for person in dict.fromkeys(p.person for p in played):
        for robot in dict.fromkeys(p.robot for p in played):
            mine = [p for p in played if (p.person, p.robot) == (person, robot)]
            cells = []
            for measure in MEASURES:
                among = [p for p in mine if p.success or measure.among == "all"]
                values = [v for p in among if (v := measure.of(p)) is not None]
                cells.append(_cell(values, measure.form, 0.0))
            yield f"| {person} | {robot} | " + " | ".join(cells) + " |"


def differences(played: Sequence[Played]) -> Iterable[str]:
    """Lines of Markdown: `cohab` less another, over the tasks that both solved."""
    found = {(p.person, p.robot, p.task): p for p in played}
    measures = [m for m in MEASURES if m.heading in COMPARED]
    yield "| person | `cohab` less | tasks | " + " | ".join(m.heading for m in measures) + " |"
    yield "|---" * (len(measures) + 3) + "|"
    for person in dict.fromkeys(p.person for p in played):
        for robot in dict.fromkeys(p.robot for p in played if p.robot != "cohab"):
            pairs = [
                (ours, theirs)
                for (who, what, task), theirs in found.items()
                if (who, what) == (person, robot) and theirs.success
                if (ours := found.get((person, "cohab", task))) is not None and ours.success
            ]
            cells = []
            for measure in measures:
                both = [(measure.of(ours), measure.of(theirs)) for ours, theirs in pairs]
                values = [a - b for a, b in both if a is not None and b is not None]
                cells.append(_cell(values, measure.form))
            yield f"| {person} | {robot} | {len(pairs)} | " + " | ".join(cells) + " |"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data-dir", type=Path, default=Path("data"))
    parser.add_argument("--tasks", action="append", help="sets; validation and test without")
    parser.add_argument("--count", type=int, default=10, help="the first so many of each set")
    parser.add_argument("--person", action="append", help="several times; all four without")
    parser.add_argument("--robot", action="append", help="several times; all three without")
    parser.add_argument("--processes", type=int, default=2)
    options = parser.parse_args()
    episodes = [
        (f"{name} {episode.task_id}", episode)
        for name in options.tasks or ("validation", "test")
        for episode in read_dataset(options.data_dir / f"tasks/{name}.json.gz")[: options.count]
    ]
    played: list[Played] = []
    begun = time.monotonic()
    with ProcessPoolExecutor(
        options.processes, mp_context=multiprocessing.get_context("spawn")
    ) as pool:
        runs = [
            pool.submit(_play_in, options.data_dir, episode, robot, person, name)
            for name, episode in episodes
            for person in options.person or PEOPLE
            for robot in options.robot or ROBOTS
        ]
        for number, under_way in enumerate(runs, 1):
            played.append(under_way.result())
            print(f"\r{number} of {len(runs)}", end="", file=sys.stderr, flush=True)
    print(f" in {time.monotonic() - begun:.0f} s", file=sys.stderr)
    print(f"{len(episodes)} tasks\n")
    print("\n".join(table(played)))
    print()
    print("\n".join(differences(played)))
    print()
    for one in played:
        if not one.success and one.robot != ALONE:
            print(f"not solved: {one.person} with {one.robot} at {one.task}: {one.why[:300]}")


if __name__ == "__main__":
    main()
