"""Tests of what the Makefile calls: only changes are made again, failures say what to do."""

from __future__ import annotations

import ast
import socket
import subprocess
import sys
from pathlib import Path

import pytest

from toolchain import browser, commands, console, play, stamps
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
