"""Rehearsals: ready studies to the end, and PARTNR's design with its counts by hand."""

from __future__ import annotations

import csv
from collections import Counter
from pathlib import Path
from statistics import mean

import pytest
from msgspec.structs import replace

from matchmaking.assignment.ledger import State
from matchmaking.study import Study
from matchmaking.study.analysis import Exclusion, Unit
from matchmaking.study.endings import Ending
from matchmaking.study.planned_units import planned_units
from matchmaking.study_file import read_study
from server.research.rehearsal.habits import Habits
from server.research.rehearsal.rehearsal import (
    RehearsalError,
    Rehearsed,
    completed,
    endings,
    rehearse,
)
from server.research.rehearsal.tables import counted, lines, write_rows
from server.research.studies.counted_attempts import (
    best_of_tries,
    by_cell,
    first_tries,
    outcome_lines,
)
from server.research.studies.ready_studies import ready_names, ready_text

TASKS = [f"task_{number:02}" for number in range(40)]


def ready(name: str, target: int) -> Study:
    """Return a ready study with another target for each condition."""
    study = read_study(ready_text(name)).study
    cells = tuple(replace(cell, target=target, most_begun=None) for cell in study.cells)
    return replace(study, cells=cells, purpose="exploratory", analysis=None)


@pytest.mark.parametrize("name", ready_names())
def test_each_ready_study_is_simulated_to_the_end(name: str) -> None:
    study = ready(name, 6)
    found = rehearse(study, TASKS, seed=3)
    arms = completed(found)
    if study.design.subjects == "within":
        assert set(arms.values()) == {1}, "each of the six orders once"
        assert len(arms) == 6
    else:
        assert arms == {cell.name: 6 for cell in study.cells}
    states = Counter(found.places.assignment.ledger.states)
    assert states[State.DRAWN] == states[State.BEGUN] == 0, "each place has its end"
    assert sum(endings(found).values()) == len(found.people), "each visit has one"
    assert found.cost > 0
    assert "condition" in "\n".join(lines(study, found))


def test_the_same_seed_rehearses_the_same_and_another_does_not() -> None:
    study = ready("human-vs-llm", 4)
    told = ["\n".join(lines(study, rehearse(study, TASKS, seed=seed))) for seed in (1, 1, 2)]
    assert told[0] == told[1] != told[2]


def test_what_people_do_shows_in_endings_and_attrition() -> None:
    study = ready("human-vs-llm", 10)
    usual = rehearse(study, TASKS, Habits(refuses=0, fails=0, drops_out=0, unready=0))
    assert set(endings(usual)) <= {Ending.COMPLETED, Ending.OVER_RECRUITED, Ending.WITHDREW}
    assert not any(flow.lost for flow in usual.places.flows().values())
    hard = rehearse(
        study,
        TASKS,
        Habits(refuses=0.2, fails=0.1, drops_out=0.1, unready=0.2, comes_twice=0.5),
    )
    for ending in (Ending.NO_CONSENT, Ending.SCREENED_OUT, Ending.PARTNER_LEFT, Ending.WITHDREW):
        assert endings(hard)[ending] > 0
    assert sum(flow.lost for flow in hard.places.flows().values()) > 3
    assert hard.doubles > len(hard.people) / 3
    assert completed(hard) == {"alone": 10, "person": 10, "robot": 10}


def test_habits_that_fill_nothing_are_told() -> None:
    with pytest.raises(RehearsalError, match="the targets are not full"):
        rehearse(ready("explanation", 4), TASKS, Habits(refuses=1.0))
    with pytest.raises(RehearsalError, match="refuses: expected a share from 0 to 1, got 2"):
        rehearse(ready("explanation", 4), TASKS, Habits(refuses=2))
    with pytest.raises(RehearsalError, match="expected 1 to 2 tasks for a group, got 4"):
        rehearse(ready("explanation", 4), TASKS[:2])


def test_K8_tries_stop_at_success(tmp_path: Path) -> None:
    study = ready("partnr-table3", 6)
    found = rehearse(study, TASKS, Habits(succeeds=0.5))
    by_task: dict[tuple[int, str], list[bool]] = {}
    for row in found.attempts:
        by_task.setdefault((row.place, row.task_id), []).append(row.success)
    assert {len(tries) for tries in by_task.values()} == {1, 2, 3}
    for tries in by_task.values():
        assert not any(tries[:-1]), "a task that was done is not tried again"
    write_rows(found, tmp_path / "rows.csv")
    assert len((tmp_path / "rows.csv").read_text().splitlines()) == len(found.attempts) + 1


