"""The table of `cohabit recordings list`."""

from __future__ import annotations

from pathlib import Path

import pytest
from typer.testing import CliRunner

from server.cli import main
from server.settings import Settings
from server.store.identifiers import new_id


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
