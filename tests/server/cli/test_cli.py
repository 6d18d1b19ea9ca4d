"""The command as an operator meets it: a process, its words and its exit status."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.live_server import free_port

pytestmark = pytest.mark.processes


def cohabit(tmp_path: Path, *arguments: str, **settings: str) -> subprocess.CompletedProcess[str]:
    env = {k: v for k, v in os.environ.items() if not k.startswith("COHABIT_")}
    env |= {"COHABIT_DATA_DIR": str(tmp_path / "data"), **settings}
    return subprocess.run(
        [sys.executable, "-m", "server.cli", *arguments],
        env=env,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )


def test_serving_without_houses_or_client_says_what_to_do(tmp_path: Path) -> None:
    done = cohabit(
        tmp_path,
        "serve",
        "--port",
        str(free_port()),
        COHABIT_CLIENT_DIR=str(tmp_path / "client"),
    )
    assert done.returncode == 1
    assert "-> make client" in done.stderr
    assert "-> make houses" in done.stderr
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize(
    ("setting", "value", "words"),
    [
        ("COHABIT_PROT", "1", "unknown setting COHABIT_PROT"),
        ("COHABIT_PORT", "x", "COHABIT_PORT: "),
    ],
)
def test_a_wrong_setting_is_one_line(tmp_path: Path, setting: str, value: str, words: str) -> None:
    done = cohabit(tmp_path, "serve", **{setting: value})
    assert done.returncode == 1
    assert done.stderr.startswith(words)
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize(
    ("arguments", "settings", "words"),
    [
        (["trial", "t", "--team", "LONG"], [], "or write it out: human=person,robot=cohab"),
        (["trial", "t", "--team", "LONG=person"], [], "a team has no body"),
        (["score", "LONG"], [], "File name too long"),
        (["LONG"], [], "No such command"),
        (["houses", "LONG"], [], "No such command"),
        (["trial", "--LONG"], [], "No such option"),
        (["doctor"], ["COHABIT_TEAMS"], "or write it out: human=person,robot=cohab"),
        (["serve"], ["COHABIT_TEAMS"], "or write it out: human=person,robot=cohab"),
        (["serve"], ["COHABIT_RULES"], "no rule profile"),
        (["doctor"], ["COHABIT_ALLOWED_HOSTS"], "is no host"),
    ],
)
def test_an_error_quotes_little_of_a_long_text(
    tmp_path: Path, arguments: list[str], settings: list[str], words: str
) -> None:
    long = "a" * 100_000
    given = [argument.replace("LONG", long) for argument in arguments]
    done = cohabit(tmp_path, *given, **dict.fromkeys(settings, long))
    assert done.returncode in (1, 2)
    told = done.stdout + done.stderr
    assert "characters left out)" in told
    assert words in " ".join(told.split())
    assert len(told) < 8000
    assert "Traceback" not in told


def test_help_names_the_commands(tmp_path: Path) -> None:
    done = cohabit(tmp_path, "--help")
    assert done.returncode == 0
    for command in ("serve", "doctor", "houses"):
        assert command in done.stdout
