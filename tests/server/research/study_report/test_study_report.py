"""Reports of studies: what they say of data with known answers, and of bad ones."""

from __future__ import annotations

import csv
import errno
import json
import os
import re
import shutil
from pathlib import Path

import pandas as pd
import pytest
from msgspec.structs import replace
from scipy.stats import ttest_ind
from typer.testing import CliRunner

from matchmaking.study import Study
from matchmaking.study.analysis import Hypothesis
from matchmaking.study.declared_model import CLUSTERED
from matchmaking.study_file import read_study
from server.cli.main import app
from server.research.studies.ready_studies import ready_text
from server.research.study_report.comparison import Comparison
from server.research.study_report.estimates import corrected, mean_of
from server.research.study_report.exclusions import without_excluded
from server.research.study_report.export_tables import ReportError, read_export
from server.research.study_report.findings import findings_of
from server.research.study_report.questionnaires import cronbach
from server.research.study_report.report import report_of
from tests.server.research.study_report.synthetic_exports import Effects, write_synthetic

FILES = ("manifest.json", "codebook.json", "data/description-visits_data.csv")
COMPARISON = Comparison(CLUSTERED, is_within=False, alpha=0.05)
EFFECTS = Effects(
    log_hazard={"none": -7.0, "verdict": -6.9, "partnr": -6.4, "ours": -5.8},
    load={"none": 1.0, "verdict": 0.0, "partnr": 0.0, "ours": -1.0},
)


@pytest.fixture(scope="module")
def study() -> Study:
    return read_study(ready_text("explanation")).study


@pytest.fixture(scope="module")
def made(study: Study, tmp_path_factory: pytest.TempPathFactory) -> Path:
    target = tmp_path_factory.mktemp("synthetic") / "data"
    write_synthetic(target, study, EFFECTS, groups_each=12, n_tasks=8)
    return target


@pytest.fixture(scope="module")
def page(made: Path) -> str:
    return report_of(read_export(made))


@pytest.fixture
def spoiled(made: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(made, tmp_path / "data"))


def words(page: str) -> str:
    """Return what a page says, without its style, its figures and its tags."""
    bare = re.sub(r"(?s)<style>.*?</style>|<svg.*?</svg>|<[^>]+>", " ", page)
    return " ".join(bare.split())


def keep_rows(folder: Path, table: str, count: int) -> None:
    file = folder / "data" / f"description-{table}_data.csv"
    with file.open(newline="") as stream:
        rows = list(csv.reader(stream))
    with file.open("w", newline="") as stream:
        csv.writer(stream, lineterminator="\n").writerows(rows[: count + 1])


def test_the_primary_outcome_comes_first_and_is_that_of_the_table(made: Path, page: str) -> None:
    told = words(page)
    assert told.index("Primary outcomes, by assigned condition") < told.index("Questionnaires")
    # Recomputed from the file with nothing of ours.
    with (made / "data" / "description-episodes_data.csv").open(newline="") as stream:
        rows = list(csv.DictReader(stream))
    with (made / "data" / "description-seats_data.csv").open(newline="") as stream:
        idle = {r["episode_id"] for r in csv.DictReader(stream) if float(r["idle_s"] or 0) > 120}
    out = {r["episode_id"] for r in rows if r["end_reason"] == "failed"} | idle
    means = {}
    for name in ("ours", "verdict"):
        mine: dict[str, list[bool]] = {}
        for r in rows:
            if r["condition"] == name and r["episode_id"] not in out:
                mine.setdefault(r["group_id"], []).append(r["success"] == "true")
        means[name] = [sum(done) / len(done) for done in mine.values()]
    found = ttest_ind(means["ours"], means["verdict"], equal_var=False, alternative="greater")
    estimate = sum(means["ours"]) / 12 - sum(means["verdict"]) / 12
    assert f"ours less verdict: {estimate:.3f} (95 % interval" in told
    assert f"= {found.statistic:.2f}, one-sided p = {found.pvalue:.3f}, corrected (holm, 2" in told
    assert "Declared model: mean of success per person ~ explanation." in told
    n = sum(r["condition"] == "ours" and r["episode_id"] not in out for r in rows)
    assert f"n = {n} " in told[told.index("Questionnaires") :].partition("Cronbach")[0]
    assert "The same difference in other sets of the data" in told
    assert "12 and 12 people of ours and verdict are analysed, planned were 80 each." in told
    assert "<script" not in page
    assert "http" not in re.sub(r'xmlns(:\w+)?="[^"]*"', "", re.sub("(?s)<svg.*?<defs>", "", page))


