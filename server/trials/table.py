"""The table of a trial: PARTNR's columns, and what the models cost, with intervals over tasks."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from episodes.metrics import Interval, rows_of, summarise
from episodes.metrics.intervals import bootstrap
from server.scoring import model_calls_of, read_recording, trace_of
from server.sessions.model_calls import CallRecord
from server.sessions.prompt_log import shared_chars
from server.trials.plan import Run

COLUMNS: tuple[tuple[str, str, str], ...] = (
    ("success", "success", "code"),
    ("percent complete", "percent_complete", ""),
    ("steps", "steps", "paper"),
    ("planning cycles", "planning_cycles", ""),
    ("offloading", "task_offloading", "paper"),
    ("extraneous", "extraneous_effort", "paper"),
    ("exploration", "exploration_efficiency", "paper"),
)
"""Heading, metric and reading: the columns of PARTNR's tables 2, 3 and 10 to 13."""
CALLS = (
    "tokens per call",
    "latency s",
    "parsed %",
    "overtaken %",
    "stale %",
    "shared start %",
    "cached %",
)
"""Of model calls. ``shared start`` is how much of a prompt is the start of the one before it in its
seat, which a server can have kept; ``cached`` what the server says that it had."""


class Value(NamedTuple):
    mean: float
    interval: Interval | None
    tasks: int


class Line(NamedTuple):
    """One pair of policies. A column that has no value is not in ``values``."""

    robot: str
    partner: str
    episodes: int
    values: dict[str, Value]


def table_of(recordings: Iterable[tuple[Run, Path]]) -> list[Line]:
    """A line per pair of policies, in the order in which they first come."""
    cells: dict[tuple[str, str], list[tuple[Run, Path]]] = {}
    for run, path in recordings:
        cells.setdefault((run.robot, run.partner), []).append((run, path))
    return [_line(robot, partner, runs) for (robot, partner), runs in cells.items()]


def _line(robot: str, partner: str, runs: Sequence[tuple[Run, Path]]) -> Line:
    rows = []
    by_task: dict[str, dict[str, list[float]]] = {name: {} for name in CALLS}
    for run, path in runs:
        (recording,) = read_recording(path)
        rows += rows_of(trace_of(recording), recording.header.episode.evaluation_propositions)
        calls = model_calls_of(recording)
        for call, shared in zip(calls, _shared_starts(calls), strict=True):
            prompt = call.prompt_tokens
            cached = None if not prompt or call.cached_tokens is None else call.cached_tokens
            figures = (
                None if prompt is None else prompt + (call.completion_tokens or 0),
                call.latency_s,
                100.0 * (not call.error),
                100.0 * call.overtaken,
                100.0 * bool(call.stale),
                None if shared is None else 100.0 * shared,
                None if cached is None or not prompt else 100.0 * cached / prompt,
            )
            for name, figure in zip(CALLS, figures, strict=True):
                if figure is not None:
                    by_task[name].setdefault(run.task_id, []).append(float(figure))
    known = {
        (s.metric.name, s.metric.reading): Value(s.mean, s.interval, s.tasks)
        for s in summarise(rows)
        if not s.seat and s.metric.family == "partnr"
    }
    values = {
        heading: known[metric, reading]
        for heading, metric, reading in COLUMNS
        if (metric, reading) in known
    }
    for name, tasks in by_task.items():
        means = [math.fsum(v) / len(v) for v in tasks.values()]
        if means:
            mean = math.fsum(means) / len(means)
            values[name] = Value(mean, bootstrap(means, low=0.0), len(means))
    return Line(robot, partner, len(runs), values)


def _shared_starts(calls: Sequence[CallRecord]) -> Iterator[float | None]:
    """Of each prompt, the share that the longest common start with the one before it in its seat
    makes; None for a seat's first."""
    before: dict[str, str] = {}
    for call in calls:
        known = before.get(call.seat)
        before[call.seat] = call.prompt
        yield shared_chars(known, call.prompt) / len(call.prompt) if known and call.prompt else None
