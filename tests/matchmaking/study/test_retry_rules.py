"""Outcomes of tries that follow a failed one: which designs give any, and how many."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from matchmaking.study import Study
from matchmaking.study.analysis import Analysis, Hypothesis
from matchmaking.study.design import Tasks
from matchmaking.study.opening_rules import opening_problems, opening_warnings
from matchmaking.study.pages import Play
from matchmaking.study.planned_units import planned_units
from matchmaking.study.retry_rules import ANALYSED
from matchmaking.study_file import read_study
from server.research.power.adequacy import adequacies, size_line
from server.research.studies.preregistration import preregistration
from server.research.studies.ready_studies import ready_text

TODAY = "2026-11-28"


def compared(
    outcome: str = "episodes.retry_success",
    levels: tuple[str, str] = ("ours", "verdict"),
    failing: float | None = 0.4,
    **more: Any,
) -> Study:
    """Return the ready study of explanations with one hypothesis on tries after a failed one."""
    study = read_study(ready_text("explanation")).study
    plan = study.analysis
    assert plan is not None
    hypothesis = replace(plan.hypotheses[0], outcome=outcome, levels=levels)
    sample = replace(plan.sample, first_tries_failing=failing, per_level=20)
    return replace(study, analysis=replace(plan, hypotheses=(hypothesis,), sample=sample), **more)


def problems(study: Study) -> list[str]:
    return [str(problem) for problem in opening_problems(study, TODAY)]


def warnings(study: Study) -> list[str]:
    return [str(each) for each in opening_warnings(study) if each.where[0] == "analysis"]


@pytest.mark.parametrize("outcome", ["success", "mended", "named_mended"])
def test_a_try_after_an_explanation_can_be_what_a_study_is_about(outcome: str) -> None:
    assert problems(compared(f"episodes.retry_{outcome}", ("ours", "partnr"))) == []


def once(study: Study) -> Study:
    """Return a study in which each group does one task."""
    pages = tuple(
        replace(page, episodes=1) if isinstance(page, Play) else page for page in study.pages
    )
    return replace(study, pages=pages)


def test_who_fails_after_the_first_task_may_depend_on_the_condition() -> None:
    study = compared()
    (told,) = warnings(study)
    assert told.startswith("analysis, hypotheses 1, outcome: episodes.retry_success is only of")
    assert "may depend on the condition from the second task on" in told
    assert "how many first tries failed" in told
    assert warnings(once(study)) == [], "nothing is explained before the first task"


def test_who_fails_at_all_may_depend_on_what_acts_before() -> None:
    study = once(compared())
    cells = [
        replace(cell, treatment=replace(cell.treatment, chat=cell.name == "ours"))
        for cell in study.cells
    ]
    (told,) = warnings(replace(study, cells=tuple(cells)))
    assert "whether it fails may depend on the condition:" in told


def test_it_is_warned_of_once_and_of_kinds_that_name_other_goals() -> None:
    study = compared("episodes.retry_named_mended", ("ours", "partnr"))
    plan = study.analysis
    assert plan is not None
    two = replace(plan.hypotheses[0], name="again", outcome="episodes.retry_mended")
    both = replace(study, analysis=replace(plan, hypotheses=(*plan.hypotheses, two)))
    named, selection = warnings(both)
    assert "retry_named_mended is of other goals at each level" in named
    assert "from the second task on" in selection


def test_a_preregistration_says_which_try_is_analysed_and_of_whom() -> None:
    study = compared()
    assert study.analysis is not None
    text = preregistration(study, study.analysis, [], "abc123", [])
    assert f"Of several tries at a task the first is analysed. {ANALYSED}" in text
    whole = read_study(ready_text("explanation")).study
    assert whole.analysis is not None
    assert ANALYSED not in preregistration(whole, whole.analysis, [], "abc123", [])


def test_a_design_without_a_second_try_gives_none() -> None:
    (told,) = problems(compared(tasks=Tasks(ids=("1", "2", "3", "4"), tries=1)))
    assert told.startswith("tasks, tries: expected 2 at least, because episodes.retry_success of")


def test_how_many_first_tries_fail_is_to_be_said() -> None:
    (told,) = problems(compared(failing=None))
    assert told.startswith("analysis, sample: expected `first_tries_failing`")


@pytest.mark.parametrize("level", ["none", "verdict"])
def test_what_names_no_goals_has_none_that_could_be_mended(level: str) -> None:
    (told,) = problems(compared("episodes.retry_named_mended", ("ours", level)))
    assert f"the condition {level!r} names no goals between two tries" in told
    assert problems(compared("episodes.retry_mended", ("ours", level))) == []


def test_what_is_explained_later_cannot_have_helped() -> None:
    study = compared()
    cells = tuple(
        replace(cell, treatment=replace(cell.treatment, explained="at_the_end"))
        for cell in study.cells
    )
    (told,) = warnings(replace(study, cells=cells))
    assert "nothing is explained before the tries that episodes.retry_success is of" in told


def of_unit(plan: Analysis | None, unit: Any) -> tuple[Analysis, Hypothesis]:
    assert plan is not None
    return replace(plan, unit=unit), plan.hypotheses[0]


@pytest.mark.parametrize(
    ("unit", "failing", "planned"),
    [
        # By hand: eighty groups of four tasks. Of 320 first tries 128 fail; 1 - 0.6 to the fourth
        # power is 0.8704, so that 69 of 80 people have a try that follows a failed one.
        ("episode", 0.4, 128),
        ("participant", 0.4, 69),
        ("group", 0.4, 69),
        ("episode", 0.333, 106),
        ("episode", None, 320),
        ("participant", None, 80),
    ],
)
def test_units_are_those_that_are_expected(unit: str, failing: float, planned: int) -> None:
    study = compared(failing=failing)
    plan, hypothesis = of_unit(study.analysis, unit)
    assert planned_units(replace(study, analysis=plan), hypothesis) == planned


def test_the_check_says_how_many_such_tries_a_design_gives() -> None:
    study = compared()
    plan, _ = of_unit(study.analysis, "episode")
    (found,) = adequacies(replace(study, analysis=plan), 7)
    assert (found.planned, found.most) == (128, 320)
    told = size_line(found)
    assert told.endswith("planned 128 expected with a try after a failed one, 320 at most")


@pytest.mark.parametrize("failing", [0.0, -0.1, 1.5])
def test_a_share_that_cannot_be_is_told(failing: float) -> None:
    (told,) = problems(compared(failing=failing))
    assert told.startswith("analysis, sample, first_tries_failing: expected a share above 0")


def test_a_sample_that_too_few_failures_give_is_told() -> None:
    (told,) = problems(compared(failing=0.06))
    # Of eighty people 1 - 0.94 to the fourth power has one: 17.5.
    assert told.startswith("analysis, sample, per_level: expected at most 17, the participants")
