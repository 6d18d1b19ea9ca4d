"""Reports and scripts of studies within subjects: who is compared, and what is said of it."""

from __future__ import annotations

import json
import re
import subprocess
from pathlib import Path

import pandas as pd
import pytest
from analyse_study import analyse
from scipy.stats import ttest_rel

from matchmaking.study_file import read_study
from server.research.studies.ready_studies import ready_text
from server.research.study_report.export_tables import read_export
from server.research.study_report.report import report_of
from tests.server.research.study_report.r_here import lacking_r
from tests.server.research.study_report.synthetic_exports import Effects, write_synthetic

HAZARDS = {"none": -6.0, "medium": -6.2, "long": -6.6}
ORDERS = ("none>medium>long", "long>medium>none", "medium>long>none")
MADE = 8


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return an export in which three of eight groups lack one of the levels that are compared."""
    folder = tmp_path_factory.mktemp("within") / "data"
    study = read_study(ready_text("latency")).study
    effects = Effects(HAZARDS, dict.fromkeys(HAZARDS, 0.0), lost=0.0)
    write_synthetic(folder, study, effects, groups_each=MADE, n_tasks=6)
    # The n-th groups of all conditions become one, which plays all of them.
    tables = {name: by_hand(folder, name) for name in ("groups", "participants", "episodes")}
    for name, rows in tables.items():
        numbers = rows["group_id"].str.extract(r"_(\d+)")[0].astype(float)
        own = ((numbers - 1) // 3).map(lambda n: f"group_{n:02.0f}", na_action="ignore")
        orders = ((numbers - 1) // 3 % 2).map({0.0: ORDERS[0], 1.0: ORDERS[1]})
        rows = rows.assign(group_id=own, condition_assigned=orders)
        if name == "groups":
            rows = rows.drop_duplicates("group_id")
        if name == "episodes":
            lacks = {"group_00": "long", "group_01": "long", "group_02": "none"}
            rows = rows[rows["condition"] != rows["group_id"].map(lacks)]
            rows["end_reason"] = "finished"
        rows.to_csv(folder / "data" / f"description-{name}_data.csv", index=False)
    file = folder / "manifest.json"
    manifest = json.loads(file.read_text(encoding="utf-8"))
    model = "mean of duration_s per group ~ latency"
    manifest["study"]["analysis"] |= {"model": model, "unit": "group", "exclusions": []}
    manifest["study"]["analysis"]["sample"]["per_level"] = 36
    file.write_text(json.dumps(manifest), encoding="utf-8")
    return folder


def by_hand(made: Path, name: str) -> pd.DataFrame:
    rows = pd.read_csv(made / "data" / f"description-{name}_data.csv", dtype=str)
    return rows.fillna("")


def words(page: str) -> str:
    bare = re.sub(r"(?s)<style>.*?</style>|<svg.*?</svg>|<[^>]+>", " ", page)
    return " ".join(bare.split())


def pairs_of(made: Path) -> pd.DataFrame:
    """Return what the plan compares, of groups that have both levels."""
    rows = by_hand(made, "episodes")
    values = rows.assign(y=rows["duration_s"].astype(float))
    wide = values.pivot_table(index="group_id", columns="condition", values="y")
    return wide[["long", "none"]].dropna()


def test_report_and_script_count_groups_with_both_levels(made: Path) -> None:
    both = pairs_of(made)
    assert len(both) == MADE - 3
    known = ttest_rel(both["long"], both["none"], alternative="greater")
    told = words(report_of(read_export(made)))
    primary = told[told.index("Primary outcomes") : told.index("The same difference")]
    assert "Computed on 5 groups with both levels" in primary
    assert f"t(4) = {known.statistic:.2f}".replace("-", "\N{MINUS SIGN}") in primary
    assert "3 groups have one of these alone and are in no mean and no test" in primary
    for level in ("long", "none"):
        assert f"{level} 5 {both[level].mean():.0f} " in primary
    assert "of 8 groups analysed, 5 with both long and none, 3 with one of these alone" in told
    assert "5 groups with both long and none are analysed, planned were 36 each." in told
    found = next(one for one in analyse(made)[0] if one.is_primary)
    assert (found.n, found.left_out, found.df) == (5, 3, 4)
    assert found.estimate == pytest.approx((both["long"] - both["none"]).mean())
    assert found.p == pytest.approx(known.pvalue)


def test_r_counts_the_same(made: Path) -> None:
    if why := lacking_r():
        pytest.skip(why)
    command = ["Rscript", "scripts/analyse_study.R", str(made)]
    done = subprocess.run(command, check=True, capture_output=True, text=True)
    plan = json.loads((made / "manifest.json").read_text(encoding="utf-8"))["study"]["analysis"]
    name = plan["hypotheses"][0]["name"]
    line = next(x for x in done.stdout.splitlines() if f"\t{name}\t" in x).split("\t")
    found = next(one for one in analyse(made)[0] if one.name == name)
    assert float(line[3]) == pytest.approx(found.estimate, rel=1e-6)
    assert int(line[-1]) == 5
    assert f"{name}: groups with one of the levels alone, left out: 3" in done.stderr


def test_orders_are_in_the_methods_and_the_deviations(made: Path) -> None:
    told = words(report_of(read_export(made)))
    methods = told[told.index("Methods") :]
    assert "Each group did 2 tasks in each of its conditions." in methods
    assert "in one of the orders of a Williams design (Williams 1949), which the server" in methods
    assert "Conditions were drawn" not in methods
    assert "before data were collected" in methods
    done = "8 groups completed the study, planned were 36; by order: "
    orders = told[told.index(done) :].partition(". ")[0]
    assert "none>medium>long 4 of 6" in orders.replace("&gt;", ">")
    assert "none>long>medium 0 of 6" in orders.replace("&gt;", ">")
