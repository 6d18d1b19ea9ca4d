"""Commands `cohabit habitat use` and `doctor`: what is remembered, what is said to be missing."""

from __future__ import annotations

import json
import subprocess
import sys
import textwrap
from pathlib import Path

import pytest
from typer.testing import CliRunner

from server.cli.habitat import app
from server.simulators.habitat import interpreter
from tests.server.simulators.habitat_data import needs_habitat

runner = CliRunner()
REAL = interpreter.habitat_python()
"""The interpreter of whoever runs the tests, before they hide it."""


@pytest.fixture(autouse=True)
def config(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Give the test a configuration of its own; return the file in which it is remembered."""
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    monkeypatch.delenv(interpreter.VARIABLE, raising=False)
    return tmp_path / "config" / "cohabit" / "habitat.json"


def program(folder: Path, prints: str, status: int = 0) -> Path:
    """Write something that answers as an interpreter would."""
    file = folder / "python"
    file.write_text(f"#!/bin/sh\ncat <<'END'\n{prints}\nEND\nexit {status}\n")
    file.chmod(0o755)
    return file


def answer(**changes: object) -> str:
    good = {"python": [3, 11, 7], "missing": {}, "habitat_sim": "0.3.3", "bullet": True}
    return json.dumps({**good, **changes})


def test_nothing_is_known_at_first() -> None:
    assert interpreter.known() is None
    assert interpreter.habitat_python() is None
    result = runner.invoke(app, ["doctor"])
    assert result.exit_code == 1
    assert "cohabit habitat use PYTHON" in result.output


def test_what_works_is_remembered(tmp_path: Path, config: Path) -> None:
    python = program(tmp_path, "a library prints something\n" + answer())
    result = runner.invoke(app, ["use", str(python)])
    assert result.exit_code == 0, result.output
    assert "habitat-sim 0.3.3" in result.output
    assert json.loads(config.read_text()) == {"python": str(python)}
    assert interpreter.habitat_python() == python
    assert runner.invoke(app, ["doctor"]).exit_code == 0


def test_the_variable_goes_before_the_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "other").mkdir()
    remembered, named = program(tmp_path, answer()), program(tmp_path / "other", answer())
    runner.invoke(app, ["use", str(remembered)])
    monkeypatch.setenv(interpreter.VARIABLE, str(named))
    assert interpreter.habitat_python() == named
    assert str(named) in runner.invoke(app, ["use", str(remembered)]).output


def test_a_link_into_a_virtual_environment_is_kept_as_it_is(tmp_path: Path) -> None:
    """Resolved, it would be the interpreter outside, which has nothing."""
    real = program(tmp_path, answer())
    link = tmp_path / "venv-python"
    link.symlink_to(real)
    runner.invoke(app, ["use", str(link)])
    assert interpreter.habitat_python() == link


@pytest.mark.parametrize(
    ("said", "expected"),
    [
        (answer(python=[3, 9, 18]), "3.11 or newer"),
        (answer(habitat_sim=None, missing={"habitat_sim": "ModuleNotFoundError"}), "not on PyPI"),
        (answer(bullet=False), "without Bullet"),
        (answer(missing={"msgspec": "x", "shapely": "x"}), "pip install 'msgspec"),
        ("no json", "not a Python that runs"),
        ("", "not a Python that runs"),
    ],
)
def test_what_is_missing_is_said_and_nothing_remembered(
    tmp_path: Path, config: Path, said: str, expected: str
) -> None:
    result = runner.invoke(app, ["use", str(program(tmp_path, said))])
    assert result.exit_code == 1
    assert expected in result.output
    assert "Traceback" not in result.output
    assert not config.exists()


def test_what_is_not_there_is_said(tmp_path: Path) -> None:
    result = runner.invoke(app, ["use", str(tmp_path / "nothing")])
    assert result.exit_code == 1
    assert "cannot be started" in result.output


def test_an_interpreter_that_is_gone_is_not_used(tmp_path: Path) -> None:
    python = program(tmp_path, answer())
    runner.invoke(app, ["use", str(python)])
    python.unlink()
    assert interpreter.habitat_python() is None
    result = runner.invoke(app, ["doctor"])
    assert result.exit_code == 1
    assert "cannot be started" in result.output


@pytest.mark.parametrize("text", ["", "{", "[]", "{}", '{"python": 3}'])
def test_a_damaged_file_is_as_none(config: Path, text: str) -> None:
    config.parent.mkdir(parents=True)
    config.write_text(text)
    assert interpreter.known() is None


def test_our_own_interpreter_is_told_what_it_lacks() -> None:
    """The real probe, in an interpreter that surely runs."""
    report = interpreter.examine(Path(sys.executable))
    assert report.python == tuple(sys.version_info[:3])
    assert set(report.missing) <= {"habitat_sim"}


def test_a_worker_imports_no_package_that_is_not_asked_for() -> None:
    """A session starts with the packages named: an interpreter with habitat-sim has little else."""
    code = """
        import sys
        import server.worker.main, server.worker.session_loader, server.skills
        heavy = {"networkx", "trimesh", "fastapi", "sqlalchemy", "pydantic", "httpx"}
        print(*sorted(heavy & {name.partition(".")[0] for name in sys.modules}))
    """
    done = subprocess.run(
        [sys.executable, "-c", textwrap.dedent(code)],
        cwd=Path(__file__).parents[3],
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout.strip() == ""


@pytest.mark.habitat
@needs_habitat
def test_the_real_one_has_everything() -> None:
    assert REAL is not None
    report = interpreter.examine(REAL)
    assert report.problems() == []
    assert report.packages == []
