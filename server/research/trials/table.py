"""Table of a trial: a paper's columns, and what the models cost, with intervals over houses."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from enum import StrEnum
from pathlib import Path
from typing import Final, NamedTuple

from msgspec import UNSET, UnsetType

from episodes.metrics import Interval, standard_error, summarise
from episodes.metrics.clusters import over_houses
from episodes.teams import Team
from server.research.trials.comparisons import Compared, comparisons_of
from server.research.trials.plan import MOST_TICKS, Run
from server.research.trials.run_figures import CALLS, RunFigures, figures_of


class Column(NamedTuple):
    """A column of a paper's tables: its heading, and the metric of the session that fills it."""

    heading: str
    family: str
    metric: str
    reading: str


class Columns(StrEnum):
    """Papers whose columns a table of a trial has."""

    partnr = "partnr"
    llamar = "llamar"


COLUMNS: Final[Mapping[Columns, tuple[Column, ...]]] = {
    # PARTNR's tables 2, 3 and 10 to 13.
    Columns.partnr: (
        Column("success", "partnr", "success", "code"),
        Column("percent complete", "partnr", "percent_complete", ""),
        Column("steps", "partnr", "steps", "paper"),
        Column("planning cycles", "partnr", "planning_cycles", ""),
        Column("offloading", "partnr", "task_offloading", "paper"),
        Column("extraneous", "partnr", "extraneous_effort", "paper"),
        Column("exploration", "partnr", "exploration_efficiency", "paper"),
        Column("robot's share", "ending", "robot_share", ""),
        Column("in hand", "ending", "success_in_hand", ""),
        Column("idle s", "ending", "idle_s", ""),
    ),
    # LLaMAR's table 6. Its steps are joint ones, 30 at most, which scripts do not have; beside them
    # success without that limit, acts of hands, and ticks.
    Columns.llamar: (
        Column("success", "map_thor", "success", ""),
        Column("TR", "map_thor", "transport_rate", "paper"),
        Column("C", "map_thor", "coverage", "paper"),
        Column("B", "map_thor", "balance", "paper"),
        Column("SR", "map_thor", "success", "in_time"),
        Column("L", "map_thor", "joint_steps", "paper"),
        Column("acts", "map_thor", "steps", "paper"),
        Column("steps", "partnr", "steps", "paper"),
    ),
}
IN_TIME: Final = ("map_thor", "success", "in_time")
IN_COMMON: Final[Mapping[str, str]] = {"SR in common": "SR", "L in common": "L"}
"""Columns of LLaMAR that only episodes have in which each body called a skill.

They are of other episodes for each team, so they are told again for those that all teams have.
"""
UNTIL: Final[Mapping[str, Callable[[RunFigures], float]]] = {
    "until finished": lambda run: run.until_finished,
    "until success": lambda run: run.until_success,
}
"""Columns of every table: restricted means of ticks under both endings, of one and the same play.

An attempt that ends unsolved counts as the full limit, whenever and however it ended.
"""


class Value(NamedTuple):
    """Mean over tasks of the mean over their episodes (or calls)."""

    mean: float
    interval: Interval | None
    """Interval of 95 %, with houses as units; None: there are too few, or nothing varies."""
    tasks: int
    error: float | None = None
    """The standard error over tasks, as PARTNR prints it; None: there is one."""
    houses: int = 1


class Line(NamedTuple):
    """Figures of a team, at tasks of one type or all.

    A column that has no value is not in ``values``.
    """

    team: Team
    episodes: int
    values: dict[str, Value]
    task_type: str = ""
    """Type of the tasks; empty for all."""
    comparisons: Mapping[str, Compared] | None = None
    """Comparisons with its base on the same tasks, by measure; None: it has none."""
    houses: int = 1
    out_of_context: int = 0
    """Episodes in which a prompt was longer than the model's context."""
    answered_by: str = ""
    """The answerers of its model calls, in their servers' words; empty: there were none."""
    house_ids: tuple[str, ...] = ()


