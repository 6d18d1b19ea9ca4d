"""Metrics as a table: one tidy row per episode, seat, metric and reading; means with intervals."""

from __future__ import annotations

import csv
import io
import math
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from episodes.dataset.model import Proposition
from episodes.metrics.clusters import over_houses, rate_over_houses
from episodes.metrics.endings import endings
from episodes.metrics.intervals import Interval, clopper_pearson, standard_error
from episodes.metrics.mapthor import map_thor
from episodes.metrics.partnr import partnr, seat_shares
from episodes.metrics.teach import goal_conditions, path_weight
from episodes.metrics.team import team_measures
from episodes.seats import PAIR
from episodes.trace import Trace
from episodes.visible_text import spreadsheet_cell


class Metric(NamedTuple):
    """A column of the table: its family, its name, which reading, and its range."""

    family: str
    name: str
    reading: str
    low: float = 0.0
    high: float = math.inf
    rate: bool = False
    """Whether the metric is zero or one per episode, so that its interval is exact."""


class Row(NamedTuple):
    """A value. ``seat`` is empty for the session, ``value`` None for undefined."""

    session_id: str
    episode_id: str
    task_id: str
    try_index: int
    semantics: str
    seat: str
    family: str
    metric: str
    reading: str
    value: float | None


_PARTNR = {
    "success": Metric("partnr", "success", "code", 0, 1, True),
    "success_study": Metric("partnr", "success", "study", 0, 1, True),
    "percent_complete": Metric("partnr", "percent_complete", "", 0, 1),
    "steps": Metric("partnr", "steps", "paper"),
    "steps_study": Metric("partnr", "steps", "study"),
    "planning_cycles": Metric("partnr", "planning_cycles", ""),
    "offloading": Metric("partnr", "task_offloading", "paper", 0, 1),
    "offloading_study": Metric("partnr", "task_offloading", "study", 0, 1),
    "extraneous": Metric("partnr", "extraneous_effort", "paper", 0, 1),
    "extraneous_study": Metric("partnr", "extraneous_effort", "study", 0, 1),
    "exploration": Metric("partnr", "exploration_efficiency", "paper"),
    "exploration_study": Metric("partnr", "exploration_efficiency", "study", -math.inf),
}
_MAP_THOR = {
    "success": Metric("map_thor", "success", "", 0, 1, True),
    "transport_rate": Metric("map_thor", "transport_rate", "paper", 0, 1),
    "transport_rate_fine": Metric("map_thor", "transport_rate", "code", 0, 1),
    "coverage": Metric("map_thor", "coverage", "paper", 0, 1),
    "coverage_attempted": Metric("map_thor", "coverage", "code", 0, 1),
    "balance": Metric("map_thor", "balance", "paper", 0, 1),
    "balance_code": Metric("map_thor", "balance", "code", 0, 1),
    "steps": Metric("map_thor", "steps", "paper"),
    "steps_to_stop": Metric("map_thor", "steps", "code"),
}
_MAP_THOR_CALLS = {
    "joint_steps": Metric("map_thor", "joint_steps", "paper"),
    "success_in_time": Metric("map_thor", "success", "in_time", 0, 1, True),
}
"""Metrics that only teams have in tables whose every policy calls skills."""
_TEACH = {
    "rate": Metric("teach", "goal_conditions", "teach", -math.inf, 1),
    "rate_of_all": Metric("teach", "goal_conditions", "alfred", 0, 1),
    "rate_counted": Metric("teach", "goal_conditions", "partnr", 0, 1),
    "plw_success": Metric("teach", "path_weighted_success", "code", 0, 1),
    "plw_success_helper": Metric("teach", "path_weighted_success", "helper"),
    "plw_rate": Metric("teach", "path_weighted_goal_conditions", "code", -math.inf, 1),
}
_SEAT = {
    "work_share": Metric("seat", "work_share", "", 0, 1),
    "actions": Metric("seat", "actions", ""),
    "refused": Metric("seat", "refused", ""),
    "useful": Metric("seat", "useful_actions", ""),
    "extraneous": Metric("seat", "extraneous_effort", "paper", 0, 1),
    "first_pick": Metric("seat", "first_pick", ""),
    "planning_cycles": Metric("seat", "planning_cycles", ""),
    "distance_m": Metric("seat", "distance_m", ""),
}
_SEAT_OF_SEVERAL = {
    "transport_rate": Metric("seat", "transport_rate", "", 0, 1),
    "coverage": Metric("seat", "coverage", "", 0, 1),
    "decisions": Metric("seat", "decisions", ""),
}
"""Metrics of a seat that only teams of more than two have in tables: a pair's stay as they are."""
_SEAT_THAT_BLOCKS = {"blocked_s": Metric("seat", "blocked_s", "")}
"""Metrics of a seat that only episodes have in which bodies block."""
_ENDINGS = {
    "steps_to_success": Metric("ending", "steps_to_success", ""),
    "success_in_hand": Metric("ending", "success_in_hand", "", 0, 1, True),
    "idle_s": Metric("ending", "idle_s", ""),
    "robot_share": Metric("ending", "robot_share", "", 0, 1),
}
"""Metrics of both endings of an episode, and the robots' share whatever the outcome."""
METRICS: tuple[Metric, ...] = (
    *_PARTNR.values(),
    *_MAP_THOR.values(),
    *_MAP_THOR_CALLS.values(),
    *_TEACH.values(),
    *_SEAT.values(),
    *_SEAT_OF_SEVERAL.values(),
    *_SEAT_THAT_BLOCKS.values(),
    *_ENDINGS.values(),
)


