"""Grammars of what a model may answer: built for every call from what its seat knows."""

from server.robots.grammar.answers import after_thought, bare, for_all
from server.robots.grammar.calls import Vocabulary, calls_of, vocabulary_of
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

__all__ = [
    "Characters",
    "Choice",
    "Expression",
    "Grammar",
    "Repeat",
    "Rule",
    "Sequence",
    "Text",
    "Vocabulary",
    "after_thought",
    "bare",
    "calls_of",
    "for_all",
    "vocabulary_of",
]
