"""The table of `cohabit recordings list`."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest
from typer.testing import CliRunner

from server.cli import main
from server.settings import Settings
from server.store import Database
from server.store.identifiers import new_id
from tests.server.recording.short_recordings import record


def test_identifiers_are_whole_however_narrow_the_terminal_is(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings = Settings(data_dir=tmp_path, _env_file=None)
    session = new_id("ses")
    settings.recordings_dir.mkdir()
    (settings.recordings_dir / f"{session}.jsonl").write_text("no log\n")
    monkeypatch.setattr("server.settings.load_settings", lambda: settings)
    result = CliRunner().invoke(main.app, ["recordings", "list"], env={"COLUMNS": "60"})
    assert result.exit_code == 0, result.output
    assert session in result.output


def test_a_recording_whose_session_the_database_does_not_know_says_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings = Settings(data_dir=tmp_path, _env_file=None)
    monkeypatch.setattr("server.settings.load_settings", lambda: settings)
    settings.recordings_dir.mkdir()
    record(settings.log_path("ses_old"))

    def listed() -> str:
        result = CliRunner().invoke(main.app, ["recordings", "list"], env={"COLUMNS": "200"})
        assert result.exit_code == 0, result.output
        return result.output

    assert "there is no database" in listed()

    async def make_database() -> None:
        database = Database(settings.database)
        await database.upgrade()
        await database.close()

    asyncio.run(make_database())
    told = listed()
    assert "orphaned" in told
    assert "the database does not know" in told
    assert "1 lack something" in told