@pytest.mark.parametrize(
    ("name", "outcome", "direction"),
    [
        ("partnr-table3", "episodes.ticks", "greater"),
        ("partnr-table3", "episodes.percent_complete", "less"),
        ("partnr-table3", "seats.work_share", "greater"),
        ("explanation", "episodes.success", "greater"),
    ],
)
def test_the_simulated_data_have_the_declared_effect(
    name: str, outcome: str, direction: str
) -> None:
    declared = 0.86
    study = read_study(ready_text(name)).study
    assert study.analysis is not None
    hypothesis = replace(study.analysis.hypotheses[0], outcome=outcome, direction=direction)
    sample = replace(study.analysis.sample, effect=declared, per_level=10)
    cells = tuple(replace(cell, target=60, most_begun=None) for cell in study.cells)
    study = replace(
        study,
        cells=cells,
        analysis=replace(study.analysis, hypotheses=(hypothesis,), sample=sample),
    )
    told = "\n".join(lines(study, rehearse(study, TASKS, seed=5)))
    sign = -1 if direction == "less" else 1
    assert f"declared {sign * declared:.2f}, simulated first try" in told
    d = float(told.partition("simulated first try ")[2].split()[0])
    assert d == pytest.approx(sign * declared, abs=0.3)


@pytest.mark.parametrize("outcome", ["success", "mended", "named_mended"])
@pytest.mark.parametrize("unit", ["participant", "episode"])
def test_an_effect_on_the_try_after_an_explanation_is_recovered(outcome: str, unit: Unit) -> None:
    study = read_study(ready_text("explanation")).study
    plan = study.analysis
    assert plan is not None
    hypothesis = replace(plan.hypotheses[0], outcome=f"episodes.retry_{outcome}")
    cells = tuple(replace(cell, target=200, most_begun=None) for cell in study.cells)
    sample = replace(plan.sample, effect=0.6, first_tries_failing=0.4, group_share=0.1)
    plan = replace(plan, hypotheses=(hypothesis,), sample=sample, unit=unit)
    study = replace(study, cells=cells, analysis=plan)
    found = rehearse(study, TASKS, seed=4)
    (told,) = [line for line in lines(study, found) if line.startswith(hypothesis.name)]
    d, _, error, counts = told.partition("simulated try after a failed one ")[2].split(" ", 3)
    assert float(d) == pytest.approx(0.6, abs=2.5 * float(error))
    # As many as the plan expects with four first tries of ten failing, of groups of one person.
    planned = planned_units(study, hypothesis)
    n = [int(word) for word in counts.strip("()").split(" and ")]
    assert n == pytest.approx([planned] * 2, rel=0.1)
    first = [row.success for row in first_tries(counted(found)) if row.cell in ("ours", "verdict")]
    assert mean(first) == pytest.approx(0.6, abs=0.04), "first tries know nothing of it"


def test_as_many_first_tries_fail_as_the_plan_expects() -> None:
    study = read_study(ready_text("explanation")).study
    plan = study.analysis
    assert plan is not None
    hypothesis = replace(plan.hypotheses[0], outcome="episodes.retry_success")
    sample = replace(plan.sample, first_tries_failing=0.75)
    cells = tuple(replace(cell, target=100, most_begun=None) for cell in study.cells)
    plan = replace(plan, hypotheses=(hypothesis,), sample=sample)
    found = rehearse(replace(study, cells=cells, analysis=plan), TASKS, seed=2)
    first = [row.success for row in first_tries(counted(found))]
    assert mean(first) == pytest.approx(0.25, abs=0.04)


