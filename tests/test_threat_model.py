"""The threat model of `SECURITY.md`: every promise names tests, and all of them exist."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
TEXT = (ROOT / "SECURITY.md").read_text()
NAMED = sorted(set(re.findall(r"`(tests/[\w/.]+\.py(?:::\w+)?)`", TEXT)))
ROWS = [line for line in TEXT.splitlines() if line.startswith("| ")]
PROMISES = [row for row in ROWS if not row.startswith(("| promise", "|---"))]
PARTIES = ("Participants", "Strangers", "Operators", "Models", "Recordings", "proxy")


@pytest.mark.parametrize("name", NAMED)
def test_a_test_that_is_named_exists(name: str) -> None:
    file, _, test = name.partition("::")
    path = ROOT / file
    assert path.is_file(), f"SECURITY.md names {file}, which does not exist"
    assert path.name.startswith("test_")
    tests = {
        node.name
        for node in ast.walk(ast.parse(path.read_text()))
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
        and node.name.startswith("test_")
    }
    assert test in tests if test else tests, f"SECURITY.md names {name}, which does not exist"


def test_every_promise_is_shown_by_a_test() -> None:
    assert len(PROMISES) > 20
    assert [row for row in PROMISES if "`tests/" not in row.rsplit("|", 2)[1]] == []


def test_every_party_is_there_with_what_is_not_promised() -> None:
    headings = re.findall(r"^### (.*)$", TEXT, re.M)
    assert len(headings) == len(PARTIES)
    for party, heading in zip(PARTIES, headings, strict=True):
        assert party in heading
    assert TEXT.count("\nNot promised: ") == len(headings)


def test_it_can_be_read_at_once() -> None:
    assert len(TEXT.splitlines()) < 200
