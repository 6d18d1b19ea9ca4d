"""Sentences of a preregistration, each read against what the report computes."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pandas as pd
import pytest
from msgspec.structs import replace

from matchmaking.study import Study
from server.research.studies.preregistration import preregistration
from server.research.study_report.exclusions import without_excluded
from server.research.study_report.export_tables import Export, read_export
from server.research.study_report.findings import Finding, findings_of
from server.research.study_report.report import report_of
from tests.server.research.study_report.test_missing_conditions import three, two_within, write
from tests.server.research.study_report.test_within_subjects import by_hand, words

MEANS = "mean of duration_s per group ~ latency"
ON_PEOPLE = {"column": "visits.ending", "relation": "==", "value": "withdrew", "reason": "Left"}


def filed(study: Study) -> str:
    assert study.analysis is not None
    return " ".join(preregistration(study, study.analysis, [], "abc", []).split())


def declared(folder: Path, **plan: Any) -> Export:
    """Change the plan of an export, and return it as it is read."""
    file = folder / "manifest.json"
    manifest = json.loads(file.read_text(encoding="utf-8"))
    manifest["study"]["analysis"] |= plan
    file.write_text(json.dumps(manifest), encoding="utf-8")
    return read_export(folder)


def finding(export: Export) -> Finding:
    (one,) = findings_of(export, without_excluded(export)[0], 0.05)
    return one


@pytest.fixture
def crossed(tmp_path: Path) -> Path:
    """Return an export of latency and chat within groups, of which some lack conditions."""
    lacks = {0: {"long_no"}, 1: {"none_no", "long_yes"}, 3: {"long_no", "long_yes"}}
    write(tmp_path / "within", two_within(), lacks)
    return tmp_path / "within"


@pytest.fixture
def between(tmp_path: Path) -> Path:
    """Return an export of the briefing between groups, beside latency and chat within them."""
    write(tmp_path / "between", three(), {1: {"long_no"}})
    return tmp_path / "between"


def degrees_of(rule: str, rows: pd.DataFrame, columns: int, pairs: int) -> int:
    """Return the degrees of freedom that a filed rule gives for the rows that are compared.

    ``columns`` are those of the terms that the rule speaks of.
    """
    groups, tasks = int(rows["group_id"].nunique()), int(rows["task_id"].nunique())
    first, *less = rule.split(", ")
    found = {
        "pairs": pairs,
        "attempts": len(rows),
        "groups": groups,
        "the smaller number of groups and of tasks where there are several": min(groups, tasks),
    }[first]
    for part in less:
        if part.startswith("less one for each column of the terms"):
            found -= columns
        else:
            found -= {"less one": 1, "less groups": groups, "and for each task but one": tasks - 1}[
                part
            ]
    return found


@pytest.mark.parametrize(
    ("model", "columns"),
    [
        (MEANS, 0),
        ("duration_s ~ latency", 2),
        ("duration_s ~ latency + chat + (1 | group)", 2),
        ("duration_s ~ latency + chat + (1 | group) + (1 | task)", 2),
        ("duration_s ~ latency + chat + order + (1 | task)", 3),
        ("duration_s ~ briefing + chat + (1 | group) + (1 | task)", 1),
    ],
)
def test_degrees_of_freedom_are_those_of_the_filed_rule(
    crossed: Path, between: Path, model: str, columns: int
) -> None:
    folder = between if "briefing" in model else crossed
    export = declared(folder, model=model, unit="group" if model == MEANS else "episode")
    text, one = filed(export.study), finding(export)
    rule = text.partition("degrees of freedom: ")[2].partition(".")[0]
    rows = without_excluded(export)[0].table("episodes")
    assert one.main.df == degrees_of(rule, rows, columns, one.main.n[0])
    assert ("fitted by restricted maximum likelihood (REML)" in text) == ("(1 |" in model)
    methods = words(report_of(export)).partition("Methods")[2]
    assert f"degrees of freedom: {rule}" in methods
    assert one.comparison.test in text
    assert "Intervals are those of single tests, of 95 %: they are not corrected" in methods


def test_who_is_left_out_is_filed(crossed: Path) -> None:
    export = declared(crossed, model=MEANS, unit="group")
    text, one = filed(export.study), finding(export)
    assert "one of long and none alone, or both but never with the same chat, is left out." in text
    assert (one.main.left_out, one.main.apart) == (1, 1)
    assert one.main.n_groups == export.table("episodes")["group_id"].nunique() - 2
    assert f"A group has one value at a level, {one.mean_of_unit}" in text
    assert "a group that lacks some is compared on the others" in text
    assert one.main.fewer == 1
    export = declared(crossed, model="duration_s ~ latency + (1 | group)", unit="episode")
    kept, one = without_excluded(export)[0], finding(export)
    assert "It takes all attempts, also of groups with one of long and none alone." in (
        filed(export.study)
    )
    assert sum(one.main.n) == len(kept.table("episodes"))


@pytest.mark.parametrize(
    ("changed", "counts"),
    [
        ({"try_index": "1"}, False),
        ({"is_assigned": "false"}, False),
        ({"is_per_protocol": "false"}, True),
    ],
)
def test_first_tries_by_assigned_condition_are_analysed(
    crossed: Path, changed: dict[str, str], counts: bool
) -> None:
    export = declared(crossed, model=MEANS, unit="group", exclusions=[])
    text = filed(export.study)
    assert "The analysis is by assigned condition, and counts groups whose first task" in text
    assert "of attempts it takes the judged ones" in text
    # The ready study has one try; of several the first is analysed.
    assert "Each task is tried once." in text
    assert "the first is analysed" in filed(
        replace(export.study, tasks=replace(export.study.tasks, tries=2))
    )
    before = finding(export).main.estimate
    rows = by_hand(crossed, "episodes")
    is_long = rows["condition"].eq("long_no")
    of_one = rows[is_long].head(1)
    more = of_one.assign(duration_s="9000", episode_id="epi_more", **changed)
    pd.concat([rows, more]).to_csv(crossed / "data" / "description-episodes_data.csv", index=False)
    assert (finding(read_export(crossed)).main.estimate != before) == counts


@pytest.mark.parametrize("what", ["group_is_excluded", "others_stay"])
def test_what_goes_with_what_is_excluded_is_filed(crossed: Path, what: str) -> None:
    export = declared(crossed, model=MEANS, unit="group", when_one_is_excluded=what)
    text = filed(export.study)
    assert "`episodes.end_reason == failed`: The programs failed. It takes the attempt." in text
    assert "the later tries of its group at the task, and nothing else of the group" in text
    assert "With a person who is excluded" not in text
    kept, (rule,) = without_excluded(export)
    own = export.table("episodes")["end_reason"].eq("failed")
    assert (rule.attempts, rule.groups, rule.people) == (own.sum(), 0, 0)
    assert len(kept.table("episodes")) == (~own).sum()


@pytest.mark.parametrize(
    ("what", "told", "gone"),
    [
        ("group_is_excluded", "the data of the whole group go", 2),
        ("others_stay", "nothing of the others goes", 1),
    ],
)
def test_what_goes_with_a_person_is_filed(crossed: Path, what: str, told: str, gone: int) -> None:
    export = declared(crossed, exclusions=[ON_PEOPLE], when_one_is_excluded=what)
    text = filed(export.study)
    assert "`visits.ending == withdrew`: Left. It takes the person." in text
    assert f"With a person who is excluded {told}." in text
    assert "It takes the attempt" not in text
    people = export.table("participants")
    group = people["group_id"][people["group_id"].ne("")].iloc[0]
    own = people[people["group_id"].eq(group)].head(2)
    visits = export.table("visits").copy()
    visits.loc[visits["participant_id"].eq(own["participant_id"].iloc[0]), "ending"] = "withdrew"
    # A group of two.
    others = people[~people["group_id"].eq(group)]
    export = export._replace(
        tables={**export.tables, "visits": visits, "participants": pd.concat([others, own])}
    )
    (found,) = without_excluded(export)[1]
    assert found.people == gone
