"""Models of single hypotheses: one of their own, that of the plan, or the one that goes without."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
import pytest
from analyse_study import analyse
from msgspec.structs import replace
from scipy import stats

from matchmaking.study import Study
from matchmaking.study.analysis import Analysis, Hypothesis, Sample
from matchmaking.study.declared_model import (
    Model,
    computed_model,
    declared_model,
    model_text,
    sample_unit,
)
from matchmaking.study.opening_rules import opening_problems, opening_warnings
from matchmaking.study.planned_units import planned_units
from server.research.power.adequacy import adequacies, inadequate, size_line
from server.research.power.closed_form import Goal, paired_n
from server.research.studies.manifest import Manifest, changes, study_digest
from server.research.studies.preregistration import preregistration
from server.research.study_report.export_tables import read_export
from server.research.study_report.report import report_of
from tests.server.research.study_report.test_split_plots import (
    MADE,
    TARGET,
    in_r,
    means_by,
    split_plot,
    write_split_plot,
)
from tests.server.research.study_report.test_within_subjects import words

LATENCY = "mean of duration_s per group ~ latency"
BRIEFING = "mean of duration_s per group ~ briefing"
TODAY = "2026-11-28"


def plan_of(study: Study) -> Analysis:
    assert study.analysis is not None
    return study.analysis


def both(**more: Any) -> tuple[Hypothesis, Hypothesis]:
    """Return the hypotheses of the split plot, the second with changed fields."""
    first, second = plan_of(split_plot()).hypotheses
    return first, replace(second, **more)


DECLARED: dict[str, Callable[[], Study]] = {
    "each has its own": lambda: split_plot(
        model=None,
        hypotheses=tuple(
            replace(one, model=model)
            for one, model in zip(both(), (LATENCY, BRIEFING), strict=True)
        ),
    ),
    "one has its own": lambda: split_plot(hypotheses=both(model=BRIEFING)),
    "none is declared": lambda: split_plot(model=None),
}


@pytest.fixture(scope="module", params=DECLARED)
def made(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("models") / "data"
    write_split_plot(folder, DECLARED[request.param]())
    return folder


class Known:
    """Tests of both hypotheses, computed from the tables alone."""

    def __init__(self, made: Path) -> None:
        within, between = means_by(made, "latency").dropna(), means_by(made, "briefing")
        self.within = stats.ttest_rel(within["long"], within["none"], alternative="greater")
        self.difference = float((within["long"] - within["none"]).mean())
        full, short = between["full"].dropna(), between["short"].dropna()
        self.between = stats.ttest_ind(full, short, equal_var=False)
        self.n = {"long_is_slow": len(within), "briefing_helps": len(full) + len(short)}
        self.p = {"long_is_slow": self.within.pvalue, "briefing_helps": self.between.pvalue}


def test_each_hypothesis_has_means_in_both_languages(made: Path) -> None:
    known = Known(made)
    assert known.n == {"long_is_slow": 2 * MADE - 1, "briefing_helps": 2 * MADE}
    found = {one.name: one for one in analyse(made)[0]}
    assert {name: one.model for name, one in found.items()} == dict.fromkeys(
        known.p, "t test of means"
    )
    assert found["long_is_slow"].estimate == pytest.approx(known.difference)
    low, high = sorted(known.p.values())
    corrected = {low: 2 * low, high: max(2 * low, high)}
    for name, p in known.p.items():
        assert found[name].n == known.n[name]
        assert found[name].p == pytest.approx(p)
        assert found[name].p_corrected == pytest.approx(min(1.0, corrected[p]))
    for name, line in in_r(made).items():
        if name in known.p:
            assert line[2] == "t test of means"
            assert int(line[-1]) == known.n[name]
            assert float(line[6]) == pytest.approx(known.p[name], rel=1e-6)


def test_the_report_says_which_model_is_whose(made: Path) -> None:
    known = Known(made)
    told = words(report_of(read_export(made)))
    section = told[told.index("briefing helps primary") :].partition("The same difference")[0]
    assert f"Declared model: {BRIEFING}." in section
    t = f"{known.between.statistic:.2f}".replace("-", "\N{MINUS SIGN}")
    assert f"t({known.between.df:.1f}) = {t}".replace(".0)", ")") in section
    assert f"p = {known.between.pvalue:.3f}" in section
    methods = told[told.index("Methods") :].replace("&#39;", "'")
    assert (f"Declared models: {LATENCY} (long is slow); {BRIEFING} (briefing helps).") in methods
    assert "briefing helps (full against short) by Welch's t test, two-sided" in methods
    assert "long is slow (long against none) by paired t test, one-sided" in methods
    assert "was not fitted" not in told


@pytest.mark.parametrize("name", DECLARED)
def test_nothing_is_warned_of_and_who_files_it_is_told_both_tests(name: str) -> None:
    study = DECLARED[name]()
    assert [each for each in opening_warnings(study) if "model" in each.where] == []
    plan = plan_of(study)
    filed = preregistration(study, plan, adequacies(study, 8), "abc", [])
    assert f"- long_is_slow: unit of analysis group, model {LATENCY}\n" in filed
    assert f"- briefing_helps: unit of analysis group, model {BRIEFING}\n" in filed
    assert "Test of long_is_slow: paired t test, within groups, one-sided; degrees of" in filed
    assert "Test of briefing_helps: Welch's t test, between groups, two-sided; degrees" in filed
    assert "does not fit" not in filed


def test_without_a_declared_model_attempts_have_a_mixed_one() -> None:
    study = split_plot(model=None, unit="episode")
    for one in plan_of(study).hypotheses:
        assert model_text(study, one) == f"duration_s ~ {one.factor} + (1 | group) + (1 | task)"
        assert declared_model(study, one) == Model("episode", (), ("group", "task"))
    once = replace(plan_of(study).hypotheses[1], outcome="visits.waited_s")
    assert model_text(study, once) == "mean of waited_s per person ~ briefing"
    assert computed_model(study, once) == (Model("participant"), "", False)


# Tests of other units than the plan's have samples of their own.

OWN = Sample(effect=0.8, basis="A pilot of pairs.", per_level=33, group_share=0.1)
CROSSED = "duration_s ~ latency + (1 | group) + (1 | task)"


def mixed(sample: Sample | None = OWN, **more: Any) -> Study:
    """Return a study of attempts whose second hypothesis is of means of groups."""
    second = both(model=BRIEFING, sample=sample, **more)
    plan_sample = replace(plan_of(split_plot()).sample, per_level=2 * TARGET)
    return split_plot(model=CROSSED, unit="episode", hypotheses=second, sample=plan_sample)


def test_a_sample_of_its_own_counts_units_of_its_own_model() -> None:
    study = mixed()
    first, second = plan_of(study).hypotheses
    assert (sample_unit(study, first), sample_unit(study, second)) == ("episode", "group")
    # Pairs of two tasks in each of two conditions of each of two briefings, and groups of one.
    assert planned_units(study, first) == 2 * TARGET * 2
    assert planned_units(study, second) == TARGET
    of_latency, of_briefing = adequacies(study, 8)
    assert of_briefing.required == pytest.approx(paired_n(0.8, 0.0, Goal(0.025, 0.8)))
    assert "groups of each level: " in size_line(of_briefing)
    assert "episodes of each level: " in size_line(of_latency)
    small = mixed(replace(OWN, per_level=32))
    assert 32 < of_briefing.required < 33
    (problem,) = [p for p in inadequate(small, 8) if "briefing_helps" in p.text]
    assert problem.where == ("analysis", "hypotheses", 1, "sample", "per_level")
    assert "expected 33 groups of each level at least" in problem.text
    assert not [p for p in inadequate(study, 8) if "briefing_helps" in p.text]
    filed = preregistration(study, plan_of(study), adequacies(study, 8), "abc", [])
    assert "Sample of briefing_helps:\n33 groups of each level, for d = 0.8" in filed
    assert "84 episodes of each level, for d = " in filed


def test_a_model_of_another_unit_needs_a_sample() -> None:
    (problem,) = [p for p in opening_problems(mixed(None), TODAY) if "sample" in p.where]
    assert problem.where == ("analysis", "hypotheses", 1, "sample")
    assert "its model is of groups, and the plan's sample counts episodes" in problem.text
    assert not [p for p in opening_problems(mixed(), TODAY) if p.where[0] == "analysis"]
    later = mixed(None, is_primary=False)
    assert not [p for p in opening_problems(later, TODAY) if p.where[0] == "analysis"]


def test_samples_share_alpha_and_targets_bound_them() -> None:
    with pytest.raises(ValueError, match="2, sample, alpha: expected the plan's alpha"):
        mixed(replace(OWN, alpha=0.1))
    with pytest.raises(ValueError, match="2, model: expected the statistical model"):
        split_plot(hypotheses=both(model=" "))
    many = mixed(replace(OWN, per_level=TARGET + 1))
    (problem,) = [p for p in opening_problems(many, TODAY) if p.where[0] == "analysis"]
    assert problem.where == ("analysis", "hypotheses", 1, "sample", "per_level")
    assert f"expected at most {TARGET}, the groups that the targets give" in problem.text


def test_a_model_of_its_own_that_no_program_fits_is_told_where_it_stands() -> None:
    study = split_plot(hypotheses=both(model="a Bayesian model"))
    (told,) = [each for each in opening_warnings(study) if "model" in each.where]
    assert told.where == ("analysis", "hypotheses", 1, "model")
    assert "no program of Cohabit fits it (expected a formula" in told.text
    plan = plan_of(study)
    filed = preregistration(study, plan, adequacies(study, 8), "abc", [])
    assert "Its model does not fit briefing_helps (expected a formula" in filed


def test_keys_that_came_later_change_no_digest_of_a_plan_without_them() -> None:
    """A digest that was filed with the release before is that of the study that opens now."""
    study = split_plot()
    value = msgspec.to_builtins(study)
    for one in value["analysis"]["hypotheses"]:
        assert (one.pop("model"), one.pop("sample")) == (None, None)
    before = hashlib.sha256(msgspec.json.encode(value, order="sorted")).hexdigest()[:20]
    assert study_digest(study) == before
    assert study_digest(split_plot(hypotheses=both(model="a Bayesian model"))) != before


def test_a_manifest_of_before_reads_and_means_what_it_did() -> None:
    study = split_plot()
    digests = {"study": study_digest(study), "code": "9be2d0"}
    frozen = Manifest(
        study_name=study.name, version=1, frozen_at="2026-11-01", digests=digests, study=study
    )
    told = json.loads(msgspec.json.encode(frozen))
    for one in told["study"]["analysis"]["hypotheses"]:
        assert (one.pop("model"), one.pop("sample")) == (None, None)
    # Its digest was of fewer keys.
    told["digests"]["study"] = "0123456789abcdef0123"
    before = msgspec.json.decode(json.dumps(told), type=Manifest)
    assert before.study == study
    assert {model_text(study, one) for one in plan_of(before.study).hypotheses} == {LATENCY}
    assert changes(before, frozen) == []
    later = replace(study, analysis=replace(plan_of(study), model=None))
    assert changes(before, replace(frozen, study=later)) == ["the study file"]
