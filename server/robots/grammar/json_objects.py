"""The answers of the modules of ``llamar``: one flat JSON object each.

Its keys have a fixed order, so that what is thought stands before what is decided.
"""

from __future__ import annotations

from collections.abc import Mapping
from collections.abc import Sequence as Several
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
)

NONE = "none"
SUBTASK_CHARS = 80
"""The most characters of a subtask."""
MOST_SUBTASKS = 20


class Member(NamedTuple):
    """A key of an answer and the text of its value, quotes included."""

    key: str
    value: Expression


def answer_of(members: Several[Member], rules: Mapping[str, Expression] | None = None) -> Grammar:
    """Build an object with these members in order; ``rules`` are what their values refer to."""
    parts: list[Expression] = []
    for number, (key, value) in enumerate(members):
        parts += [Text(f'{", " if number else "{"}"{key}": '), value]
    parts.append(Text("}"))
    return Grammar({"root": Sequence(tuple(parts)), **(rules or {})})


def free(most: int) -> Expression:
    """Build a string in the model's own words."""
    return Sequence((Text('"'), Characters(FREE_TEXT, 1, most), Text('"')))


def one_of(texts: Several[str]) -> Expression:
    """Build a string that is one of these; they have no quotes and no backslashes."""
    return Choice(tuple(Text(f'"{text}"') for text in texts))


def called(rule: str, *others: str) -> Expression:
    """Build a string that is a call (a rule of `calls_of`), or one of ``others``."""
    call = Sequence((Text('"'), Rule(rule), Text('"')))
    return Choice((call, *(Text(f'"{text}"') for text in others))) if others else call


def some(item: Expression, most: int) -> Expression:
    """Build a list of none to ``most`` items."""
    if most < 1:
        return Text("[]")
    more = Repeat(Sequence((Text(", "), item)), 0, most - 1)
    return Choice((Text("[]"), Sequence((Text("["), item, more, Text("]")))))
