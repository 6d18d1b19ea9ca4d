"""Several factors within groups, of which some lack conditions: no effect stands in another one."""

from __future__ import annotations

import subprocess
from pathlib import Path
from statistics import mean

import pytest
from analyse_study import Estimate, analyse
from msgspec.structs import replace
from scipy import stats

from matchmaking.study import Study
from matchmaking.study.analysis import Exclusion
from matchmaking.study.compared_conditions import balance_of
from matchmaking.study.conditions import Factor
from matchmaking.study.opening_rules import opening_warnings
from server.research.study_report.export_tables import read_export
from server.research.study_report.report import report_of
from tests.server.research.study_report.r_here import lacking_r
from tests.server.research.study_report.synthetic_exports import Effects, write_synthetic
from tests.server.research.study_report.test_split_plots import in_r, split_plot
from tests.server.research.study_report.test_within_subjects import by_hand, words

GROUPS = 12
TARGET = 48
CHAT_S = 200.0
"""What chat adds to an attempt; latency and briefing add nothing."""
BRIEFED = "briefing_helps"
LATENCY = "long_is_slow"
RULE = Exclusion(
    column="episodes.end_reason", relation="==", value="failed", reason="The programs failed."
)


def two_within() -> Study:
    """Return a study of latency and chat, which both vary within each group."""
    made = split_plot()
    factors = (made.factors[0], Factor(name="chat", levels=("no", "yes")))
    cells = tuple(
        replace(
            cell,
            target=TARGET,
            name=cell.name.replace("short", "yes").replace("full", "no"),
            levels={
                "latency": cell.levels["latency"],
                "chat": "yes" if cell.treatment.chat else "no",
            },
        )
        for cell in made.cells
    )
    assert made.analysis is not None
    first = replace(made.analysis.hypotheses[0], direction="two_sided")
    sample = replace(made.analysis.sample, per_level=TARGET)
    analysis = replace(made.analysis, hypotheses=(first,), exclusions=(RULE,), sample=sample)
    return replace(made, factors=factors, cells=cells, analysis=analysis)


def three() -> Study:
    """Return the study of latency and chat within groups, and the briefing drawn at entry."""
    made = two_within()
    cells = tuple(
        replace(cell, name=f"{cell.name}_{briefing}", levels={**cell.levels, "briefing": briefing})
        for briefing in ("short", "full")
        for cell in made.cells
    )
    assert made.analysis is not None
    whole = split_plot()
    assert whole.analysis is not None
    analysis = replace(
        made.analysis,
        model="mean of duration_s per group ~ briefing",
        hypotheses=(whole.analysis.hypotheses[1],),
    )
    return replace(made, factors=(*made.factors, whole.factors[1]), cells=cells, analysis=analysis)


def luck(group: int) -> float:
    return 3.0 * ((5 * group) % 7)


def write(folder: Path, study: Study, lacks: dict[int, set[str]]) -> None:
    """Write an export of groups that play all conditions of their briefing; some lose attempts.

    A rule takes the attempts of ``lacks`` away. There are as many attempts without chat, and fewer
    with it, so that means of attempts are none of conditions.
    """
    hazards = dict.fromkeys((cell.name for cell in study.cells), -6.0)
    each = GROUPS * 4 // len(study.cells)
    effects = Effects(hazards, hazards, lost=0.0)
    write_synthetic(folder, study, effects, groups_each=each, n_tasks=6)
    for name in ("groups", "participants", "episodes"):
        rows = by_hand(folder, name)
        numbers = rows["group_id"].str.extract(r"_(\d+)")[0].astype(float)
        groups = (numbers - 1) // 4
        rows = rows.assign(group_id=groups.map(lambda n: f"group_{n:02.0f}", na_action="ignore"))
        order = "none_no>none_yes>long_no>long_yes"
        rows["condition_assigned"] = rows["condition_assigned"].mask(rows["group_id"].ne(""), order)
        if name == "episodes":
            nth = rows.groupby(["group_id", "condition"]).cumcount()
            rows = rows[nth < rows["f_chat"].map({"no": 3, "yes": 1})]
            own = rows["group_id"].str[-2:].astype(int)
            is_long, order = rows["f_latency"].eq("long"), rows["order_index"].astype(int)
            noise = 7.0 * ((own * 11 + order * 5 + is_long * (own**2 + 4)) % 13)
            time = 100 + CHAT_S * rows["f_chat"].eq("yes") + own.map(luck) + noise
            cell = rows["f_latency"] + "_" + rows["f_chat"]
            is_lost = [c in lacks.get(n, ()) for n, c in zip(own, cell, strict=True)]
            # A group does a task once, so that a rule takes one attempt away.
            tasks = "task_" + ((rows.groupby("group_id").cumcount() + own) % 8).astype(str)
            rows = rows.assign(duration_s=time, task_id=tasks, end_reason="finished")
            rows.loc[is_lost, "end_reason"] = "failed"
        else:
            rows = rows.assign(f_latency="", f_chat="")
        if name == "groups":
            rows = rows.drop_duplicates("group_id")
        rows.to_csv(folder / "data" / f"description-{name}_data.csv", index=False)


