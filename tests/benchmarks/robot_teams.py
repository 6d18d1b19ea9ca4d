"""A comparison of team sizes: `cohab` alone and in teams of robots.

    python tests/benchmarks/robot_teams.py --data-dir DIR

Each team plays the first tasks of a set that need no person (`cohabit tasks build test --count 40`
makes them) until they succeed, five minutes at most. The model is a double that reads well, and
each of its answers is charged 0.2 s. Prints for each team how many tasks it solved, and its ticks
at those that all teams solved, beside the paired differences to one body with 95 % intervals.
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

sys.path.insert(0, str(Path(__file__).parents[2]))

from episodes.dataset import Task, read_dataset
from episodes.metrics.intervals import bootstrap
from episodes.rules import profile_named
from episodes.tasks.team_fit import task_problem
from episodes.teams import Team
from server.robots.playing.policy_player import PolicyPlayer
from server.robots.playing.seat_options import SeatOptions
from server.robots.playing.thinkers import ChargedThinker
from server.robots.policies.cohab.policy import Cohab
from server.sessions.core import SessionCore
from server.sessions.spec import Ending, EpisodeSpec, SessionSpec
from server.simulators.household import HouseholdSimulator, HouseLibrary
from server.worker.unpaced_runner import run
from tests.robot_doubles.cohab import CohabDouble

SIZES = (1, 2, 3, 5)
MAX_TICKS = 9000
CALL_S = 0.2

Found = dict[int, int | None]
"""Ticks to success, by the number of bodies; None: not solved."""


def team_of(bodies: int) -> Team:
    return Team.parse(",".join(["robot=cohab"] * bodies))


@cache
def _library(data_dir: Path) -> HouseLibrary:
    return HouseLibrary(data_dir)


def play(data_dir: Path, task: Task, bodies: int) -> int | None:
    """Play one episode; return its ticks to success, None where there is none."""
    spec = SessionSpec.of("ses_1", team_of(bodies), 1, ending=Ending(on_success=True))
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
    result = run(core, players, MAX_TICKS)
    loop.close()
    return core.tick if result is not None and result.verdict.success else None


def table(found: Mapping[str, Found]) -> Iterable[str]:
    """Lines of Markdown: a row for each size."""
    solved = [ticks for one in found.values() if None not in (ticks := list(one.values()))]
    yield f"{len(found)} tasks, of which all teams solved {len(solved)}\n"
    yield "| bodies | solved | median ticks | mean ticks | less than one |"
    yield "|---|---|---|---|---|"
    for number, size in enumerate(SIZES):
        count = sum(one[size] is not None for one in found.values())
        mine = [ticks[number] or 0 for ticks in solved]
        less = [(ticks[number] or 0) - (ticks[0] or 0) for ticks in solved]
        yield (
            f"| {size} | {count} of {len(found)} | {statistics.median(mine):.0f} "
            f"| {statistics.fmean(mine):.0f} | {_paired(less) if number else ''} |"
        )


def _paired(differences: Sequence[float]) -> str:
    mean, interval = statistics.fmean(differences), bootstrap(differences)
    return f"{mean:.0f}" + (f" ({interval.low:.0f} to {interval.high:.0f})" if interval else "")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data-dir", type=Path, default=Path("data"))
    parser.add_argument("--tasks", default="test", help="a set below the data directory")
    parser.add_argument("--count", type=int, default=30)
    parser.add_argument("--processes", type=int, default=2)
    options = parser.parse_args()
    profile = profile_named("cohabit")
    tasks = [
        task
        for task in read_dataset(options.data_dir / f"tasks/{options.tasks}.json.gz")
        if not task_problem(team_of(1), task, profile)
    ][: options.count]
    found: dict[str, Found] = {}
    spawn = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(options.processes, mp_context=spawn) as pool:
        runs = [
            (task, [pool.submit(play, options.data_dir, task, size) for size in SIZES])
            for task in tasks
        ]
        for task, under_way in runs:
            found[task.task_id] = dict(zip(SIZES, (run.result() for run in under_way), strict=True))
            print(task.task_id, *found[task.task_id].values(), file=sys.stderr, flush=True)
    print("\n".join(table(found)))


if __name__ == "__main__":
    main()
