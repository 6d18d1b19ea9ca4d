"""`cohabit study`: what researchers see of their files."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from matchmaking.study_file.schema import study_schema
from server.cli.main import app
from server.cli.stop import StopError

ROOT = Path(__file__).parents[3]


def run(*arguments: object) -> Result:
    """Run `cohabit study` with some arguments."""
    return CliRunner().invoke(app, ["study", *map(str, arguments)])


def made(folder: Path, like: str = "latency") -> Path:
    """Return the file of a new study."""
    result = run("new", "mine", "--like", like, "--folder", folder)
    assert result.exit_code == 0, result.output
    return folder / "mine.yaml"


def test_a_new_study_is_checked_without_problems(tmp_path: Path, houses_dir: Path) -> None:
    result = run("check", made(tmp_path), "--data-dir", houses_dir)
    assert result.exit_code == 0, result.output
    assert "needed 41, planned 72" in result.stdout
    assert "mine version 1, 3 conditions, 36 groups, 72 people, confirmatory. 0 problems" in (
        result.stdout
    )


@pytest.mark.parametrize(
    ("written", "instead", "told"),
    [
        ("team: pair", "team: pear", "mine.yaml:{line}: cells 1, team: no team has the short name"),
        ("target: 36", "target: 35", "cells: expected targets that are a multiple of 6"),
        (
            "per_level: 60",
            "per_level: 40",
            "mine.yaml:{line}: analysis, sample, per_level: ",
        ),
        ("contact: study", "kontact: study", "there is no key 'kontact': did you mean 'contact'?"),
        ("set: first ", "set: many ", "mine.yaml:{line}: tasks, set: "),
    ],
)
def test_K1_problems_are_told_with_their_lines(
    written: str, instead: str, told: str, tmp_path: Path, houses_dir: Path
) -> None:
    file = made(tmp_path)
    text = file.read_text()
    line = text[: text.index(written)].count("\n") + 1
    file.write_text(text.replace(written, instead))
    result = run("check", file, "--data-dir", houses_dir)
    assert result.exit_code == 1
    assert told.format(line=line) in result.stderr.replace(f"{tmp_path}/", "")


def test_a_file_that_is_there_is_not_written_over(tmp_path: Path) -> None:
    made(tmp_path).write_text("mine")
    result = run("new", "mine", "--folder", tmp_path)
    assert result.exit_code == 1
    assert "is there already" in result.stderr
    assert (tmp_path / "mine.yaml").read_text() == "mine"


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["new", "My study"], "expected small letters, digits and hyphens"),
        (["new", "mine", "--like", "nosuch"], "there is no ready study 'nosuch'"),
        (["new", "mine", "--folder", "/nonexistent"], "cannot be written"),
        (["check", "/nonexistent.yaml"], "cannot be read"),
        (["power", "--effect", "0"], "expected an effect other than 0"),
        (["power", "--group-share", "1"], "expected shares"),
    ],
)
def test_arguments_that_cannot_be_are_refused(arguments: list[str], told: str) -> None:
    result = run(*arguments)
    assert result.exit_code == 1
    assert told in result.stderr


def test_the_plan_is_printed_to_file(tmp_path: Path, houses_dir: Path) -> None:
    result = run("preregister", made(tmp_path), "--data-dir", houses_dir)
    assert result.exit_code == 0, result.output
    assert result.stdout.startswith("# Household tasks over a network\n")
    assert "long_is_slow" in result.stdout


def test_a_plan_without_its_tasks_is_refused(tmp_path: Path) -> None:
    result = run("preregister", made(tmp_path), "--data-dir", tmp_path)
    assert result.exit_code == 1
    assert isinstance(result.exception, SystemExit), "no traceback"
    assert "error: " in result.stderr


def test_without_an_analysis_there_is_no_plan(tmp_path: Path, houses_dir: Path) -> None:
    file = made(tmp_path)
    text = file.read_text()
    start, end = text.index("\nanalysis:"), text.index("\npay:")
    file.write_text(text[:start] + text[end:])
    result = run("preregister", file, "--data-dir", houses_dir)
    assert result.exit_code == 1
    assert "has no `analysis`" in result.stderr
    checked = run("check", file, "--data-dir", houses_dir)
    assert "analysis: expected the analysis of a confirmatory study" in checked.stderr


def test_power_prints_all_three_sizes() -> None:
    result = run("power", "--episodes", 5, "--group-share", 0.1, "--task-share", 0.1,
                 "--tasks", 500, "--simulate", 20)  # fmt: skip
    assert result.exit_code == 0, result.output
    lines = result.stdout.splitlines()
    assert lines[1].startswith("independent: 514 (simulated power 0.")
    assert [line.partition(":")[0] for line in lines[1:]] == [
        "independent",
        "clustered",
        "paired by task",
        "paired by task and clustered",
    ]


def test_power_is_of_one_side_where_that_is_asked() -> None:
    result = run("power", "--effect", 0.5, "--one-sided")
    assert result.stdout.startswith("d = 0.5, power 0.8, alpha 0.05 one-sided: ")
    # As G*Power has it for two independent means.
    assert "independent: 51\n" in result.stdout


def test_without_statsmodels_it_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in [n for n in sys.modules if n.startswith(("server.research.power.", "statsmodels"))]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, "statsmodels", None)
    monkeypatch.setitem(sys.modules, "statsmodels.stats.power", None)
    result = run("power")
    assert isinstance(result.exception, StopError)
    assert "pip install 'cohabit[analysis]'" in str(result.exception)


def test_the_published_schema_is_the_one_that_is_read() -> None:
    published = json.loads((ROOT / "docs/study.schema.json").read_text())
    assert published == study_schema(), "run: cohabit study schema > docs/study.schema.json"
    assert json.loads(run("schema").stdout) == published
