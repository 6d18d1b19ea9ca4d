"""Exports of studies: what is in them, what is not, and that they are the same each time."""

from __future__ import annotations

import asyncio
import csv
import json
import re
import shutil
from datetime import timedelta
from pathlib import Path

import pytest
from msgspec.structs import replace
from typer.testing import CliRunner

from matchmaking.study.analysis import COLUMNS
from server.cli.main import app
from server.research.exports.cells import cell
from server.research.exports.context import ExportContext
from server.research.exports.export_folder import ExportFolder, ExportFolderError
from server.research.exports.played_episodes import Logs, played_episodes
from server.research.exports.tables.progress import TriedTasks
from server.research.measures.doings import Doings
from server.research.measures.measure import Measure, Value
from server.research.measures.registry import MEASURES
from server.research.summaries.episode_summary import EpisodeSummary
from tests.server.research.exports.made_data import KEY, Made, close_study, exported, make, read

pytestmark = pytest.mark.processes

Rows = list[dict[str, str]]


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Made:
    return asyncio.run(make(tmp_path_factory.mktemp("study")))


@pytest.fixture(scope="module")
def closed(made: Made, tmp_path_factory: pytest.TempPathFactory) -> Made:
    """Return the same study, closed."""
    folder = tmp_path_factory.mktemp("closed")
    shutil.copytree(made.database_file.parent, folder, dirs_exist_ok=True)
    found = made._replace(database_file=folder / "cohabit.db", recordings_dir=folder / "recordings")
    asyncio.run(close_study(found))
    return found


def rows(target: Path, table: str) -> Rows:
    with (target / "data" / f"description-{table}_data.csv").open(newline="") as stream:
        return list(csv.DictReader(stream))


