"""Programs of ``helper``: lines over the words that a seat may use, and the answers around them."""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

from server.robots.grammar.calls import FREE_TEXT
from server.robots.grammar.rules import (
    Characters,
    Choice,
    Expression,
    Grammar,
    Repeat,
    Rule,
    Sequence,
    Text,
    words,
)

PROGRAM_END = "END"
"""The last line of a program, alone: what an answer is cut at."""
WHY = "Explain: "
COMMENT_CHARS = 120
NAME_CHARS = 30
_KEPT = 64


class Language(NamedTuple):
    """The words of programs, and what a program may consist of."""

    names: tuple[str, ...]
    classes: tuple[str, ...]
    stems: tuple[str, ...]
    """The stems of variables' names."""
    methods: tuple[tuple[str, str], ...]
    """Methods with their forms: ``alone``, ``other`` or ``beside``."""
    makers: tuple[str, ...]
    """The constructors of declarations."""
    functions: tuple[str, ...]
    most: int
    """The most lines."""
    explained: int = 0
    """The most characters of a first line that says why; 0: there is none."""
    keeping: str = ""
    """The function that takes a new name; empty: there is none."""


@lru_cache(_KEPT)
def program_of(language: Language) -> Grammar:
    """Return the grammar of programs: a line each, comments, declarations or calls; then the end.

    The end is `PROGRAM_END`.
    """
    names, classes, stems, methods, makers, functions, most, explained, keeping = language
    by_form: dict[str, list[str]] = {}
    for method, form in methods:
        by_form.setdefault(form, []).append(method)
    calls: list[Expression] = [Text(f"{name}()") for name in functions]
    if keeping:
        start, rest = Characters("a-z0-9", 1, 1), Characters("a-z0-9 ", 0, NAME_CHARS)
        calls.append(Sequence((Text(f'{keeping}("'), start, rest, Text('")'))))
    inner: dict[str, Expression] = {
        "alone": Text("()"),
        "other": Sequence((Text("("), Rule("variable"), Text(")"))),
        "beside": Sequence((Text("("), Rule("variable"), Rule("beside"), Text(")"))),
    }
    calls += [
        Sequence((Rule("variable"), Text("."), words(tuple(among)), inner[form]))
        for form, among in by_form.items()
    ]
    line = Sequence((Rule("line"), Text("\n")))
    body = Sequence((Repeat(line, 1, most), Text(PROGRAM_END)))
    rules: dict[str, Expression] = {"root": body}
    if explained:
        why = Sequence((Text(WHY), Characters(FREE_TEXT, 1, explained), Text("\n")))
        rules["root"] = Sequence((why, *body.parts))
    rules |= {
        "line": Choice((Rule("comment"), Rule("declaration"), Rule("called"))),
        "comment": Sequence((Text("# "), Characters(FREE_TEXT, 1, COMMENT_CHARS))),
        "declaration": Sequence(
            (
                Rule("variable"),
                Text(" = "),
                words(makers),
                Text('("'),
                Rule("word"),
                Text('"'),
                Choice((Sequence((Text(', near="'), Rule("word"), Text('"'))), Text(""))),
                Text(")"),
            )
        ),
        "called": Choice(tuple(calls)),
        "beside": Choice((Sequence((Text(", beside="), Rule("variable"))), Text(""))),
        "variable": Sequence((Rule("stem"), Rule("number"))),
        "number": Choice((Text(""), Sequence((Text("_"), Characters("1-9", 1, 1), Rule("unit"))))),
        "unit": Characters("0-9", 0, 1),
        "stem": words(stems),
        "word": words((*names, *classes)),
    }
    return Grammar(rules)


@lru_cache(_KEPT)
def places_of(names: tuple[str, ...], count: int) -> Grammar:
    """Return a grammar of so many different or equal names, with commas, on one line."""
    more = Sequence((Text(", "), Rule("place")))
    root = Sequence((Rule("place"), *([more] * (count - 1)), Text(f"\n{PROGRAM_END}")))
    return Grammar({"root": root, "place": words(names)})
