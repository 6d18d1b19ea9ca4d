"""Part of a set of tasks: a few tasks of one house, generated and tried in one process.

A part is two files, its tasks and then its record; a part whose record is there is complete.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Iterable
from functools import lru_cache
from pathlib import Path
from typing import Literal, NamedTuple

import msgspec
from msgspec import UNSET, UnsetType

from episodes.bounded_files import UnreadableError, read_json
from episodes.catalogue import VERSION as CATALOGUE_VERSION
from episodes.catalogue import catalogue
from episodes.dataset import Task, write_dataset
from episodes.houses.files import build_house, read_scene, write_bytes
from episodes.houses.generator import GENERATOR as HOUSE_GENERATOR
from episodes.houses.generator import scene_id_of
from episodes.tasks.characteristics import about
from episodes.tasks.draft import TaskError
from episodes.tasks.forms import generate_forms
from episodes.tasks.generator import GENERATOR, generate_task
from episodes.tasks.household import Household
from episodes.tasks.task_types import TASK_TYPES
from server.research.task_sets.task_trial import Tried, try_task
from server.simulators.household import HouseholdSimulator, HouseLibrary

PART_TASKS = 20
"""Number of tasks in a part: what an interrupted build loses at most, per process."""
NUMBERS = 1000
"""Number of drafts that a part may use; far more than it needs."""


Series = Literal["types", "forms"]
"""Series of a part: tasks of PARTNR's four types in turn, or one of each other form together."""


class PartError(Exception):
    """A house gives too few tasks."""


class Part(NamedTuple):
    """Key of a part: ``number`` counts the parts of a house within a set."""

    folder: Path
    house_seed: int
    number: int
    tasks: int
    seed: int
    series: Series = "types"

    @property
    def tasks_file(self) -> Path:
        return self.folder / f"{scene_id_of(self.house_seed)}.{self.number:03d}.json.gz"

    @property
    def record_file(self) -> Path:
        return self.folder / f"{scene_id_of(self.house_seed)}.{self.number:03d}.record.json"


class Record(msgspec.Struct):
    """Record of how a part was made.

    ``tried`` and ``solved`` count candidates by type, ``faults`` those dropped by reason,
    ``redrawn`` drafts thrown away before they were tried, ``wrong_ways`` how the tasks kept
    were done wrongly. CPU seconds.
    """

    task_generator: int
    house_generator: int
    catalogue: int
    seed: int
    count: int
    tried: dict[str, int] = {}
    solved: dict[str, int] = {}
    faults: dict[str, int] = {}
    redrawn: dict[str, int] = {}
    wrong_ways: dict[str, int] = {}
    examples: dict[str, str] = {}
    ticks: int = 0
    cpu_s: float = 0.0
    houses: list[int] | UnsetType = UNSET
    """Seeds of the houses of a whole set; unset: those of its split."""

    def is_of(self, part: Part) -> bool:
        """Tell whether the record is what the generators of today would make of a part."""
        made = (self.task_generator, self.house_generator, self.catalogue, self.seed, self.count)
        return made == (GENERATOR, HOUSE_GENERATOR, CATALOGUE_VERSION, part.seed, part.tasks)


def _new_record(part: Part) -> Record:
    return Record(GENERATOR, HOUSE_GENERATOR, CATALOGUE_VERSION, part.seed, part.tasks)


def record_of(part: Part) -> Record | None:
    """Return the record of a part that is complete and current, else None."""
    try:
        record = read_json(part.record_file, Record)
    except (OSError, UnreadableError):
        return None
    return record if record.is_of(part) and part.tasks_file.is_file() else None


class _SharedHouse(NamedTuple):
    household: Household
    library: HouseLibrary


@lru_cache(2)
def _shared_house(data_dir: Path, house_seed: int) -> _SharedHouse:
    """Return a house as its parts share it; write it first if it is missing or not current."""
    shapes = catalogue()
    build_house(data_dir, house_seed, shapes)
    scene = read_scene(data_dir, scene_id_of(house_seed))
    return _SharedHouse(Household(scene, shapes), HouseLibrary.of(shapes, [scene]))


def make_part(data_dir: Path, part: Part) -> Record:
    """Generate and try tasks until there are enough good ones, and write them.

    Raises HouseError, GenerationError, PartError and OSError.
    """
    began = time.process_time()
    house = _shared_house(data_dir, part.house_seed)
    record = _new_record(part)
    faults: Counter[str] = Counter()
    redrawn: Counter[str] = Counter()
    kept: list[Task] = []
    for draft in range(NUMBERS):
        if len(kept) == part.tasks:
            break
        number = part.number * NUMBERS + draft
        try:
            if part.series == "forms":
                bundle = generate_forms(house.household, part.seed, number, redrawn)
            else:
                # Parts that are not a multiple of four must not all favour the first type.
                turn = part.house_seed + part.number + len(kept)
                task_type = TASK_TYPES[turn % len(TASK_TYPES)]
                bundle = [generate_task(house.household, part.seed, number, task_type, redrawn)]
        except TaskError:
            continue
        outcomes = [
            try_task(task, lambda: HouseholdSimulator(house.library), part.seed) for task in bundle
        ]
        for task, outcome in zip(bundle, outcomes, strict=True):
            _note(record, outcome, str(about(task).get("form", about(task)["task_type"])))
            if outcome.fault:
                faults[outcome.fault] += 1
        if not any(t.fault for t in outcomes):
            kept += bundle
    if len(kept) < part.tasks:
        raise PartError(
            f"{scene_id_of(part.house_seed)}: {len(kept)} good tasks of {part.tasks} in "
            f"{NUMBERS} drafts; most often: {(faults or redrawn).most_common(1)}"
        )
    record.faults, record.redrawn = dict(faults), dict(redrawn)
    part.folder.mkdir(parents=True, exist_ok=True)
    write_dataset(part.tasks_file, renumbered(kept))
    record.cpu_s = round(time.process_time() - began, 3)
    # Last: a part with a record is a whole one.
    write_bytes(part.record_file, msgspec.json.encode(record))
    return record


def renumbered(tasks: Iterable[Task]) -> list[Task]:
    """Return tasks numbered from 1 on, so that their ids are unique in a file."""
    return [msgspec.structs.replace(task, task_id=str(n)) for n, task in enumerate(tasks, 1)]


def _note(record: Record, outcome: Tried, task_type: str) -> None:
    if outcome.solved is not None:
        record.tried[task_type] = record.tried.get(task_type, 0) + 1
        record.solved[task_type] = record.solved.get(task_type, 0) + outcome.solved
    record.ticks += outcome.ticks if not outcome.fault else 0
    if outcome.fault:
        record.examples.setdefault(outcome.fault, outcome.detail)
    elif outcome.way is not None:
        record.wrong_ways[outcome.way] = record.wrong_ways.get(outcome.way, 0) + 1
