"""Tables of a rehearsal: conditions, people, waits, cost, outcomes, and the declared tests."""

from __future__ import annotations

import csv
import math
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from statistics import mean, median, stdev

from matchmaking.assignment.ledger import State
from matchmaking.study import Study
from matchmaking.study.analysis import RETRIES, Hypothesis
from matchmaking.study.declared_model import sample_unit
from server.research.rehearsal.declared_effects import declared, quantity_of
from server.research.rehearsal.rehearsal import Rehearsed, endings
from server.research.studies.counted_attempts import (
    AFTER_FAILURE,
    CHOICES,
    Choice,
    Played,
    by_cell,
    first_tries,
    outcome_lines,
)


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
    yield "simulated outcomes of groups that completed (mean ± standard error)"
    yield from outcome_lines(counted(found))
    yield from hypothesis_lines(study, found)
    if study.analysis is not None and (n := len(study.analysis.exclusions)):
        yield (
            f"exclusions are not rehearsed: nobody here meets the {n} "
            f"{'rule' if n == 1 else 'rules'} of the plan, so that people will be fewer; set "
            "targets above the sample by as many as you expect to exclude"
        )


def counted_places(found: Rehearsed) -> frozenset[int]:
    """Return the places of groups that completed the study."""
    states = found.places.assignment.ledger.states
    return frozenset(place for place, state in enumerate(states) if state is State.COMPLETED)


def counted(found: Rehearsed) -> list[Played]:
    """Return the attempts of groups that completed the study."""
    whole = counted_places(found)
    return [row for row in found.attempts if row.place in whole]


def hypothesis_lines(study: Study, found: Rehearsed) -> Iterator[str]:
    """Yield for each hypothesis what the simulated data show, beside what is declared."""
    plan = study.analysis
    if plan is None:
        return
    yield ""
    yield f"differences (d ± standard error, by {plan.unit}; conditions of a task are not paired)"
    rows = counted(found)
    for hypothesis in plan.hypotheses:
        if quantity_of(hypothesis.outcome) is None:
            yield f"{hypothesis.name}: {hypothesis.outcome} is not simulated"
            continue
        d, unit = declared(hypothesis, plan.sample_of(hypothesis)), sample_unit(study, hypothesis)
        by = "" if unit == plan.unit else f", by {unit}"
        choices = _choices(study, hypothesis.outcome)
        told = [
            f"{name} {_difference(study, choose(rows), hypothesis)}"
            for name, choose in choices.items()
        ]
        yield (
            f"{hypothesis.name}: {hypothesis.levels[0]} against {hypothesis.levels[1]} on "
            f"{hypothesis.outcome}{by}: declared {d:.2f}, simulated {', '.join(told)}"
        )


def _choices(study: Study, outcome: str) -> Mapping[str, Choice]:
    """Return the ways of taking the rows of an outcome, each with its name."""
    if outcome in study.asked_once:
        return {"asked once": lambda rows: [row for row in rows if outcome in row.measures]}
    return AFTER_FAILURE if outcome.startswith(RETRIES) else CHOICES


def _difference(study: Study, rows: Sequence[Played], hypothesis: Hypothesis) -> str:
    one, other = (_of_level(study, rows, hypothesis, level) for level in hypothesis.levels)
    if len(one) < 2 or len(other) < 2:
        return f"too few ({len(one)} and {len(other)})"
    d = cohens_d(one, other)
    error = math.sqrt(1 / len(one) + 1 / len(other) + d**2 / (2 * (len(one) + len(other))))
    return f"{d:.2f} ± {error:.2f} ({len(one)} and {len(other)})"


def cohens_d(one: Sequence[float], other: Sequence[float]) -> float:
    """Return the difference of means in pooled standard deviations; 0 where nothing varies."""
    n, m = len(one), len(other)
    variance = ((n - 1) * stdev(one) ** 2 + (m - 1) * stdev(other) ** 2) / (n + m - 2)
    return (mean(one) - mean(other)) / math.sqrt(variance) if variance else 0.0


def write_rows(found: Rehearsed, file: Path) -> None:
    """Write the attempts as CSV. Raises OSError."""
    with file.open("w", encoding="utf-8", newline="") as stream:
        writer = csv.writer(stream)
        others = sorted({name for row in found.attempts for name in row.measures})
        writer.writerow([*Played._fields[:-1], "is_counted", *others])
        whole = counted_places(found)
        for row in found.attempts:
            measures = [f"{row.measures.get(name, math.nan):.4f}" for name in others]
            writer.writerow([*row[:-1], row.place in whole, *measures])


def draw(study: Study, found: Rehearsed, file: Path) -> None:
    """Draw ticks and success of each condition from the simulated first tries.

    Raises OSError or ValueError for a file that cannot be written.
    """
    from matplotlib.figure import Figure

    chosen = {cell: first_tries(rows) for cell, rows in by_cell(counted(found)).items()}
    figure = Figure(figsize=(9, 4), layout="constrained")
    steps, success = figure.subplots(1, 2)
    steps.boxplot([[row.ticks for row in rows] for rows in chosen.values()])
    steps.set_xticks(range(1, len(chosen) + 1), list(chosen))
    steps.set_ylabel("ticks of the first try")
    shares = [mean(float(row.success) for row in rows) for rows in chosen.values()]
    errors = [
        math.sqrt(share * (1 - share) / len(rows))
        for share, rows in zip(shares, chosen.values(), strict=True)
    ]
    success.bar(list(chosen), shares, yerr=errors, capsize=4, color="#2f6f8f")
    success.set_ylim(0, 1)
    success.set_ylabel("share of tasks done at the first try")
    figure.suptitle(f"{study.name}, simulated: no person took part")
    figure.savefig(file)


def _of_level(
    study: Study, rows: Sequence[Played], hypothesis: Hypothesis, level: str
) -> list[float]:
    """Return the outcomes of a level, one for each unit of its sample."""
    cells = {c.name for c in study.cells if c.levels.get(hypothesis.factor) == level}
    is_of_attempts = sample_unit(study, hypothesis) == "episode"
    units: defaultdict[object, list[float]] = defaultdict(list)
    for number, row in enumerate(rows):
        if row.cell in cells:
            unit = number if is_of_attempts else row.place
            units[unit].append(_value(row, hypothesis.outcome))
    return [mean(values) for values in units.values()]


def _value(row: Played, column: str) -> float:
    match column:
        case "episodes.success" | "episodes.retry_success":
            return float(row.success)
        case "episodes.percent_complete":
            return row.percent_complete
        case "episodes.ticks" | "episodes.duration_s":
            return float(row.ticks)
        case _:
            return row.measures[column]
