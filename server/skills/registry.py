"""Which skills there are, who has them and how long they may take: what policies list as tools."""

from __future__ import annotations

from typing import NamedTuple

from episodes.bodies import SeatKind
from episodes.rules import TargetVerb

PLACING = ("object", "relation", "furniture", "constraint", "reference")
EVERYBODY: tuple[SeatKind, ...] = ("robot", "human")
PEOPLE: tuple[SeatKind, ...] = ("human",)
WAIT_TICKS = 600
"""Ticks that a ``Wait[]`` takes: five times 120 steps, as PARTNR's."""


class Skill(NamedTuple):
    """One tool. ``phrase`` is its state while it runs, with the arguments by position."""

    name: str
    arguments: tuple[str, ...]
    phrase: str
    cap: int | None
    """PARTNR's ``max_skill_steps``; None: it ends by itself."""
    seats: tuple[SeatKind, ...] = EVERYBODY
    verb: TargetVerb | None = None
    """The primitive it is, if it is a single one."""


_ALL = (
    Skill("Navigate", ("target",), "Walking in {room}", 600),
    Skill("Explore", ("room",), "Walking in {room}", 2400),
    Skill("Pick", ("object",), "Picking {0}", 25, verb="pick"),
    Skill("Place", PLACING, "Placing {0} {1} {2}", 25),
    Skill("Rearrange", PLACING, "Placing {0} {1} {2}", 1000),
    Skill("Open", ("furniture",), "Opening {0}", 10, verb="open"),
    Skill("Close", ("furniture",), "Closing {0}", 10, verb="close"),
    Skill("Wait", (), "Waiting", None),
    Skill("Clean", ("target",), "Cleaning {0}", 1000, PEOPLE, "clean"),
    Skill("Fill", ("object",), "Filling {0}", 1000, PEOPLE, "fill"),
    Skill("Pour", ("object",), "Pouring into {0}", 1000, PEOPLE, "pour"),
    Skill("PowerOn", ("target",), "Powering on {0}", 1000, PEOPLE, "power_on"),
    Skill("PowerOff", ("target",), "Powering off {0}", 1000, PEOPLE, "power_off"),
)

SKILLS: dict[str, Skill] = {skill.name: skill for skill in _ALL}


def skills_of(kind: SeatKind) -> tuple[Skill, ...]:
    """The tools of a kind of seat, in the order in which they are listed to planners."""
    return tuple(skill for skill in _ALL if kind in skill.seats)


def state_phrase(skill: Skill, arguments: tuple[str, ...], room: str) -> str:
    """What others are told that the body is doing; ``room`` is where it is."""
    phrase = skill.phrase.format(*arguments, room=room)
    if skill.arguments == PLACING and arguments[3] == "next_to":
        phrase += f" next_to {arguments[4]}"
    return phrase
