"""Codebooks: a file that is one, and what is said of each line that is not."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from server.coding.codebook import CodebookError, Shape, read_codebook

HELPING = """\
name: helping
title: Helping and waiting
codes:
  - code: offers_help
    name: Offers help
    shape: moment
    definition: Says that they would do something for the other.
  - code: waits
    name: Waits
    shape: stretch
    definition: Stands while the other works.
"""


def test_a_codebook_has_codes_of_moments_and_stretches() -> None:
    book = read_codebook(HELPING)
    assert (book.name, book.title) == ("helping", "Helping and waiting")
    assert [(code.code, code.shape) for code in book.codes] == [
        ("offers_help", Shape.MOMENT),
        ("waits", Shape.STRETCH),
    ]
    waits = book.code("waits")
    assert waits is not None
    assert waits.definition == "Stands while the other works."
    assert book.code("other") is None


@pytest.mark.parametrize(
    ("old", "new", "line", "said"),
    [
        ("name: helping", "nmae: helping", 1, "is name meant?"),
        ("name: helping", "name: Helping!", 1, "small letter"),
        ("shape: moment", "shape: moments", 6, "expected moment or stretch, got 'moments'"),
        ("code: waits", "code: offers_help", 8, "there twice"),
        ("    shape: stretch\n", "", 8, "a code has no shape"),
        ("title: Helping and waiting", "title: [a]", 2, "expected words, got a list"),
        ("title: Helping and waiting", "title: ''", 2, "expected 1 to"),
    ],
)
def test_each_wrong_line_is_named(old: str, new: str, line: int, said: str) -> None:
    assert HELPING.count(old) >= 1
    with pytest.raises(CodebookError) as refused:
        read_codebook(HELPING.replace(old, new, 1))
    assert [(p.line, said in p.text) for p in refused.value.problems if said in p.text] == [
        (line, True)
    ]


@pytest.mark.parametrize("text", ["", " \n", "a: [", "- x", "name: a\ntitle: b\ncodes: []", "7"])
def test_what_is_no_codebook_is_refused(text: str) -> None:
    with pytest.raises(CodebookError, match=r"line (1|3)"):
        read_codebook(text)


@given(st.text(max_size=300))
def test_any_text_is_read_or_refused(text: str) -> None:
    try:
        book = read_codebook(text)
    except CodebookError as error:
        problems = error.problems
    else:
        problems = []
        assert book.codes
    assert all(problem.line >= 1 and problem.text for problem in problems)
