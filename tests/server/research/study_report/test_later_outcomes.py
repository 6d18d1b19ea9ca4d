"""Outcomes of later tries and of answers at the end: report and scripts say the same of them."""

from __future__ import annotations

import json
import math
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pandas as pd
import pytest
from analyse_study import analyse
from msgspec.structs import replace
from scipy.stats import ttest_ind

from matchmaking.study.analysis import Analysis, Hypothesis
from matchmaking.study_file import read_study
from server.research.studies.ready_studies import ready_text
from server.research.study_report.export_tables import read_export
from server.research.study_report.findings import DECLARED, deviations_of, findings_of
from server.research.study_report.report import report_of
from tests.server.research.study_report.synthetic_exports import Effects, write_synthetic

CONDITIONS = ("none", "verdict", "partnr", "ours")
EFFECTS = Effects(
    log_hazard=dict.fromkeys(CONDITIONS, -7.0),
    load=dict.fromkeys(CONDITIONS, 0.0),
    retry={"none": 0.2, "verdict": 0.3, "partnr": 0.5, "ours": 0.8},
    satisfaction={"none": -0.5, "verdict": 0.0, "partnr": 0.0, "ours": 0.9},
)
SCORE = "explanation_satisfaction"
SCRIPTS = Path(__file__).parents[4] / "scripts"
NOTEBOOK = json.loads((SCRIPTS / "analyse_study.ipynb").read_text(encoding="utf-8"))
CELLS = ["".join(cell["source"]) for cell in NOTEBOOK["cells"] if cell["cell_type"] == "code"]
AT_THE_END = """
print(json.dumps([[one.name, one.model, one.estimate, one.p, one.n] for one in declared]))
print(json.dumps({kind: [int(row.tries), row.success] for kind, row in later.iterrows()}))
"""


def hypothesis(name: str, outcome: str) -> Hypothesis:
    levels = ("ours", "verdict")
    return Hypothesis(name=name, text=name, factor="explanation", levels=levels, outcome=outcome)


def plan(model: str, unit: Any) -> Analysis:
    """Return a plan about later tries and answers at the end, which excludes nothing."""
    study = read_study(ready_text("explanation")).study
    assert study.analysis is not None
    return replace(
        study.analysis,
        model=model,
        unit=unit,
        exclusions=(),
        correction="none",
        hypotheses=(
            hypothesis("mends", "episodes.retry_success"),
            hypothesis("share", "episodes.retry_mended"),
            hypothesis("likes", f"scores.{SCORE}"),
            hypothesis("answers", "responses.explanation_1"),
        ),
    )


PLANS = {
    "means": plan("mean of success per person ~ explanation", "participant"),
    "mixed": plan("success ~ explanation + (1 | group) + (1 | task)", "episode"),
}


