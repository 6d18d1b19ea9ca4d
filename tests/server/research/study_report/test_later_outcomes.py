"""Outcomes of later tries and of answers at the end: report and scripts say the same of them."""

from __future__ import annotations

import json
import os
import re
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
from study_rows import SELECTED, kept, notes, retries

from matchmaking.study.analysis import Analysis, Exclusion, Hypothesis
from matchmaking.study_file import read_study
from server.research.studies.ready_studies import ready_text
from server.research.study_report.exclusions import without_excluded
from server.research.study_report.export_tables import read_export
from server.research.study_report.findings import DECLARED, deviations_of, findings_of
from server.research.study_report.outcome_values import counted
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


RULES = (
    Exclusion(column="seats.idle_s", relation=">", value=60.0, reason="away"),
    Exclusion(column="episodes.end_reason", relation="==", value="failed", reason="broken"),
    Exclusion(column="scores.nasa_tlx_raw", relation=">", value=85.0, reason="at their limit"),
)
"""Rules on seats, attempts and people."""
KINDS: list[dict[str, Any]] = [
    {"column": "episodes.percent_complete", "relation": ">=", "value": 0.9},
    {"column": "visits.ending", "relation": "!=", "value": "completed"},
    {"column": "responses.nasa_tlx_effort", "relation": "<", "value": 3},
    {"column": "episodes.success", "relation": "==", "value": False},
]
"""Rules about a number, a word, an answer, and true or false."""


def hypothesis(name: str, outcome: str) -> Hypothesis:
    levels = ("ours", "verdict")
    return Hypothesis(name=name, text=name, factor="explanation", levels=levels, outcome=outcome)


def plan(model: str, unit: Any, *exclusions: Exclusion) -> Analysis:
    """Return a plan about later tries and answers at the end."""
    study = read_study(ready_text("explanation")).study
    assert study.analysis is not None
    return replace(
        study.analysis,
        model=model,
        unit=unit,
        exclusions=exclusions,
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
    "clustered": plan("success ~ explanation", "episode"),
    "order": plan("success ~ explanation + order + (1 | group)", "episode"),
    "excluding": plan("mean of success per person ~ explanation", "participant", *RULES),
}
EXCLUDE_NOTHING = pytest.mark.parametrize("made", ["means", "mixed"], indirect=True)


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
    told = {
        one.hypothesis.name: one for one in findings_of(export, without_excluded(export)[0], 0.05)
    }
    found, _ = analyse(made)
    assert [one.name for one in found] == list(told)
    for one in found:
        main = told[one.name].main
        assert one.is_analysed
        assert main.estimate == pytest.approx(one.estimate, rel=1e-5)
        assert main.p == pytest.approx(one.p, rel=1e-3)
        assert main.df == pytest.approx(one.df)
        assert sum(main.n) == one.n
    likes = told["likes"]
    assert (likes.unit[1], likes.averaged, likes.comparison.test) == (
        "people",
        "answers",
        "Welch's t test",
    )
    assert [name for name, _ in likes.found] == [DECLARED, "without exclusions", "per protocol"]
    deviations = "\n".join(deviations_of([likes]))
    is_of_attempts = export.study.analysis is not None and export.study.analysis.unit == "episode"
    assert ("is of people and of no attempt" in deviations) == is_of_attempts
    assert told["mends"].averaged == "tries after a failed one"
    page = " ".join(report_of(export).split())
    assert "people, each with the mean of its answers: Welch" in page
    model = export.study.analysis and export.study.analysis.model
    assert f"Declared model: {model}, here with <code>episodes.retry_success</code>" in page
    assert "tries after a failed one" in page


@EXCLUDE_NOTHING
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


@EXCLUDE_NOTHING
def test_the_effect_on_the_try_after_an_explanation_is_recovered(made: Path) -> None:
    found = {one.name: one for one in analyse(made)[0]}["mends"]
    low, high = found.interval
    assert low < 0.8 - 0.3 < high
    assert found.p < 1e-4
    tries = by_hand(made, "episodes")
    values = tries[tries["retry_success"].notna()]
    tries = values[values["try_index"] == 1]
    assert len(tries) < len(values), "a third try has a value where the second was not judged"
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
    for name, one in found.items():
        told = [float(in_r[name][of]) for of in ("estimate", "error", "df", "p", "n")]
        expected = [one.estimate, one.error, one.df, one.p, one.n]
        assert in_r[name]["model"] == one.model
        assert told == pytest.approx(expected, rel=1e-3)
    excluded = [line for line in done.stderr.splitlines() if line.startswith("excluded by ")]
    assert excluded == [f"excluded by {line}" for line in kept(made).told]
    (of_whom,) = (line for line in done.stderr.splitlines() if line.startswith("Tries after a"))
    assert of_whom == SELECTED
    assert all(line.strip() in done.stderr for line in notes(made) if ": first tries" in line)


