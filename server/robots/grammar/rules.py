"""Grammars as values, and their text in the EBNF that xgrammar (and so vLLM) reads."""

from __future__ import annotations

from typing import NamedTuple


class Text(NamedTuple):
    """A text, exactly as it is."""

    text: str


class Characters(NamedTuple):
    """Characters, from ``least`` to ``most`` of them, each of ``allowed``.

    That is the inside of a bracket expression (``a-z0-9 ``), which regular expressions read alike.
    """

    allowed: str
    least: int
    most: int


class Rule(NamedTuple):
    """A reference to a rule, by its name."""

    name: str


class Sequence(NamedTuple):
    """Expressions one after the other."""

    parts: tuple[Expression, ...]


class Choice(NamedTuple):
    """Choice of one of several expressions; none is no grammar."""

    options: tuple[Expression, ...]


class Repeat(NamedTuple):
    """An expression, repeated from ``least`` to ``most`` times."""

    body: Expression
    least: int
    most: int


Expression = Text | Characters | Rule | Sequence | Choice | Repeat

_ESCAPES = str.maketrans({"\\": "\\\\", '"': '\\"', "\n": "\\n", "\r": "\\r", "\t": "\\t"})


class Grammar(NamedTuple):
    """Rules by name; an answer is what ``root`` expands to. No rule leads back to itself."""

    rules: dict[str, Expression]

    @property
    def ebnf(self) -> str:
        return "".join(f"{name} ::= {_emit(body)}\n" for name, body in self.rules.items())

    def with_root(self, root: Expression, **more: Expression) -> Grammar:
        return Grammar({"root": root, **more, **self.rules})


def words(names: tuple[str, ...]) -> Choice:
    return Choice(tuple(Text(name) for name in names))


def _emit(body: Expression) -> str:
    match body:
        case Text(text):
            return f'"{text.translate(_ESCAPES)}"'
        case Characters(allowed, least, most):
            return f"[{allowed}]{{{least},{most}}}"
        case Rule(name):
            return name
        case Sequence(parts):
            return " ".join(_inner(part) for part in parts)
        case Choice(options):
            return " | ".join(_emit(option) for option in options)
        case Repeat(body, least, most):
            return f"({_emit(body)}){{{least},{most}}}"


def _inner(body: Expression) -> str:
    return f"({_emit(body)})" if isinstance(body, Choice) else _emit(body)
