"""Acceptance list of studies: each line of it has a test with its id in the name."""

from __future__ import annotations

import re
from collections import defaultdict
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
LINES = {"E": 8, "C": 7, "L": 15, "S": 11, "R": 5, "X": 7, "O": 4, "K": 9, "P": 8, "V": 6}
"""Number of lines by letter: entry, consent, lobby, sessions, recruiters, security, operations,
conditions, policies, verdicts."""
_PYTHON = re.compile(r"def test_((?:[ECLSRXOKPV][0-9]+_)+)")
_TYPESCRIPT = re.compile(r'test\("((?:[ECLSRXOKPV][0-9]+ )+)')


def _tested() -> dict[str, set[str]]:
    """Return the files that test each line."""
    found = defaultdict(set)
    python = ((path, _PYTHON) for path in ROOT.glob("tests/**/test_*.py"))
    typescript = ((path, _TYPESCRIPT) for path in ROOT.glob("client/tests/**/*.test.ts"))
    for path, pattern in (*python, *typescript):
        for ids in pattern.findall(path.read_text(encoding="utf-8")):
            for line in re.split(r"[_ ]", ids.strip("_ ")):
                found[line].add(path.relative_to(ROOT).as_posix())
    return found


IDS = [f"{letter}{number + 1}" for letter, count in LINES.items() for number in range(count)]


@pytest.mark.parametrize("line", IDS)
def test_a_line_has_a_test_of_its_own(line: str) -> None:
    assert _tested()[line], f"no test has {line} in its name"


def test_no_test_has_the_id_of_a_line_that_there_is_not() -> None:
    assert sorted(_tested().keys() - set(IDS)) == []
