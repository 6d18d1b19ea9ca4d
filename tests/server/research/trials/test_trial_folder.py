"""A folder of a trial: other options are refused, and recordings are what their names say."""

from __future__ import annotations

from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from server.cli.main import app


@pytest.fixture(scope="module")
def folder(houses_dir: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the folder of a trial of two robots on one task, played."""
    place = tmp_path_factory.mktemp("trial") / "t"
    robots = ("--robot", "nobody", "--robot", "expert", "--partner", "scripted:slow")
    made = run(houses_dir, place, *robots, "--count", "1")
    assert made.exit_code == 0, made.output
    return place


def run(houses_dir: Path, place: Path, *options: str) -> Result:
    return CliRunner().invoke(
        app,
        ["trial", str(place), *options, "--processes", "1"],
        env={"COHABIT_DATA_DIR": str(houses_dir)},
    )


@pytest.mark.parametrize(
    "option", ["--seed 9", "--count 2", "--profile partnr", "--repetitions 4", "--ends-on-success"]
)
def test_another_option_is_refused(houses_dir: Path, folder: Path, option: str) -> None:
    again = run(houses_dir, folder, *option.split())
    assert again.exit_code != 0
    assert "was begun with" in " ".join(again.output.split())
    assert run(houses_dir, folder, "--seed", "0", "--count", "1").exit_code == 0


def test_a_recording_of_another_run_and_one_that_is_cut_are_refused(
    houses_dir: Path, folder: Path
) -> None:
    one, other = sorted((folder / "recordings").iterdir())
    whole = one.read_bytes()
    one.write_bytes(other.read_bytes())
    taken = run(houses_dir, folder)
    lines = whole.splitlines(keepends=True)
    one.write_bytes(b"".join(lines[: len(lines) * 6 // 10]))
    cut = run(houses_dir, folder)
    one.write_bytes(whole)
    assert taken.exit_code != 0
    assert "expected the run of its name" in " ".join(taken.output.split())
    assert cut.exit_code != 0
    assert "the end of the episode was lost" in " ".join(cut.output.split())