def test_actions_in_error_are_counted_by_class_and_condition(made: Path, page: str) -> None:
    export = read_export(made)
    kept, _ = without_excluded(export)
    done = kept.table("episodes")
    done = done[done["success"].eq(True)]["condition"].value_counts()
    counts = " ".join(str(done[cell.name]) for cell in export.study.cells)
    assert f"missing step: a step that it needs had not been done {counts}" in words(page)


def test_the_flow_counts_people_and_groups(page: str) -> None:
    told = words(page)
    assert "56 people arrived" in told
    assert "52 consented" in told
    assert "4 did not consent, or left before: no consent at consent 4 " in told
    assert "4 were in no group whose first task began: screened out at quiz 2, " in told
    assert "no partner at lobby 1, screened out at device 1" in told
    assert told.count("12 groups drawn") == 4


def change_rows(folder: Path, table: str, column: str, name: str, **cells: str) -> None:
    """Change the rows that have a name in a column; without cells, take them out."""
    file = folder / "data" / f"description-{table}_data.csv"
    with file.open(newline="") as stream:
        rows = list(csv.DictReader(stream))
    names = list(rows[0])
    hit = [row for row in rows if row[column] == name]
    kept = [row for row in rows if cells or row[column] != name]
    for row in hit:
        row.update(cells)
    with file.open("w", newline="") as stream:
        writer = csv.DictWriter(stream, names, lineterminator="\n")
        writer.writeheader()
        writer.writerows(kept)


def test_whoever_withdrew_had_consented_and_is_not_analysed(spoiled: Path) -> None:
    person = read_export(spoiled).table("participants")
    person = person[person["condition_assigned"] == "ours"].iloc[0]
    name, group = str(person["participant_id"]), str(person["group_id"])
    # As `cohabit study export` leaves somebody who has withdrawn.
    change_rows(spoiled, "visits", "participant_id", name, consented_at="", arrived_at="")
    gone = {"has_withdrawn": "true"}
    change_rows(spoiled, "participants", "participant_id", name, **gone, agreed_to_research="true")
    change_rows(spoiled, "groups", "group_id", group, **gone)
    change_rows(spoiled, "episodes", "group_id", group)
    told = words(report_of(read_export(spoiled)))
    assert "52 consented" in told
    assert told.count("12 began (12 people)") == 4
    one = "Of the 12 that began, 11 analysed by assigned condition, 1 withdrawn (1 person withdrew"
    assert one in told
    assert told.count("Of the 12 that began, 12 analysed by assigned condition") == 3
    assert "11 and 12 people of ours and verdict are analysed" in told


