"""A comparison of robots beside scripted people, tuned and unseen ones apart.

    python tests/benchmarks/partners.py --data-dir DIR --out FILE

Each person plays each task alone and with each robot, `cohab` the last (`cohabit tasks build test
--count 60 --house 68 …` makes tasks in houses that nobody has looked at). The models are doubles
with one source of knowledge (`tests.robot_doubles.knowledge`); the time that a model would take is
charged: 0.2 s a call, what is new in the prompt at 4000 tokens a second, and what is said at 50.
Episodes end when everybody has finished.

Prints a table for each kind of partner: those beside whom `cohab` was tuned, those for building,
and the held-out ones. Ticks are told up to both endings of the same episodes, and an unsolved
attempt counts as the limit. Extraneous effort and offloading are of solved tasks. Differences are
over all tasks, with houses as units (`episodes.metrics.comparison`).

``--out`` keeps each episode as it ends: an interrupted run goes on, and while it runs the same
command with ``--only-tables`` prints what is there, of whole tasks. Houses take turns, so that a
part has tasks of many houses.
"""

from __future__ import annotations

import argparse
import multiprocessing
import sys
import time
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from functools import cache
from itertools import count
from pathlib import Path

import msgspec

sys.path.insert(0, str(Path(__file__).parents[2]))

from episodes.dataset import Task, read_dataset
from server.robots.registry.registry import spec_of
from server.simulators.household import HouseLibrary
from tests.benchmarks.partner_episodes import ALONE, Played, play
from tests.benchmarks.partner_tables import differences, notes, table, whole_tasks
from tests.robot_doubles.errors import Errors

OURS = "cohab"
ROBOTS = (ALONE, "react", "llamar", "helper", OURS)
TUNED, BUILDING, HELD_OUT = (
    f"Scripted people, beside whom `{OURS}` was tuned",
    f"For building: `{OURS}` was made to show what it has done beside them",
    "Held out",
)
PEOPLE = (
    "scripted:slow", "scripted:erring", "scripted:passive", "scripted:contrary",
    "person-slow", "person-erring", "person-passive", "person-contrary",
    "person-misunderstanding", "person-learning", "person-wandering", "person-talking",
)  # fmt: skip


class Run(msgspec.Struct, frozen=True):
    """An episode that is to be played."""

    task: Task
    name: str
    robot: str
    person: str
    seed: int = 0
    errors: str = ""

    @property
    def key(self) -> tuple[str, str, str, int, str]:
        return self.robot, self.person, self.name, self.seed, self.errors


def kind_of(person: str) -> str:
    """Return the heading of the table that a person belongs to."""
    if spec_of(person).held_out:
        return HELD_OUT
    return TUNED if spec_of(person).name == "scripted" else BUILDING


def turns(tasks: Iterable[tuple[str, Task]]) -> list[tuple[str, Task]]:
    """Return tasks so that houses take turns."""
    numbers: dict[str, Iterator[int]] = {}
    keyed = [(next(numbers.setdefault(task.scene_id, count())), name, task) for name, task in tasks]
    return [(name, task) for _, name, task in sorted(keyed, key=lambda k: (k[0], k[2].scene_id))]


@cache
def _library(data_dir: Path) -> HouseLibrary:
    return HouseLibrary(data_dir)


def _play_in(data_dir: Path, run: Run, errors: Errors) -> Played:
    return play(run.task, _library(data_dir), run.robot, run.person, run.name, errors, run.seed)


def play_all(
    data_dir: Path, runs: Sequence[Run], errors: Errors, processes: int, out: Path | None
) -> list[Played]:
    """Play what is not in a file yet, and return all of it; lines are added as episodes end."""
    there = [] if out is None or not out.exists() else read_played(out)
    known = {one.key: one for one in there}
    left = [run for run in runs if run.key not in known]
    begun = time.monotonic()
    context = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(processes, mp_context=context) as pool:
        under_way = [pool.submit(_play_in, data_dir, run, errors) for run in left]
        for number, one in enumerate(as_completed(under_way), 1):
            played = one.result()
            known[played.key] = played
            if out is not None:
                with out.open("ab") as file:
                    file.write(msgspec.json.encode(played) + b"\n")
            print(f"\r{number} of {len(left)}", end="", file=sys.stderr, flush=True)
    print(f" in {time.monotonic() - begun:.0f} s", file=sys.stderr)
    return [known[run.key] for run in runs]


def read_played(out: Path) -> list[Played]:
    return [msgspec.json.decode(line, type=Played) for line in out.read_bytes().splitlines()]


def told(played: Sequence[Played], runs: Sequence[Run]) -> Iterator[str]:
    """Yield the lines of all tables, of the tasks that are whole in each."""
    kinds: dict[str, list[Played]] = {}
    for one in whole_tasks(played):
        kinds.setdefault(kind_of(one.person), []).append(one)
    for kind, mine in kinds.items():
        tasks, houses = len({p.task for p in mine}), len({p.house for p in mine})
        asked = len({run.name for run in runs})
        yield f"**{kind}.** {tasks} of {asked} tasks, {houses} houses.\n"
        yield from notes(mine)
        yield ""
        yield from table(mine)
        yield ""
        if any(p.robot == OURS for p in mine):
            yield from differences(mine, OURS)
            yield ""
    for one in played:
        if not one.success and one.robot != ALONE:
            why = one.why[:300].replace("\n", " ")
            yield f"not solved: {one.person} with {one.robot} at {one.task}: {why}"


def main(argv: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data-dir", type=Path, default=Path("data"))
    parser.add_argument("--tasks", action="append", help="sets; test without")
    parser.add_argument("--count", type=int, default=0, help="tasks, houses in turn; 0: all")
    parser.add_argument("--person", action="append", help="several times; all twelve without")
    parser.add_argument("--robot", action="append", help="several times; all five without")
    parser.add_argument("--errors", default="", help="of doubles: 'wrong_goal=0.2 seed=3'")
    parser.add_argument("--seed", type=int, default=0, help="of the persons' draws")
    parser.add_argument("--processes", type=int, default=2)
    parser.add_argument("--out", type=Path, help="file of episodes, a line each")
    parser.add_argument("--only-tables", action="store_true", help="play nothing")
    options = parser.parse_args(argv)
    errors = Errors.of(options.errors)
    tasks = turns(
        (f"{name} {task.task_id}", task)
        for name in options.tasks or ("test",)
        for task in read_dataset(options.data_dir / f"tasks/{name}.json.gz")
    )
    runs = [
        Run(task, name, robot, person, options.seed, errors.told)
        for name, task in tasks[: options.count or None]
        for person in options.person or PEOPLE
        for robot in options.robot or ROBOTS
    ]
    if options.only_tables:
        keys = {run.key for run in runs}
        played = [one for one in read_played(options.out) if one.key in keys]
    else:
        played = play_all(options.data_dir, runs, errors, options.processes, options.out)
    print("\n".join(told(played, runs)))


if __name__ == "__main__":
    main()
