"""Tests of what the Makefile calls: only changes are made again, failures say what to do."""

from __future__ import annotations

import ast
import socket
import subprocess
import sys
from pathlib import Path

import pytest

from toolchain import browser, commands, console, gate, play, stamps
from toolchain.paths import ROOT


def test_a_stamp_is_current_until_a_source_changes(tmp_path: Path) -> None:
    source, stamp = ROOT / "pyproject.toml", tmp_path / "deep" / "stamp"
    value = stamps.digest([source], "20")
    assert not stamps.is_current(stamp, value)
    stamps.write(stamp, value)
    assert stamps.is_current(stamp, value)
    assert not stamps.is_current(stamp, stamps.digest([source], "22"))
    assert not stamps.is_current(stamp, stamps.digest([ROOT / "LICENSE"], "20"))
    stamps.drop(stamp)
    assert not stamps.is_current(stamp, value)


def test_a_taken_port_names_another() -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        with pytest.raises(console.StepError) as stopped:
            play.require_free("127.0.0.1", port)
    assert str(port) in stopped.value.what
    assert f"PORT={port + 1}" in stopped.value.advice
    play.require_free("127.0.0.1", port)


def test_a_failed_command_shows_its_end_and_the_advice(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(console, "LOGS", tmp_path)
    with pytest.raises(console.StepError) as stopped:
        console.require(
            "broken",
            [sys.executable, "-c", "print('what went wrong'); raise SystemExit(3)"],
            advice="mend it",
        )
    assert "exit 3" in stopped.value.what
    assert console.fail(stopped.value) == 1
    shown = capsys.readouterr()
    assert "what went wrong" in shown.out
    assert "What to do: mend it" in shown.err


def test_a_missing_program_is_a_failed_step(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(console, "LOGS", tmp_path)
    with pytest.raises(console.StepError, match="exit 127"):
        console.require("gone", ["no-such-program-here"], advice="")


def test_a_named_browser_is_used_or_missed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CHROME_BIN", str(tmp_path / "chrome"))
    assert browser.find_chromium() is None
    with pytest.raises(console.StepError, match="CHROME_BIN"):
        browser.ensure_chromium()
    (tmp_path / "chrome").touch()
    assert browser.find_chromium() == str(tmp_path / "chrome")


def test_arguments_are_handed_on() -> None:
    options, extra = commands.parse(["play", "--port", "8001", "--", "-k", "lobby"])
    assert (options.command, options.port, extra) == ("play", 8001, ["-k", "lobby"])
    assert commands.parse(["test"])[1] == []


def test_bootstrap_can_be_read_by_old_pythons() -> None:
    """Old Pythons are told that they are too old; f-strings came with 3.6, annotations with 3.0."""
    source = (ROOT / "scripts" / "bootstrap.py").read_text()
    tree = ast.parse(source, feature_version=(3, 4))
    assert not any(isinstance(node, ast.JoinedStr) for node in ast.walk(tree))


def test_the_toolchain_needs_the_standard_library_only() -> None:
    """The toolchain runs before anything is installed."""
    code = "import sys; sys.path.insert(0, 'scripts'); import toolchain.commands"
    subprocess.run([sys.executable, "-I", "-S", "-c", code], cwd=ROOT, check=True)


OF_A_PART = """
from pathlib import Path

def test_right():
    pass

def test_starved():
    tried = Path("tried")
    if not tried.exists():
        tried.touch()
        raise AssertionError("others had the processor")
"""
WRONG = """
def test_wrong():
    raise AssertionError("wrong at each try")
"""


@pytest.mark.parametrize(
    ("tests", "code", "line"),
    [
        (OF_A_PART, 0, "2 passed (1 of them at the second try, alone), 0 failed, 0 skipped"),
        (WRONG, 1, "0 passed, 1 failed, 0 skipped"),
        (
            OF_A_PART + WRONG,
            1,
            "2 passed (1 of them at the second try, alone), 1 failed, 0 skipped",
        ),
        (
            "".join(WRONG.replace("wrong()", f"{n}()") for n in range(gate.MOST_AGAIN + 1)),
            1,
            f"0 passed, {gate.MOST_AGAIN + 1} failed, 0 skipped",
        ),
    ],
)
def test_few_that_failed_are_tested_again_alone(
    tests: str,
    code: int,
    line: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    (tmp_path / "test_part.py").write_text(tests)
    (tmp_path / "pyproject.toml").write_text("[tool.pytest.ini_options]\nmarkers = ['long']\n")
    monkeypatch.setattr(gate, "ROOT", tmp_path)
    monkeypatch.setattr(gate, "RESULTS", tmp_path / "results")
    assert gate.gate([gate.Part("not long")], (), lint=False) == code
    said = capsys.readouterr().out
    assert said.splitlines()[-1] == line
    assert ("tested again" in said) is (f"{gate.MOST_AGAIN + 1} failed" not in line)
