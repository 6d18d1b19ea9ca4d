"""Flow of a study report: each box is the sum of those that it is divided into."""

from __future__ import annotations

from typing import Any, NamedTuple

import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from matchmaking.study import Study
from matchmaking.study_file import read_study
from server.research.studies.manifest import Manifest
from server.research.studies.ready_studies import ready_text
from server.research.study_report.export_tables import Export
from server.research.study_report.flow import flow_of

STUDY = read_study(ready_text("human-vs-llm")).study
assert STUDY.analysis is not None
OF_RETRIES = replace(
    STUDY,
    analysis=replace(
        STUDY.analysis,
        hypotheses=(replace(STUDY.analysis.hypotheses[0], outcome="episodes.retry_success"),),
    ),
)
CELLS = [cell.name for cell in STUDY.cells]
BEGAN = ("begun", "lost", "completed")


class Person(NamedTuple):
    """A member of a group, with what their rows say."""

    has_withdrawn: bool
    has_consent_time: bool


class Drawn(NamedTuple):
    """A group with what became of it."""

    condition: str
    state: str
    is_substituted: bool
    attempts: int
    """First tries that are left after exclusions."""
    people: list[Person]
    retries: int
    """First tries that failed, of which each other one has a next try that is analysed."""


PEOPLE = st.builds(Person, st.booleans(), st.booleans())
GROUPS = st.builds(
    Drawn,
    st.sampled_from(CELLS),
    st.sampled_from(["drawn", "given_up", *BEGAN]),
    st.booleans(),
    st.integers(0, 2),
    st.lists(PEOPLE, min_size=1, max_size=3),
    st.integers(0, 2),
)
ALONE = st.lists(
    st.tuples(
        st.sampled_from(["no_consent", "screened_out", "withdrew", ""]),
        st.booleans(),
        # Some come several times.
        st.integers(1, 2),
    ),
    max_size=8,
)


def export_of(
    drawn: list[Drawn],
    alone: list[tuple[str, bool, int]],
    of: Study = STUDY,
    *,
    is_release: bool,
) -> Export:
    """Return an export as its tables say what became of everybody."""
    people, visits, groups, episodes = [], [], [], []

    def visit(name: str, ending: str, *, consented: bool) -> None:
        at = "2026-11-28T10:00:00.000Z" if consented else ""
        here = {"ending": ending, "decided_at_page": "lobby", "place": "ended"}
        visits.append({"participant_id": name, "consented_at": at, **here})

    for number, group in enumerate(drawn):
        gone, began = any(one.has_withdrawn for one in group.people), group.state in BEGAN
        of_group: dict[str, Any] = {
            "group_id": f"g{number}",
            "condition_assigned": group.condition,
            "is_assigned": began,
        }
        whole = group.state == "completed" and not group.is_substituted
        groups.append(
            {**of_group, "state": group.state, "is_per_protocol": whole, "has_withdrawn": gone}
        )
        for index, one in enumerate(group.people):
            name = f"p{number}_{index}"
            told = {"has_withdrawn": one.has_withdrawn, "agreed_to_research": True}
            people.append({"participant_id": name, **of_group, **told})
            visit(name, "completed", consented=one.has_consent_time)
        for index in range(0 if gone or not began else group.attempts):
            attempt = {"group_id": f"g{number}", "is_assigned": True, "task_id": index}
            first = "failure" if index < group.retries else "success"
            none = {"try_index": 0, "verdict_shown": first, "retry_success": None}
            episodes.append({**attempt, **none})
            if index < group.retries:
                done = None if index % 2 else True
                again = {"try_index": 1, "verdict_shown": "success", "retry_success": done}
                episodes.append({**attempt, **again})
    for number, (ending, consented, times) in enumerate(alone):
        name = f"q{number}"
        none = {"group_id": "", "condition_assigned": "", "is_assigned": False}
        told = {"has_withdrawn": False, "agreed_to_research": consented}
        people.append({"participant_id": name, **none, **told})
        for _ in range(times):
            visit(name, ending, consented=consented)
    tables = {
        "participants": table(people, "participant_id group_id condition_assigned is_assigned"),
        "visits": table(visits, "participant_id consented_at ending decided_at_page place"),
        "groups": table(
            groups, "group_id condition_assigned is_assigned state is_per_protocol has_withdrawn"
        ),
        "episodes": table(
            episodes, "group_id is_assigned try_index task_id verdict_shown retry_success"
        ),
    }
    tables["participants"] = tables["participants"].reindex(
        columns=[*dict.fromkeys([*tables["participants"], "has_withdrawn", "agreed_to_research"])]
    )
    manifest = Manifest(study_name=of.name, version=1, frozen_at="2026-11-01", digests={}, study=of)
    return Export(manifest, {"licence": "CC0-1.0" if is_release else ""}, tables)


def table(rows: list[dict[str, Any]], columns: str) -> pd.DataFrame:
    return pd.DataFrame(rows, columns=None if rows else columns.split(), dtype=object)


@pytest.mark.parametrize("is_release", [False, True])
@given(st.lists(GROUPS, max_size=12), ALONE)
def test_whatever_became_of_people_each_box_adds_up(
    is_release: bool, drawn: list[Drawn], alone: list[tuple[str, bool, int]]
) -> None:
    export = export_of(drawn, alone, is_release=is_release)
    flow = flow_of(export, export)
    assert flow.arrived == sum(len(group.people) for group in drawn) + len(alone)
    assert flow.arrived == flow.not_consented + flow.consented
    assert flow.not_consented == sum(n for _, n in flow.endings_before_consent)
    assert flow.left_before == sum(n for _, n in flow.endings)
    assert flow.consented == flow.left_before + sum(arm.people for arm in flow.arms)
    assert sum(arm.drawn for arm in flow.arms) == len(drawn)
    for arm in flow.arms:
        assert arm.drawn == arm.waiting + arm.given_up + arm.begun
        assert arm.begun == arm.going_on + arm.lost + arm.completed
        assert arm.completed == arm.per_protocol + arm.substituted + arm.completed_withdrawn
        assert arm.begun == arm.analysed + arm.withdrawn + arm.without_attempts
        assert min(arm[1:]) >= 0
        assert (arm.retried, arm.never_failed, arm.unretried) == (0, 0, 0)
        if not is_release:
            # Nobody who has withdrawn is per protocol, or analysed.
            mine = [group for group in drawn if group.condition == arm.condition]
            gone = [group for group in mine if any(one.has_withdrawn for one in group.people)]
            assert arm.per_protocol + arm.substituted <= len(mine) - len(gone)
            assert arm.analysed <= len(mine) - len(gone)


@given(st.lists(GROUPS, max_size=12))
def test_whoever_failed_no_first_try_is_told_beside_those_analysed(drawn: list[Drawn]) -> None:
    export = export_of(drawn, [], OF_RETRIES, is_release=False)
    # Without its last group nothing has gone but what could be excluded.
    episodes = export.table("episodes")
    some = episodes[episodes["group_id"] != f"g{len(drawn) - 1}"]
    kept = export._replace(tables={**export.tables, "episodes": some})
    for data in (export, kept):
        flow = flow_of(export, data)
        assert flow.has_retries
        analysed = 0
        for arm in flow.arms:
            assert arm.analysed == arm.retried + arm.never_failed + arm.unretried
            assert min(arm[1:]) >= 0
            analysed += arm.retried
        left = data.table("episodes")
        assert analysed == left.loc[left["retry_success"].notna(), "group_id"].nunique()
