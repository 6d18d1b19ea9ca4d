from __future__ import annotations

import asyncio
import json
import os
import socket
import sqlite3
from pathlib import Path

import pytest
from typer.testing import CliRunner

from episodes.dataset import read_dataset
from episodes.rules.profiles import PROFILES
from episodes.tasks.team_fit import task_problem
from episodes.teams import Team
from server import serve
from server.cli import doctor_checks, main
from server.cli.doctor_checks import Finding
from server.cli.stop import StopError
from server.owner_lock import own
from server.settings import Settings
from server.store.member_lock import member_lock
from tests.live_server import choose_tasks, free_port
from tests.model_double import ModelDouble
from tests.server.web.doubles import write_client

TWO_ROBOTS = "robot=person,robot=person"


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    write_client(tmp_path / "client")
    return Settings(
        data_dir=tmp_path / "data",
        client_dir=tmp_path / "client",
        port=free_port(),
        _env_file=None,
    )


def found(settings: Settings, subject: str) -> Finding:
    return next(f for f in doctor_checks.examine(settings) if f.subject == subject)


def test_a_whole_installation(settings: Settings, houses_dir: Path) -> None:
    whole = settings.model_copy(update={"data_dir": houses_dir})
    findings = {f.subject: f for f in doctor_checks.examine(whole)}
    assert not [f for f in findings.values() if f.stops_play]
    assert findings["houses"].text.endswith("tasks in tasks/first.json.gz")
    assert findings["model server"].level == "note"


def test_missing_houses_and_client(settings: Settings) -> None:
    problem = found(settings, "houses")
    assert problem.stops_play
    assert "make houses" in problem.remedy
    (settings.client_dir / ".vite" / "manifest.json").unlink()
    assert found(settings, "browser client").remedy == "make client"
    assert [f.subject for f in doctor_checks.what_stops_play(settings)] == [
        "browser client",
        "houses",
    ]


def test_a_port_in_use(settings: Settings) -> None:
    with socket.socket() as taken:
        taken.bind((settings.host, settings.port))
        taken.listen()
        problem = found(settings, "port")
    assert problem.stops_play
    assert "--port" in problem.remedy


def test_a_database_that_is_not_there(settings: Settings) -> None:
    away = settings.model_copy(
        update={"database_url": f"postgresql://cohabit@127.0.0.1:{free_port()}/x"}
    )
    assert found(away, "database").stops_play


def test_a_model_server_that_is_not_there_stops_nobody(settings: Settings) -> None:
    away = settings.model_copy(update={"model_url": f"http://127.0.0.1:{free_port()}/v1"})
    finding = found(away, "model server")
    assert finding.level == "note"
    assert "does not answer" in finding.text


def test_a_model_server_is_asked_what_it_has(settings: Settings) -> None:
    with ModelDouble(models=("big", "calm"), key="sesame") as double:
        there = settings.model_copy(update={"model_url": double.url, "model_key": "sesame"})
        assert found(there, "model server") == Finding(
            "model server", "ok", f"{double.url} (big, calm)"
        )
        other = there.model_copy(update={"model_name": "small"})
        assert "has no small; it has: big, calm" in found(other, "model server").text
        locked = there.model_copy(update={"model_key": "wrong"})
        assert found(locked, "model server").remedy == "see COHABIT_MODEL_KEY"


