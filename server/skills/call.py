"""Calls of skills, read from text such as ``Place[cup_0, on, table_2, next_to, bowl_1]``.

A call is a value from here to the log. Its text is read here and nowhere else, and written with
``str`` where a prompt, the log or a screen shows it.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Literal, NamedTuple

from episodes.bodies import SeatKind
from server.skills.registry import PLACING, SKILLS, Skill

NONE = ("none", "")
_CALL = re.compile(r"\s*([A-Za-z]\w*)\s*\[(.*)\]\s*", re.DOTALL)


class CallError(Exception):
    """A call that cannot be made: the text is what the planner is told."""


class Call(NamedTuple):
    """A skill with the names that it is called with."""

    skill: Skill
    arguments: tuple[str, ...] = ()

    @classmethod
    def of(cls, name: str, *arguments: str) -> Call:
        """Call a skill by its name, with all of its arguments."""
        return cls(SKILLS[name], arguments)

    @classmethod
    def putting(cls, name: str, thing: str, relation: str, place: str, beside: str = "") -> Call:
        """Call Place or Rearrange; ``beside`` names what the thing is to stand next to."""
        near = ("next_to", beside) if beside else ("none", "none")
        return cls(SKILLS[name], (thing, relation, place, *near))

    @property
    def name(self) -> str:
        """The skill's name."""
        return self.skill.name

    @property
    def thing(self) -> str:
        """The thing that the call is about, its first argument; empty where it has none."""
        return self.arguments[0] if self.arguments else ""

    @property
    def place(self) -> str:
        """The place where the call puts something; empty where it does not."""
        return self.arguments[2] if self.skill.arguments == PLACING else ""

    @property
    def beside(self) -> str:
        """The thing next to which the call puts something; empty where nothing was asked for."""
        has_one = self.skill.arguments == PLACING and self.arguments[3] == "next_to"
        return self.arguments[4] if has_one else ""

    def phrased(self, phrase: Literal["doing", "asking"], label: Callable[[str], str]) -> str:
        """Return one of the skill's phrases, with ``label`` asked for each of the arguments."""
        template: str = getattr(self.skill, phrase)
        return template.format(*map(label, self.arguments))

    def __str__(self) -> str:
        """Write it as a planner does."""
        return f"{self.skill.name}[{', '.join(self.arguments)}]"


class Unparsed(NamedTuple):
    """Text of a planner's that is no call which its seat could make, and why not."""

    text: str
    problem: str

    def __str__(self) -> str:
        return self.text


WrittenCall = Call | Unparsed
"""The call that a planner asked for."""
WAIT = Call.of("Wait")


def usage(skill: Skill) -> str:
    """Write how a skill is called."""
    return f"{skill.name}[{', '.join(skill.arguments)}]"


def read(text: str, kind: SeatKind) -> WrittenCall:
    """Read what a planner wrote for a kind of seat."""
    try:
        return parse(text, kind)
    except CallError as error:
        return Unparsed(text, str(error))


def no_such_tool(name: str) -> str:
    """Return what a planner is told that asked for a skill which its seat has not."""
    return f'Tool "{name}" not found'


def parse(text: str, kind: SeatKind) -> Call:
    """Read one call by a kind of seat. Raises CallError.

    As in PARTNR ``Wait`` needs no bracket, whatever stands behind it.
    """
    if text.strip().startswith("Wait"):
        return WAIT
    found = _CALL.fullmatch(text)
    if found is None:
        raise CallError("SyntaxError in Action directive. Opening '[' or closing ']' is missing!")
    name, inner = found[1], found[2]
    skill = SKILLS.get(name)
    if skill is None or kind not in skill.seats:
        raise CallError(no_such_tool(name))
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
