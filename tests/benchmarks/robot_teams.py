"""A comparison of team sizes: `cohab` alone and in teams of robots, under one or several profiles.

    python tests/benchmarks/robot_teams.py --data-dir DIR --profiles cohabit@1 cohabit@2

Each team plays the first tasks of a set that need no person (`cohabit tasks build test --count 40`
makes them) until they succeed, five minutes at most. The model is a double that reads well, and
each of its answers is charged 0.2 s. Prints for each profile and team how many tasks it solved,
its ticks at those that all solved beside the paired differences to one body and to the first
profile with 95 % intervals, and the seconds for which its bodies pushed each other in a task.
"""

from __future__ import annotations

import argparse
import asyncio
import multiprocessing
import statistics
import sys
from collections.abc import Iterable, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import cache
from pathlib import Path
from typing import NamedTuple

sys.path.insert(0, str(Path(__file__).parents[2]))

from episodes.dataset import Task, read_dataset
from episodes.metrics.intervals import bootstrap
from episodes.rules import profile_named
from episodes.tasks.team_fit import task_problem
from episodes.teams import Team
from server.recording.pushes import Pushes
from server.robots.playing.policy_player import PolicyPlayer
from server.robots.playing.seat_options import SeatOptions
from server.robots.playing.thinkers import ChargedThinker
from server.robots.policies.cohab.policy import Cohab
from server.sessions.core import SessionCore, Tick
from server.sessions.spec import TICK_RATE, Ending, EpisodeSpec, SessionSpec
from server.simulators.household import HouseholdSimulator, HouseLibrary
from server.worker.unpaced_runner import run
from tests.robot_doubles.cohab import CohabDouble

SIZES = (1, 2, 3, 5)
MAX_TICKS = 9000
CALL_S = 0.2


class Played(NamedTuple):
    """An episode: its ticks to success (None: not solved), and how long bodies pushed others."""

    ticks: int | None
    blocked_s: float


Kind = tuple[str, int]
"""A profile and a number of bodies."""
Found = dict[Kind, Played]
"""What one task came to."""


def team_of(bodies: int) -> Team:
    return Team.parse(",".join(["robot=cohab"] * bodies))


@cache
def _library(data_dir: Path) -> HouseLibrary:
    return HouseLibrary(data_dir)


def play(data_dir: Path, task: Task, profile: str, bodies: int) -> Played:
    """Play one episode."""
    ending = Ending(on_success=True)
    spec = SessionSpec.of("ses_1", team_of(bodies), 1, ending=ending, profile=profile)
    episode = EpisodeSpec("epi_1", "tasks", task.task_id)
    core = SessionCore(spec, episode, task, HouseholdSimulator(_library(data_dir)))
    loop = asyncio.new_event_loop()
    players = [
        PolicyPlayer(
            seat,
            Cohab(CohabDouble(core)),
            ChargedThinker(loop, CALL_S),
            SeatOptions(observability="partial"),
        )
        for seat in core.seats
    ]
    pushes = Pushes()

    def watch(tick: Tick) -> None:
        for event in tick.events:
            pushes.take(tick.tick, event)

    result = run(core, players, MAX_TICKS, watch=watch)
    loop.close()
    pushed = [push for found in pushes.until(core.tick).values() for push in found]
    blocked_s = sum(push.end - push.start for push in pushed) / TICK_RATE
    is_solved = result is not None and result.verdict.success
    return Played(core.tick if is_solved else None, blocked_s)


def table(found: Mapping[str, Found], kinds: Sequence[Kind]) -> Iterable[str]:
    """Lines of Markdown: a row for each profile and size."""
    solved = [one for one in found.values() if all(p.ticks is not None for p in one.values())]
    ticks = {kind: [one[kind].ticks or 0 for one in solved] for kind in kinds}
    first = kinds[0][0]
    yield f"{len(found)} tasks, of which all teams solved {len(solved)}\n"
    yield (
        "| profile | bodies | solved | median ticks | mean ticks | less than one | "
        f"less {first} | blocked_s |"
    )
    yield "|---|---|---|---|---|---|---|---|"
    for profile, size in kinds:
        kind = profile, size
        count = sum(one[kind].ticks is not None for one in found.values())
        alone = _paired(ticks[kind], ticks[profile, SIZES[0]]) if size != SIZES[0] else ""
        beside = _paired(ticks[kind], ticks[first, size]) if profile != first else ""
        yield (
            f"| {profile} | {size} | {count} of {len(found)} | {statistics.median(ticks[kind]):.0f}"
            f" | {statistics.fmean(ticks[kind]):.0f} | {alone} | {beside}"
            f" | {statistics.fmean(one[kind].blocked_s for one in found.values()):.2f} |"
        )


def _paired(values: Sequence[float], others: Sequence[float]) -> str:
    differences = [value - other for value, other in zip(values, others, strict=True)]
    mean, interval = statistics.fmean(differences), bootstrap(differences)
    return f"{mean:.0f}" + (f" ({interval.low:.0f} to {interval.high:.0f})" if interval else "")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data-dir", type=Path, default=Path("data"))
    parser.add_argument("--tasks", default="test", help="a set below the data directory")
    parser.add_argument("--count", type=int, default=30)
    parser.add_argument("--processes", type=int, default=2)
    parser.add_argument("--profiles", nargs="+", default=[profile_named("cohabit").exact_name])
    options = parser.parse_args()
    profile = profile_named(options.profiles[0])
    kinds: list[Kind] = [(profile, size) for profile in options.profiles for size in SIZES]
    tasks = [
        task
        for task in read_dataset(options.data_dir / f"tasks/{options.tasks}.json.gz")
        if not task_problem(team_of(1), task, profile)
    ][: options.count]
    found: dict[str, Found] = {}
    spawn = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(options.processes, mp_context=spawn) as pool:
        runs = [
            (task, [pool.submit(play, options.data_dir, task, *kind) for kind in kinds])
            for task in tasks
        ]
        for task, under_way in runs:
            results = [run.result() for run in under_way]
            found[task.task_id] = dict(zip(kinds, results, strict=True))
            print(task.task_id, *map(tuple, results), file=sys.stderr, flush=True)
    print("\n".join(table(found, kinds)))


if __name__ == "__main__":
    main()
