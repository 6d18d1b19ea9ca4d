"""Builder of a set of tasks, in parts by several processes; an interrupted one goes on."""

from __future__ import annotations

import multiprocessing
import os
import shutil
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from pathlib import Path
from typing import NamedTuple

import msgspec
from msgspec import UNSET

from episodes.bounded_files import UnreadableError, read_json
from episodes.dataset import read_dataset
from episodes.houses.files import tasks_file, write_bytes, write_tasks
from episodes.houses.splits import Split, seeds_of, split_of
from episodes.tasks.forms import FORMS
from episodes.tasks.versions import SetName
from server.child_processes import end_with_parent
from server.research.task_sets.parts import (
    PART_TASKS,
    Part,
    Record,
    Series,
    make_part,
    record_of,
    renumbered,
)

SIZES: dict[SetName, int] = {"validation": 1000, "test": 1000, "train": 2000, "forms": 240}
"""Default number of tasks in each set."""
SPLIT: dict[SetName, Split] = {
    "validation": "validation",
    "test": "test",
    "train": "train",
    "forms": "validation",
}
"""Split of the houses that each set's tasks are in."""


class BuiltSet(NamedTuple):
    """Result of a build; ``fresh`` counts the tasks that were made now."""

    name: str
    file: Path
    tasks: int
    fresh: int
    record: Record


def record_file(data_dir: Path, name: str) -> Path:
    """Return the file beside a set of tasks that says how it was made."""
    return data_dir / "tasks" / f"{name}.record.json"


def parts_of(
    data_dir: Path, name: SetName, count: int, seed: int, houses: Sequence[int] = ()
) -> list[Part]:
    """Return the parts of a set: its tasks spread evenly over houses, or those of its split.

    Tasks that belong together (one of each form) stay together: then it may be a few more.
    """
    folder = data_dir / "tasks" / f".{name}.parts"
    houses = houses or seeds_of(SPLIT[name])
    series: Series = "forms" if name == "forms" else "types"
    per_bundle = len(FORMS) if series == "forms" else 1
    bundles = -(-count // per_bundle)
    parts = []
    for position, house in enumerate(houses):
        left = per_bundle * (bundles // len(houses) + (position < bundles % len(houses)))
        number = 0
        while left > 0:
            size = min(left, PART_TASKS // per_bundle * per_bundle)
            parts.append(Part(folder, house, number, size, seed, series))
            left -= size
            number += 1
    return parts


def build_set(
    data_dir: Path,
    name: SetName,
    count: int,
    seed: int,
    *,
    houses: Sequence[int] = (),
    processes: int | None = None,
    progress: Callable[[int, int], None] = lambda done, total: None,
) -> BuiltSet:
    """Build a set, or what is missing of it. ``progress`` is told tasks done and tasks in all.

    ``houses`` are the seeds of its houses; empty: those of its split. Raises what `make_part`
    raises; parts that are done stay.
    """
    parts = parts_of(data_dir, name, count, seed, houses)
    count = sum(p.tasks for p in parts)
    records = {part: record_of(part) for part in parts}
    todo = [part for part, record in records.items() if record is None]
    done = count - sum(p.tasks for p in todo)
    progress(done, count)
    for part, record in _made(data_dir, todo, processes or os.cpu_count() or 1):
        records[part] = record
        done += part.tasks
        progress(done, count)
    tasks = renumbered(task for part in parts for task in read_dataset(part.tasks_file))
    file = write_tasks(data_dir, tasks, name)
    whole = sum_up([r for r in records.values() if r is not None])
    whole.houses = list(houses) or UNSET
    write_bytes(record_file(data_dir, name), msgspec.json.encode(whole))
    return BuiltSet(name, file, len(tasks), sum(p.tasks for p in todo), whole)


def foreign_houses(name: SetName, houses: Sequence[int]) -> list[int]:
    """Return the houses of other splits than a set's: its tasks would mix with theirs."""
    return [seed for seed in houses if split_of(seed) != SPLIT[name]]


def is_current(
    data_dir: Path, name: SetName, count: int, seed: int, houses: Sequence[int] = ()
) -> bool:
    """Tell whether a set is there, as the generators of today would make it."""
    try:
        record = read_json(record_file(data_dir, name), Record)
    except (OSError, UnreadableError):
        return False
    # As for a part of that many tasks.
    tasks = sum(p.tasks for p in parts_of(data_dir, name, count, seed, houses))
    is_of = record.is_of(Part(data_dir, 0, 0, tasks, seed)) and record.houses == (
        list(houses) or UNSET
    )
    return is_of and tasks_file(data_dir, name).is_file()


def remove_parts(data_dir: Path, name: SetName) -> None:
    """Remove what is only needed while a set is built."""
    shutil.rmtree(data_dir / "tasks" / f".{name}.parts", ignore_errors=True)


def _made(data_dir: Path, todo: Sequence[Part], processes: int) -> Iterable[tuple[Part, Record]]:
    if processes < 2 or len(todo) < 2:
        for part in todo:
            yield part, make_part(data_dir, part)
        return
    # Not forked: the parent may have threads (a progress bar has).
    context = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(
        min(processes, len(todo)), mp_context=context, initializer=end_with_parent
    ) as pool:
        waiting: dict[Future[Record], Part] = {}
        queue = list(reversed(todo))
        try:
            while queue or waiting:
                while queue and len(waiting) < processes + 1:
                    part = queue.pop()
                    waiting[pool.submit(make_part, data_dir, part)] = part
                ready, _ = wait(waiting, return_when=FIRST_COMPLETED)
                for future in ready:
                    yield waiting.pop(future), future.result()
        except BaseException:
            pool.shutdown(wait=False, cancel_futures=True)
            raise


def sum_up(records: Sequence[Record]) -> Record:
    """Sum the records of all parts."""
    first = records[0]
    whole = Record(
        first.task_generator, first.house_generator, first.catalogue, first.seed,
        sum(r.count for r in records),
    )  # fmt: skip
    for record in records:
        for name in ("tried", "solved", "faults", "redrawn", "wrong_ways"):
            total = getattr(whole, name)
            for key, value in getattr(record, name).items():
                total[key] = total.get(key, 0) + value
        whole.examples = {**record.examples, **whole.examples}
        whole.ticks += record.ticks
        whole.cpu_s = round(whole.cpu_s + record.cpu_s, 3)
    return whole
