"""Terms of declared models: what says nothing beside the factor, or takes degrees of freedom."""

from __future__ import annotations

import subprocess
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

import pytest
from analyse_study import analyse
from msgspec.structs import replace

from matchmaking.study import Study
from matchmaking.study.analysis import Hypothesis
from matchmaking.study.conditions import Factor
from matchmaking.study.opening_rules import opening_problems, opening_warnings
from matchmaking.study.problems import Problem
from matchmaking.study_file import read_study
from server.research.studies.ready_studies import ready_text
from server.research.study_report.export_tables import read_export
from server.research.study_report.findings import Finding, findings_of
from server.research.study_report.report import report_of
from tests.server.research.study_report.r_here import lacking_r
from tests.server.research.study_report.synthetic_exports import Effects, write_synthetic
from tests.server.research.study_report.test_within_subjects import words

TOLD = {"none": "not", "verdict": "not", "partnr": "yes", "ours": "yes"}
CONFOUNDED = "the terms of the model say the same in these data"
CONSTANT = "told has one value in the data that are compared"


def hypothesis(name: str, first: str, second: str, outcome: str = "success") -> Hypothesis:
    column = outcome if "." in outcome else f"episodes.{outcome}"
    levels = (first, second)
    return Hypothesis(name=name, text=name, factor="explanation", levels=levels, outcome=column)


def study_with(told: Sequence[tuple[str, str]], model: str) -> Study:
    """Return a study whose conditions have these explanations and levels of ``told``."""
    made = read_study(ready_text("explanation")).study
    assert made.analysis is not None
    by_name = {cell.name: cell for cell in made.cells}
    cells = tuple(
        replace(
            by_name[kind],
            name=f"{kind}_{level}",
            levels={"explanation": kind, "told": level},
        )
        for kind, level in told
    )
    factors = (
        Factor(name="explanation", levels=tuple(dict.fromkeys(kind for kind, _ in told))),
        Factor(name="told", levels=tuple(dict.fromkeys(level for _, level in told))),
    )
    hypotheses = (
        hypothesis("same", "ours", "none"),
        hypothesis("constant", "ours", "partnr"),
        hypothesis("pleased", "ours", "partnr", "scores.explanation_satisfaction"),
    )
    fields: dict[str, Any] = {
        "unit": "episode",
        "model": model,
        "exclusions": (),
        "hypotheses": tuple(h for h in hypotheses if set(h.levels) <= set(factors[0].levels)),
    }
    return replace(made, factors=factors, cells=cells, analysis=replace(made.analysis, **fields))


def exported(folder: Path, study: Study, groups_each: int = 8) -> Path:
    names = [cell.name for cell in study.cells]
    effects = Effects(
        {name: -6.4 + 0.2 * at for at, name in enumerate(names)},
        dict.fromkeys(names, 0.0),
        satisfaction={name: 0.5 * name.startswith("ours") for name in names},
        lost=0.0,
    )
    write_synthetic(folder, study, effects, groups_each=groups_each, n_tasks=6)
    return folder


def report_findings(folder: Path) -> dict[str, Finding]:
    export = read_export(folder)
    return {one.hypothesis.name: one for one in findings_of(export, export, 0.05)}


def in_r(folder: Path) -> tuple[dict[str, list[str]], str]:
    """Return the lines of the script in R by hypothesis, and what it said beside them."""
    if why := lacking_r():
        pytest.skip(why)
    command = ["Rscript", "scripts/analyse_study.R", str(folder)]
    done = subprocess.run(command, check=True, capture_output=True, text=True)
    lines = (line.split("\t") for line in done.stdout.splitlines()[1:])
    return {line[1]: line for line in lines}, done.stderr


