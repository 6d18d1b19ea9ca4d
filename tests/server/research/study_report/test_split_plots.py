"""Split plots: one factor within groups and one drawn at entry, each compared as it varies."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path
from typing import Any

import pandas as pd
import pytest
from analyse_study import analyse
from msgspec.structs import replace
from scipy import stats

from matchmaking.assignment.strata import strata_of
from matchmaking.study import Study
from matchmaking.study.conditions import Factor
from matchmaking.study.endings import Ending
from matchmaking.study.opening_rules import (
    groups_wanted,
    opening_problems,
    opening_warnings,
    people_wanted,
)
from matchmaking.study_file import read_study
from server.research.power.adequacy import adequacies, inadequate, size_line
from server.research.studies.preregistration import preregistration
from server.research.studies.ready_studies import ready_text
from server.research.study_report.export_tables import read_export
from server.research.study_report.report import report_of
from tests.server.research.study_report.r_here import lacking_r
from tests.server.research.study_report.synthetic_exports import Effects, write_synthetic
from tests.server.research.study_report.test_within_subjects import by_hand, words

MADE = 7
TARGET = 42


def split_plot(**plan: Any) -> Study:
    """Return a study of latency within pairs and of a briefing that people are drawn at entry."""
    made = read_study(ready_text("latency")).study
    assert made.analysis is not None
    cells = tuple(
        replace(
            cell,
            name=f"{cell.name}_{briefing}",
            target=TARGET,
            levels={"latency": cell.levels["latency"], "briefing": briefing},
            treatment=replace(cell.treatment, chat=briefing == "short"),
        )
        for briefing in ("short", "full")
        for cell in made.cells
        if cell.levels["latency"] != "medium"
    )
    factors = (
        Factor(name="latency", levels=("none", "long")),
        Factor(name="briefing", levels=("short", "full"), drawn_at="entry"),
    )
    first = replace(made.analysis.hypotheses[0], levels=("long", "none"))
    second = replace(
        first, name="briefing_helps", factor="briefing", levels=("full", "short"),
        direction="two_sided",
    )  # fmt: skip
    fields: dict[str, Any] = {
        "unit": "group",
        "model": "mean of duration_s per group ~ latency",
        "hypotheses": (first, second),
        "exclusions": (),
        "sample": replace(made.analysis.sample, per_level=TARGET, group_share=0.2),
    }
    analysis = replace(made.analysis, **{**fields, **plan})
    return replace(made, factors=factors, cells=cells, analysis=analysis)


def of_briefing(**more: Any) -> Study:
    """Return the study with the hypothesis on the briefing alone, one-sided."""
    plan = split_plot().analysis
    assert plan is not None
    only = replace(plan.hypotheses[1], direction="greater")
    return split_plot(hypotheses=(only,), model="mean of duration_s per group ~ briefing", **more)


def write_split_plot(folder: Path, study: Study) -> None:
    """Write an export of seven groups a briefing, one of which lacks a level of the latency."""
    hazards = {c.name: -6.0 - 0.4 * (c.levels["latency"] == "long") for c in study.cells}
    effects = Effects(hazards, dict.fromkeys(hazards, 0.0), lost=0.0)
    write_synthetic(folder, study, effects, groups_each=MADE, n_tasks=6)
    for name in ("groups", "participants", "episodes"):
        rows = by_hand(folder, name)
        numbers = rows["group_id"].str.extract(r"_(\d+)")[0].astype(float)
        # Both groups of a briefing become one, which plays with both latencies.
        own = ((numbers - 1) // 2).map(lambda n: f"group_{n:02.0f}", na_action="ignore")
        rows = rows.assign(group_id=own)
        is_drawn = rows["condition_assigned"].ne("")
        order = "none_" + rows["f_briefing"] + ">long_" + rows["f_briefing"]
        rows["condition_assigned"] = order.where(is_drawn, "")
        if name == "episodes":
            rows = rows[~(rows["group_id"].eq("group_03") & rows["f_latency"].eq("long"))]
        else:
            rows = rows.assign(f_latency="")
        if name == "groups":
            rows = rows.drop_duplicates("group_id")
        rows.to_csv(folder / "data" / f"description-{name}_data.csv", index=False)


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("split") / "data"
    write_split_plot(folder, split_plot())
    return folder


def declared(made: Path, model: str, unit: str = "group") -> None:
    file = made / "manifest.json"
    manifest = json.loads(file.read_text(encoding="utf-8"))
    manifest["study"]["analysis"] |= {"model": model, "unit": unit}
    file.write_text(json.dumps(manifest), encoding="utf-8")


def means_by(made: Path, factor: str) -> pd.DataFrame:
    """Return the mean time of each group at each level of a factor."""
    rows = by_hand(made, "episodes")
    values = rows.assign(y=rows["duration_s"].astype(float))
    return values.pivot_table(index="group_id", columns=f"f_{factor}", values="y")


def in_r(made: Path) -> dict[str, list[str]]:
    """Return the lines that the script in R prints, by hypothesis."""
    if why := lacking_r():
        pytest.skip(why)
    command = ["Rscript", "scripts/analyse_study.R", str(made)]
    done = subprocess.run(command, check=True, capture_output=True, text=True)
    lines = (line.split("\t") for line in done.stdout.splitlines()[1:])
    return {line[1]: line for line in lines}


def test_the_factor_drawn_at_entry_is_compared_between_groups(made: Path) -> None:
    declared(made, "mean of duration_s per group ~ briefing")
    means = means_by(made, "briefing")
    full, short = means["full"].dropna(), means["short"].dropna()
    assert (len(full), len(short)) == (MADE, MADE)
    known = stats.ttest_ind(full, short, equal_var=False)
    told = words(report_of(read_export(made)))
    section = told[told.index("briefing helps primary") :]
    assert "Computed on 7 and 7 groups" in section
    assert "Welch" in section
    t = f"{known.statistic:.2f}".replace("-", "\N{MINUS SIGN}")
    assert f"t({known.df:.1f}) = {t}".replace(".0)", ")") in section
    found = {one.name: one for one in analyse(made)[0]}["briefing_helps"]
    assert found.n == 2 * MADE
    assert (found.estimate, found.p) == pytest.approx((full.mean() - short.mean(), known.pvalue))


@pytest.mark.parametrize("factor", ["briefing", "latency"])
def test_r_compares_each_factor_as_the_design_varies_it(made: Path, factor: str) -> None:
    declared(made, f"mean of duration_s per group ~ {factor}")
    name = {"briefing": "briefing_helps", "latency": split_plot().analysis.hypotheses[0].name}  # type: ignore[union-attr]
    found = {one.name: one for one in analyse(made)[0]}[name[factor]]
    line = in_r(made)[name[factor]]
    numbers = (found.estimate, found.error, found.df, found.p)
    assert [float(x) for x in line[3:7]] == pytest.approx(numbers, rel=1e-6)
    assert int(line[-1]) == found.n
    assert found.n == (2 * MADE - 1 if factor == "latency" else 2 * MADE)


def test_terms_of_each_kind_take_their_own_degrees_of_freedom(made: Path) -> None:
    declared(made, "duration_s ~ latency + briefing + order + (1 | group)", "episode")
    n = len(by_hand(made, "episodes"))
    # Latency and order change within groups, the briefing does not.
    known = {"briefing_helps": 2 * MADE - 1 - 1, "long_is_slow": n - 2 * MADE - 2}
    found = {one.name: one for one in analyse(made)[0]}
    assert {name: one.df for name, one in found.items()} == known
    told = words(report_of(read_export(made)))
    for name, df in known.items():
        section = told[told.index(f"{name.replace('_', ' ')} primary") :]
        assert f"t({df})" in section.partition("Computed on")[0]
    for name, line in in_r(made).items():
        if name in found:
            assert float(line[5]) == known[name]
            assert float(line[6]) == pytest.approx(found[name].p, rel=1e-3)


def test_people_wanted_are_those_of_the_targets() -> None:
    study = split_plot()
    entry = strata_of(study).entry
    assert people_wanted(study) == sum(arm.target for arm in entry) == 168
    assert groups_wanted(study) == 84
    assert study.tasks_of_a_visit == 2 * 2, "a group plays the two conditions of its briefing"


def test_a_cap_pays_all_who_are_wanted() -> None:
    study = split_plot()
    assert study.minutes is not None
    each = study.owed(Ending.COMPLETED, spent_s=60 * study.minutes).total
    short = replace(study, pay=replace(study.pay, cap=130 * each))
    (problem,) = [p for p in opening_problems(short, "2026-11-28") if p.where == ("pay", "cap")]
    assert "of the 168 people who are wanted" in problem.text


def test_power_of_the_factor_drawn_at_entry_is_that_of_other_groups() -> None:
    (found,) = adequacies(of_briefing(), 8)
    assert found.planned == TARGET, "a group is one unit of its level, whatever it plays"
    assert not found.is_within
    assert 50 < found.required < 51
    (problem,) = inadequate(of_briefing(), 8)
    assert "expected 51 groups of each level" in problem.text
    latency = adequacies(split_plot(correction="none"), 8)[0]
    assert latency.is_within
    assert latency.planned == 2 * TARGET
    assert 40 < latency.required < 41
    assert "needed 41, planned 84 (each group plays both" in size_line(latency)


def test_the_targets_must_give_the_groups_of_each_level() -> None:
    sample = split_plot().analysis.sample  # type: ignore[union-attr]
    study = of_briefing(sample=replace(sample, per_level=51))
    (problem,) = [p for p in opening_problems(study, "2026-11-28") if "per_level" in p.where]
    assert "expected at most 42, the groups that the targets give" in problem.text


def test_who_files_a_plan_is_told_what_its_model_does_not_fit() -> None:
    study = split_plot()
    assert study.analysis is not None
    filed = preregistration(study, study.analysis, adequacies(study, 8), "abc", [])
    assert (
        "This model does not fit briefing_helps (it does not have the factor briefing): attempts "
        "are compared for it, by least squares with errors clustered by group and task; its "
        "numbers above are those of a test on groups."
    ) in filed
    assert filed.count("This model does not fit") == 1
    warned = [each.text for each in opening_warnings(study) if each.where == ("analysis", "model")]
    (text,) = warned
    assert "no program of Cohabit fits it for 'briefing_helps' (it does not have" in text
    both = split_plot(model="duration_s ~ latency + briefing + (1 | group)", unit="episode")
    assert both.analysis is not None
    filed = preregistration(both, both.analysis, adequacies(both, 8), "abc", [])
    assert "This model does not fit" not in filed


def test_methods_and_preregistration_say_which_factor_is_within(made: Path) -> None:
    study = split_plot()
    assert study.analysis is not None
    filed = preregistration(study, study.analysis, adequacies(study, 8), "abc", [])
    assert "- Factor latency: none, long; varied within each group." in filed
    assert "- Factor briefing: short, full; drawn for each person, at entry." in filed
    assert "Each group plays the conditions with its own level of briefing" in filed
    told = words(report_of(read_export(made)))
    methods = told[told.index("Methods") :]
    assert (
        "varied latency (none, long) within subjects and briefing (short, full) between subjects, "
        "in 4 conditions."
    ) in methods
    assert "Each group played the conditions with its own level of briefing one after" in methods
