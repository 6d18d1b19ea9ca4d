"""Choice of one try for each task, as PARTNR's human study makes it.

Source: section 10 of the notes on partnr-planner. People had up to three tries at a task; of each
task the try with the strictly highest percent complete is kept, the first of equals. Metrics of
kept tries are of successes more often than those of all: papers that choose so are compared with
this choice, and with no other.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final, NamedTuple

SUCCESS: Final = 0.99
"""Percent complete above which the study counts a success."""


class Try(NamedTuple):
    """A finished attempt at a task. ``began`` is seconds since 1970, ``percent`` from 0 to 1."""

    episode_id: str
    task_id: str
    began: float
    percent: float


class Kept(NamedTuple):
    """The try that is kept of a task.

    ``rounds`` are the tries up to and with the first success; None: there was none.
    """

    episode_id: str
    tries: int
    rounds: int | None


def best_of_tries(tries: Iterable[Try]) -> dict[str, Kept]:
    """Return the try that is kept of each task, by task."""
    by_task: dict[str, list[Try]] = {}
    for one in sorted(tries, key=lambda t: t.began):
        by_task.setdefault(one.task_id, []).append(one)
    found = {}
    for task, mine in by_task.items():
        best = max(mine, key=lambda t: t.percent)
        solved = (n for n, t in enumerate(mine, 1) if t.percent > SUCCESS)
        found[task] = Kept(best.episode_id, len(mine), next(solved, None))
    return found


def solved_by_round(kept: Iterable[Kept]) -> list[float]:
    """Return the share of tasks that were solved by each round, the last of any task included."""
    tasks = list(kept)
    last = max((one.tries for one in tasks), default=0)
    return [
        sum(one.rounds is not None and one.rounds <= n for one in tasks) / len(tasks)
        for n in range(1, last + 1)
    ]