def test_clusters_widen_an_interval_as_they_should() -> None:
    rows = pd.DataFrame(
        {
            "group_id": [f"g{n // 4}" for n in range(40)],
            "task_id": [f"t{n % 4}" for n in range(40)],
            "level": ["a" if n // 4 < 5 else "b" for n in range(40)],
            # All four values of a group are one: they count as ten, not forty.
            "value": [float((n // 4) % 5 + (n // 4 < 5)) for n in range(40)],
        }
    )
    hypothesis = Hypothesis(name="h", text="t", factor="f", levels=("a", "b"), outcome="o.x")
    found = COMPARISON.difference(hypothesis, rows)
    assert found.estimate == pytest.approx(1.0)
    # By hand: five values 0 to 4 at each level; (10/9) · 2 · (10/5²), with three degrees for the
    # four tasks, whose t is 3.182.
    error = (10 / 9 * 2 * 10 / 25) ** 0.5
    assert found.low == pytest.approx(1 - 3.182446 * error)
    assert mean_of("a", rows[rows["level"] == "a"], 0.05).mean == pytest.approx(3.0)


def test_an_equivalence_needs_both_tests() -> None:
    rows = pd.DataFrame(
        {
            "group_id": [f"g{n}" for n in range(400)],
            "task_id": [f"t{n % 20}" for n in range(400)],
            "level": ["a" if n % 40 < 20 else "b" for n in range(400)],
            "value": [float((n * 7) % 11) for n in range(400)],
        }
    )
    alike = Hypothesis(
        name="h", text="t", factor="f", levels=("a", "b"), outcome="o.x", direction="equivalent"
    )
    wide = COMPARISON.difference(replace(alike, bound=0.5), rows).p
    narrow = COMPARISON.difference(replace(alike, bound=0.01), rows).p
    assert wide is not None
    assert narrow is not None
    assert wide < 0.05 < narrow


@pytest.mark.parametrize(
    ("method", "expected"),
    [
        ("holm", [0.03, None, 0.04]),
        ("bonferroni", [0.03, None, 0.06]),
        ("none", [0.01, None, 0.02]),
    ],
)
def test_a_hypothesis_without_values_counts_in_its_family(
    method: str, expected: list[float | None]
) -> None:
    # As large as the plan declared it: what has no values counts with p = 1.
    found = corrected([0.01, None, 0.02], method)
    assert [p and round(p, 9) for p in found] == expected


def test_the_report_names_and_corrects_by_the_family_of_the_plan(spoiled: Path) -> None:
    export = read_export(spoiled)
    plan = export.study.analysis
    assert plan is not None
    first = plan.hypotheses[0]
    assert first.is_primary
    untold = replace(first, name="untold", outcome="seats.hidden_s")
    family = replace(plan, hypotheses=(first, untold), correction="bonferroni")
    alone = replace(plan, hypotheses=(first,))
    findings = {}
    for used in (alone, family):
        manifest = replace(export.manifest, study=replace(export.study, analysis=used))
        same = export._replace(manifest=manifest)
        findings[len(used.hypotheses)] = findings_of(same, same, 0.05)
    (one,) = findings[1]
    with_both = {found.hypothesis.name: found for found in findings[2]}
    assert one.main.p is not None
    assert with_both["untold"].main.p is None
    assert with_both["untold"].p_corrected is None
    assert with_both[first.name].p_corrected == pytest.approx(min(1.0, 2 * one.main.p))


def test_cronbachs_alpha() -> None:
    # Two items whose correlation is 0.5 and whose variances are equal: 2 r / (1 + r) = 2/3.
    answers = pd.DataFrame({"a": [1.0, 2.0, 3.0], "b": [1.0, 3.0, 2.0]})
    assert cronbach(answers)[0] == pytest.approx(2 / 3)
    assert cronbach(answers[["a"]]) == (None, "one item")
    assert cronbach(answers.assign(a=1.0, b=1.0)) == (None, "nothing varies")


def test_items_that_go_apart_are_told_and_their_mean_is_marked(spoiled: Path) -> None:
    assert "‡" not in words(report_of(read_export(spoiled)))
    file = spoiled / "data" / "description-responses_data.csv"
    with file.open(newline="") as stream:
        rows = list(csv.DictReader(stream))
    items = sorted({row["question_id"] for row in rows if row["question_id"].startswith("nasa")})
    # Half of the items as if they were scored the other way round.
    for row in rows:
        if row["question_id"] in items[::2]:
            row["value"] = str(20 - float(row["value"]))
    with file.open("w", newline="") as stream:
        writer = csv.DictWriter(stream, list(rows[0]), lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)
    export = read_export(spoiled)
    plan = export.study.analysis
    assert plan is not None
    about = replace(plan, hypotheses=(replace(plan.hypotheses[0], outcome="scores.nasa_tlx_raw"),))
    manifest = replace(export.manifest, study=replace(export.study, analysis=about))
    told = words(report_of(export._replace(manifest=manifest)))
    assert re.search("‡ nasa_tlx_raw : . is \N{MINUS SIGN}", told)
    assert "means that its items go apart: some are scored in opposite directions" in told
    assert "The items of scores.nasa_tlx_raw go apart (a negative" in told


def test_exclusions_are_counted_in_their_order(made: Path, study: Study) -> None:
    export = read_export(made)
    kept, told = without_excluded(export)
    assert study.analysis is not None
    assert len(told) == len(study.analysis.exclusions)
    lost = len(export.table("episodes")) - len(kept.table("episodes"))
    assert lost == sum(rule.attempts for rule in told) > 0


def test_while_a_study_is_open_there_are_no_outcomes(spoiled: Path) -> None:
    book = spoiled / "codebook.json"
    names = ("episodes", "propositions", "seats", "measures", "events", "responses", "scores")
    told = json.loads(book.read_text())
    told["tables"] = [table for table in told["tables"] if table["name"] not in names]
    book.write_text(json.dumps(told))
    found = words(report_of(read_export(spoiled)))
    assert "Outcomes are left out." in found
    assert "Primary outcomes" not in found
    assert "56 people arrived" in found


def test_no_episodes_is_said(spoiled: Path) -> None:
    for table in ("episodes", "propositions", "seats", "measures", "events", "groups"):
        keep_rows(spoiled, table, 0)
    found = words(report_of(read_export(spoiled)))
    assert "There are no episodes." in found
    assert "No group was drawn." in found
    assert "ours: 0 groups completed the study, planned were 80." in found


def test_a_plan_that_is_younger_than_the_data_is_a_deviation(spoiled: Path) -> None:
    file = spoiled / "manifest.json"
    assert "before data were collected" in words(report_of(read_export(spoiled)))
    manifest = json.loads(file.read_text(encoding="utf-8"))
    manifest["frozen_at"] = "2026-11-28T00:00:00+00:00"
    file.write_text(json.dumps(manifest), encoding="utf-8")
    found = words(report_of(read_export(spoiled)))
    assert "before data were collected" not in found
    assert "frozen on 2026-11-28, after the first person had arrived" in found


def test_attempts_that_operators_watched_are_a_deviation(spoiled: Path) -> None:
    assert "Operators watched" not in words(report_of(read_export(spoiled)))
    file = spoiled / "data" / "description-episodes_data.csv"
    with file.open(newline="") as stream:
        head, *rows = list(csv.reader(stream))
    for row, seconds in zip(rows, ("90", "30", "0"), strict=False):
        row[head.index("watched")] = "true" if seconds != "0" else "false"
        row[head.index("watched_s")] = seconds
    groups = len({row[head.index("group_id")] for row in rows[:2]})
    with file.open("w", newline="") as stream:
        csv.writer(stream, lineterminator="\n").writerows([head, *rows])
    found = words(report_of(read_export(spoiled)))
    of = f"{groups} group{'' if groups == 1 else 's'}"
    assert f"watched 2 of {len(rows)} attempts live, for 2.0 minutes in all, of {of}." in found


def test_a_cell_of_one_has_a_row_with_its_reason(spoiled: Path) -> None:
    file = spoiled / "data" / "description-episodes_data.csv"
    with file.open(newline="") as stream:
        head, *rows = list(csv.reader(stream))
    group, condition = head.index("group_id"), head.index("condition")
    one = next(row[group] for row in rows if row[condition] == "ours")
    kept = [row for row in rows if row[condition] != "ours" or row[group] == one]
    with file.open("w", newline="") as stream:
        csv.writer(stream, lineterminator="\n").writerows([head, *kept])
    found = words(report_of(read_export(spoiled)))
    assert "one group only is at a level, which says nothing about groups" in found
    assert "Welch's t test. d is" not in found.partition("Secondary")[0].partition("ours less")[2]
    assert "one group only" in found


@pytest.mark.parametrize("file", FILES)
def test_an_export_that_cannot_be_read_is_refused(spoiled: Path, file: str) -> None:
    (spoiled / file).write_text("not,ours\n")
    with pytest.raises(ReportError, match="make it again with `cohabit study export`"):
        read_export(spoiled)


def test_the_command_writes_the_same_page_and_replaces_none(
    made: Path, page: str, tmp_path: Path
) -> None:
    file = tmp_path / "report.html"
    arguments = ["study", "report", str(made), "--out", str(file)]
    assert CliRunner().invoke(app, arguments).exit_code == 0
    assert file.read_text() == page
    again = CliRunner().invoke(app, arguments)
    assert again.exit_code == 1
    assert file.read_text() == page
    assert file.stat().st_mode & 0o777 == 0o600
    nothing = CliRunner().invoke(app, ["study", "report", str(tmp_path / "x"), "--out", str(file)])
    assert nothing.exit_code == 1


def test_a_full_disk_leaves_nothing_of_a_report(
    made: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(path: Path, text: str, **_options: str) -> int:
        with path.open("w") as stream:
            stream.write(text[:1000])
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    folder = tmp_path / "new"
    monkeypatch.setattr(Path, "write_text", full)
    told = CliRunner().invoke(
        app, ["study", "report", str(made), "--out", str(folder / "report.html")]
    )
    assert told.exit_code == 1
    assert "No space left" in str(told.exception)
    assert list(folder.iterdir()) == []
