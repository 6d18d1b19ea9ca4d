"""The analysis script: from an export as it is to the effects that its data were made with."""

from __future__ import annotations

import csv
import json
import math
import shutil
import subprocess
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import pandas as pd
import pytest
from analyse_study import (
    Estimate,
    NotAnalysedError,
    analyse,
    fitted,
    has_rivals,
)
from msgspec.structs import replace
from study_plan import Model as ScriptModel
from study_plan import declared_model
from study_rows import attempts, contrast, with_outcome

from matchmaking.study.analysis import Hypothesis
from matchmaking.study.declared_model import Model
from matchmaking.study_file import read_study
from server.research.studies.ready_studies import ready_text
from server.research.study_report.comparison import Comparison
from tests.server.research.study_report.r_here import lacking_r
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
    assert (declared.unit, declared.covariates, declared.random) == model[:3]
    rows = contrast(with_outcome(made, attempts(made), TOLD["outcome"]), TOLD)
    found = fitted(rows, TOLD, declared)
    told = rows.assign(value=rows["y"], level=rows["f_explanation"])
    comparison = Comparison(model, is_within=False, alpha=0.05)
    values = comparison.values(told[["group_id", "task_id", "level", "order_index", "value"]])
    expected = comparison.difference(hypothesis("h", "ours", "none", "episodes.success"), values)
    assert found.estimate == pytest.approx(expected.estimate, rel=1e-3)
    assert found.df == pytest.approx(expected.df)
    assert found.p == pytest.approx(expected.p, rel=1e-3)


def of_groups(first: Sequence[float], second: Sequence[float], *, is_within: bool) -> pd.DataFrame:
    """Return attempts, one for each group and level: ``x`` is 1 at the first, 0 at the second."""
    values = [(n, 1.0, y) for n, y in enumerate(first)]
    values += [(n if is_within else n + len(first), 0.0, y) for n, y in enumerate(second)]
    return pd.DataFrame(
        [{"group_id": f"g{n}", "task_id": f"t{n % 2}", "x": x, "y": y} for n, x, y in values]
    )


@pytest.mark.parametrize(("is_within", "df"), [(False, 8.0), (True, 4.0)])
def test_levels_with_the_same_mean_differ_by_nothing(is_within: bool, df: float) -> None:
    rows = of_groups([0, 0.5, 0.5, 0, 0.5], [0.5, 0, 0, 0.5, 0.5], is_within=is_within)
    told = {**TOLD, "direction": "greater"}
    found = fitted(rows, told, ScriptModel("participant"), is_within=is_within)
    assert found.estimate == pytest.approx(0.0)
    assert found.p == pytest.approx(0.5)
    assert found.df == pytest.approx(df)
    # By hand: the variance of each level is 0.075, that of the differences 0.25.
    assert found.error == pytest.approx(((0.25 if is_within else 2 * 0.075) / 5) ** 0.5)


@pytest.mark.parametrize("model", [Model("participant"), CROSSED, Model("episode")])
@pytest.mark.parametrize("second", [0.0, 1.0])
def test_values_that_do_not_vary_are_not_analysed(model: Model, second: float) -> None:
    rows = of_groups([1.0] * 4, [second] * 4, is_within=False)
    with pytest.raises(NotAnalysedError, match="its values do not vary"):
        fitted(rows, TOLD, ScriptModel(*model[:3]))


def test_a_model_that_is_not_known_is_told() -> None:
    for text in ("logistic regression", "success ~ explanation + (slope | group)"):
        found = declared_model({"model": text}, TOLD)
        assert "known here" in found.problem
        assert (found.unit, found.random) == ("episode", ())


IN_R = ("Rscript", "scripts/analyse_study.R")


class InR(NamedTuple):
    """A line that the script in R prints; a number that does not apply is not a number."""

    kind: str
    name: str
    model: str
    estimate: float
    error: float
    df: float
    p: float
    p_corrected: float
    n: int


