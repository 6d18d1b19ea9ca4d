"""Attempts that are missing by condition: what one factor does is no effect of another one."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
import study_plan
from analyse_study import Estimate, analyse, clustered, difference, survival
from msgspec import to_builtins
from msgspec.structs import replace
from study_rows import attempts, contrast

from matchmaking.study import Study
from matchmaking.study.analysis import Exclusion, Unit
from matchmaking.study.conditions import Factor
from matchmaking.study.declared_model import Model, computed_model
from matchmaking.study.opening_rules import opening_warnings
from matchmaking.study.other_factors import other_factors
from matchmaking.study.problems import Problem
from server.research.exports.tables.factors import PREFIX
from server.research.study_report.comparison import CannotCompareError, Comparison
from server.research.study_report.exclusions import without_excluded
from server.research.study_report.export_tables import read_export
from server.research.study_report.findings import Finding, findings_of
from server.research.study_report.report import report_of
from tests.server.research.study_report.synthetic_exports import Effects, write_synthetic
from tests.server.research.study_report.test_missing_conditions import (
    LATENCY,
    RULE,
    three,
    two_within,
)
from tests.server.research.study_report.test_split_plots import in_r, split_plot
from tests.server.research.study_report.test_within_subjects import by_hand, words

GROUPS = 60
LOST = 0.6
"""Share of attempts that the condition with both a long latency and chat loses."""
HAZARDS = "latency: long against none"
SLOW, FAST = -7.0, -4.8
"""Logarithms of the hazard with chat and without: latency changes nothing."""


def declared(folder: Path, model: str | None) -> None:
    file = folder / "manifest.json"
    manifest = json.loads(file.read_text(encoding="utf-8"))
    manifest["study"]["analysis"] |= {"model": model, "unit": "episode"}
    file.write_text(json.dumps(manifest), encoding="utf-8")


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return an export in which chat is slow, latency does nothing, and one condition loses most.

    Each group plays the four conditions twice.
    """
    folder = tmp_path_factory.mktemp("missing") / "data"
    study = two_within()
    names = [cell.name for cell in study.cells]
    hazards = {name: SLOW if name.endswith("_yes") else FAST for name in names}
    effects = Effects(hazards, dict.fromkeys(names, 0.0), group_sd=0.2, lost=0.0)
    write_synthetic(folder, study, effects, groups_each=GROUPS, n_tasks=8)
    for name in ("groups", "participants", "episodes"):
        rows = by_hand(folder, name)
        numbers = rows["group_id"].str.extract(r"_(\d+)")[0].astype(float)
        own = ((numbers - 1) // 4).map(lambda n: f"group_{n:02.0f}", na_action="ignore")
        rows = rows.assign(group_id=own)
        if name == "episodes":
            rows = rows[rows["order_index"].astype(int) < 2]
            rng = np.random.default_rng(3)
            is_lost = rows["condition"].eq("long_yes") & (rng.random(len(rows)) < LOST)
            rows["end_reason"] = is_lost.map({True: "failed", False: "finished"})
        else:
            rows = rows.assign(f_latency="", f_chat="")
        if name == "groups":
            rows = rows.drop_duplicates("group_id")
        rows.to_csv(folder / "data" / f"description-{name}_data.csv", index=False)
    declared(folder, None)
    return folder


def of_times(folder: Path) -> Estimate:
    return next(one for one in analyse(folder)[1] if one.name == HAZARDS)


def finding(folder: Path) -> Finding:
    export = read_export(folder)
    (one,) = findings_of(export, without_excluded(export)[0], 0.05)
    return one


def test_the_times_are_stratified_by_the_other_factor(made: Path) -> None:
    study = two_within()
    assert study.analysis is not None
    rows = contrast(attempts(made), to_builtins(study.analysis.hypotheses[0]))
    phantom = survival(rows, "by task alone")
    assert phantom.estimate > 3 * phantom.error, "what is tried below would be there without it"
    found = of_times(made)
    assert abs(found.estimate) < 1.5 * found.error
    assert found.model == "Cox, stratified by task and chat"


def test_r_stratifies_by_the_same(made: Path) -> None:
    line, found = in_r(made)[HAZARDS], of_times(made)
    assert line[2] == found.model
    assert [float(x) for x in line[3:5]] == pytest.approx((found.estimate, found.error), rel=1e-3)


def test_attempts_are_compared_with_the_other_factor_as_a_term(made: Path) -> None:
    declared(made, None)
    one = finding(made)
    row = dict(one.found)["attempts, clustered"]
    assert row.t is not None
    assert abs(row.t) < 1.5
    assert (
        "compares single attempts by least squares, with groups and tasks as crossed clusters of "
        "the errors, with chat as a term where that tells attempts apart."
    ) in words(report_of(read_export(made)))


def test_declared_least_squares_have_it_too(made: Path) -> None:
    declared(made, "duration_s ~ latency")
    one = finding(made)
    rows = attempts(made)
    rows = contrast(rows.assign(y=rows["duration_s"]), to_builtins(one.hypothesis))
    phantom = clustered(rows, study_plan.Model("episode"))
    assert phantom[0] < -2.5 * phantom[1], "what is tried below would be there without it"
    assert one.main.t is not None
    assert abs(one.main.t) < 1.5
    assert one.comparison.test.endswith("clustered by group and task, with chat as a further term")
    found = next(each for each in analyse(made)[0] if each.name == LATENCY)
    assert found.model == "least squares, clustered by group and task, beside chat"
    numbers = (found.estimate, found.error, found.df)
    assert (one.main.estimate, one.main.df) == pytest.approx((found.estimate, found.df))
    line = in_r(made)[LATENCY]
    assert line[2] == found.model
    assert [float(x) for x in line[3:6]] == pytest.approx(numbers, rel=1e-6)


def without(study: Study, *names: str) -> Study:
    return replace(study, cells=tuple(c for c in study.cells if c.name not in names))


def half(study: Study) -> Study:
    """Return the study with a third factor that follows from the two others together."""
    cells = tuple(
        replace(
            cell,
            levels={
                **cell.levels,
                "hint": str((cell.levels["latency"] == "long") != (cell.levels["chat"] == "yes")),
            },
        )
        for cell in study.cells
    )
    hint = Factor(name="hint", levels=("True", "False"))
    return replace(study, factors=(*study.factors, hint), cells=cells)


@pytest.mark.parametrize(
    ("study", "known"),
    [
        (two_within(), ("chat",)),
        (split_plot(), ("briefing",)),
        (three(), ("latency", "chat")),
        # One condition less leaves the levels with the same chat once.
        (without(two_within(), "long_yes"), ("chat",)),
        # Chat with the long latency alone says the same.
        (without(two_within(), "long_no", "none_yes"), ()),
        # Both of the others together would leave no condition of both levels.
        (half(two_within()), ("chat",)),
    ],
)
def test_report_and_scripts_have_the_same_other_factors(
    study: Study, known: tuple[str, ...]
) -> None:
    assert study.analysis is not None
    hypothesis = study.analysis.hypotheses[0]
    assert other_factors(study, hypothesis) == known
    assert study_plan.other_factors(to_builtins(study), to_builtins(hypothesis)) == known


def with_robots(study: Study) -> Study:
    """Return a study of two factors of which the first follows from the second: robot or which."""
    cells = tuple(
        replace(
            cell,
            name=f"{cell.name}_{robot}",
            levels={
                "latency": cell.levels["latency"],
                "has_robot": str(robot != "nobody"),
                "robot": robot,
            },
        )
        for cell in study.cells
        if cell.levels["chat"] == "yes"
        for robot in ("nobody", "simple", "llm")
    )
    factors = (
        study.factors[0],
        Factor(name="has_robot", levels=("True", "False")),
        Factor(name="robot", levels=("nobody", "simple", "llm")),
    )
    return replace(study, factors=factors, cells=cells)


@pytest.mark.parametrize(
    ("terms", "known"), [((), ("robot",)), (("robot",), ()), (("order", "robot"), ())]
)
def test_of_a_factor_that_follows_from_another_the_finer_is_taken(
    terms: tuple[str, ...], known: tuple[str, ...]
) -> None:
    study = with_robots(two_within())
    assert study.analysis is not None
    hypothesis = study.analysis.hypotheses[0]
    assert other_factors(study, hypothesis, terms) == known
    given = (to_builtins(study), to_builtins(hypothesis), terms)
    assert study_plan.other_factors(*given) == known
    model = f"duration_s ~ {' + '.join(['latency', *terms])}"
    plan = replace(study.analysis, model=model, unit="episode", exclusions=())
    study = replace(study, analysis=plan)
    assert set(computed_model(study, plan.hypotheses[0]).model.covariates) == {*terms, "robot"}


def test_what_has_one_level_in_the_data_is_no_term_that_nobody_declared(made: Path) -> None:
    declared(made, "duration_s ~ latency")
    rows = attempts(made)
    plan = study_plan.plan_of(made)
    hypothesis = next(h for h in plan["hypotheses"] if h["name"] == LATENCY)
    quiet = difference(made, rows[rows["f_chat"] == "no"], plan, hypothesis)
    assert quiet.is_analysed
    assert quiet.model == "least squares, clustered by group and task"
    model = Model("episode", ("chat",), added=("chat",))
    values = pd.DataFrame(
        {"level": ["long", "none"] * 4, PREFIX + "chat": "no", "order_index": range(8)}
    )
    assert len(Comparison(model, False, 0.05)._terms(values, "long")) == 1
    values[PREFIX + "chat"] = ["no", "no", "yes", "yes"] * 2
    assert len(Comparison(model, False, 0.05)._terms(values, "long")) == 2
    values[PREFIX + "chat"] = "no"
    with pytest.raises(CannotCompareError, match="chat has one value"):
        Comparison(model._replace(added=()), False, 0.05)._terms(values, "long")


def warned(study: Study) -> list[Problem]:
    return [each for each in opening_warnings(study) if "differ in, too" in each.text]


def with_plan(model: str | None, *rules: Exclusion, unit: Unit = "episode") -> Study:
    study = two_within()
    assert study.analysis is not None
    plan = replace(study.analysis, model=model, unit=unit, exclusions=rules)
    return replace(study, analysis=plan)


def test_a_mixed_model_without_the_other_factor_is_warned_of() -> None:
    mixed = "duration_s ~ latency + (1 | group) + (1 | task)"
    (told,) = warned(with_plan(mixed, RULE))
    assert told.where == ("analysis", "model")
    assert "`duration_s ~ latency + chat + (1 | group) + (1 | task)`" in told.text
    assert "exclusion by episodes.end_reason takes attempts away" in told.text
    (of_none,) = warned(with_plan(None, RULE))
    assert of_none.where == ("analysis", "hypotheses", 0, "model")
    assert not warned(with_plan(mixed))
    assert not warned(with_plan(mixed.replace("latency", "latency + chat"), RULE))
    on_people = replace(RULE, column="visits.ending", value="completed")
    assert not warned(with_plan(mixed, on_people))


def test_least_squares_without_the_other_factor_are_warned_of() -> None:
    (told,) = warned(with_plan("duration_s ~ latency"))
    assert "write `duration_s ~ latency + chat`. Least squares take chat as further" in told.text
    study = with_plan("duration_s ~ latency")
    assert study.analysis is not None
    model = computed_model(study, study.analysis.hypotheses[0]).model
    assert model.covariates == ("chat",)
    assert not warned(with_plan("duration_s ~ latency + chat"))
    assert not warned(with_plan("mean of duration_s per group ~ latency", RULE, unit="group"))


def test_what_does_not_vary_within_groups_is_in_their_intercepts() -> None:
    study = split_plot(exclusions=(RULE,), unit="episode")
    assert study.analysis is not None
    only = study.analysis.hypotheses[:1]
    for random, count in (("(1 | group)", 0), ("(1 | task)", 1)):
        model = f"duration_s ~ latency + {random}"
        plan = replace(study.analysis, hypotheses=only, model=model)
        assert len(warned(replace(study, analysis=plan))) == count
