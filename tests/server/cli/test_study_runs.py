"""`cohabit study open`, `status`, `outcomes`, `close`: a study from its file to its end."""

from __future__ import annotations

import asyncio
import csv
import sqlite3
from pathlib import Path

import pytest
from typer.testing import CliRunner

from server.cli.main import app
from server.cli.stop import StopError
from server.research.studies import manifest as manifests
from server.research.studies.opening import Running, running
from server.settings import Settings
from server.simulators.habitat import interpreter
from server.store import Database
from tests.model_double import ModelDouble, Reply
from tests.server.cli.test_study_cli import made, run

pytestmark = pytest.mark.processes


@pytest.fixture
def data_dir(tmp_path: Path, houses_dir: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a data directory with houses and tasks, which the commands use."""
    folder = tmp_path / "data"
    folder.mkdir()
    for child in houses_dir.iterdir():
        (folder / child.name).symlink_to(child)
    monkeypatch.setenv("COHABIT_DATA_DIR", str(folder))
    return folder


def ok(*arguments: object) -> str:
    """Run a command that succeeds; return what it prints."""
    result = run(*arguments)
    assert result.exit_code == 0, (result.output, result.exception)
    return result.stdout


def refused(*arguments: object) -> str:
    """Run a command that fails; return what it says."""
    result = run(*arguments)
    assert result.exit_code != 0, result.output
    return str(result.exception) if isinstance(result.exception, StopError) else result.stderr


def served(data_dir: Path) -> Running:
    """Return the studies that a server would run."""

    async def read() -> Running:
        database = Database(f"sqlite+aiosqlite:///{data_dir / 'cohabit.db'}")
        try:
            async with database.transaction() as db:
                return await running(db, Settings(data_dir=data_dir))
        finally:
            await database.close()

    return asyncio.run(read())


@pytest.mark.long
def test_O3_fifty_scripted_groups_some_of_whom_leave_are_simulated_and_exported(
    tmp_path: Path, data_dir: Path
) -> None:
    rows = tmp_path / "rows.csv"
    told = ok("simulate", made(tmp_path), "--groups", 48, "--drops-out", 0.1, "--rows", rows)
    assert "partner_left" in told
    with rows.open(newline="") as file:
        attempts = list(csv.DictReader(file))
    assert len({row["place"] for row in attempts}) >= 48


def test_a_study_is_opened_followed_and_closed(tmp_path: Path, data_dir: Path) -> None:
    file = made(tmp_path)
    assert "/s/mine" in ok("open", file)
    assert "was open already, and nothing has changed" in ok("open", file)
    told = ok("status", "mine")
    assert "mine version 1 (live), open, manifest" in told
    assert "none>medium>long" in told, "orders of conditions are the arms"
    assert "people: 0 arrived, 0 consented" in told
    assert "owed so far: 0.00 of" in told
    assert "outcomes: hidden until the study is closed" in told
    assert "paused" not in told
    assert [study.name for study in served(data_dir).studies] == ["mine"]
    assert "are hidden until it is closed" in refused("outcomes", "mine")
    assert "are hidden until it is closed" in refused("outcomes", "mine", "--unblind-as", "Ann")
    ok("outcomes", "mine", "--unblind-as", "Ann", "--because", "a safety board asked")
    assert "by Ann: a safety board asked" in ok("status", "mine"), "it is stored, for all to see"
    assert "is closed" in ok("close", "mine")
    assert "was closed on" in refused("close", "mine")
    told = ok("outcomes", "mine")
    assert "mine version 1 (live), closed on" in told
    assert "condition  tries" in told
    assert "write `version: 2` to begin another" in refused("open", file)
    found = served(data_dir)
    assert found.closed == {"mine"}, "its people may still come back to debrief and withdrawal"
    file.write_text(file.read_text().replace("version: 1  ", "version: 2  "))
    assert "mine version 2" in ok("open", file)
    # An earlier version is told of, and read on request.
    assert "`cohabit study status mine --version 1 --mode live`" in ok("status", "mine")
    assert "mine version 1 (live), closed on" in ok("status", "mine", "--version", 1)
    assert "condition  tries" in ok("outcomes", "mine", "--version", 1)
    assert "only version 2 (live), version 1 (live)" in refused("status", "mine", "--version", 3)
    assert logged() == [
        ("open_study", "version 1 (live)"),
        ("unblind", "version 1 (live), Ann: a safety board asked"),
        ("close_study", ""),
        ("open_study", "version 2 (live)"),
    ]


def logged() -> list[tuple[str, str]]:
    """Return the kinds and details of what operators did to the study, the oldest first."""
    result = CliRunner().invoke(app, ["operator", "log", "--study", "mine"])
    assert result.exit_code == 0, result.output
    lines = [line.split("  ") for line in result.stdout.splitlines()]
    assert all(line[1] == "command line" for line in lines)
    return [(line[2], line[-1][1:-1] if line[-1] != "done" else "") for line in lines]


def test_a_status_says_since_when_and_why_a_study_is_paused(tmp_path: Path, data_dir: Path) -> None:
    ok("open", made(tmp_path))
    with sqlite3.connect(data_dir / "cohabit.db") as database:
        database.execute(
            "INSERT INTO study_pauses (study, mode, cause, text, paused_at) VALUES "
            "('mine', 'live', 'failures', '3 of the last 10 visits failed', '2026-11-26 10:00:00'),"
            "('mine', 'pilot', 'budget', 'all is spent', '2026-11-26 09:00:00')"
        )
    told = ok("status", "mine")
    assert "paused since 2026-11-26 10:00:00Z (failures): 3 of the last 10 visits failed\n" in told
    assert "`cohabit study resume mine` takes people again" in told
    assert "all is spent" not in told, "that is another mode"
    ok("resume", "mine")
    assert "paused" not in ok("status", "mine")
    assert [act for act, _ in logged()] == ["open_study", "resume_study"]


def test_an_export_of_an_open_study_has_no_outcomes_unless_somebody_says_who_they_are(
    tmp_path: Path, data_dir: Path
) -> None:
    ok("open", made(tmp_path))
    blind, seen = tmp_path / "blind", tmp_path / "seen"
    assert "outcomes are left out until it is closed" in ok("export", "mine", "--out", blind)
    assert not (blind / "data" / "description-episodes_data.csv").exists()
    assert f"{blind} is there already" in refused("export", "mine", "--out", blind)
    assert "expected a name and a reason" in refused(
        "export", "mine", "--out", seen, "--unblind-as", "Ann"
    )
    reason = ("--unblind-as", "Ann", "--because", "a safety board asked")
    ok("export", "mine", "--out", seen, *reason)
    assert (seen / "data" / "description-episodes_data.csv").exists()
    looks = (seen / "data" / "description-unblindings_data.csv").read_text()
    assert "Ann,a safety board asked," in looks
    assert "by Ann: a safety board asked" in (seen / "README.md").read_text()
    assert "by Ann: a safety board asked" in ok("status", "mine")
    acts = logged()
    assert [act for act, _ in acts] == ["open_study", "export", "unblind", "export"]
    assert acts[1][1] == f"to {blind}, without outcomes"
    assert acts[3][1] == f"to {seen}, with outcomes"


def test_K1_a_study_with_a_problem_is_not_opened(tmp_path: Path, data_dir: Path) -> None:
    file = made(tmp_path)
    text = file.read_text()
    file.write_text(text[: text.index("\nanalysis:")] + text[text.index("\npay:") :])
    assert "expected the analysis of a confirmatory study" in refused("open", file)
    file.write_text(text.replace("purpose: confirmatory ", "purpose: exploratory  "))
    assert "exploratory" in ok("open", file)
    ok("close", "mine")
    assert "exploratory: no analysis was declared" in ok("outcomes", "mine")


@pytest.mark.parametrize(
    ("like", "told"),
    [
        ("human-vs-llm", "cells 2, team: the policy 'cohab' needs a model server"),
        ("simulator-bridge", "treatment, simulator: this condition plays on Habitat, and"),
    ],
)
def test_a_study_whose_players_cannot_play_is_not_opened(
    like: str, told: str, tmp_path: Path, data_dir: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(interpreter, "known", lambda: None)
    said = refused("open", made(tmp_path, like))
    assert told in said
    assert "mine.yaml:" in said
    remedies = ("COHABIT_MODEL_URL names none: `cohabit robots serve", "cohabit habitat use PYTHON")
    assert any(remedy in said for remedy in remedies)
    assert not (data_dir / "cohabit.db").exists()


def test_a_model_server_that_is_silent_is_told(
    tmp_path: Path, data_dir: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COHABIT_MODEL_URL", "http://127.0.0.1:9/v1")
    said = refused("open", made(tmp_path, "human-vs-llm"))
    assert "needs a model server, and http://127.0.0.1:9/v1 does not answer" in said


def test_an_edited_file_of_an_open_study_is_refused(tmp_path: Path, data_dir: Path) -> None:
    file = made(tmp_path)
    ok("open", file)
    file.write_text(file.read_text().replace("latency_ms: 150", "latency_ms: 160"))
    told = refused("open", file)
    assert "mine has changed since version 1 was opened: the study file" in told
    assert "`version: 2`" in told
    file.write_text(file.read_text().replace("version: 1  ", "version: 2  "))
    assert "version 1 of mine (live) is open: close it first" in refused("open", file)


def test_versions_of_a_study_pay_in_one_currency(tmp_path: Path, data_dir: Path) -> None:
    file = made(tmp_path)
    ok("open", file)
    ok("close", "mine")
    text = file.read_text().replace("version: 1  ", "version: 2  ")
    assert "currency: GBP" in text
    file.write_text(text.replace("currency: GBP", "currency: EUR"))
    told = refused("open", file)
    assert "version 1 of mine pays in GBP, and the cap and the payments count all versions" in told
    file.write_text(text)
    assert "version 2" in ok("open", file)


def test_a_study_whose_programs_have_changed_takes_nobody_in(
    tmp_path: Path, data_dir: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    ok("open", made(tmp_path))
    monkeypatch.setattr(manifests, "_code", lambda: "another")
    found = served(data_dir)
    (sentence,) = found.refused
    assert "mine has changed since version 1 was opened: the programs" in sentence
    assert found.closed == {"mine"}


def test_what_was_never_opened_is_told(tmp_path: Path, data_dir: Path) -> None:
    for command in ("status", "close", "outcomes"):
        assert "does not exist yet: `cohabit serve` and" in refused(command, "mine")
    assert "does not exist yet" in refused("export", "mine", "--out", "nowhere")
    assert not (data_dir / "cohabit.db").exists(), "whoever only reads makes nothing"
    ok("open", made(tmp_path))
    for command in ("status", "close", "outcomes"):
        assert "no study 'other' was ever opened" in refused(command, "other")
    assert "no study 'other' was ever opened" in refused("export", "other", "--out", "nowhere")


def test_commands_that_read_upgrade_no_database(tmp_path: Path, data_dir: Path) -> None:
    ok("open", made(tmp_path))
    with sqlite3.connect(data_dir / "cohabit.db") as db:
        db.execute("UPDATE alembic_version SET version_num = '0009'")
    for command in ("status", "close", "outcomes"):
        told = refused(command, "mine")
        assert "is of an earlier release (revision 0009)" in told
        assert "`cohabit study open FILE` bring it up to this release" in told
    with sqlite3.connect(data_dir / "cohabit.db") as db:
        assert db.execute("SELECT version_num FROM alembic_version").fetchone() == ("0009",)


def test_models_of_a_study_are_frozen_and_read_a_last_time(
    tmp_path: Path, data_dir: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "llm.yaml"
    assert run("new", "llm", "--like", "human-vs-llm", "--folder", tmp_path).exit_code == 0
    with ModelDouble(lambda asked: Reply(asked.last), version="0.11.0") as double:
        monkeypatch.setenv("COHABIT_MODEL_URL", double.url)
        told = ok("open", file)
        assert (
            "Its robots ask the model double (the owner of the model, as its server says: tests;"
            in told
        )
        assert "not known: " in told
        assert "and nothing has changed" in ok("open", file)
        told = ok("status", "llm")
        assert "model double: read at the opening" in told
        assert "models: not read since" in told
        double.version = "0.12.0"
        assert (
            "ask another model than when version 1 was opened: the version of the model server: was"
            in (refused("open", file))
        )
        told = ok("close", "llm")
    assert (
        "A last look: the model double is not what it was: the version of the model server: was"
        in told
    )
    told = ok("status", "llm")
    assert "models: read 1 times since, 0 times the same as at the opening" in told


def test_a_model_server_that_is_gone_keeps_no_study_open(
    tmp_path: Path, data_dir: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "llm.yaml"
    assert run("new", "llm", "--like", "human-vs-llm", "--folder", tmp_path).exit_code == 0
    with ModelDouble() as double:
        monkeypatch.setenv("COHABIT_MODEL_URL", double.url)
        ok("open", file)
    told = ok("open", file)
    assert "was open already, and nothing has changed" in told
    assert "not everything that it needs is here: the policy 'cohab' needs a model server" in told
    assert "/s/llm" in told, "its links are told again"
    text = file.read_text()
    file.write_text(text.replace("version: 1  ", "version: 2  "))
    assert "needs a model server" in refused("open", file), "another version is not open"
    file.write_text(text.replace("limit_s: 600", "limit_s: 500"))
    assert "llm has changed since version 1 was opened" in refused("open", file)
    told = ok("close", "llm")
    assert "is closed" in told
    assert "A last look: the model of its robots cannot be read: no connection to" in told
