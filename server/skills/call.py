"""Reading calls such as ``Place[cup_0, on, table_2, next_to, bowl_1]``."""

from __future__ import annotations

import re
from typing import NamedTuple

from episodes.bodies import SeatKind
from server.skills.registry import PLACING, SKILLS, Skill

NONE = ("none", "")
_CALL = re.compile(r"\s*([A-Za-z]\w*)\s*\[(.*)\]\s*", re.DOTALL)


class CallError(Exception):
    """A call that cannot be made: the text is what the planner is told."""


class Call(NamedTuple):
    skill: Skill
    arguments: tuple[str, ...]

    def __str__(self) -> str:
        """As a planner writes it."""
        return f"{self.skill.name}[{', '.join(self.arguments)}]"


def usage(skill: Skill) -> str:
    return f"{skill.name}[{', '.join(skill.arguments)}]"


def parse(text: str, kind: SeatKind) -> Call:
    """One call by a kind of seat. Raises CallError.

    As in PARTNR ``Wait`` needs no bracket, whatever stands behind it.
    """
    if text.strip().startswith("Wait"):
        return Call(SKILLS["Wait"], ())
    found = _CALL.fullmatch(text)
    if found is None:
        raise CallError("SyntaxError in Action directive. Opening '[' or closing ']' is missing!")
    name, inner = found[1], found[2]
    skill = SKILLS.get(name)
    if skill is None or kind not in skill.seats:
        raise CallError(f'Tool "{name}" not found')
    arguments = tuple(a.strip() for a in inner.split(","))
    if len(arguments) != len(skill.arguments):
        raise CallError(f"Wrong use of {name}: it is {usage(skill)}, {len(skill.arguments)} fields")
    if skill.arguments == PLACING:
        return Call(skill, _placing(skill, arguments))
    if arguments[0].lower() in NONE:
        raise CallError(f"Wrong use of {name}: it is {usage(skill)}, no field may be empty")
    return Call(skill, arguments)


def _placing(skill: Skill, arguments: tuple[str, ...]) -> tuple[str, ...]:
    thing, relation, furniture, constraint, reference = arguments
    wrong = f"Wrong use of {skill.name}: it is {usage(skill)}"
    if not all(arguments):
        raise CallError(f"{wrong}, no field may be empty")
    if any(a.lower() in NONE for a in (thing, relation, furniture)):
        raise CallError(f"{wrong}, only the last two may be none")
    if relation not in ("on", "within"):
        raise CallError(f"{wrong}, relation is on or within")
    if constraint.lower() not in ("next_to", "none"):
        raise CallError(f"{wrong}, constraint is next_to or none")
    if (constraint.lower() in NONE) != (reference.lower() in NONE):
        raise CallError(f"{wrong}, constraint and reference come together or are both none")
    if constraint.lower() in NONE:
        return (thing, relation, furniture, "none", "none")
    return (thing, relation, furniture, "next_to", reference)