@pytest.fixture(scope="module")
def in_r() -> Callable[[Path], list[InR]]:
    """Return what runs the script in R on an export; skip where R or its packages are not here."""
    if why := lacking_r():
        pytest.skip(why)

    def run(folder: Path) -> list[InR]:
        done = subprocess.run([*IN_R, str(folder)], check=True, capture_output=True, text=True)
        heading, *lines = (line.split("\t") for line in done.stdout.splitlines())
        assert tuple(heading) == InR._fields
        found = []
        for kind, name, model, *numbers, n in lines:
            estimate, error, df, p, corrected = (float(x.replace("NA", "nan")) for x in numbers)
            found.append(InR(kind, name, model, estimate, error, df, p, corrected, int(n)))
        return found

    return run


def test_r_opens_the_same_export_and_agrees(made: Path, in_r: Callable[[Path], list[InR]]) -> None:
    found = in_r(made)
    _, times = analyse(made)
    hazards = {one.name: one for one in found if one.kind == "log hazard"}
    assert set(hazards) == {one.name for one in times}
    for one in times:
        r = hazards[one.name]
        assert (r.estimate, r.error) == pytest.approx((one.estimate, one.error), rel=1e-3)
        assert r.n == one.n
    plan = json.loads((made / "manifest.json").read_text(encoding="utf-8"))["study"]["analysis"]
    differences = {one.name: one for one in found if one.kind == "difference"}
    assert set(differences) == {told["name"] for told in plan["hypotheses"]}
    declared = {one.name: one for one in analyse(made)[0]}
    for name, one in declared.items():
        r = differences[name]
        assert (r.estimate, r.error) == pytest.approx((one.estimate, one.error), rel=1e-6)
        assert (r.df, r.p) == pytest.approx((one.df, one.p), rel=1e-6)
        assert (r.model, r.n) == (one.model, one.n)


def changed(made: Path, target: Path, change: Callable[[dict[str, Any]], None]) -> Path:
    """Return a copy of an export with a changed plan."""
    shutil.copytree(made, target)
    changed_plan(target, change)
    return target


def changed_plan(folder: Path, change: Callable[[dict[str, Any]], None]) -> None:
    """Change the plan of an export."""
    file = folder / "manifest.json"
    manifest = json.loads(file.read_text(encoding="utf-8"))
    change(manifest["study"]["analysis"])
    file.write_text(json.dumps(manifest), encoding="utf-8")


def with_one_that_cannot_be_analysed(plan: dict[str, Any]) -> None:
    lost = {**TOLD, "name": "lost", "outcome": "scores.nobody_asked"}
    plan.update(correction="bonferroni", hypotheses=[TOLD, {**TOLD, "name": "same"}, lost])


