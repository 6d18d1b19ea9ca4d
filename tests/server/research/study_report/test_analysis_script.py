"""The analysis script: from an export as it is to the effects that its data were made with."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest
from analyse_study import (
    Estimate,
    analyse,
    attempts,
    contrast,
    declared_model,
    fitted,
    with_outcome,
)
from msgspec.structs import replace

from matchmaking.study.analysis import Hypothesis
from matchmaking.study_file import read_study
from server.research.studies.ready_studies import ready_text
from server.research.study_report.comparison import Comparison
from server.research.study_report.declared_model import Model
from tests.server.research.study_report.synthetic_exports import Effects, write_synthetic

EFFECTS = Effects(
    log_hazard={"none": -7.0, "verdict": -6.8, "partnr": -6.4, "ours": -5.8},
    load={"none": 1.0, "verdict": 0.0, "partnr": 0.0, "ours": -1.0},
)
CROSSED = Model("episode", random=("group", "task"))
TOLD: dict[str, Any] = {
    "name": "h",
    "factor": "explanation",
    "levels": ["ours", "none"],
    "outcome": "episodes.success",
}
PER_ITEM = 5.0
"""Points of the score of task load, from 0 to 100, for a point of its items."""


def hypothesis(name: str, first: str, second: str, outcome: str, **more: object) -> Hypothesis:
    levels = (first, second)
    made = Hypothesis(name=name, text=name, factor="explanation", levels=levels, outcome=outcome)
    return replace(made, **more)


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a synthetic export of a dozen groups a condition."""
    target = tmp_path_factory.mktemp("synthetic") / "data"
    study = read_study(ready_text("explanation")).study
    write_synthetic(target, study, EFFECTS, groups_each=12, n_tasks=6)
    return target


@pytest.mark.parametrize(
    ("text", "model"),
    [
        ("mean of success per person ~ explanation", Model("participant")),
        ("ticks ~ explanation + (1 | group) + (1 | task)", CROSSED),
        ("success ~ explanation + order", Model("episode", ("order",))),
    ],
)
def test_what_was_declared_is_what_is_fitted_as_the_report_does(
    made: Path, text: str, model: Model
) -> None:
    declared = declared_model({"model": text, "unit": "episode"}, TOLD)
    assert (declared.unit, declared.covariates, declared.random) == model
    rows = contrast(with_outcome(made, attempts(made), TOLD["outcome"]), TOLD)
    found = fitted(rows, TOLD, declared)
    told = rows.assign(value=rows["y"], level=rows["f_explanation"])
    comparison = Comparison(model, is_within=False, alpha=0.05)
    values = comparison.values(told[["group_id", "task_id", "level", "order_index", "value"]])
    expected = comparison.difference(hypothesis("h", "ours", "none", "episodes.success"), values)
    assert found.estimate == pytest.approx(expected.estimate, rel=1e-3)
    assert found.df == pytest.approx(expected.df)
    # Corrections of clustered errors for few values are not the same in both.
    assert found.p == pytest.approx(expected.p, rel=0.06)


def test_a_model_that_is_not_known_is_told() -> None:
    for text in ("logistic regression", "success ~ explanation + (slope | group)"):
        found = declared_model({"model": text}, TOLD)
        assert "known here" in found.problem
        assert (found.unit, found.random) == ("episode", ())


def has_r() -> bool:
    """Tell whether R is here with what the script needs."""
    if shutil.which("Rscript") is None:
        return False
    needs = "for (p in c('jsonlite', 'lme4', 'survival')) stopifnot(requireNamespace(p))"
    return (
        subprocess.run(["Rscript", "-e", needs], check=False, capture_output=True).returncode == 0
    )


@pytest.mark.skipif(not has_r(), reason="needs Rscript with jsonlite, lme4 and survival")
def test_r_opens_the_same_export_and_agrees(made: Path) -> None:
    done = subprocess.run(
        ["Rscript", "scripts/analyse_study.R", str(made)],
        check=True,
        capture_output=True,
        text=True,
    )
    told = [line.split("\t") for line in done.stdout.splitlines()]
    hazards = {float(row[2]) for row in told if row[0] == "log hazard"}
    _, times = analyse(made)
    assert any(abs(one.estimate - hazard) < 0.01 for one in times for hazard in hazards)


@pytest.mark.long
def test_known_effects_are_recovered(tmp_path: Path) -> None:
    study = read_study(ready_text("explanation")).study
    assert study.analysis is not None
    load = "scores.nasa_tlx_raw"
    plan = replace(
        study.analysis,
        model="success ~ explanation + (1 | group) + (1 | task)",
        hypotheses=(
            hypothesis("succeeds", "ours", "verdict", "episodes.success", direction="greater"),
            hypothesis("load", "ours", "none", load),
            hypothesis("alike", "partnr", "verdict", load, direction="equivalent", bound=0.5),
            hypothesis("unlike", "ours", "none", load, direction="equivalent", bound=0.3),
            hypothesis("later", "ours", "partnr", "episodes.success", is_primary=False),
        ),
    )
    target = tmp_path / "data"
    write_synthetic(target, replace(study, analysis=plan), EFFECTS, groups_each=40, n_tasks=12)
    declared, times = analyse(target)
    found = {one.name: one for one in declared}
    assert list(found) == ["succeeds", "load", "alike", "unlike", "later"]

    def holds(one: Estimate, truth: float) -> None:
        low, high = one.interval
        assert low < truth < high, one

    holds(found["load"], -2 * PER_ITEM)
    holds(found["alike"], 0.0)
    corrected = {name: one.p_corrected for name, one in found.items()}
    assert corrected.pop("later") is None
    assert all(p is not None for p in corrected.values())
    assert [name for name, p in corrected.items() if p is not None and p < 0.05] == [
        "succeeds",
        "load",
        "alike",
    ]
    hazards = {one.name: one for one in times}
    holds(hazards["explanation: ours against verdict"], 1.0)
    holds(hazards["explanation: ours against partnr"], 0.6)
    holds(hazards["explanation: partnr against verdict"], 0.4)