@pytest.fixture(scope="module", params=PLANS)
def made(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    target = tmp_path_factory.mktemp(request.param) / "data"
    study = replace(read_study(ready_text("explanation")).study, analysis=PLANS[request.param])
    write_synthetic(target, study, EFFECTS, groups_each=30, n_tasks=8)
    return target


def by_hand(made: Path, name: str) -> pd.DataFrame:
    return pd.read_csv(made / "data" / f"description-{name}_data.csv")


def test_report_and_script_say_the_same(made: Path) -> None:
    export = read_export(made)
    told = {one.hypothesis.name: one for one in findings_of(export, export, 0.05)}
    found, _ = analyse(made)
    assert [one.name for one in found] == list(told)
    for one in found:
        main = told[one.name].main
        assert one.is_analysed
        assert main.estimate == pytest.approx(one.estimate, rel=2e-3)
        # Optimisers of mixed models stop at other places.
        assert main.p == pytest.approx(one.p, rel=0.02, abs=1e-6)
        assert main.df == pytest.approx(one.df)
        assert sum(main.n) == one.n
    likes = told["likes"]
    assert (likes.unit[1], likes.averaged, likes.comparison.test) == (
        "people",
        "answers",
        "Welch's t test",
    )
    assert [name for name, _ in likes.found] == [DECLARED, "without exclusions", "per protocol"]
    deviations = "\n".join(deviations_of([likes], export.study.analysis))
    is_mixed = "(1 |" in str(export.study.analysis and export.study.analysis.model)
    assert ("is of people and of no attempt" in deviations) == is_mixed
    assert told["mends"].averaged == "tries after a failed one"
    page = " ".join(report_of(export).split())
    assert "people, each with the mean of its answers: Welch" in page
    assert "tries after a failed one" in page


def test_answers_at_the_end_are_those_of_the_table(made: Path) -> None:
    # Recomputed from the files with nothing of ours.
    scores, people = by_hand(made, "scores"), by_hand(made, "participants")
    of_person = scores[scores["score_id"] == SCORE].merge(people, on="participant_id")
    one, other = (
        of_person.loc[of_person["f_explanation"] == level, "value"] for level in ("ours", "verdict")
    )
    known = ttest_ind(one, other, equal_var=False)
    found = {one.name: one for one in analyse(made)[0]}["likes"]
    assert found.estimate == pytest.approx(one.mean() - other.mean())
    assert found.p == pytest.approx(known.pvalue)
    assert found.n == len(one) + len(other)
    low, high = found.interval
    assert low < 0.9 < high, "the effect that the data were made with"


def test_the_effect_on_the_try_after_an_explanation_is_recovered(made: Path) -> None:
    found = {one.name: one for one in analyse(made)[0]}["mends"]
    low, high = found.interval
    assert low < 0.8 - 0.3 < high
    assert found.p < 1e-4
    tries = by_hand(made, "episodes")
    tries = tries[tries["try_index"] == 1]
    assert tries["retry_success"].notna().all()
    n_tries = int(tries["f_explanation"].isin(["ours", "verdict"]).sum())
    groups = tries[tries["f_explanation"].isin(["ours", "verdict"])]["group_id"].nunique()
    assert found.n == (groups if "t test" in found.model else n_tries)


def test_r_says_the_same_of_them(made: Path) -> None:
    if shutil.which("Rscript") is None:
        pytest.skip("there is no Rscript here")
    needs = "for (p in c('jsonlite', 'lme4', 'survival')) stopifnot(requireNamespace(p))"
    if subprocess.run(["Rscript", "-e", needs], check=False, capture_output=True).returncode != 0:
        pytest.skip("R lacks one of jsonlite, lme4 and survival")
    command = ["Rscript", "scripts/analyse_study.R", str(made)]
    done = subprocess.run(command, check=True, capture_output=True, text=True)
    heading, *lines = (line.split("\t") for line in done.stdout.splitlines())
    rows = [dict(zip(heading, line, strict=True)) for line in lines]
    in_r = {row["name"]: row for row in rows if row["kind"] == "difference"}
    found = {one.name: one for one in analyse(made)[0]}
    assert set(in_r) == set(found)
    is_mixed = "mixed" in found["mends"].model
    for name, one in found.items():
        # The script in R fits the mixed model to attempts, whatever the plan says.
        if name in ("likes", "answers"):
            told = [float(in_r[name][of]) for of in ("estimate", "error", "df", "p", "n")]
            assert told == pytest.approx([one.estimate, one.error, one.df, one.p, one.n], rel=1e-5)
        elif is_mixed:
            assert float(in_r[name]["estimate"]) == pytest.approx(one.estimate, rel=0.02)
            assert (float(in_r[name]["df"]), int(in_r[name]["n"])) == (one.df, one.n)
        assert not math.isnan(float(in_r[name]["p"]))


@pytest.mark.long
def test_the_notebook_says_the_same_of_them(made: Path) -> None:
    run = subprocess.run(
        [sys.executable, "-"],
        input="\n".join([*CELLS, AT_THE_END]),
        capture_output=True,
        text=True,
        check=False,
        cwd=SCRIPTS,
        env={**os.environ, "STUDY_EXPORT": str(made), "MPLBACKEND": "Agg"},
    )
    assert run.returncode == 0, run.stderr
    *_, declared, later = run.stdout.splitlines()
    assert json.loads(declared) == [
        [one.name, one.model, pytest.approx(one.estimate), pytest.approx(one.p), one.n]
        for one in analyse(made)[0]
    ]
    tries = by_hand(made, "episodes")
    tries = tries[tries["try_index"] == 1].groupby("explained_before")["retry_success"]
    assert json.loads(later) == {
        kind: [len(rows), pytest.approx(rows.astype(float).mean())] for kind, rows in tries
    }
