"""Whole answers around calls: with a thought, for all agents of a team at once, or bare."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache

from server.robots.grammar.calls import DONE, FREE_TEXT
from server.robots.grammar.rules import (
    Characters,
    Choice,
    Expression,
    Grammar,
    Rule,
    Sequence,
    Text,
)

STOP = "Assigned!"
END_ACT = "<end_act>"
THOUGHT = "Thought: "
_KEPT = 256


def after_thought(calls: Grammar, thought_chars: int) -> Grammar:
    """Build the grammar of ``Thought: …``, a call, ``Assigned!``: a line each."""
    tail = Sequence((Text("\n"), Rule("call"), Text(f"\n{STOP}")))
    return calls.with_root(Sequence((Rule("thought"), tail)), thought=_thought(thought_chars))


def for_all(calls: Mapping[int, Grammar], thought_chars: int) -> Grammar:
    """Build the grammar of a thought, then a line for each agent, or ``Done[]`` alone.

    ``calls`` is by agent number; its rules have the prefix `agent_prefix`.
    """
    lines: list[Expression] = []
    rules: dict[str, Expression] = {}
    for number, grammar in calls.items():
        lines += [Text(f"Agent_{number}_Action: "), Rule(f"{agent_prefix(number)}call"), Text("\n")]
        rules |= grammar.rules
    assigned = Choice((Sequence(tuple(lines)), Text(f"{DONE}\n")))
    root = Sequence((Rule("thought"), Text("\n"), assigned, Text(STOP)))
    return Grammar({"root": root, "thought": _thought(thought_chars), **rules})


def agent_prefix(number: int) -> str:
    return f"a{number}_"


def bare(calls: Grammar) -> Grammar:
    """Build the grammar of a call and the mark that ends it, without a thought."""
    return calls.with_root(Sequence((Rule("call"), Text(END_ACT))))


@lru_cache(_KEPT)
def _thought(most: int) -> Expression:
    return Sequence((Text(THOUGHT), Characters(FREE_TEXT, 1, most)))