@pytest.fixture(scope="module")
def target(closed: Made, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the export of the closed study."""
    target = tmp_path_factory.mktemp("export") / "data of a study"
    exported(closed, target)
    return target


def test_a_person_has_what_was_assigned_and_what_became_of_it(target: Path) -> None:
    people = rows(target, "participants")
    assert [p["condition_assigned"] for p in people] == ["pair"] * 4 + ["robot"]
    assert [p["f_partner"] for p in people] == ["person"] * 4 + ["robot"]
    first, withdrew = people[0], people[3]
    assert (first["is_assigned"], first["is_per_protocol"], first["n_episodes"]) == (
        "true",
        "true",
        "2",
    )
    assert (withdrew["has_withdrawn"], withdrew["is_per_protocol"]) == ("true", "false")
    assert first["agreed_to_sharing"] == "true"


def test_visits_have_waits_and_attempts_at_the_quiz(target: Path) -> None:
    visit = rows(target, "visits")[0]
    assert (visit["ending"], visit["waited_s"], visit["duration_s"]) == ("completed", "60", "1740")
    assert (visit["quiz_attempts"], visit["rtt_median_ms"]) == ("2", "40")
    assert visit["arrived_at"] == "2026-11-02T09:00:00.000Z"


def test_groups_are_those_that_were_drawn(target: Path) -> None:
    groups = rows(target, "groups")
    assert [g["state"] for g in groups] == ["completed", "begun", "begun"]
    assert [g["is_per_protocol"] for g in groups] == ["true", "false", "false"]
    assert [g["has_withdrawn"] for g in groups] == ["false", "true", "false"]
    assert groups[0]["session_id"] == "ses_one"


def test_V2_an_episode_has_the_verdict_of_its_log_beside_the_one_that_was_shown(
    target: Path,
) -> None:
    first, second = rows(target, "episodes")
    assert (first["verdict_shown"], first["verdict_final"], first["is_from_log"]) == (
        "success",
        "success",
        "true",
    )
    assert (second["verdict_final"], second["is_from_log"]) == ("success", "false")
    assert first["try_index"] == "0"
    assert (first["watched"], first["watched_s"]) == ("true", "12.5")
    assert (second["watched"], second["watched_s"]) == ("false", "0")
    assert float(first["duration_s"]) == pytest.approx(int(first["ticks"]) / 30)
    goals = rows(target, "propositions")
    assert {g["satisfied"] for g in goals} == {"true"}
    assert {(g["is_named"], g["is_mended"]) for g in goals} == {("false", "")}


def test_D5_nothing_tells_who_somebody_is(closed: Made, target: Path, tmp_path: Path) -> None:
    texts = tmp_path / "with texts"
    exported(closed, texts, with_texts=True)
    for folder in (target, texts):
        for file in folder.rglob("*"):
            if file.is_file():
                text = file.read_text()
                assert "Elm Street" not in text
                assert not any(person in text for person in closed.people), file
                assert "vis_ann" not in text
    told = {r["question_id"]: r["value"] for r in rows(target, "responses")}
    assert told["remarks"] == ""
    with_words = {r["question_id"]: r["value"] for r in rows(texts, "responses")}
    assert with_words["remarks"] == "'=HYPERLINK(0)", "D4: no spreadsheet takes it for a formula"
    (ann,) = {r["participant_id"] for r in rows(target, "responses") if r["page_id"] == "survey"}
    assert re.fullmatch(r"par_[0-9a-z]{10}", ann)
    assert ann == rows(target, "participants")[0]["participant_id"]


def test_who_has_withdrawn_is_left_out_with_the_episodes_of_the_group(target: Path) -> None:
    withdrew = rows(target, "participants")[3]["participant_id"]
    assert withdrew not in {r["participant_id"] for r in rows(target, "responses")}
    assert "epi_9" not in {r["episode_id"] for r in rows(target, "episodes")}
    missing = {(r["subject"], r["lacks"]) for r in rows(target, "leftout")}
    assert missing == {("epi_9", "all"), ("epi_2", "log"), ("table chat", "all")}


def test_scores_are_those_of_the_published_key(target: Path) -> None:
    found = {r["score_id"]: float(r["value"]) for r in rows(target, "scores")}
    # Twelve answers of 5 on a scale from 1 to 7, five of them reversed, which makes 3 of them.
    assert found == {"trust_mean": pytest.approx((5 * 3 + 7 * 5) / 12), "trust_distrust": 5.0}


def test_D2_exporting_twice_gives_the_same_bytes(
    closed: Made, target: Path, tmp_path: Path
) -> None:
    again = tmp_path / "again"
    exported(closed, again)
    files = sorted(f.relative_to(target) for f in target.rglob("*") if f.is_file())
    assert files == sorted(f.relative_to(again) for f in again.rglob("*") if f.is_file())
    assert [f for f in files if (target / f).read_bytes() != (again / f).read_bytes()] == []


def test_while_a_study_is_open_outcomes_are_left_out(made: Made, tmp_path: Path) -> None:
    target = tmp_path / "blind"
    found = exported(made, target)
    assert set(found.rows) == {
        "participants",
        "visits",
        "signs",
        "stays",
        "groups",
        "models",
        "unblindings",
        "closings",
        "leftout",
    }
    assert "n_episodes" not in rows(target, "participants")[0]
    assert "duration_s" not in rows(target, "visits")[0]
    lacking = {r["subject"] for r in rows(target, "leftout")}
    assert {"table episodes", "table responses", "table visits"} <= lacking
    columns = json.loads((target / "codebook.json").read_text())["tables"]
    assert "success" not in {c["name"] for table in columns for c in table["columns"]}
    assert "Outcomes are left out" in (target / "README.md").read_text()


def test_the_codebook_has_each_column_and_psych_ds_each_variable(target: Path) -> None:
    book = {
        table["file"]: [column["name"] for column in table["columns"]]
        for table in json.loads((target / "codebook.json").read_text())["tables"]
    }
    description = json.loads((target / "dataset_description.json").read_text())
    assert description["@type"] == "Dataset"
    variables = {variable["name"] for variable in description["variableMeasured"]}
    files = sorted((target / "data").iterdir())
    assert sorted(book) == [f"data/{file.name}" for file in files]
    for file in files:
        # The pattern of Psych-DS, version 1.5.1.
        assert re.fullmatch(r"([a-z]+-[a-zA-Z0-9]+)(_[a-z]+-[a-zA-Z0-9]+)*_data\.csv", file.name)
        with file.open(newline="") as stream:
            lines = list(csv.reader(stream))
        assert lines[0] == book[f"data/{file.name}"]
        assert set(lines[0]) <= variables
        assert {len(line) for line in lines} == {len(lines[0])}
    assert variables == {name for names in book.values() for name in names}
    assert (target / "manifest.json").exists()
    # Its validator names each file that it neither knows nor is told to pass over.
    ignored = set((target / ".psychds-ignore").read_text().split())
    known = {"README.md", "dataset_description.json", "data"}
    assert {file.name for file in target.iterdir()} - ignored == known
    text = (target / "codebook.md").read_text()
    assert all(f"| `{name}` |" in text for name in variables)


def test_a_log_that_cannot_be_read_is_a_row_with_its_reason(closed: Made, tmp_path: Path) -> None:
    spoiled = tmp_path / "recordings"
    shutil.copytree(closed.recordings_dir, spoiled)
    (spoiled / "ses_one.jsonl").write_bytes(b"this is no log\n")
    target = tmp_path / "out"
    exported(closed._replace(recordings_dir=spoiled), target)
    reasons = {r["subject"]: r["reason"] for r in rows(target, "leftout")}
    assert "no episode with a right checksum" in reasons["epi_1"]
    assert str(tmp_path) not in reasons["epi_1"], "reports do not tell the folders of a machine"
    assert [e["is_from_log"] for e in rows(target, "episodes")] == ["false", "false"]


def test_nothing_is_half_written(closed: Made, tmp_path: Path) -> None:
    target = tmp_path / "out"
    with pytest.raises(ExportFolderError, match="No space left"):
        _fill_disk(target)
    assert list(tmp_path.iterdir()) == []
    target.mkdir()
    with pytest.raises(ExportFolderError, match="is there already"):
        exported(closed, target)
    assert list(target.iterdir()) == []


def _fill_disk(target: Path) -> None:
    with ExportFolder(target) as folder:
        folder.text("README.md", "half of it")
        raise OSError(28, "No space left on device")


@pytest.mark.parametrize(
    ("value", "text"),
    [(None, ""), (True, "true"), (0.1 + 0.2, "0.3"), (-1.5, "-1.5"), ("-1", "'-1"), ("@x", "'@x")],
)
def test_cells(value: object, text: str) -> None:
    assert cell(value) == text  # type: ignore[arg-type]


def test_columns_that_an_analysis_may_name_are_exported(target: Path) -> None:
    book = json.loads((target / "codebook.json").read_text())
    names = {
        f"{table['name']}.{column['name']}"
        for table in book["tables"]
        for column in table["columns"]
    }
    assert set(COLUMNS) <= names


def test_seats_say_who_had_them_and_what_they_did(target: Path) -> None:
    (human, robot) = sorted(rows(target, "seats"), key=lambda row: row["seat"])
    people = {p["participant_id"] for p in rows(target, "participants")}
    assert {human["participant_id"], robot["participant_id"]} <= people
    assert (human["work_share"], robot["work_share"]) == ("1", "0")
    assert int(human["n_actions"]) > int(robot["n_actions"]) == 0
    (episode, _) = rows(target, "episodes")
    assert float(robot["idle_s"]) == pytest.approx(float(episode["duration_s"]), abs=0.5)


def test_measures_and_events_are_of_the_log(target: Path) -> None:
    found = {(r["measure_id"], r["seat"]): r for r in rows(target, "measures")}
    assert {r["episode_id"] for r in found.values()} == {"epi_1"}
    assert {name for name, _ in found} == {measure.name for measure in MEASURES}
    assert found["first_try_success", ""]["value"] == "1"
    success = found["time_to_success", ""]
    assert success["is_censored"] == "false"
    holds = [e for e in rows(target, "events") if e["event"] == "goal"]
    assert float(success["value"]) >= max(float(e["t_s"]) for e in holds)
    ended = [e for e in rows(target, "events") if (e["event"], e["detail"]) == ("phase", "ended")]
    assert [e["tick"] for e in ended] == [rows(target, "episodes")[0]["ticks"]]


def test_learning_is_of_first_tries_in_the_order_of_play(closed: Made, target: Path) -> None:
    told = rows(target, "progress")
    ids = [row["participant_id"] for row in rows(target, "participants")[:2]]
    assert [(row["participant_id"], row["measure_id"]) for row in told] == [
        (person, measure) for person in ids for measure in ("learning_time", "learning_percent")
    ]
    # One log of two can be read, and one episode has no slope.
    assert {(row["value"], row["n_episodes"]) for row in told} == {("", "1")}
    book = json.loads((target / "codebook.json").read_text())
    assert "slope" in {m["name"]: m["definition"] for m in book["measures"]}["learning_time"]

    context = ExportContext(read(closed), KEY)
    logs = Logs(closed.recordings_dir, closed.recordings_dir / "archive", closed.recordings_dir)
    first, second = played_episodes(context.episodes, logs, MEASURES)
    assert first.summary is not None
    tried = TriedTasks(context)
    # Told in another order than they were played in; the second one has the log of the first.
    second.row.opened_at = first.row.opened_at + timedelta(minutes=9)
    tried.take(second._replace(summary=slower(first.summary, 12.0)))
    tried.take(first)
    by_name = {(row["participant_id"], row["measure_id"]): row for row in tried.rows()}
    assert by_name[ids[0], "learning_time"]["value"] == pytest.approx(12.0)
    assert by_name[ids[1], "learning_percent"]["value"] == 0.0


def test_learning_does_not_run_across_conditions_and_says_what_is_analysed(
    closed: Made, target: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (group, *_) = rows(target, "groups")
    told = rows(target, "progress")
    assert {(row["condition"], row["is_assigned"]) for row in told} == {
        (group["condition_assigned"], "true")
    }
    context = ExportContext(read(closed), KEY)
    logs = Logs(closed.recordings_dir, closed.recordings_dir / "archive", closed.recordings_dir)
    first, second = played_episodes(context.episodes, logs, MEASURES)
    conditions = {first.row.episode_id: "one", second.row.episode_id: "other"}
    monkeypatch.setattr(context, "condition_of", lambda row: conditions[row.episode_id])
    session, group_played = next(iter(context.group_of_session.items()))
    context.group_of_session[session] = group_played._replace(state=None)
    tried = TriedTasks(context)
    tried.take(first)
    tried.take(second._replace(summary=first.summary))
    found = list(tried.rows())
    assert {(r["condition"], r["is_assigned"], r["value"], r["n_episodes"]) for r in found} == {
        ("one", False, None, 1),
        ("other", False, None, 1),
    }


def slower(summary: EpisodeSummary, more_s: float) -> EpisodeSummary:
    """Return the summary of an episode that took so much longer to succeed."""
    changed = []
    for result in summary.measures:
        if result.name == "time_to_success":
            values = tuple(v._replace(number=(v.number or 0.0) + more_s) for v in result.values)
            result = replace(result, values=values)
        changed.append(result)
    return replace(summary, measures=tuple(changed))


def test_a_measure_that_raises_is_a_row_and_the_others_are_there(
    closed: Made, tmp_path: Path
) -> None:
    def compute(_doings: Doings) -> list[Value]:
        raise ZeroDivisionError("of my own")

    broken = Measure(
        name="mine", version=1, definition="Mine.", unit="1", source="log", compute=compute
    )
    target = tmp_path / "out"
    exported(closed, target, measures=(broken, *MEASURES))
    # Not with its text, which could quote what people said.
    line = compute.__code__.co_firstlineno + 1
    why = f"it raised ZeroDivisionError in line {line} of test_export.py"
    assert ("epi_1", "measure mine", why) in {
        (r["subject"], r["lacks"], r["reason"]) for r in rows(target, "leftout")
    }
    assert len({r["measure_id"] for r in rows(target, "measures")}) == len(MEASURES)


def test_chat_is_exported_with_texts_only(closed: Made, target: Path, tmp_path: Path) -> None:
    assert not (target / "data" / "description-chat_data.csv").exists()
    texts = tmp_path / "texts"
    exported(closed, texts, with_texts=True)
    assert [(c["seat"], c["said"]) for c in rows(texts, "chat")] == [("human_0", "'=1+1 hello")]
    assert {e["detail"] for e in rows(target, "events") if e["event"] == "said"} == {"2"}


def test_reading_is_the_sum_of_what_the_page_told(target: Path) -> None:
    ann = rows(target, "participants")[0]["participant_id"]
    assert rows(target, "readings") == [
        {"participant_id": ann, "episode_id": "epi_1", "reading_s": "5.5", "n_stretches": "2"}
    ]
    assert not [r for r in rows(target, "responses") if r["question_id"].startswith("seen.")]


def test_explanations_are_the_texts_that_were_shown(target: Path) -> None:
    ann = rows(target, "participants")[0]["participant_id"]
    told = rows(target, "explanations")
    assert {(row["participant_id"], row["episode_id"], row["seat"]) for row in told} == {
        (ann, "epi_1", "human_0")
    }, "not of who has withdrawn"
    assert [row["text_shown"] for row in told] == [
        "On to the next task\nTask complete.",
        "'=Task complete.",
    ]
    assert [row["shown_on"] for row in told] == ["between", "report"]
    assert {row["shown_after_s"] for row in told} == {"30"}
    # The verdict alone names no goals, which is not none of them.
    assert {row["kind_shown"] for row in told} == {"verdict"}
    assert {(row["n_named"], row["n_mended"], row["is_before_next"]) for row in told} == {
        ("", "", "")
    }
    assert not [r for r in rows(target, "responses") if r["question_id"].startswith("seen.")]


def test_one_command_makes_the_table_of_coordination(target: Path, tmp_path: Path) -> None:
    command = ["study", "coordination", str(target), "--limit-s", "600"]
    found = CliRunner().invoke(app, [*command, "--output", "json"])
    assert found.exit_code == 0, (found.output, found.exception)
    told = json.loads(found.stdout)
    assert {(row["source"], row["kind"], row["team"]) for row in told["rows"]} == {
        ("study partners", "person+person", "person + person")
    }
    (study,) = told["sources"]
    assert study["left_out"] == {"no log of it can be read": 1}
    empty = CliRunner().invoke(app, ["study", "coordination", str(tmp_path)])
    assert "cannot be read as an export" in str(empty.exception)
