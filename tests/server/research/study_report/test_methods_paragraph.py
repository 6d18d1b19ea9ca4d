"""The paragraph of methods, and what a reader looks for beside it: rules, tests, numbers."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pandas as pd
import pytest
from analyse_study import analyse
from scipy import stats

from matchmaking.study_file import read_study
from server.research.studies.ready_studies import ready_text
from server.research.study_report.export_tables import read_export
from server.research.study_report.report import report_of
from tests.server.research.study_report.synthetic_exports import Effects, write_synthetic
from tests.server.research.study_report.test_within_subjects import by_hand, words

KINDS = ("none", "verdict", "partnr", "ours")


@pytest.fixture
def made(tmp_path: Path) -> Path:
    """Return an export of a dozen people a condition, with tries after failed ones."""
    effects = Effects(
        dict(zip(KINDS, (-7.0, -6.8, -6.4, -5.8), strict=True)),
        dict.fromkeys(KINDS, 0.0),
        retry=dict(zip(KINDS, (0.3, 0.4, 0.5, 0.6), strict=True)),
        lost=0.0,
    )
    folder = tmp_path / "data"
    study = read_study(ready_text("explanation")).study
    write_synthetic(folder, study, effects, groups_each=12, n_tasks=6)
    return folder


def planned(folder: Path, tries: int = 3, **plan: Any) -> str:
    """Change the plan and return the report in words."""
    file = folder / "manifest.json"
    manifest = json.loads(file.read_text(encoding="utf-8"))
    manifest["study"]["tasks"]["tries"] = tries
    manifest["study"]["analysis"] |= plan
    file.write_text(json.dumps(manifest), encoding="utf-8")
    return words(report_of(read_export(folder)))


def claim(name: str, direction: str, **more: Any) -> dict[str, Any]:
    told = {"name": name, "text": name, "factor": "explanation", "levels": ["ours", "none"]}
    return {**told, "outcome": "episodes.duration_s", "direction": direction, **more}


def means_of(folder: Path, condition: str) -> pd.Series:
    rows = by_hand(folder, "episodes").query("try_index == '0' and condition == @condition")
    return rows.assign(y=rows["duration_s"].astype(float)).groupby("group_id")["y"].mean()


SLOW = {"column": "episodes.duration_s", "relation": ">", "value": 599.5, "reason": "Time ran out."}


def test_it_names_rules_tests_numbers_and_programs(made: Path) -> None:
    told = planned(
        made,
        unit="participant",
        model="mean of duration_s per person ~ explanation",
        hypotheses=[claim("faster", "less"), claim("later", "two_sided", is_primary=False)],
        exclusions=[SLOW],
    )
    methods = told[told.index("Methods") :]
    rows = by_hand(made, "episodes").query("is_assigned == 'true'")
    by_rule = rows["duration_s"].replace("", "0").astype(float) > 599.5
    task = rows["group_id"] + rows["task_id"]
    along = task.isin(task[by_rule]) & ~by_rule
    assert along.sum() > 0
    gone = int(by_rule.sum() + along.sum())
    assert f"episodes.duration_s > 599.5 (Time ran out): {gone} attempts" in methods.replace(
        "&gt;", ">"
    )
    assert f"{by_rule.sum()} by the rule, {along.sum()} later tries along" in told
    left = rows[~by_rule & (rows["try_index"] == "0")]
    n = {c: left.loc[left["condition"] == c, "group_id"].nunique() for c in KINDS}
    people = left["group_id"].nunique()
    assert f"Analysed were {people} people in {people} groups." in methods
    assert (
        f"Primary hypothesis: faster (ours against none) by Welch's t test, one-sided, on "
        f"{n['ours']} and {n['none']} people."
    ) in methods.replace("&#39;", "'")
    assert "Secondary hypothesis: later (ours against none) by Welch" in methods
    assert "People played with Cohabit 0.1.0." in methods
    assert "Of several tries at a task the first counts." in methods


def test_an_equivalence_has_the_interval_of_its_two_tests(made: Path) -> None:
    told = planned(
        made,
        unit="participant",
        model="mean of duration_s per person ~ explanation",
        hypotheses=[claim("alike", "equivalent", bound=0.5)],
        exclusions=[],
    )
    one, other = means_of(made, "ours"), means_of(made, "none")
    low, high = stats.ttest_ind(one, other, equal_var=False).confidence_interval(0.9)
    expected = f"the 90 % one, {low:.0f} to {high:.0f}.".replace("-", "\N{MINUS SIGN}")
    assert expected in told
    (found,) = analyse(made)[0]
    assert found.interval_at(0.9) == pytest.approx((low, high))


def test_one_try_has_no_best_of_several(made: Path) -> None:
    plan: dict[str, Any] = {"hypotheses": [claim("faster", "less")], "exclusions": []}
    assert "best of tries" in planned(made, **plan)
    once = planned(made, tries=1, **plan)
    assert "best of tries" not in once
    assert "Of several tries" not in once


def test_what_is_missing_is_counted_by_reason(made: Path) -> None:
    rows = by_hand(made, "leftout")
    names = [f"epi_{n:05d}" for n in range(60)]
    more = pd.DataFrame(
        {
            "subject": names,
            "lacks": "log",
            "reason": [f"there is no log of ses_{n:05d}" for n in range(60)],
        }
    )
    lost = pd.DataFrame(
        {"subject": ["epi_1"], "lacks": ["all"], "reason": ["somebody of its group has withdrawn"]}
    )
    file = made / "data" / "description-leftout_data.csv"
    pd.concat([rows, more, lost]).to_csv(file, index=False)
    told = words(report_of(read_export(made)))
    assert "60 log there is no log of … epi_00000, epi_00001, epi_00002, …" in told
    assert "1 all somebody of its group has withdrawn epi_1" in told
