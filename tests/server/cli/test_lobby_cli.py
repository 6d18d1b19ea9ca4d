"""`cohabit lobby simulate` on study files, sound and not."""

from __future__ import annotations

from pathlib import Path

import pytest
from typer.testing import CliRunner

from server.cli import main
from tests.matchmaking.study_file.test_study_reading import FILE

FEW = ("--per-hour", "20", "--hours", "2", "--seed", "3")


def run(tmp_path: Path, text: str, *options: str) -> tuple[int, str]:
    """Simulate a study file; return the exit status and all that was printed."""
    path = tmp_path / "pilot.yaml"
    path.write_text(text)
    result = CliRunner().invoke(
        main.app, ["lobby", "simulate", str(path), *options], env={"COLUMNS": "100"}
    )
    return result.exit_code, result.output


def test_O3_waits_conditions_and_cost_are_printed_and_drawn(tmp_path: Path) -> None:
    picture = tmp_path / "lobby.png"
    status, output = run(tmp_path, FILE, *FEW, "--plot", str(picture))
    assert status == 0, output
    for word in ("got a group", "pair", "robot", "completed", "in all", "GBP"):
        assert word in output
    assert picture.read_bytes().startswith(b"\x89PNG")


@pytest.mark.parametrize(
    ("change", "options", "told"),
    [
        (("target: 20", "target: 0"), FEW, "pilot.yaml:20: cells 1, target: expected 1 group"),
        (("name: my-study", "name: my-study\nmatchmaker: nosuch"), FEW, "expected one of balanced"),
        (("", ""), ("--unready", "2"), "unready: expected a share from 0 to 1"),
        (("", ""), (*FEW, "--plot", "lobby.nosuch"), "the picture could not be written"),
    ],
)
def test_what_cannot_be_simulated_is_refused(
    tmp_path: Path, change: tuple[str, str], options: tuple[str, ...], told: str
) -> None:
    status, output = run(tmp_path, FILE.replace(*change, 1), *options)
    assert status == 1
    assert told in " ".join(output.split())


def test_a_file_that_is_not_there_is_refused() -> None:
    result = CliRunner().invoke(main.app, ["lobby", "simulate", "/no/such/file.yaml"])
    assert result.exit_code == 1
    assert "/no/such/file.yaml" in result.output