@pytest.mark.parametrize("random", ["", " + (1 | group)", " + (1 | group) + (1 | task)"])
def test_what_says_the_same_is_not_analysed_and_the_others_are(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], random: str
) -> None:
    model = f"success ~ explanation + told{random}"
    folder = exported(tmp_path / "data", study_with(list(TOLD.items()), model))
    known = {"same": CONFOUNDED, "constant": CONSTANT}
    of_report = report_findings(folder)
    assert {name: of_report[name].main.problem for name in known} == known
    assert {of_report[name].main.estimate for name in known} == {None}
    page = words(report_of(read_export(folder)))
    for why in known.values():
        assert f"not analysed ({why})" in page
    found = {one.name: one for one in analyse(folder)[0]}
    printed = capsys.readouterr().out
    for name, why in known.items():
        assert f"{name}: {why}: not analysed" in printed
    pleased = found["pleased"]
    # Both of the others count with p = 1.
    assert pleased.p_corrected == pytest.approx(min(1.0, 3 * pleased.p))
    assert of_report["pleased"].p_corrected == pytest.approx(pleased.p_corrected)
    lines, said = in_r(folder)
    for name, why in known.items():
        assert lines[name][0] == "not analysed"
        assert f"{name}: {why}: not analysed" in said
    assert float(lines["pleased"][7]) == pytest.approx(pleased.p_corrected, rel=1e-6)


def test_terms_of_groups_take_degrees_of_freedom_of_groups(tmp_path: Path) -> None:
    both = [(kind, level) for kind in ("none", "ours") for level in ("a", "b", "c")]
    study = study_with(both, "success ~ explanation + told + (1 | group)")
    folder = exported(tmp_path / "data", study, groups_each=4)
    # By hand: 24 groups, less the intercept, the factor, and two columns of the three levels.
    (one,) = analyse(folder)[0]
    assert one.df == 24 - 1 - 3
    main = report_findings(folder)["same"].main
    assert main.df == 20
    assert main.estimate == pytest.approx(one.estimate, rel=1e-3)
    assert float(in_r(folder)[0]["same"][5]) == 20


def test_a_term_that_is_no_factor_is_told(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    study = study_with(list(TOLD.items()), "success ~ explanation + mood")
    folder = exported(tmp_path / "data", study)
    found = {one.name: one for one in analyse(folder)[0]}
    assert "mood in its model is no factor: attempts are compared instead" in (
        capsys.readouterr().out
    )
    assert found["same"].model == "least squares, clustered by group and task"
    lines, said = in_r(folder)
    assert "mood in its model is no factor" in said
    assert float(lines["same"][3]) == pytest.approx(found["same"].estimate, rel=1e-6)


def analysis_words(found: Iterable[Problem]) -> list[str]:
    return [str(problem) for problem in found if problem.where[0] == "analysis"]


def test_the_check_tells_it_before_anybody_is_invited() -> None:
    study = study_with(list(TOLD.items()), "success ~ explanation + told")
    same, constant = analysis_words(opening_problems(study, "2026-11-28"))
    assert same.startswith("analysis, model: expected terms that can be told apart for 'same'")
    assert "told has one level in the conditions that 'constant' compares" in constant
    assert study.analysis is not None
    second = [replace(each, is_primary=False) for each in study.analysis.hypotheses[:2]]
    plan = replace(study.analysis, hypotheses=(*second, study.analysis.hypotheses[2]))
    secondary = replace(study, analysis=plan)
    assert analysis_words(opening_problems(secondary, "2026-11-28")) == []
    warned = " ".join(analysis_words(opening_warnings(secondary)))
    assert "expected terms that can be told apart for 'same'" in warned
    crossed = [(kind, level) for kind in ("none", "partnr", "ours") for level in ("a", "b")]
    for model in ("success ~ explanation + told", "success ~ explanation + told + order"):
        assert analysis_words(opening_problems(study_with(crossed, model), "2026-11-28")) == []


@pytest.mark.parametrize(
    ("model", "words"),
    [
        ("a logistic regression", "no program of Cohabit fits it (expected a formula"),
        ("success ~ explanation + mood", "fits it ('mood' is no factor"),
        ("success ~ explanation", "scores.explanation_satisfaction is asked once, of people"),
    ],
)
def test_a_model_that_is_not_what_is_computed_is_warned_of(model: str, words: str) -> None:
    warned = analysis_words(opening_warnings(study_with(list(TOLD.items()), model)))
    assert any(words in each for each in warned), warned
    asked = study_with(list(TOLD.items()), "mean of success per person ~ explanation")
    assert not any("asked once" in each for each in analysis_words(opening_warnings(asked)))
