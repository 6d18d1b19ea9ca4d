"""Signs in exports: who gave which, without what is somebody else's, and rules that name them."""

from __future__ import annotations

import asyncio
import csv
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from matchmaking.study.analysis import COLUMNS, Exclusion
from matchmaking.visit_signs import Sign, SignKind
from server.research.exports.context import ExportContext
from server.research.exports.export import write_export
from server.research.exports.played_episodes import Logs
from server.research.exports.tables.signs import sign_counts, signs_rows, signs_table
from server.store import Database
from server.store.visit_records import add_sign
from tests.matchmaking.study.test_study_analysis import SAMPLE, SLOWER, analysis, planned
from tests.server.research.exports.made_data import (
    KEY,
    Made,
    at,
    close_study,
    exported,
    make,
    read,
    url,
)

pytestmark = pytest.mark.processes

FEW = replace(SAMPLE, per_level=1)
SIGNS: tuple[tuple[str, SignKind, str, dict[str, Any], float], ...] = (
    ("vis_ann", SignKind.TOO_FAST, "consent", {"words": 240, "spent_s": 1.5}, 1.0),
    ("vis_ann", SignKind.TOO_FAST, "quiz", {"words": 90, "spent_s": 0.5}, 1.6),
    ("vis_ann", SignKind.INATTENTION, "survey", {"questions": ["remarks"]}, 25.0),
    ("vis_bob", SignKind.SAME_BROWSER, "arrival", {"visit": "vis_cyd"}, 0.0),
    ("vis_cyd", SignKind.SAME_BROWSER, "arrival", {"visit": "vis_dan"}, 0.0),
    ("vis_cyd", SignKind.REGULAR_INPUT, "quiz", {"presses": 40, "gap_ms": 100.0}, 1.9),
    ("vis_dan", SignKind.AUTOMATED, "quiz", {}, 1.9),
)
"""Signs of the made visits; Dan has withdrawn."""


async def _give(made: Made) -> None:
    database = Database(url(made.database_file))
    try:
        async with database.transaction() as db:
            for visit_id, kind, page, detail, minute in SIGNS:
                await add_sign(db, visit_id, Sign(kind, detail), page, at(minute))
    finally:
        await database.close()


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Made:
    made = asyncio.run(make(tmp_path_factory.mktemp("study")))
    asyncio.run(_give(made))
    return made


@pytest.fixture(scope="module")
def target(made: Made, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the export of the study while it is open."""
    target = tmp_path_factory.mktemp("export") / "open"
    exported(made, target)
    return target


def rows(target: Path, table: str) -> list[dict[str, str]]:
    with (target / "data" / f"description-{table}_data.csv").open(newline="") as stream:
        return list(csv.DictReader(stream))


def test_each_sign_is_a_row_of_its_visit_and_nothing_of_who_has_withdrawn(target: Path) -> None:
    visits = rows(target, "visits")
    ann, bob, cyd, dan, _eve = (visit["visit_id"] for visit in visits)
    found = rows(target, "signs")
    assert [(s["visit_id"], s["kind"], s["page_id"]) for s in found] == [
        (ann, "too_fast", "consent"),
        (ann, "too_fast", "quiz"),
        (ann, "inattention", "survey"),
        (bob, "same_browser", "arrival"),
        (cyd, "same_browser", "arrival"),
        (cyd, "regular_input", "quiz"),
    ]
    assert (found[0]["words"], found[0]["spent_s"]) == ("240", "1.5")
    assert (found[5]["n_presses"], found[5]["press_gap_ms"]) == ("40", "100")
    assert [s["other_visit_id"] for s in found[3:5]] == [cyd, ""], "Dan has withdrawn"
    assert dan not in {s["visit_id"] for s in found}
    assert found[0]["participant_id"] == visits[0]["participant_id"]
    assert not any("vis_" in cell and len(cell) < 10 for s in found for cell in s.values())
    assert "seen_s" not in found[0], "until the study closes, times after play tell outcomes"


def test_visits_count_signs_by_kind(target: Path) -> None:
    ann, bob, _cyd, dan, eve = rows(target, "visits")
    assert (ann["n_signs_too_fast"], ann["n_signs_automated"]) == ("2", "0")
    assert bob["n_signs_same_browser"] == "1"
    assert dan["n_signs_automated"] == "", "Dan has withdrawn"
    assert eve["n_signs_automated"] == "0"


def test_times_of_signs_are_there_once_the_study_is_closed(tmp_path: Path) -> None:
    made = asyncio.run(make(tmp_path / "study"))
    asyncio.run(_give(made))
    asyncio.run(close_study(made))
    exported(made, tmp_path / "closed")
    assert [s["seen_s"] for s in rows(tmp_path / "closed", "signs")][:3] == ["60", "96", "1500"]


def test_a_release_has_no_sign_of_an_answer_that_it_leaves_out(made: Made) -> None:
    context = ExportContext(read(made), KEY, is_shared=True, without=frozenset({"remarks"}))
    assert "inattention" not in {row["kind"] for row in signs_rows(context)}
    assert {found["n_signs_inattention"] for found in sign_counts(context).values()} == {0}


def test_rules_may_name_counts_of_signs() -> None:
    named = [name for name in COLUMNS if name.startswith("visits.n_signs_")]
    assert len(named) == len(SignKind)
    rule = Exclusion(column="visits.n_signs_too_fast", relation=">=", value=2, reason="It hurried.")
    assert planned(analysis=analysis(exclusions=(rule,))).analysis is not None


def test_a_rule_takes_away_whoever_gave_the_signs(target: Path) -> None:
    pytest.importorskip("pandas")
    from server.research.study_report.exclusions import without_excluded
    from server.research.study_report.export_tables import read_export

    rule = Exclusion(column="visits.n_signs_too_fast", relation=">=", value=2, reason="It hurried.")
    plan: Any = analysis(exclusions=(rule,), when_one_is_excluded="others_stay", sample=FEW)
    export = read_export(target)
    study = replace(export.study, analysis=plan)
    export = export._replace(manifest=replace(export.manifest, study=study))
    export.tables["episodes"] = export.table("groups").assign(
        episode_id="", condition=export.table("groups")["condition_assigned"]
    )
    kept, (told,) = without_excluded(export)
    assert told.problem == ""
    ann = rows(target, "visits")[0]["participant_id"]
    gone = {p["participant_id"] for p in rows(target, "participants")} - set(
        kept.table("participants")["participant_id"]
    )
    assert gone == {ann}


def test_signs_are_hidden_with_the_outcome_of_a_hypothesis_about_them(
    made: Made, tmp_path: Path
) -> None:
    about = replace(SLOWER, outcome="visits.n_signs_inattention")
    stored = read(made)
    study = replace(stored.manifest.study, analysis=analysis(hypotheses=(about,), sample=FEW))
    stored = stored._replace(manifest=replace(stored.manifest, study=study))
    context = ExportContext(stored, KEY)
    assert signs_table(context).is_outcome
    logs = Logs(made.recordings_dir, made.recordings_dir / "archive", made.database_file.parent)
    write_export(context, logs, tmp_path / "out", with_outcomes=False)
    assert "n_signs_inattention" not in rows(tmp_path / "out", "visits")[0]
    assert not (tmp_path / "out" / "data" / "description-signs_data.csv").exists()
