"""Whether a call could have come from the grammar: for models whose server knows no grammars."""

from __future__ import annotations

from collections.abc import Sequence

from episodes.bodies import SeatKind
from server.robots.grammar.calls import Vocabulary, names_for, slot_of
from server.skills.call import Call, CallError, parse
from server.skills.registry import PLACING, Skill


def problem_with(text: str, kind: SeatKind, tools: Sequence[Skill], known: Vocabulary) -> str:
    """Why this is no call of these tools on known names; empty where it is one."""
    try:
        call = parse(text, kind)
    except CallError as error:
        return str(error)
    if call.skill not in tools:
        return f'Tool "{call.skill.name}" not found'
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
