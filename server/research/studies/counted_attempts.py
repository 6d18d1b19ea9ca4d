"""Attempts of a study that count, by one rule for recorded and for simulated data.

Groups that completed all their tasks count, in the condition that they were given, without
practice. Of a task with several tries two choices are reported, each by its name: the first try,
which is the primary one because a later try follows a failure, and the best of the tries, as
PARTNR's human study reports.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from statistics import mean, stdev
from typing import NamedTuple


class Played(NamedTuple):
    """An attempt, recorded or simulated, as a row of the data."""

    place: int
    """Number of its group."""
    cell: str
    task_id: str
    try_index: int
    is_practice: bool
    success: bool
    percent_complete: float
    ticks: int
    measures: Mapping[str, float] = {}
    """Further columns of a simulated attempt, in standard deviations."""


Choice = Callable[[Sequence[Played]], list[Played]]


def first_tries(rows: Sequence[Played]) -> list[Played]:
    """Return the first try of each group at each task, but for practice."""
    return [row for row in rows if not row.is_practice and row.try_index == 0]


def best_of_tries(rows: Sequence[Played]) -> list[Played]:
    """Return the try with the most percent complete of each group at each task; no practice.

    Of equals it is the first.
    """
    best: dict[tuple[int, str], Played] = {}
    for row in rows:
        kept = best.get((row.place, row.task_id))
        if not row.is_practice and (kept is None or row.percent_complete > kept.percent_complete):
            best[row.place, row.task_id] = row
    return list(best.values())


CHOICES: Mapping[str, Choice] = {"first try": first_tries, "best of tries": best_of_tries}
"""Choices of one try for each task, the primary one first."""


def tries_after_failure(rows: Sequence[Played]) -> list[Played]:
    """Return the second try of each group at each task, which follows a failed one; no practice."""
    return [row for row in rows if not row.is_practice and row.try_index == 1]


AFTER_FAILURE: Mapping[str, Choice] = {"try after a failed one": tries_after_failure}
"""The choice of one try for each task where an outcome is of tries that follow a failed one."""


def by_cell(rows: Sequence[Played]) -> dict[str, list[Played]]:
    """Return the attempts of each condition."""
    found: defaultdict[str, list[Played]] = defaultdict(list)
    for row in rows:
        found[row.cell].append(row)
    return dict(sorted(found.items()))


def outcome_lines(rows: Sequence[Played]) -> Iterator[str]:
    """Yield a table of the outcomes of each condition, for each choice of tries.

    ``rows`` are all attempts of groups that completed. Means have their standard errors, in which
    attempts of a group count as independent.
    """
    cells = by_cell(rows)
    width = max([9, *map(len, cells)])
    yield (
        f"{'condition':<{width}}  {'tries':<13}  groups  tasks  {'success':<12}  "
        f"{'percent complete':<16}  {'ticks':<12}  tries made"
    )
    for cell, attempts in cells.items():
        for name, choose in CHOICES.items():
            chosen = choose(attempts)
            if not chosen:
                continue
            made = sum(not row.is_practice for row in attempts) / len(chosen)
            yield (
                f"{cell:<{width}}  {name:<13}  {len({row.place for row in chosen}):>6}  "
                f"{len(chosen):>5}  {_told([float(row.success) for row in chosen], 2)}  "
                f"{_told([row.percent_complete for row in chosen], 2):<16}  "
                f"{_told([float(row.ticks) for row in chosen], 0)}  {made:.2f}"
            )


def _told(values: Sequence[float], digits: int) -> str:
    error = stdev(values) / math.sqrt(len(values)) if len(values) > 1 else 0.0
    return f"{mean(values):.{digits}f} ± {error:.{digits}f}".ljust(12)