def test_what_is_asked_once_has_one_value_of_each_group_and_no_tries(tmp_path: Path) -> None:
    study = read_study(ready_text("explanation")).study
    plan = study.analysis
    assert plan is not None
    outcome = "scores.explanation_satisfaction"
    hypothesis = replace(plan.hypotheses[0], outcome=outcome)
    cells = tuple(replace(cell, target=150, most_begun=None) for cell in study.cells)
    plan = replace(plan, hypotheses=(hypothesis,), sample=replace(plan.sample, effect=0.5))
    study = replace(study, cells=cells, analysis=plan)
    found = rehearse(study, TASKS, seed=3)
    (told,) = [line for line in lines(study, found) if line.startswith(hypothesis.name)]
    assert "best of tries" not in told
    d = float(told.partition("simulated asked once ")[2].split()[0])
    assert d == pytest.approx(0.5, abs=0.3)
    assert told.endswith("(150 and 150)")
    write_rows(found, tmp_path / "rows.csv")
    with (tmp_path / "rows.csv").open(newline="") as stream:
        rows = [row for row in csv.DictReader(stream) if row["is_counted"] == "True"]
    valued = Counter(row["place"] for row in rows if row[outcome] != "nan")
    assert set(valued.values()) == {1}
    assert len(valued) == 150 * len(cells)


def test_only_groups_that_completed_count_and_each_choice_of_tries_has_its_row() -> None:
    study = ready("partnr-table3", 6)
    found = rehearse(study, TASKS, Habits(drops_out=0.1), seed=2)
    states = found.places.assignment.ledger.states
    lost = {row.place for row in found.attempts if states[row.place] is State.LOST}
    assert lost
    rows = counted(found)
    assert not lost & {row.place for row in rows}
    table = list(outcome_lines(rows))[1:]
    assert ["first try" in line for line in table] == [True, False] * 4
    assert ["best of tries" in line for line in table] == [False, True] * 4
    assert {len(first_tries(rows)), len(best_of_tries(rows))} == {4 * 6 * 5}


def test_it_says_that_nobody_is_excluded() -> None:
    study, plan = ready("latency", 6), read_study(ready_text("latency")).study.analysis
    assert plan is not None
    found = rehearse(study, TASKS, seed=2)
    rule = Exclusion(column="episodes.ticks", relation="<", value=900, reason="Too fast.")
    sample = replace(plan.sample, per_level=6)

    def said(*rules: Exclusion) -> list[str]:
        analysis = replace(plan, sample=sample, exclusions=rules)
        told = lines(replace(study, analysis=analysis), found)
        return [line for line in told if line.startswith("exclusions")]

    assert said() == []
    (line,) = said(rule)
    assert line.startswith("exclusions are not rehearsed: nobody here meets the 1 rule of the plan")


def check_partnr(found: Rehearsed) -> None:
    """Check the counts of PARTNR's design: four conditions of twenty groups of five tasks."""
    assert completed(found) == {"alone": 20, "finetuned": 20, "person": 20, "react": 20}
    ledger = found.places.assignment.ledger
    done = [place for place, state in enumerate(ledger.states) if state is State.COMPLETED]
    # By hand: 20 + 20 + 20 groups of one person and 20 of two are a hundred people.
    assert sum(len((ledger.places[place].arm == "person" and "ab") or "a") for place in done) == 100
    played: dict[str, list[tuple[str, ...]]] = {}
    for place in done:
        (condition,) = found.places.assignment.plan(place)
        assert len(condition.tasks) == 5
        played.setdefault(condition.cell, []).append(tuple(map(str, condition.tasks)))
    alone = sorted(played["alone"])
    assert all(sorted(groups) == alone for groups in played.values()), "the same tasks and seeds"
    for cell, rows in by_cell(found.attempts).items():
        whole = {p for p in done if ledger.places[p].arm == cell}
        assert len(best_of_tries([row for row in rows if row.place in whole])) == 100
    # Attrition counts for the condition that was assigned.
    for (_, arm), flow in found.places.flows().items():
        mine = [p for p in ledger.places if p.arm == arm]
        assert flow.drawn == len(mine) == flow.given_up + flow.begun
        assert flow.begun == flow.completed + flow.lost


def test_partnrs_design_of_four_times_twenty() -> None:
    check_partnr(rehearse(ready("partnr-table3", 20), TASKS, seed=7))


@pytest.mark.long
def test_partnrs_design_holds_whatever_people_do() -> None:
    for seed in range(60):
        habits = Habits(drops_out=0.01 * (seed % 5), unready=0.02 * (seed % 7))
        check_partnr(rehearse(ready("partnr-table3", 20), TASKS, habits, seed=seed))
