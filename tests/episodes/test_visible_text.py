"""Texts of other people: shown escaped where they hide something or command a terminal."""

from __future__ import annotations

import ast
import json
import re
import unicodedata
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from episodes.drawing.svg import title
from episodes.visible_text import (
    END_OF_LINE,
    KEPT,
    LONGEST_LINE,
    MOST_MARKS,
    shortened,
    spreadsheet_cell,
    visible,
    visible_line,
    with_few_marks,
)

CLI = Path(__file__).parents[2] / "server" / "cli"
ANYTHING = st.text(st.characters(codec=None))


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("a cup in the kitchen", "a cup in the kitchen"),
        ("\x1b[2Jgone", "\\u001b[2Jgone"),
        ("\x9b31m", "\\u009b31m"),
        ("ok\rno", "ok\\rno"),
        ("bell\a", "bell\\u0007"),
        ("user\u202egpj.exe", "user\\u202egpj.exe"),
        ("pay\u200bpal", "pay\\u200bpal"),
        ("tag\U000e0041", "tag\\udb40\\udc41"),
        ("half \udc80", "half \\udc80"),
        ("no \ufffe character \ufdd0", "no \\ufffe character \\ufdd0"),
        ("two\nlines\there", "two\nlines\there"),
        ("क\u200cष 👩\u200d🚀", "क\u200cष 👩\u200d🚀"),
    ],
)
def test_what_is_hidden_is_shown(text: str, shown: str) -> None:
    assert visible(text) == shown


def test_the_middle_of_a_long_line_is_left_out() -> None:
    whole = "a" * LONGEST_LINE
    long = f"expected a name, got {'b' * 5000}: write one"
    told = shortened(f"{whole}\n{long}\nno more")
    first, second, third = told.split("\n")
    assert (first, third) == (whole, "no more")
    assert second.startswith("expected a name, got bbb")
    assert second.endswith("bbb: write one")
    assert f"… ({len(long) - 2 * END_OF_LINE} characters left out) …" in second
    assert len(second) < 2 * END_OF_LINE + 50


@given(ANYTHING)
def test_X5_nothing_commands_a_terminal(text: str) -> None:
    shown = visible_line(text)
    bad = [c for c in shown if unicodedata.category(c) in ("Cc", "Cf", "Cs", "Zl", "Zp")]
    assert set(bad) <= KEPT
    shown.encode()
    assert visible(visible(text)) == visible(text)


@given(st.text(st.sampled_from("aש\u05b8\u0301\u20dd\u200d ")))
@example("a" + "\u0301" * 5 + "\u200d" + "a")
def test_a_letter_has_few_marks(text: str) -> None:
    kept = with_few_marks(text)
    for letter in re.split("[aש ]", kept):
        assert len(letter.replace("\u200d", "")) <= MOST_MARKS
    assert [c for c in kept if c in "aש \u200d"] == [c for c in text if c in "aש \u200d"]
    assert with_few_marks(kept) == kept
    letters = re.split("[aש ]", text)
    if all(len(letter.replace("\u200d", "")) <= MOST_MARKS for letter in letters):
        assert kept == text


@given(st.text())
def test_json_means_the_same(text: str) -> None:
    assert json.loads(visible(json.dumps(text, ensure_ascii=False))) == text


def test_pictures_show_it_too() -> None:
    assert title("a\x1b<b\u202e") == "<title>a\\u001b&lt;b\\u202e</title>"


@pytest.mark.parametrize(
    ("value", "cell"),
    [
        ("=HYPERLINK(1)", "'=HYPERLINK(1)"),
        ("+1", "'+1"),
        ("-cmd", "'-cmd"),
        ("@SUM(A1)", "'@SUM(A1)"),
        ("\t=1", "'\t=1"),
        ("\r=1", "\\r=1"),
        ("cup_1", "cup_1"),
        (-1.5, -1.5),
        (-3, -3),
        (True, True),
        (None, ""),
    ],
)
def test_no_spreadsheet_takes_a_text_for_a_formula(value: object, cell: object) -> None:
    assert spreadsheet_cell(value) == cell


def test_commands_print_in_one_way() -> None:
    """`server/cli/terminal.py` makes everything visible: no command prints past it."""
    past = []
    for file in sorted(CLI.rglob("*.py")):
        if file.name == "terminal.py":
            continue
        for node in ast.walk(ast.parse(file.read_text())):
            if isinstance(node, ast.Call):
                name = ast.unparse(node.func)
                if name in ("print", "typer.echo", "typer.secho", "Console", "Table"):
                    past.append(f"{file.name}:{node.lineno}: {name}")
    assert past == []
