"""Vetting: tasks that people keep failing are marked and left out.

PARTNR's vetting: a task counts as one that people can do when somebody does it within three tries
alone and three with a partner. Six failures and no success mark it.
"""

from __future__ import annotations

import os
from collections import Counter, defaultdict
from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple

import msgspec

from episodes.bounded_files import UnreadableError, read_json
from episodes.dataset import DatasetError
from episodes.houses.files import write_bytes

FAILURES = 6


class Attempt(NamedTuple):
    """Outcome of people's attempt at a task; ``explanation`` says why it failed."""

    task_id: str
    instruction: str
    success: bool
    explanation: str = ""


class Mark(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A task that is left out.

    The mark holds for a task with this id and this instruction: a set that is built anew may
    have another task under the same id.
    """

    task_id: str
    instruction: str
    failures: int
    reason: str


class _File(msgspec.Struct, forbid_unknown_fields=True):
    left_out: list[Mark]


def marks(attempts: Iterable[Attempt], failures: int = FAILURES) -> list[Mark]:
    """Mark the tasks that were tried at least so often and never done, by id.

    The reason is the explanation heard most often (of equally frequent ones the first in the
    alphabet).
    """
    by_task: dict[tuple[str, str], list[Attempt]] = defaultdict(list)
    for attempt in attempts:
        by_task[attempt.task_id, attempt.instruction].append(attempt)
    found = []
    for (task_id, instruction), tried in sorted(by_task.items()):
        if len(tried) < failures or any(a.success for a in tried):
            continue
        heard = Counter(a.explanation for a in tried)
        reason = min(heard, key=lambda text: (-heard[text], text))
        words = f"{len(tried)} attempts, none a success; most often: {reason or 'no explanation'}"
        found.append(Mark(task_id, instruction, len(tried), words))
    return found


def vetting_file(dataset: str | os.PathLike[str]) -> Path:
    """Return the file of a data set's marks, beside the set."""
    path = Path(dataset)
    return path.with_name(f"{path.name.removesuffix('.gz').removesuffix('.json')}.vetting.json")


def read_marks(dataset: str | os.PathLike[str]) -> list[Mark]:
    """Read the marks beside a data set; none where there is no such file. Raises DatasetError."""
    file = vetting_file(dataset)
    try:
        return read_json(file, _File).left_out
    except FileNotFoundError:
        return []
    except UnreadableError as error:
        reason, _, path = error.reason.partition(" - at `$")
        raise DatasetError(reason, file=str(file), path=path.strip(".`")) from error


def write_marks(dataset: str | os.PathLike[str], found: Iterable[Mark]) -> Path:
    """Write the marks beside a data set; return the file."""
    file = vetting_file(dataset)
    write_bytes(file, msgspec.json.format(msgspec.json.encode(_File(list(found)))) + b"\n")
    return file