def cells_of(made: Path, factor: str, *others: str) -> dict[tuple[str, ...], float]:
    """Return the mean time of each group in each condition, by group and levels."""
    found: dict[tuple[str, ...], list[float]] = {}
    for row in by_hand(made, "episodes").to_dict("records"):
        if row["end_reason"] != "failed":
            key = (row["group_id"], row[f"f_{factor}"], *(row[f"f_{name}"] for name in others))
            found.setdefault(key, []).append(float(row["duration_s"]))
    return {key: mean(values) for key, values in found.items()}


def estimate(made: Path, name: str) -> Estimate:
    return next(one for one in analyse(made)[0] if one.name == name)


def t_of(value: float) -> str:
    return f"{value:.2f}".replace("-", "\N{MINUS SIGN}")


@pytest.fixture(scope="module")
def crossed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return an export of which five groups lack a condition, one has no pair, one no level."""
    folder = tmp_path_factory.mktemp("crossed") / "data"
    lacks = {n: {"long_no"} for n in range(0, 10, 2)}
    lacks |= {1: {"none_no", "long_yes"}, 3: {"long_no", "long_yes"}}
    write(folder, two_within(), lacks)
    return folder


@pytest.fixture(scope="module")
def between(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return an export of two factors within groups, and of one between of which some lack much."""
    folder = tmp_path_factory.mktemp("between") / "data"
    write(folder, three(), {1: {"long_no", "none_no"}, 3: {"long_yes"}})
    return folder


def test_a_missing_condition_is_no_effect_of_another_factor(crossed: Path) -> None:
    means = cells_of(crossed, "latency", "chat")
    pairs: dict[str, list[float]] = {}
    for group, latency, chat in means:
        if latency == "long" and (group, "none", chat) in means:
            difference = means[group, "long", chat] - means[group, "none", chat]
            pairs.setdefault(group, []).append(difference)
    known = stats.ttest_1samp([mean(each) for each in pairs.values()], 0.0)
    assert len(pairs) == GROUPS - 2
    assert known.pvalue > 0.1
    told = words(report_of(read_export(crossed)))
    section = told[told.index("Primary outcomes") : told.index("The same difference")]
    assert "Computed on 10 groups with both levels, each with the mean over conditions" in section
    assert f"t(9) = {t_of(known.statistic)}, two-sided p = {known.pvalue:.3f}" in section
    found = estimate(crossed, LATENCY)
    assert found.estimate == pytest.approx(mean(mean(each) for each in pairs.values()))
    assert found.p == pytest.approx(known.pvalue)
    assert (found.n, found.df) == (10, 9)


def test_who_is_compared_on_fewer_conditions_is_counted(crossed: Path) -> None:
    told = words(report_of(read_export(crossed)))
    assert (
        "long is slow: 5 of 10 groups were compared on fewer conditions than planned, on those "
        "that the group has at both levels with the same chat."
    ) in told
    assert "1 group has both levels, but never with the same chat, and is left out." in told
    assert (
        "of 12 groups analysed, 10 with both long and none at the same chat (5 of them on fewer "
        "conditions than planned), 1 with one of these alone, 1 with both, but never at the same"
    ) in told
    assert "1 group has one of these alone and is in no mean and no test; 1 group has both" in told
    methods = told[told.index("Methods") :]
    assert "on 10 groups with both levels, each with the mean over conditions with" in methods
    assert "(5 of these on fewer conditions than planned)" in methods
    # What is not compared is in no mean of a condition at these levels, either.
    section = told[told.index("Primary outcomes") : told.index("The same difference")]
    for condition, n in {"none_no": 5, "long_no": 5, "none_yes": 10, "long_yes": 10}.items():
        assert f" {condition} {n} " in section
    found = estimate(crossed, LATENCY)
    assert (found.left_out, found.apart, found.fewer) == (1, 1, 5)