def bare(page: str) -> str:
    """Return what a page says, without its tags."""
    return " ".join(re.sub(r"(?s)<style>.*?</style>|<svg.*?</svg>|<[^>]+>", " ", page).split())


def test_it_is_told_of_whom_such_outcomes_are(made: Path) -> None:
    # By hand, and the same in the report, in the scripts' words, and beside the flow.
    rows = by_hand(made, "episodes")
    first = rows[rows["is_assigned"] & (rows["try_index"] == 0)]
    failed = first[first["verdict_shown"] == "failure"]
    chosen = [first, failed, failed, retries(made)]
    counts = [[int((part["condition"] == c).sum()) for c in CONDITIONS] for part in chosen]
    groups = [part["group_id"].nunique() for _, part in retries(made).groupby("condition")]
    assert len(groups) == len(CONDITIONS)
    assert all(counts[3])
    told = bare(report_of(read_export(made)))
    numbers = [" ".join(map(str, line)) for line in counts]
    assert f"none verdict partnr ours first tries {numbers[0]} of these failed," in told
    assert f"shown {numbers[1]} of these tried again {numbers[2]} of these analysed" in told
    found = dict(zip(sorted(CONDITIONS), groups, strict=True))
    for condition, n in zip(CONDITIONS, counts[3], strict=True):
        assert f"{n} of {found[condition]} groups" in told
    boxes = re.findall(r"Of the (\d+) analysed, (\d+) with a try after a failed one", told)
    assert [int(n) for _, n in boxes] == [found[c] for c in CONDITIONS]
    assert re.search(r"with a try after a failed one, \d+ that failed no first try", told)
    assert "a try whose first one is excluded is left out with it" in told
    lines = list(notes(made))
    place = lines.index(SELECTED)
    assert lines[place + 1 :] == [
        f"  {c}: first tries {a}, failed {b}, tried again {b}, analysed {d}"
        for c, a, b, _, d in sorted(zip(CONDITIONS, *counts, strict=True))
    ]


@pytest.mark.parametrize("made", ["excluding"], indirect=True)
def test_an_excluded_first_try_takes_its_retry_along(made: Path) -> None:
    # By hand: what is left of second tries, of which some are excluded and of some the first is.
    rows, seats, scores = (by_hand(made, name) for name in ("episodes", "seats", "scores"))
    tired = scores[(scores["score_id"] == "nasa_tlx_raw") & (scores["value"] > 85)]
    people = by_hand(made, "participants")
    gone = set(people.loc[people["participant_id"].isin(tired["participant_id"]), "group_id"])
    out = set(seats.loc[seats["idle_s"] > 60, "episode_id"])
    out |= set(rows.loc[rows["end_reason"].eq("failed"), "episode_id"])
    out |= set(rows.loc[rows["group_id"].isin(gone), "episode_id"])
    first = rows[rows["try_index"] == 0].set_index(["group_id", "task_id"])["episode_id"]
    second = rows[(rows["try_index"] == 1) & rows["retry_success"].notna()]
    before = [first[row.group_id, row.task_id] for row in second.itertuples()]
    left = second[~second["episode_id"].isin(out)]
    own = second["episode_id"]
    is_left = [not {one, other} & out for one, other in zip(own, before, strict=True)]
    expected = second[is_left]
    assert 0 < len(expected) < len(left) < len(second)
    assert set(retries(made)["episode_id"]) == set(expected["episode_id"])
    data, _ = without_excluded(read_export(made))
    assert set(counted(data, is_retry=True)["episode_id"]) == set(expected["episode_id"])


@pytest.mark.parametrize("made", ["means"], indirect=True)
@pytest.mark.parametrize("when", ["group_is_excluded", "others_stay"])
def test_report_and_scripts_exclude_the_same(made: Path, tmp_path: Path, when: str) -> None:
    folder = Path(shutil.copytree(made, tmp_path / "data"))
    file = folder / "manifest.json"
    manifest = json.loads(file.read_text(encoding="utf-8"))
    rules = [{**rule, "reason": "none"} for rule in KINDS]
    manifest["study"]["analysis"] |= {"exclusions": rules, "when_one_is_excluded": when}
    file.write_text(json.dumps(manifest), encoding="utf-8")
    left, (data, excluded) = kept(folder), without_excluded(read_export(folder))
    for line, rule in zip(left.told, excluded, strict=True):
        assert line.endswith(f": {rule.attempts} attempts, {rule.people} people")
        assert rule.attempts + rule.people > 0
    for name, rows in (("episodes", left.episodes), ("participants", left.participants)):
        key = f"{name.removesuffix('s')}_id"
        assert set(rows[key]) == set(data.table(name)[key])


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
    tries = tries[(tries["try_index"] == 1) & tries["episode_id"].isin(retries(made)["episode_id"])]
    tries = tries.groupby("explained_before")["retry_success"]
    assert json.loads(later) == {
        kind: [len(rows), pytest.approx(rows.astype(float).mean())] for kind, rows in tries
    }