def rows_of(
    trace: Trace, propositions: Sequence[Proposition], expert_steps: int | None = None
) -> list[Row]:
    """Return every metric of one episode. ``expert_steps`` is the length that weighs paths."""
    values: list[tuple[str, Metric, float | None]] = []
    ours = partnr(trace)._asdict()
    values += [("", metric, ours[key]) for key, metric in _PARTNR.items()]
    theirs = map_thor(trace, propositions)._asdict()
    of_map_thor = _MAP_THOR if theirs["joint_steps"] is None else _MAP_THOR | _MAP_THOR_CALLS
    values += [("", metric, theirs[key]) for key, metric in of_map_thor.items()]
    values += [("", _TEACH[key], value) for key, value in _teach(trace, expert_steps).items()]
    for share in seat_shares(trace):
        found = share._asdict()
        values += [(share.seat, metric, found[key]) for key, metric in _SEAT.items()]
    for measures in team_measures(trace, propositions).seats:
        found = measures._asdict()
        more = _SEAT_OF_SEVERAL if len(trace.seats) > len(PAIR) else {}
        if measures.blocked_s is not None:
            more = more | _SEAT_THAT_BLOCKS
        values += [(measures.seat, metric, found[key]) for key, metric in more.items()]
    found = endings(trace, propositions)._asdict()
    values += [("", metric, found[key]) for key, metric in _ENDINGS.items()]
    return [
        Row(
            trace.session_id,
            trace.episode_id,
            trace.task_id,
            trace.try_index,
            trace.verdict.semantics,
            seat,
            metric.family,
            metric.name,
            metric.reading,
            value,
        )
        for seat, metric, value in values
    ]


def _teach(trace: Trace, expert_steps: int | None) -> dict[str, float | None]:
    goals = goal_conditions(trace)
    if goals is None:
        return dict.fromkeys(_TEACH)
    weight = helper = None
    if expert_steps is not None:
        weight = path_weight(trace.ticks, expert_steps)
        helper = path_weight(trace.ticks, expert_steps, capped=False)
    return {
        "rate": goals.rate,
        "rate_of_all": goals.rate_of_all,
        "rate_counted": goals.rate_counted,
        "plw_success": None if weight is None else goals.success * weight,
        "plw_success_helper": None if helper is None else goals.success * helper,
        "plw_rate": None if weight is None else goals.rate * weight,
    }


class Summary(NamedTuple):
    """A metric over episodes: the mean over tasks of the mean over their episodes (macro).

    ``interval`` has houses as units, None where there are too few of them: for rates that of
    Korn and Graubard, else Student's. ``episodes_interval`` is, for rates, the exact one
    (Clopper-Pearson) with episodes as units, as if all were independent. ``error`` is the standard
    error over tasks, as PARTNR prints it.
    """

    metric: Metric
    seat: str
    mean: float
    tasks: int
    episodes: int
    interval: Interval | None
    episodes_interval: Interval | None
    error: float | None = None
    houses: int = 1


def summarise(rows: Iterable[Row], houses: Mapping[str, str] | None = None) -> list[Summary]:
    """Return means and intervals of every metric that has a value, in the order of `METRICS`.

    ``houses`` has the house of each episode; without it all are of one, and have no interval.
    """
    house_of = {} if houses is None else houses
    known = {(m.family, m.name, m.reading): m for m in METRICS}
    cells: dict[tuple[Metric, str], dict[tuple[str, str], list[float]]] = {}
    for row in rows:
        if row.value is not None:
            metric = known[row.family, row.metric, row.reading]
            task = (row.task_id, house_of.get(row.episode_id, ""))
            cells.setdefault((metric, row.seat), {}).setdefault(task, []).append(row.value)
    order = {metric: i for i, metric in enumerate(METRICS)}
    found = []
    for (metric, seat), tasks in sorted(cells.items(), key=lambda c: (order[c[0][0]], c[0][1])):
        means = [math.fsum(v) / len(v) for v in tasks.values()]
        values = [v for task in tasks.values() for v in task]
        units = [house for _, house in tasks]
        episodes_interval = None
        if metric.rate:
            interval = rate_over_houses(means, units)
            episodes_interval = clopper_pearson(math.fsum(values), len(values))
        else:
            interval = over_houses(means, units, low=metric.low, high=metric.high)
        mean = math.fsum(means) / len(means)
        found.append(
            Summary(
                metric,
                seat,
                mean,
                len(means),
                len(values),
                interval,
                episodes_interval,
                standard_error(means),
                len(set(units)),
            )
        )
    return found


class Origin(NamedTuple):
    """Origin of an episode: who played, written body by body, by which rules, and where.

    ``model_calls`` says who answered those, empty where there were none.
    """

    team: str = ""
    profile: str = ""
    house: str = ""
    model_calls: str = ""


def to_csv(rows: Iterable[Row], origins: Mapping[str, Origin] | None = None) -> str:
    """Return the rows as tidy CSV, with the origin of each; an undefined value is an empty field.

    ``origins`` are by episode.
    """
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow((*Row._fields, *Origin._fields))
    for row in rows:
        origin = (origins or {}).get(row.episode_id, Origin())
        writer.writerow(map(spreadsheet_cell, (*row, *origin)))
    return text.getvalue()


def expert_lengths(traces: Iterable[Trace]) -> Mapping[str, int]:
    """Return the shortest success of each task in some episodes: an expert if none is given."""
    best: dict[str, int] = {}
    for trace in traces:
        if trace.verdict.success:
            best[trace.task_id] = min(trace.ticks, best.get(trace.task_id, trace.ticks))
    return best
