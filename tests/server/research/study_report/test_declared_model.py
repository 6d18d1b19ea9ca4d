"""Declared models: what is read from a plan, and that it is what is computed."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest
from msgspec.structs import replace
from scipy import stats
from statsmodels.stats.proportion import proportion_confint

from matchmaking.study import Study
from matchmaking.study.analysis import Analysis, Hypothesis
from matchmaking.study.declared_model import (
    CLUSTERED,
    Model,
    UnknownModelError,
    declared_model,
)
from matchmaking.study_file import read_study
from server.research.studies.ready_studies import ready_names, ready_text
from server.research.study_report.comparison import Comparison, Difference
from server.research.study_report.crossed_effects import fit_crossed
from server.research.study_report.estimates import mean_of, score_interval
from server.research.study_report.findings import interval_of

TWO = Hypothesis(name="h", text="t", factor="f", levels=("a", "b"), outcome="episodes.ticks")
PER_PERSON = Model("participant")
CROSSED = Model("episode", random=("group", "task"))


def planned(**changes: Any) -> tuple[Study, Analysis]:
    """Return the ready study of explanations with a changed plan."""
    study = read_study(ready_text("explanation")).study
    assert study.analysis is not None
    plan = replace(study.analysis, **changes)
    return replace(study, analysis=plan), plan


def played(
    groups: int = 12, tasks: int = 5, *, seed: int = 0, within: bool = False
) -> pd.DataFrame:
    """Return values of groups at each task, half of the groups, or of the tasks, at each level."""
    rng = np.random.default_rng(seed)
    luck, hardness = rng.normal(0, 2, groups), rng.normal(0, 2, tasks)
    rows = []
    for group in range(groups):
        for task in range(tasks):
            level = "ab"[(group + task) % 2 if within else group % 2]
            rows.append(
                {
                    "group_id": f"g{group}",
                    "task_id": f"t{task}",
                    "order_index": task,
                    "condition": level,
                    "level": level,
                    "value": luck[group] + hardness[task] + (level == "a") + rng.normal(0, 1),
                }
            )
    return pd.DataFrame(rows)


def compared(model: Model, rows: pd.DataFrame, *, within: bool = False) -> Difference:
    comparison = Comparison(model, within, 0.05)
    return comparison.difference(TWO, comparison.values(rows))


@pytest.mark.parametrize("name", ready_names())
def test_the_models_of_ready_studies_are_known(name: str) -> None:
    study = read_study(ready_text(name)).study
    assert study.analysis is not None
    for hypothesis in study.analysis.hypotheses:
        model = declared_model(study, hypothesis)
        assert model.unit == study.analysis.unit


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("a mixed model", "expected a formula"),
        ("ticks ~ explanation + mood", "'mood' is no factor"),
        ("ticks ~ explanation + (1 | house)", "is none of"),
        ("ticks ~ order", "does not have the factor explanation"),
        ("mean of ticks per group ~ explanation + order", "other terms than the factor"),
    ],
)
def test_what_cannot_be_fitted_is_told(text: str, why: str) -> None:
    study, plan = planned(model=text)
    with pytest.raises(UnknownModelError, match=why):
        declared_model(study, plan.hypotheses[0])


def test_means_of_units_are_compared_by_welchs_test() -> None:
    rows = played().drop(index=[0, 7, 8])
    means = rows.groupby(["level", "group_id"])["value"].mean()
    known = stats.ttest_ind(means["a"], means["b"], equal_var=False)
    found = compared(PER_PERSON, rows)
    low, high = known.confidence_interval()
    assert (found.t, found.df, found.p) == pytest.approx((known.statistic, known.df, known.pvalue))
    assert (found.low, found.high) == pytest.approx((low, high))
    assert found.n == (6, 6)


def test_within_groups_the_test_is_paired() -> None:
    rows = played(within=True)
    means = rows.pivot_table(index="group_id", columns="level", values="value")
    known = stats.ttest_rel(means["a"], means["b"])
    found = compared(PER_PERSON, rows, within=True)
    assert (found.t, found.df, found.p) == pytest.approx((known.statistic, known.df, known.pvalue))


def test_a_paired_test_is_of_those_groups_that_have_both_levels() -> None:
    rows = played(within=True)
    # A level can be that of several conditions: a group is one unit all the same.
    rows["condition"] = rows["level"] + rows["task_id"]
    rows = rows[(rows["group_id"] != "g3") | (rows["level"] == "a")]
    means = rows.pivot_table(index="group_id", columns="level", values="value").dropna()
    known = stats.ttest_rel(means["a"], means["b"])
    found = compared(PER_PERSON, rows, within=True)
    assert (found.n, found.n_groups, found.left_out) == ((11, 11), 11, 1)
    assert (found.t, found.df) == pytest.approx((known.statistic, 10))
    assert found.estimate == pytest.approx(means["a"].mean() - means["b"].mean())
    alone = rows[rows["level"].eq("a") == rows["group_id"].isin(["g3", "g4"])]
    assert compared(PER_PERSON, alone, within=True).problem == "no group has values at both levels"


def test_a_balanced_mixed_model_is_the_t_test_of_group_means() -> None:
    # Where each group plays each task, tasks cancel out, and the rest is textbook (Student's t).
    rows = played()
    means = rows.groupby(["level", "group_id"])["value"].mean()
    known = stats.ttest_ind(means["a"], means["b"])
    found = compared(CROSSED, rows)
    assert found.df == known.df
    assert found.t == pytest.approx(known.statistic, rel=1e-4)


def test_variances_of_a_balanced_model_are_those_of_the_analysis_of_variance() -> None:
    rows = played(groups=9, tasks=6, seed=3)
    table = rows.pivot_table(index="group_id", columns="task_id", values="value")
    mean = table.to_numpy().mean()
    by_group, by_task = table.mean(axis=1), table.mean(axis=0)
    rest = table.sub(by_group, axis=0).sub(by_task, axis=1) + mean
    residual = float((rest.to_numpy() ** 2).sum()) / (8 * 5)
    groups = float(by_group.var()) - residual / 6
    tasks = float(by_task.var()) - residual / 9
    fit = fit_crossed(
        rows["value"].to_numpy(float), np.ones((54, 1)), [rows["group_id"], rows["task_id"]]
    )
    assert fit.residual**2 == pytest.approx(residual, rel=1e-3)
    assert fit.deviations[0] ** 2 == pytest.approx(groups, rel=1e-3)
    assert fit.deviations[1] ** 2 == pytest.approx(tasks, rel=1e-3)


def test_order_is_a_term_of_the_model_and_terms_that_say_the_same_are_told() -> None:
    rows = played(within=True)
    found = compared(Model("episode", ("order",), ("group",)), rows, within=True)
    assert found.problem == ""
    assert found.df == 60 - 12 - 3 + 1
    same = compared(Model("episode", ("order",)), rows.assign(order_index=rows["level"].eq("a")))
    assert same.problem == "the terms of the model say the same in these data"


def test_intervals_of_rates_are_wilsons_and_within_0_and_1() -> None:
    z = float(stats.norm.ppf(0.975))
    known = proportion_confint(3, 20, method="wilson")
    error = (0.15 * 0.85 / 20) ** 0.5
    assert score_interval(0.15, error, z, 5, 20) == pytest.approx(known)
    assert score_interval(0.15, error / 2, z, 5, 20) == pytest.approx(known), "no more than values"
    assert score_interval(1.0, 0.0, z, 12, 40) == pytest.approx(
        proportion_confint(12, 12, method="wilson")
    )
    rows = played(groups=4, tasks=4).assign(value=lambda rows: (rows["value"] > -1).astype(float))
    for level in ("a", "b"):
        found = mean_of(level, rows[rows["level"] == level], 0.05, "Wilson")
        assert found.low is not None
        assert found.high is not None
        assert 0 <= found.low < found.mean <= found.high <= 1
        assert found.is_rough
    shares = Comparison(CLUSTERED, is_within=False, alpha=0.05, is_share=True)
    done = rows.assign(value=[0.0, 1.0, 1.0, 1.0] * 2 + [1.0, 0.0, 1.0, 0.0] * 2)
    difference = shares.difference(TWO, done.assign(level=["a"] * 8 + ["b"] * 8))
    assert difference.low is not None
    assert difference.high is not None
    assert -1 <= difference.low < difference.high <= 1


def test_only_rates_of_attempts_have_wilsons_interval() -> None:
    assert interval_of("episodes.success", "episode") == "Wilson"
    assert interval_of("episodes.retry_success", "episode") == "Wilson"
    assert interval_of("episodes.success", "participant") == "t, cut at 0 and 1"
    assert interval_of("episodes.success", "group") == "t, cut at 0 and 1"
    assert interval_of("episodes.percent_complete", "episode") == "t, cut at 0 and 1"
    assert interval_of("episodes.retry_mended", "episode") == "t, cut at 0 and 1"
    assert interval_of("episodes.ticks", "episode") == "t"


def test_a_mean_has_students_interval() -> None:
    shares = [0.25, 0.5, 0.5, 0.75, 1.0]
    rows = pd.DataFrame({"group_id": [f"g{n}" for n in range(5)], "task_id": "", "value": shares})
    half = float(stats.t.ppf(0.975, 4)) * float(stats.sem(shares))
    found = mean_of("a", rows, 0.05)
    assert (found.low, found.high) == pytest.approx((0.6 - half, 0.6 + half))
    assert mean_of("a", rows, 0.05, "t, cut at 0 and 1").high == pytest.approx(min(1, 0.6 + half))
    same = mean_of("a", rows.assign(value=1.0), 0.05, "t, cut at 0 and 1")
    assert (same.mean, same.low, same.problem) == (1.0, None, "nothing varies")