def table_of(
    recordings: Iterable[tuple[Run, Path]],
    types: Mapping[str, str] | None = None,
    columns: Columns = Columns.partnr,
    *,
    limit: int = MOST_TICKS,
    against: str = "",
    digests: Mapping[str, str] | UnsetType = UNSET,
) -> list[Line]:
    """Return a line per team, in the order in which they first come, with its comparisons.

    With ``types`` (by task), each type of task has one more line for each team. ``limit`` is the
    most ticks of a run, ``against`` the robot that the others are compared with (empty: the first);
    every recording is to have the ``digests``.
    Raises RecordingError, and TrialError where nobody is so named.
    """
    cells: dict[Team, list[RunFigures]] = {}
    for run, path in recordings:
        cells.setdefault(run.team, []).append(figures_of(run, path, limit, digests))
    compared = comparisons_of(cells, against)
    common = _with_calls_in_all(cells) if columns is Columns.llamar and len(cells) > 1 else set()
    lines = []
    for team, played in cells.items():
        line = line_of(team, played, columns, limit)._replace(comparisons=compared.get(team))
        if common:
            among = [one for one in played if _attempt(one) in common]
            found = line_of(team, among, columns, limit).values
            line.values.update({heading: found[of] for heading, of in IN_COMMON.items()})
        lines.append(line)
        of_type: dict[str, list[RunFigures]] = {}
        for one in played if types else ():
            of_type.setdefault((types or {}).get(one.task_id, "") or "other", []).append(one)
        lines += [line_of(team, of_type[kind], columns, limit, kind) for kind in sorted(of_type)]
    return lines


def _attempt(one: RunFigures) -> tuple[str, str, int]:
    return (one.task_id, one.house, one.repetition)


def _with_calls_in_all(
    cells: Mapping[Team, Sequence[RunFigures]],
) -> set[tuple[str, str, int]]:
    """Return the attempts of which each team has a success in time, and so a length."""
    with_calls = (
        {_attempt(one) for one in played if one.value(IN_TIME) is not None}
        for played in cells.values()
    )
    return set.intersection(*with_calls)


def line_of(
    team: Team, played: Sequence[RunFigures], columns: Columns, limit: int, task_type: str = ""
) -> Line:
    """Return the figures of a team at tasks of one type, or all."""
    known = {
        (s.metric.family, s.metric.name, s.metric.reading): Value(
            s.mean, s.interval, s.tasks, s.error, s.houses
        )
        for s in summarise(
            (row for one in played for row in one.rows),
            {row.episode_id: one.house for one in played for row in one.rows},
        )
        if not s.seat
    }
    values = {
        heading: known[family, metric, reading]
        for heading, family, metric, reading in COLUMNS[columns]
        if (family, metric, reading) in known
    }
    for heading, ticks_of in UNTIL.items():
        values[heading] = _over_tasks(((one, [ticks_of(one)]) for one in played), high=limit)
    for number, name in enumerate(CALLS):
        figures = [(one, [f[number] for f in one.calls if f[number] is not None]) for one in played]
        if any(found for _, found in figures):
            values[name] = _over_tasks(figures)
    too_long = sum(one.out_of_context for one in played)
    return Line(
        team,
        len(played),
        values,
        task_type,
        out_of_context=too_long,
        houses=len({one.house for one in played}),
        answered_by="; ".join(dict.fromkeys(one.answered_by for one in played if one.answered_by)),
        house_ids=tuple(dict.fromkeys(one.house for one in played)),
    )


def _over_tasks(
    figures: Iterable[tuple[RunFigures, Sequence[float | None]]], high: float = math.inf
) -> Value:
    """Return the mean over tasks of the means of their figures, of which there is at least one."""
    by_task: dict[tuple[str, str], list[float]] = {}
    for one, found in figures:
        by_task.setdefault((one.task_id, one.house), []).extend(f for f in found if f is not None)
    known = {task: math.fsum(v) / len(v) for task, v in by_task.items() if v}
    means, houses = list(known.values()), [house for _, house in known]
    interval = over_houses(means, houses, low=0.0, high=high)
    mean = math.fsum(means) / len(means)
    return Value(mean, interval, len(means), standard_error(means), len(set(houses)))