def test_r_compares_the_same_conditions(crossed: Path, between: Path) -> None:
    for made, name in ((crossed, LATENCY), (between, BRIEFED)):
        line, found = in_r(made)[name], estimate(made, name)
        numbers = (found.estimate, found.error, found.df, found.p)
        assert [float(x) for x in line[3:7]] == pytest.approx(numbers, rel=1e-6)
        assert int(line[-1]) == found.n


def test_r_counts_who_is_compared_on_fewer(crossed: Path) -> None:
    if why := lacking_r():
        pytest.skip(why)
    command = ["Rscript", "scripts/analyse_study.R", str(crossed)]
    done = subprocess.run(command, check=True, capture_output=True, text=True)
    assert f"{LATENCY}: groups with one of the levels alone, left out: 1" in done.stderr
    assert "both levels, but never in the same conditions, left out: 1" in done.stderr
    assert f"{LATENCY}: groups compared on fewer conditions than planned: 5" in done.stderr


def test_between_groups_each_condition_weighs_the_same(between: Path) -> None:
    means = cells_of(between, "briefing", "latency", "chat")
    of_groups: dict[tuple[str, str], list[float]] = {}
    for (group, briefing, *_), value in means.items():
        of_groups.setdefault((briefing, group), []).append(value)
    full, short = (
        [mean(values) for (level, _), values in of_groups.items() if level == wanted]
        for wanted in ("full", "short")
    )
    assert (len(full), len(short)) == (6, 6)
    known = stats.ttest_ind(full, short, equal_var=False)
    found = estimate(between, BRIEFED)
    assert found.estimate == pytest.approx(mean(full) - mean(short))
    assert found.p == pytest.approx(known.pvalue)
    assert found.fewer == 2
    told = words(report_of(read_export(between)))
    assert f"t({known.df:.1f}) = {t_of(known.statistic)}".replace(".0)", ")") in told
    assert "briefing helps: 2 of 12 groups were compared on fewer conditions than planned" in told
    assert "of 12 groups compared, 2 on fewer conditions than planned" in told


def test_what_says_the_same_as_the_factor_is_not_held_equal() -> None:
    study = two_within()
    assert study.analysis is not None
    (hypothesis,) = study.analysis.hypotheses
    balance = balance_of(study, hypothesis)
    assert (balance.factors, balance.alone, balance.planned) == (("chat",), frozenset(), {(): 2})
    # Chat with the long latency alone: nothing can be compared at the same chat.
    same = replace(study, cells=tuple(c for c in study.cells if c.name in ("none_no", "long_yes")))
    assert balance_of(same, hypothesis).factors == ()
    # Without one of four conditions the levels are compared where the design has both.
    lacking = replace(study, cells=tuple(c for c in study.cells if c.name != "long_yes"))
    found = balance_of(lacking, hypothesis)
    assert (found.factors, found.alone, found.planned) == (
        ("chat",),
        frozenset({("yes",)}),
        {(): 1},
    )
    alone = replace(study, design=replace(study.design, subjects="between"))
    assert balance_of(alone, hypothesis).factors == ()


def test_a_rule_that_takes_conditions_away_is_warned_of() -> None:
    study = two_within()
    assert study.analysis is not None
    (told,) = [w for w in opening_warnings(study) if "takes a whole condition" in w.text]
    assert told.where == ("analysis", "exclusions", 0)
    assert "`duration_s ~ latency + chat + (1 | group)`" in told.text
    for analysis in (
        replace(study.analysis, exclusions=()),
        replace(study.analysis, model="duration_s ~ latency + chat + (1 | group)", unit="episode"),
    ):
        warned = opening_warnings(replace(study, analysis=analysis))
        assert not any("takes a whole condition" in each.text for each in warned)
