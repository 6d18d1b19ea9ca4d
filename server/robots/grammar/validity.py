"""The check whether a call could have come from the grammar, for servers that know no grammars."""

from __future__ import annotations

from collections.abc import Sequence

from server.robots.grammar.calls import Vocabulary, names_for, slot_of
from server.skills.call import Call, Unparsed, WrittenCall, no_such_tool
from server.skills.registry import PLACING, Skill


def problem_with(call: WrittenCall, tools: Sequence[Skill], known: Vocabulary) -> str:
    """Say why this is no call of these tools on known names; empty where it is one."""
    if isinstance(call, Unparsed):
        return call.problem
    if call.skill not in tools:
        return no_such_tool(call.name)
    for argument, name in zip(call.skill.arguments, call.arguments, strict=True):
        if argument in ("relation", "constraint") or _is_left_out(call, argument, name):
            continue
        slot = slot_of(call.skill, argument)
        if name not in names_for(slot, known):
            kinds = "object, furniture or room" if slot == "target" else slot
            return f"{name} is not the name of a known {kinds}"
    return ""


def _is_left_out(call: Call, argument: str, name: str) -> bool:
    return call.skill.arguments == PLACING and argument == "reference" and name == "none"
