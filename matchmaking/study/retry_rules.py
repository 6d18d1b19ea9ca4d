"""Rules for outcomes of tries that follow a failed one: what a design must have to give any."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from msgspec.structs import replace

from matchmaking.study.analysis import RETRIES, Analysis, Hypothesis
from matchmaking.study.conditions import Cell
from matchmaking.study.declared_model import sample_unit
from matchmaking.study.planned_units import planned_units
from matchmaking.study.problems import Path, Problem
from matchmaking.study.study import Study
from matchmaking.study.treatment import NAME_GOALS

NAMED = "episodes.retry_named_mended"
"""Outcome that is of the goals alone which an explanation named."""


ANALYSED = (
    "For outcomes of the try after a failed one it is the second try at a task, where the first "
    "failed; a try whose first one is excluded is left out with it. Whoever never failed has none, "
    "and is left out. Who fails is not drawn, and may depend on the condition (where only what is "
    "explained differs, from the second task on): the comparison is of those who failed."
)
"""Sentences on which try is analysed for such outcomes, and of whom."""


def has_retries(analysis: Analysis | None) -> bool:
    """Tell whether an analysis has an outcome of tries that follow a failed one."""
    hypotheses = () if analysis is None else analysis.hypotheses
    return any(hypothesis.outcome.startswith(RETRIES) for hypothesis in hypotheses)


def retry_problems(study: Study) -> Iterator[Problem]:
    """Yield why a study cannot have an outcome of tries that follow a failed one."""
    analysis = study.analysis
    if analysis is None:
        return
    samples = {analysis.sample_place(h): analysis.sample_of(h) for h in analysis.hypotheses}
    wrong = [
        Problem(
            (*place, "first_tries_failing"), f"expected a share above 0, up to 1, got {share:g}"
        )
        for place, sample in samples.items()
        if (share := sample.first_tries_failing) is not None and not 0 < share <= 1
    ]
    yield from wrong
    if wrong:
        return
    for where, hypothesis in _of_retries(study):
        if study.tasks.tries < 2:
            yield Problem(
                ("tasks", "tries"),
                f"expected 2 at least, because {hypothesis.outcome} of {hypothesis.name!r} is of "
                "the try that follows a failed one",
            )
        if hypothesis.is_primary:
            yield from _sample_problems(study, analysis, hypothesis)
        if hypothesis.outcome == NAMED:
            for cell in _cells(study, hypothesis):
                if not _names_goals(cell):
                    yield Problem(
                        (*where, "outcome"),
                        f"the condition {cell.name!r} names no goals between two tries, so that "
                        f"{NAMED} has no values there: take `episodes.retry_mended`, which has",
                    )


def _sample_problems(study: Study, analysis: Analysis, hypothesis: Hypothesis) -> Iterator[Problem]:
    """Yield that fewer such tries are to be expected than are planned, or nobody knows how many."""
    sample, where = analysis.sample_of(hypothesis), analysis.sample_place(hypothesis)
    if sample.first_tries_failing is None:
        yield Problem(
            where,
            f"expected `first_tries_failing`, because {hypothesis.outcome} of {hypothesis.name!r} "
            "is only of tasks whose first try failed: write the share that you expect, such as "
            "0.5, from a pilot",
        )
        return
    planned = planned_units(study, hypothesis)
    if planned < sample.per_level:
        yield Problem(
            (*where, "per_level"),
            f"expected at most {planned}, the {sample_unit(study, hypothesis)}s with a try after a "
            f"failed one that the targets give for {hypothesis.name!r} where "
            f"{sample.first_tries_failing:g} of first tries fail, got {sample.per_level}: raise "
            "the targets, or the episodes of a group, or name a larger effect",
        )


def retry_warnings(study: Study) -> Iterator[Problem]:
    """Yield what such outcomes do not say: of what they are, and of whom."""
    is_told = False
    for where, hypothesis in _of_retries(study):
        cells = list(_cells(study, hypothesis))
        kinds = {cell.treatment.explanation for cell in cells}
        if len(kinds) > 1 and not any(_explains(cell) for cell in cells):
            yield Problem(
                (*where, "outcome"),
                f"nothing is explained before the tries that {hypothesis.outcome} is of, because "
                "it is explained later: write `explained: after_each_try`",
            )
        if hypothesis.outcome == NAMED and len(kinds & NAME_GOALS) > 1:
            yield Problem(
                (*where, "outcome"),
                f"{NAMED} is of other goals at each level: `ours` names all that do not count, "
                "`partnr` those that count but for an order or a tie only where none is missing: "
                "look at `episodes.retry_mended` beside it",
            )
        if (why := _selection(study, cells)) and not is_told:
            is_told = True
            yield Problem(
                (*where, "outcome"),
                f"{hypothesis.outcome} is only of those whose first try failed, and {why}: those "
                "who failed may be others at each level. Report how many first tries failed in "
                "each condition, as `cohabit study report` does",
            )


def _selection(study: Study, cells: Sequence[Cell]) -> str:
    """Say from when on failing may depend on the condition; empty: it cannot."""
    first = cells[0] if cells else None
    if any(_before_an_explanation(cell) != _before_an_explanation(first) for cell in cells[1:]):
        return "whether it fails may depend on the condition"
    if all(cell.treatment.explained == "at_the_end" for cell in cells):
        return ""
    if study.tasks_of_a_visit != 1:
        return (
            "whether it fails may depend on the condition from the second task on, which comes "
            "after an explanation (with `episodes: 1` it cannot)"
        )
    return ""


def _before_an_explanation(cell: Cell | None) -> object:
    """Return what acts on a first try already: all but what is explained after it."""
    if cell is None:
        return None
    return cell.team, replace(cell.treatment, explanation="none", explained="at_the_end")


def _of_retries(study: Study) -> Iterator[tuple[Path, Hypothesis]]:
    hypotheses = () if study.analysis is None else study.analysis.hypotheses
    for number, hypothesis in enumerate(hypotheses):
        if hypothesis.outcome.startswith(RETRIES):
            yield ("analysis", "hypotheses", number), hypothesis


def _cells(study: Study, hypothesis: Hypothesis) -> Iterator[Cell]:
    """Yield the conditions that a hypothesis compares."""
    for cell in study.cells:
        if cell.levels.get(hypothesis.factor) in hypothesis.levels:
            yield cell


def _explains(cell: Cell) -> bool:
    """Tell whether a condition explains something between two tries."""
    treatment = cell.treatment
    return treatment.explained == "after_each_try" and treatment.explanation != "none"


def _names_goals(cell: Cell) -> bool:
    return _explains(cell) and cell.treatment.explanation in NAME_GOALS
