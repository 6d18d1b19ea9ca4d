"""Table of a trial: a paper's columns, and what the models cost, with intervals over tasks."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from enum import StrEnum
from pathlib import Path
from typing import Final, NamedTuple

from episodes.metrics import Interval, rows_of, summarise
from episodes.metrics.intervals import bootstrap
from episodes.teams import Team
from server.recording.model_calls import model_calls_of
from server.recording.prompt_deduplication import shared_chars
from server.recording.recordings import RecordingError, read_recording
from server.recording.traces import trace_of
from server.research.trials.plan import Run, names_of_pair
from server.sessions.policy_records import CallRecord


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
CALLS = (
    "tokens per call",
    "latency s",
    "parsed %",
    "shared start %",
    "overtaken %",
    "stale %",
    "cached %",
)
"""Columns about model calls.

``shared start`` is how much of a prompt is the start of the one before it of the same purpose in
its seat, which a server can have kept; ``cached`` what the server says that it had.
"""


SUCCESS: Final = ("partnr", "success", "code")
STEPS: Final = ("partnr", "steps", "paper")


class Value(NamedTuple):
    """Mean over tasks of the mean over their episodes (or calls)."""

    mean: float
    interval: Interval | None
    """Interval of 95 %, with tasks as units; None: there are too few."""
    tasks: int


class Line(NamedTuple):
    """Figures of a team, at tasks of one type or all.

    A column that has no value is not in ``values``.
    """

    team: Team
    episodes: int
    values: dict[str, Value]
    task_type: str = ""
    """Type of the tasks; empty for all."""
    differences: Mapping[str, Value] | None = None
    """Differences to the first team on the same tasks; None: it is the first, or all are pairs."""


def table_of(
    recordings: Iterable[tuple[Run, Path]],
    types: Mapping[str, str] | None = None,
    columns: Columns = Columns.partnr,
) -> list[Line]:
    """Return a line per team, in the order in which they first come.

    With ``types`` (by task), each type of task has one more line for each team. Where not all teams
    are pairs, each is compared with the first.
    """
    cells: dict[Team, list[_Read]] = {}
    for run, path in recordings:
        cells.setdefault(run.team, []).append(_Read(run, path))
    lines = []
    first = None if all(map(names_of_pair, cells)) else next(iter(cells), None)
    for team, played in cells.items():
        line = _line(team, played, columns)
        if first is not None and team != first:
            line = line._replace(differences=_differences(cells[first], played))
        lines.append(line)
        of_type: dict[str, list[_Read]] = {}
        for one in played if types else ():
            of_type.setdefault((types or {}).get(one.task_id, "") or "other", []).append(one)
        lines += [_line(team, of_type[kind], columns, kind) for kind in sorted(of_type)]
    return lines


class _Read:
    """Contribution of a recording to its lines."""

    def __init__(self, run: Run, path: Path) -> None:
        recordings = read_recording(path)
        if len(recordings) != 1:
            raise RecordingError(f"{path}: expected one episode, got {len(recordings)}")
        (recording,) = recordings
        self.task_id = run.task_id
        with recording.folding():
            self.rows = rows_of(trace_of(recording), recording.header.task.evaluation_propositions)
            calls = model_calls_of(recording)
            self.calls = list(map(_figures, calls, _shared_starts(calls)))


def _figures(call: CallRecord, shared: float | None) -> tuple[float | None, ...]:
    """Return the figures of one call, in the order of `CALLS`."""
    prompt, cached = call.prompt_tokens, call.cached_tokens
    return (
        None if prompt is None else float(prompt + (call.completion_tokens or 0)),
        call.latency_s,
        100.0 * (not call.error),
        None if shared is None else 100.0 * shared,
        100.0 * call.overtaken,
        100.0 * bool(call.stale),
        None if cached is None or not prompt else 100.0 * cached / prompt,
    )


def _line(team: Team, played: Sequence[_Read], columns: Columns, task_type: str = "") -> Line:
    known = {
        (s.metric.family, s.metric.name, s.metric.reading): Value(s.mean, s.interval, s.tasks)
        for s in summarise(row for one in played for row in one.rows)
        if not s.seat
    }
    values = {
        heading: known[family, metric, reading]
        for heading, family, metric, reading in COLUMNS[columns]
        if (family, metric, reading) in known
    }
    for number, name in enumerate(CALLS):
        by_task: dict[str, list[float]] = {}
        for one in played:
            found = [figures[number] for figures in one.calls]
            by_task.setdefault(one.task_id, []).extend(f for f in found if f is not None)
        means = [math.fsum(v) / len(v) for v in by_task.values() if v]
        if means:
            mean = math.fsum(means) / len(means)
            values[name] = Value(mean, bootstrap(means, low=0.0), len(means))
    return Line(team, len(played), values, task_type)


def _differences(first: Sequence[_Read], other: Sequence[_Read]) -> dict[str, Value]:
    """Return how much more another team reached and needed than the first, task by task.

    ``success`` and ``steps`` are of all tasks that both played, ``steps where solved`` of those
    that both solved in each episode.
    """
    found = {}
    one, two = (_by_task(played, SUCCESS) for played in (first, other))
    solved = {task for task in one.keys() & two.keys() if one[task] == two[task] == 1.0}
    for heading, key, tasks in (
        ("success", SUCCESS, None),
        ("steps", STEPS, None),
        ("steps where solved", STEPS, solved),
    ):
        one, two = (_by_task(played, key) for played in (first, other))
        shared = [t for t in one if t in two and (tasks is None or t in tasks)]
        values = [two[task] - one[task] for task in shared]
        if values:
            mean = math.fsum(values) / len(values)
            found[heading] = Value(mean, bootstrap(values), len(values))
    return found


def _by_task(played: Sequence[_Read], key: tuple[str, str, str]) -> dict[str, float]:
    """Return the mean of a metric of the session over the episodes of each task."""
    values: dict[str, list[float]] = {}
    for one in played:
        for row in one.rows:
            is_it = (row.family, row.metric, row.reading) == key and not row.seat
            if is_it and row.value is not None:
                values.setdefault(one.task_id, []).append(row.value)
    return {task: math.fsum(v) / len(v) for task, v in values.items()}


def _shared_starts(calls: Sequence[CallRecord]) -> Iterator[float | None]:
    """Yield, for each prompt, the share that its longest common start with the one before it makes.

    The one before it is of the same purpose in the same seat, as policies with several prompts
    have one history for each. None for the first.
    """
    before: dict[tuple[str, str], str] = {}
    for call in calls:
        kind = (call.seat, call.purpose)
        known = before.get(kind)
        before[kind] = call.prompt
        yield shared_chars(known, call.prompt) / len(call.prompt) if known and call.prompt else None
