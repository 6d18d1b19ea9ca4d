"""Tables of episodes beside scripted people: means, and a robot less others, family by family."""

from __future__ import annotations

import statistics
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Literal, NamedTuple

from episodes.metrics import Comparison, Paired, compare, holm
from episodes.metrics.clusters import FEW_HOUSES
from episodes.metrics.intervals import bootstrap
from server.recording.answering import caption_of
from server.research.trials.plan import pair_of
from server.research.trials.tuning import sentences
from tests.benchmarks.partner_episodes import ALONE, Played

CAPTION = "Doubles are told each task's goals."


class Measure(NamedTuple):
    heading: str
    of: Callable[[Played], float | None]
    among: Literal["all", "solved"]
    form: str


MEASURES = (
    Measure("solved", lambda p: float(p.success), "all", ".2f"),
    Measure("complete", lambda p: p.percent, "all", ".2f"),
    Measure("until finished", lambda p: p.until_finished, "all", ".0f"),
    Measure("until success", lambda p: p.until_success, "all", ".0f"),
    # PARTNR's paper has two: section 4.2.2 counts all successful actions, appendix A.11 placements.
    Measure("extraneous 4.2.2", lambda p: p.extraneous, "solved", ".2f"),
    Measure("A.11", lambda p: p.rearranged, "solved", ".2f"),
    Measure("offloading", lambda p: p.offloading, "solved", ".2f"),
    Measure("robot's share", lambda p: p.share, "all", ".2f"),
    Measure("asked", lambda p: float(p.questions > 0), "all", ".2f"),
    Measure("calls", lambda p: float(p.calls), "all", ".1f"),
    Measure("tokens", lambda p: float(p.tokens), "all", ".0f"),
    Measure("model s", lambda p: p.model_s, "all", ".1f"),
    Measure("stood s", lambda p: p.stood_s, "all", ".1f"),
)
COMPARED = ("until finished", "until success", "extraneous 4.2.2", "A.11")
BY_RATIO = ("until finished", "until success")
"""Measures whose differences are also told as a share of the other's."""


def _cell(values: Sequence[float], form: str) -> str:
    if not values:
        return "-"
    text = format(statistics.fmean(values), form)
    interval = bootstrap(values, low=0.0)
    if interval is None:
        return text
    return f"{text} ({format(interval.low, form)} to {format(interval.high, form)})"


def whole_tasks(played: Sequence[Played]) -> list[Played]:
    """Return the episodes of the tasks that every person and robot has played.

    While a run goes on its last task is not whole, and means over other tasks are not compared.
    """
    pairs = {(p.person, p.robot) for p in played}
    by_task: dict[str, list[Played]] = {}
    for one in played:
        by_task.setdefault(one.task, []).append(one)
    return [p for found in by_task.values() if len(found) == len(pairs) for p in found]


def notes(played: Sequence[Played]) -> Iterable[str]:
    """Yield who answered the models' calls, and what the robots were tuned on."""
    told = caption_of(one.answered_by for one in played)
    yield f"*{told} {CAPTION}*" if told else "*No model was asked.*"
    pairs = dict.fromkeys(
        (one.person, "nobody" if one.robot == ALONE else one.robot) for one in played
    )
    yield from sentences([pair_of(robot, person) for person, robot in pairs],
                         [one.house for one in played])  # fmt: skip


def table(played: Sequence[Played]) -> Iterable[str]:
    """Yield lines of Markdown: a row for each person and robot."""
    yield "| person | robot | " + " | ".join(m.heading for m in MEASURES) + " |"
    yield "|---" * (len(MEASURES) + 2) + "|"
    for person in dict.fromkeys(p.person for p in played):
        for robot in dict.fromkeys(p.robot for p in played):
            mine = [p for p in played if (p.person, p.robot) == (person, robot)]
            if not mine:
                continue
            cells = []
            for measure in MEASURES:
                among = [p for p in mine if p.success or measure.among == "all"]
                values = [v for p in among if (v := measure.of(p)) is not None]
                cells.append(_cell(values, measure.form))
            yield f"| `{person}` | `{robot}` | " + " | ".join(cells) + " |"


def differences(played: Sequence[Played], ours: str) -> Iterable[str]:
    """Yield lines of Markdown: a robot less each other over all tasks that both played.

    The p beside a difference is corrected by Holm for all rows of its column.
    """
    others = list(dict.fromkeys(p.robot for p in played if p.robot != ours))
    people = dict.fromkeys(p.person for p in played)
    rows = [(person, robot) for robot in others for person in people]
    cells: dict[tuple[str, str], list[str]] = {row: [] for row in rows}
    measures = [m for m in MEASURES if m.heading in COMPARED]
    for measure in measures:
        compared = compared_with(played, ours, measure)
        corrected = dict(zip(compared, holm([c.p for c in compared.values()]), strict=True))
        for row in rows:
            told = _compared(compared.get(row), corrected.get(row, 1.0), measure)
            cells[row].append(told)
    yield f"| person | `{ours}` less | " + " | ".join(m.heading for m in measures) + " |"
    yield "|---" * (len(measures) + 2) + "|"
    for (person, robot), told_of in cells.items():
        yield f"| `{person}` | `{robot}` | " + " | ".join(told_of) + " |"
    houses = len({p.house for p in played})
    if houses < FEW_HOUSES:
        yield f"\nRough: intervals and tests are over {houses} houses, fewer than {FEW_HOUSES}."


def compared_with(
    played: Sequence[Played], ours: str, measure: Measure
) -> Mapping[tuple[str, str], Comparison]:
    """Return the comparisons of a robot with the others, by person and other robot."""
    found = {(p.person, p.robot, p.task): p for p in played}
    pairs: dict[tuple[str, str], list[Paired]] = {}
    for (person, robot, task), theirs in found.items():
        mine = found.get((person, ours, task))
        if robot == ours or mine is None:
            continue
        one, other = measure.of(mine), measure.of(theirs)
        if one is not None and other is not None:
            pairs.setdefault((person, robot), []).append(Paired(task, mine.house, one, other))
    return {row: compare(values) for row, values in pairs.items()}


def _compared(found: Comparison | None, corrected: float, measure: Measure) -> str:
    if found is None:
        return "-"
    text = format(found.mean, measure.form)
    if found.interval is not None:
        low, high = (format(bound, measure.form) for bound in found.interval)
        text += f" ({low} to {high})"
    if measure.heading in BY_RATIO and found.ratio is not None:
        text += f", {found.ratio - 1:+.0%}"
    return f"{text}, p {corrected:.3f}"