def test_the_command_fails_while_something_is_missing(
    settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("server.settings.load_settings", lambda: settings)
    result = CliRunner().invoke(main.app, ["doctor"])
    assert result.exit_code == 1
    assert "PROBLEM  houses" in result.output
    assert "-> make houses" in result.output


def test_serving_with_a_database_of_another_release_is_one_line(
    settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    (settings.data_dir).mkdir()
    with sqlite3.connect(settings.data_dir / "cohabit.db") as db:
        db.execute("CREATE TABLE alembic_version (version_num VARCHAR(32) NOT NULL)")
        db.execute("INSERT INTO alembic_version VALUES ('9999')")
    monkeypatch.setattr("server.settings.load_settings", lambda: settings)
    monkeypatch.setattr(doctor_checks, "what_stops_play", lambda _settings: [])
    monkeypatch.setattr(serve, "configure_logging", lambda **_: None)
    result = CliRunner().invoke(main.app, ["serve"])
    assert isinstance(result.exception, StopError)
    assert "another release" in str(result.exception)


def test_habitat_stops_play_only_where_it_is_to_be_used(
    settings: Settings, houses_dir: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COHABIT_HABITAT_PYTHON", str(tmp_path / "no-such-python"))
    assert found(settings, "Habitat").level == "note"
    wanted = settings.model_copy(update={"simulator": "habitat", "data_dir": houses_dir})
    assert "cannot be run" in found(wanted, "Habitat").text
    assert [f.subject for f in doctor_checks.what_stops_play(wanted)] == ["Habitat"]
    monkeypatch.setenv("COHABIT_HABITAT_PYTHON", "/bin/sh")
    assert "not a Python that runs" in found(wanted, "Habitat").text
    report = {"python": [3, 11, 7], "habitat_sim": "0.3.3", "bullet": True}
    python = tmp_path / "python"
    python.touch(0o755)
    for lacks in ({"msgspec": "ModuleNotFoundError"}, {}):
        python.write_text(f"#!/bin/sh\necho '{json.dumps({**report, 'missing': lacks})}'\n")
        monkeypatch.setenv("COHABIT_HABITAT_PYTHON", str(python))
        finding = found(wanted, "Habitat")
        assert ("it lacks msgspec" in finding.text) == bool(lacks)
        assert ("habitat doctor" if lacks else "houses export --habitat") in finding.remedy


def test_operators_and_their_password(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
    assert found(settings, "operators").level == "ok"
    behind = settings.model_copy(update={"proxy_ips": "127.0.0.1"})
    assert "nobody is one" in found(behind, "operators").text
    public = settings.model_copy(update={"public_url": "https://h.org"})
    assert found(public, "operators").stops_play
    assert "openssl rand" in found(public, "operators").text
    away = settings.model_copy(update={"host": "192.0.2.7", "metrics_token": "a token of ours"})
    assert "cohabit operator add" in found(away, "operators").remedy
    monkeypatch.setenv("COHABIT_DATA_DIR", str(settings.data_dir))
    command = ["operator", "add", "anna", "--role", "administer", "--stdin"]
    assert CliRunner().invoke(main.app, command, input="the cat on the oven\n").exit_code == 0
    for each in (public, away):
        assert found(each, "operators").text == "sign in with their accounts"


def test_a_key_that_anybody_could_know(settings: Settings) -> None:
    assert found(settings, "key of tokens").level == "ok"
    settings.data_dir.mkdir(exist_ok=True)
    (settings.data_dir / "secret_key").touch(0o600)
    assert "is empty" in found(settings, "key of tokens").text
    (settings.data_dir / "secret_key").write_text("0123456789abcdef" * 3)
    assert found(settings, "key of tokens").level == "ok"
    (settings.data_dir / "secret_key").chmod(0o644)
    assert found(settings, "key of tokens").stops_play


def test_a_disk_without_room_and_one_that_cannot_be_written(settings: Settings) -> None:
    assert found(settings, "disk").level == "ok"
    full = settings.model_copy(update={"disk_reserve_mb": 1e9})
    problem = found(full, "disk")
    assert problem.stops_play
    assert "COHABIT_DISK_RESERVE_MB" in problem.text + problem.remedy


def test_logs_without_their_database(settings: Settings) -> None:
    assert not found(settings, "recordings").stops_play
    settings.archive_dir.mkdir(parents=True)
    (settings.archive_dir / "ses_2.jsonl.gz").write_text("")
    problem = found(settings, "recordings")
    assert problem.stops_play
    assert "cohabit restore" in problem.remedy
    file = settings.sqlite_file
    assert file is not None
    assert not file.exists()


def test_a_locked_database(settings: Settings) -> None:
    file = settings.sqlite_file
    assert file is not None
    file.parent.mkdir()
    with sqlite3.connect(file, isolation_level=None) as other:
        other.execute("BEGIN IMMEDIATE")
        problem = found(settings, "database")
    other.close()
    assert problem.stops_play
    assert "close that one" in problem.remedy


def test_recordings_that_everybody_may_read(settings: Settings) -> None:
    settings.recordings_dir.mkdir(parents=True)
    settings.data_dir.chmod(0o755)
    settings.recordings_dir.chmod(0o755)
    assert "chmod -R go-rwx" in found(settings, "permissions").remedy
    settings.data_dir.chmod(0o700)
    assert found(settings, "permissions").level == "ok"


def test_a_database_that_was_moved_away_from_its_server(settings: Settings) -> None:
    settings.archive_dir.mkdir(parents=True)
    (settings.archive_dir / "ses_2.jsonl.gz").write_text("")
    with own(settings):
        problem = found(settings, "database")
        assert problem.stops_play
        assert "put the very file back" in problem.remedy
        # Restoring a backup would throw away what putting it back saves.
        assert found(settings, "recordings").level == "note"
    assert not found(settings, "database").stops_play
    assert found(settings, "recordings").stops_play


@pytest.mark.processes
async def test_a_postgresql_database_that_another_server_holds(
    settings: Settings, postgres_url: str
) -> None:
    mine = settings.model_copy(update={"database_url": postgres_url})
    assert (await asyncio.to_thread(found, mine, "data directory")).level == "ok"
    other = mine.model_copy(update={"data_dir": settings.data_dir.with_name("other")})
    async with member_lock(other):
        finding = await asyncio.to_thread(found, mine, "data directory")
    assert finding.level == "note"
    assert f"the server 'main' (process {os.getpid()}" in finding.text


def test_a_database_of_another_kind(settings: Settings) -> None:
    other = settings.model_copy(update={"database_url": "mysql+aiomysql://u:p@h/cohabit"})
    assert "expected SQLite or PostgreSQL" in found(other, "database").text


def test_teams_that_cannot_be_and_one_that_no_task_suits(
    settings: Settings, data_dir: Path
) -> None:
    malformed = settings.model_copy(update={"teams": "3human;least=9"})
    assert doctor_checks.check_teams(malformed).stops_play
    assert "teams" in [f.subject for f in doctor_checks.what_stops_play(malformed)]

    # A robot for places that stay free is named rightly, too, where no place can stay free.
    nobody = settings.model_copy(update={"teams": "1human;fill=nosuch"})
    finding = doctor_checks.check_teams(nobody)
    assert finding.stops_play
    assert "COHABIT_TEAMS" in finding.text
    assert "nosuch" in finding.text

    robots = settings.model_copy(update={"data_dir": data_dir, "teams": TWO_ROBOTS})
    assert doctor_checks.check_teams(robots) == Finding("teams", "ok", TWO_ROBOTS)
    wanted = [
        task.task_id
        for task in read_dataset(robots.dataset_path)
        if task_problem(Team.parse(TWO_ROBOTS), task, PROFILES["cohabit"])
    ]
    choose_tasks(data_dir, *wanted)
    problem = doctor_checks.check_teams(robots)
    assert problem.stops_play
    assert "COHABIT_TEAMS: no task can be done by" in problem.text
    # A human body can do everything.
    human = robots.model_copy(update={"teams": "3human"})
    assert doctor_checks.check_teams(human).level == "ok"


@pytest.mark.parametrize("port", [8099, 0])
@pytest.mark.parametrize("host", ["nonsense.invalid", "192.0.2.77"])
def test_a_host_that_is_no_address_of_this_machine(
    settings: Settings, host: str, port: int
) -> None:
    problem = found(settings.model_copy(update={"host": host, "port": port}), "port")
    assert problem.stops_play
    assert host in problem.text
    assert "COHABIT_HOST" in problem.remedy
    assert "stop what uses it" not in problem.remedy


def test_a_port_that_is_taken(settings: Settings) -> None:
    with socket.create_server(("127.0.0.1", 0)) as other:
        port = other.getsockname()[1]
        problem = found(settings.model_copy(update={"host": "127.0.0.1", "port": port}), "port")
    assert problem.stops_play
    assert "stop what uses it" in problem.remedy
