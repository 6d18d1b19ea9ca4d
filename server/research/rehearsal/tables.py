"""Tables of a rehearsal: conditions, people, waits, cost, outcomes, and the declared tests."""

from __future__ import annotations

import csv
import math
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from statistics import mean, median, stdev

from matchmaking.study import Study
from matchmaking.study.analysis import Hypothesis
from server.research.rehearsal.attempts import Played
from server.research.rehearsal.rehearsal import Rehearsed, endings

MEASURES: Mapping[str, str] = {
    "episodes.success": "success",
    "episodes.percent_complete": "percent_complete",
    "episodes.ticks": "ticks",
    "episodes.duration_s": "ticks",
    "episodes.try_index": "try_index",
}
"""Columns of an analysis that a rehearsal has, by the fields of its attempts."""


def lines(study: Study, found: Rehearsed) -> Iterator[str]:
    """Yield what became of a rehearsal, as lines to print."""
    flows = found.places.flows()
    width = max(len(arm) for _, arm in flows) if flows else 9
    yield f"{'condition':<{width}}  drawn  given up  begun  completed  lost"
    for (_, arm), flow in flows.items():
        yield (
            f"{arm:<{width}}  {flow.drawn:>5}  {flow.given_up:>8}  {flow.begun:>5}  "
            f"{flow.completed:>9}  {flow.lost:>4}"
        )
    told = ", ".join(f"{ending} {n}" for ending, n in sorted(endings(found).items()))
    yield f"people: {len(found.people)} came, {found.doubles} of them twice: {told}"
    waits = [person.waited_s for person in found.people if person.waited_s]
    if waits:
        yield f"waits: median {median(waits):.0f} s, longest {max(waits):.0f} s"
    pay = study.pay
    cap = "" if pay.cap is None else f" of {pay.cap / 100:.2f}"
    yield f"cost: {found.cost / 100:.2f}{cap} {pay.currency}, in {found.lasted_s / 3600:.1f} hours"
    yield ""
    yield from outcome_lines(found)
    yield from hypothesis_lines(study, found)


def outcome_lines(found: Rehearsed) -> Iterator[str]:
    """Yield the table of outcomes: the best attempt at each task, as PARTNR reports them."""
    yield "simulated outcomes (mean ± standard error; the best attempt at each task)"
    width = max([9, *(len(row.cell) for row in found.attempts)])
    yield f"{'condition':<{width}}  tasks  success        percent complete  steps         tries"
    for cell, rows in by_cell(found.attempts).items():
        best = best_attempts(rows)
        tries = len([row for row in rows if not row.is_practice]) / len(best)
        yield (
            f"{cell or '(none)':<{width}}  {len(best):>5}  "
            f"{_told([float(row.success) for row in best], 2)}   "
            f"{_told([row.percent_complete for row in best], 2)}      "
            f"{_told([float(row.ticks) for row in best], 0)}   {tries:.2f}"
        )


def hypothesis_lines(study: Study, found: Rehearsed) -> Iterator[str]:
    """Yield for each hypothesis over attempts what the simulated data show."""
    plan = study.analysis
    if plan is None:
        return
    for hypothesis in plan.hypotheses:
        field = MEASURES.get(hypothesis.outcome)
        if field is None:
            yield f"{hypothesis.name}: {hypothesis.outcome} is not simulated"
            continue
        first, second = (_of_level(study, found, hypothesis, level) for level in hypothesis.levels)
        one = [float(getattr(row, field)) for row in first]
        other = [float(getattr(row, field)) for row in second]
        if len(one) < 2 or len(other) < 2:
            yield f"{hypothesis.name}: too few attempts"
            continue
        d = cohens_d(one, other)
        yield (
            f"{hypothesis.name}: {hypothesis.levels[0]} against {hypothesis.levels[1]} on "
            f"{hypothesis.outcome}: d = {d:.2f}, from {len(one)} and {len(other)} attempts"
        )


def cohens_d(one: Sequence[float], other: Sequence[float]) -> float:
    """Return the difference of means in pooled standard deviations; 0 where nothing varies."""
    n, m = len(one), len(other)
    variance = ((n - 1) * stdev(one) ** 2 + (m - 1) * stdev(other) ** 2) / (n + m - 2)
    return (mean(one) - mean(other)) / math.sqrt(variance) if variance else 0.0


def by_cell(attempts: Sequence[Played]) -> dict[str, list[Played]]:
    """Return the attempts of each condition."""
    found: defaultdict[str, list[Played]] = defaultdict(list)
    for row in attempts:
        found[row.cell].append(row)
    return dict(sorted(found.items()))


def best_attempts(rows: Sequence[Played]) -> list[Played]:
    """Return the best attempt of each group at each task, but for practice; the first of equals."""
    best: dict[tuple[int, str], Played] = {}
    for row in rows:
        if row.is_practice:
            continue
        kept = best.get((row.place, row.task_id))
        if kept is None or row.percent_complete > kept.percent_complete:
            best[row.place, row.task_id] = row
    return list(best.values())


def write_rows(found: Rehearsed, file: Path) -> None:
    """Write the attempts as CSV. Raises OSError."""
    with file.open("w", encoding="utf-8", newline="") as stream:
        writer = csv.writer(stream)
        writer.writerow(Played._fields)
        writer.writerows(found.attempts)


def draw(study: Study, found: Rehearsed, file: Path) -> None:
    """Draw steps and success of each condition from the simulated attempts.

    Raises OSError or ValueError for a file that cannot be written.
    """
    from matplotlib.figure import Figure

    cells = by_cell(found.attempts)
    best = {cell: best_attempts(rows) for cell, rows in cells.items()}
    figure = Figure(figsize=(9, 4), layout="constrained")
    steps, success = figure.subplots(1, 2)
    steps.boxplot([[row.ticks for row in rows] for rows in best.values()])
    steps.set_xticks(range(1, len(best) + 1), list(best))
    steps.set_ylabel("steps of the best attempt")
    shares = [mean(float(row.success) for row in rows) for rows in best.values()]
    errors = [
        math.sqrt(share * (1 - share) / len(rows))
        for share, rows in zip(shares, best.values(), strict=True)
    ]
    success.bar(list(best), shares, yerr=errors, capsize=4, color="#2f6f8f")
    success.set_ylim(0, 1)
    success.set_ylabel("share of tasks done")
    figure.suptitle(f"{study.name}, simulated: no person took part")
    figure.savefig(file)


def _of_level(study: Study, found: Rehearsed, hypothesis: Hypothesis, level: str) -> list[Played]:
    cells = {c.name for c in study.cells if c.levels.get(hypothesis.factor) == level}
    return best_attempts([row for row in found.attempts if row.cell in cells])


def _told(values: Sequence[float], digits: int) -> str:
    error = stdev(values) / math.sqrt(len(values)) if len(values) > 1 else 0.0
    return f"{mean(values):.{digits}f} ± {error:.{digits or 0}f}".ljust(12)