def test_a_hypothesis_that_cannot_be_analysed_stays_in_the_family(
    made: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    found, _ = analyse(changed(made, tmp_path / "data", with_one_that_cannot_be_analysed))
    assert [one.name for one in found] == ["h", "same", "lost"]
    assert found[0].p_corrected == pytest.approx(min(1.0, 3 * found[0].p))
    assert not found[2].is_analysed
    assert found[2].p_corrected is None
    assert (
        "lost: the export has no values of scores.nobody_asked: not analysed"
        in capsys.readouterr().out
    )


def test_in_r_too_it_stays_in_the_family(
    made: Path, tmp_path: Path, in_r: Callable[[Path], list[InR]]
) -> None:
    found = in_r(changed(made, tmp_path / "data", with_one_that_cannot_be_analysed))
    by_name = {one.name: one for one in found}
    assert by_name["h"].p_corrected == pytest.approx(min(1.0, 3 * by_name["h"].p))
    assert (by_name["lost"].kind, by_name["lost"].n) == ("not analysed", 0)
    assert math.isnan(by_name["lost"].p_corrected)


@pytest.mark.usefixtures("in_r")
def test_r_says_in_a_sentence_that_there_is_nothing_to_report(made: Path, tmp_path: Path) -> None:
    folder = changed(made, tmp_path / "data", lambda plan: plan.update(hypotheses=[]))
    done = subprocess.run([*IN_R, str(folder)], check=False, capture_output=True, text=True)
    assert (done.returncode, done.stdout) == (1, "")
    assert "there is nothing to report" in done.stderr


def rewritten(
    made: Path, target: Path, table: str, change: Callable[[dict[str, str]], dict[str, str]]
) -> Path:
    """Return a copy of an export with each row of a table changed."""
    shutil.copytree(made, target)
    file = target / "data" / f"description-{table}_data.csv"
    with file.open(encoding="utf-8", newline="") as stream:
        lines = [change(line) for line in csv.DictReader(stream)]
    with file.open("w", encoding="utf-8", newline="") as stream:
        writer = csv.DictWriter(stream, lines[0])
        writer.writeheader()
        writer.writerows(lines)
    return target


def with_times(made: Path, target: Path, count: int) -> Path:
    """Return a copy of an export with so many successes at each level, sooner at the first."""
    level = attempts(made).set_index("episode_id")["f_explanation"]
    places: dict[str, int] = {}

    def timed(line: dict[str, str]) -> dict[str, str]:
        if line["measure_id"] != "time_to_success" or line["episode_id"] not in level.index:
            return line
        mine = str(level[line["episode_id"]])
        places[mine] = places.get(mine, -1) + 1
        is_censored = str(places[mine] >= count).lower()
        return line | {"is_censored": is_censored, "value": "1" if mine == "ours" else "2"}

    return rewritten(made, target, "measures", timed)


def few(made: Path, target: Path) -> Path:
    return with_times(made, target, 4)


def separated(made: Path, target: Path) -> Path:
    return with_times(made, target, 1000)


def apart(made: Path, target: Path) -> Path:
    """Return a copy of an export in which each level has tasks of its own."""

    def own(line: dict[str, str]) -> dict[str, str]:
        return line | {"task_id": f"{line['task_id']}_{line['f_explanation']}"}

    return rewritten(made, target, "episodes", own)


UNFITTED = [
    (few, "4 and 4 successes with a time, of 5 that each level needs: not analysed"),
    (separated, "but the fit does not converge, as where levels separate them: not analysed"),
    (apart, "but at no task while both levels were trying: not analysed"),
]


@pytest.mark.parametrize(("changed_export", "sentence"), UNFITTED)
def test_times_that_cannot_be_compared_are_told_and_not_fitted(
    made: Path,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    changed_export: Callable[[Path, Path], Path],
    sentence: str,
) -> None:
    folder = changed_export(made, tmp_path / "data")
    changed_plan(folder, lambda plan: plan.update(hypotheses=[TOLD]))
    (found,) = analyse(folder)[1]
    assert (found.name, found.is_analysed) == ("explanation: ours against none", False)
    assert sentence in capsys.readouterr().out


@pytest.mark.usefixtures("in_r")
@pytest.mark.parametrize(("changed_export", "sentence"), UNFITTED)
def test_in_r_too_they_are_told_in_the_same_words(
    made: Path,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    changed_export: Callable[[Path, Path], Path],
    sentence: str,
) -> None:
    folder = changed_export(made, tmp_path / "data")
    changed_plan(folder, lambda plan: plan.update(hypotheses=[TOLD]))
    done = subprocess.run([*IN_R, str(folder)], check=True, capture_output=True, text=True)
    line = done.stdout.splitlines()[-1].split("\t")
    assert line[:2] == ["not analysed", "explanation: ours against none"]
    assert set(line[3:-1]) == {"NA"}
    analyse(folder)
    (told,) = [line for line in capsys.readouterr().out.splitlines() if sentence in line]
    assert told in done.stderr.splitlines()


@pytest.mark.parametrize(("last", "is_compared"), [(9.0, False), (10.0, True)])
def test_a_success_is_compared_with_attempts_that_were_still_going_on(
    last: float, is_compared: bool
) -> None:
    # The first success of the shared task came at 10 s.
    attempts = [("shared", 1.0, 10.0, True), ("shared", 0.0, last, False), ("own", 0.0, 5.0, True)]
    columns = ["task_id", "x", "time_to_success", "succeeded"]
    assert has_rivals(pd.DataFrame(attempts, columns=columns)) == is_compared


def test_successes_at_each_level_are_counted(made: Path) -> None:
    done = attempts(made).query("time_is_censored == False")["f_explanation"].value_counts()
    times = {one.name: one.events for one in analyse(made)[1]}
    assert times["explanation: ours against verdict"] == (done["ours"], done["verdict"])


def renamed(made: Path, target: Path, names: Sequence[str]) -> Path:
    """Return a copy of an export whose levels have other names."""
    new = dict(zip(("ours", "none", "verdict", "partnr"), names, strict=True))

    def rename(plan: dict[str, Any]) -> None:
        for told in plan["hypotheses"]:
            told["levels"] = [new[level] for level in told["levels"]]

    def of_row(line: dict[str, str]) -> dict[str, str]:
        return line | {"f_explanation": new[line["f_explanation"]]}

    folder = rewritten(made, target, "episodes", of_row)
    changed_plan(folder, rename)
    return folder


NAMES = [("T", "F", "TRUE", "FALSE"), ("1", "02", "NA", "None")]


@pytest.mark.parametrize("names", NAMES)
def test_levels_are_text_whatever_they_look_like(
    made: Path, tmp_path: Path, names: Sequence[str]
) -> None:
    found, times = analyse(renamed(made, tmp_path / "data", names))
    expected, expected_times = analyse(made)
    assert [(one.name, one.n, one.p) for one in found] == [
        (one.name, one.n, one.p) for one in expected
    ]
    assert [one.n for one in times] == [one.n for one in expected_times]


@pytest.mark.parametrize("names", NAMES)
def test_in_r_too_levels_are_text(
    made: Path, tmp_path: Path, names: Sequence[str], in_r: Callable[[Path], list[InR]]
) -> None:
    found = in_r(renamed(made, tmp_path / "data", names))
    assert [(one.kind, one.n, one.p) for one in found] == [
        (one.kind, one.n, one.p) for one in in_r(made)
    ]


@pytest.fixture(scope="module")
def known(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a synthetic export of forty groups a condition, with a family of hypotheses."""
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
    target = tmp_path_factory.mktemp("known") / "data"
    write_synthetic(target, replace(study, analysis=plan), EFFECTS, groups_each=40, n_tasks=12)
    return target


def holds(one: Estimate, truth: float) -> None:
    low, high = one.interval
    assert low < truth < high, one


def recovers(declared: Sequence[Estimate], times: Sequence[Estimate]) -> None:
    """Check that estimates are those of the effects that the data were made with."""
    found = {one.name: one for one in declared}
    assert list(found) == ["succeeds", "load", "alike", "unlike", "later"]
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


@pytest.mark.long
def test_known_effects_are_recovered(known: Path) -> None:
    recovers(*analyse(known))


@pytest.mark.long
def test_r_recovers_the_same_known_effects(known: Path, in_r: Callable[[Path], list[InR]]) -> None:
    kinds: dict[str, list[Estimate]] = {"difference": [], "log hazard": []}
    for one in in_r(known):
        corrected = None if math.isnan(one.p_corrected) else one.p_corrected
        told = Estimate(one.name, corrected is not None, one.estimate, one.error, one.p, one.n)
        kinds[one.kind].append(told._replace(df=one.df, p_corrected=corrected))
    recovers(kinds["difference"], kinds["log hazard"])
