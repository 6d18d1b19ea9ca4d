"""The table of skills: who has each, how it runs, how long it may take, how it is spoken of.

What policies list as tools, what runs them and what tells of them all read it here.
"""

from __future__ import annotations

from typing import Literal, NamedTuple

from episodes.bodies import SeatKind
from episodes.rules import VERB_TABLE, Verb

PLACING = ("object", "relation", "furniture", "constraint", "reference")
EVERYBODY: tuple[SeatKind, ...] = ("robot", "human")
PEOPLE: tuple[SeatKind, ...] = ("human",)
WAIT_TICKS = 600
"""Ticks that a ``Wait[]`` takes: five times 120 steps, as PARTNR's."""

Script = Literal["navigate", "explore", "act", "place", "rearrange", "wait"]
"""The ways in which a skill is run (`SkillRun`); ``act`` submits its verb as one intent."""


class Skill(NamedTuple):
    """A tool, a row of the table. In its phrases the arguments stand by position."""

    name: str
    arguments: tuple[str, ...]
    script: Script
    cap: int | None
    """The most ticks that it may run, PARTNR's ``max_skill_steps``; None: it ends by itself."""
    phrase: str
    """State of the skill while it runs, in PARTNR's words."""
    doing: str
    """Doing of a body that runs the skill, in the words of its partner."""
    asking: str
    """Words that ask a partner who could run the skill: ``Could you …?``"""
    does: str
    """Purpose of the skill, as a model is told."""
    example: str
    seats: tuple[SeatKind, ...] = EVERYBODY
    verb: Verb | None = None
    """The primitive that it is, if it is a single one."""

    @property
    def changes(self) -> tuple[str, bool] | None:
        """The state of its first argument that it brings about."""
        return None if self.verb is None else VERB_TABLE[self.verb].changes


_PLACING = (
    "relation is on or within; constraint and reference are next_to and something that is already "
    "there, or none, none"
)

_ALL = (
    Skill(
        "Navigate", ("target",), "navigate", 600,
        phrase="Walking in {room}",
        doing="walking to the {0}",
        asking="go to the {0}",
        does="walk to a piece of furniture, a room or an object",
        example="Navigate[stove_9]",
    ),
    Skill(
        "Explore", ("room",), "explore", 2400,
        phrase="Walking in {room}",
        doing="looking around the {0}",
        asking="look around the {0}",
        does="walk past all furniture of a room to find what lies there",
        example="Explore[kitchen_1]",
    ),
    Skill(
        "Pick", ("object",), "act", 25,
        phrase="Picking {0}",
        doing="picking up the {0}",
        asking="take the {0}",
        does="take an object that is within reach; a hand holds one thing",
        example="Pick[cup_0]",
        verb="pick",
    ),
    Skill(
        "Place", PLACING, "place", 25,
        phrase="Placing {0} {1} {2}",
        doing="putting down the {0}",
        asking="put the {0} {1} the {2}",
        does=f"put the object in your hand on or in furniture within reach; {_PLACING}",
        example="Place[cup_0, on, table_23, none, none]",
        verb="place",
    ),
    Skill(
        "Rearrange", PLACING, "rearrange", 1000,
        phrase="Placing {0} {1} {2}",
        doing="taking the {0} to the {2}",
        asking="put the {0} {1} the {2}",
        does=f"fetch an object, carry it and put it down, all in one; {_PLACING}",
        example="Rearrange[cup_0, on, table_23, next_to, bowl_4]",
    ),
    Skill(
        "Open", ("furniture",), "act", 10,
        phrase="Opening {0}",
        doing="opening the {0}",
        asking="open the {0}",
        does="open furniture that has doors or drawers",
        example="Open[cabinet_25]",
        verb="open",
    ),
    Skill(
        "Close", ("furniture",), "act", 10,
        phrase="Closing {0}",
        doing="closing the {0}",
        asking="close the {0}",
        does="close it again",
        example="Close[cabinet_25]",
        verb="close",
    ),
    Skill(
        "Wait", (), "wait", None,
        phrase="Waiting",
        doing="waiting",
        asking="wait a moment",
        does="do nothing for a while",
        example="Wait[]",
    ),
    Skill(
        "Clean", ("target",), "act", 1000,
        phrase="Cleaning {0}",
        doing="washing the {0}",
        asking="wash the {0}",
        does="wash or wipe it; dishes need a faucet beside you",
        example="Clean[plate_2]",
        seats=PEOPLE,
        verb="clean",
    ),
    Skill(
        "Fill", ("object",), "act", 1000,
        phrase="Filling {0}",
        doing="filling the {0}",
        asking="fill the {0} with water",
        does="fill it at a faucet beside you",
        example="Fill[kettle_3]",
        seats=PEOPLE,
        verb="fill",
    ),
    Skill(
        "Pour", ("object",), "act", 1000,
        phrase="Pouring into {0}",
        doing="pouring into the {0}",
        asking="pour water into the {0}",
        does="pour from the filled thing in your hand into this one",
        example="Pour[vase_5]",
        seats=PEOPLE,
        verb="pour",
    ),
    Skill(
        "PowerOn", ("target",), "act", 1000,
        phrase="Powering on {0}",
        doing="switching on the {0}",
        asking="switch on the {0}",
        does="switch it on",
        example="PowerOn[lamp_6]",
        seats=PEOPLE,
        verb="power_on",
    ),
    Skill(
        "PowerOff", ("target",), "act", 1000,
        phrase="Powering off {0}",
        doing="switching off the {0}",
        asking="switch off the {0}",
        does="switch it off",
        example="PowerOff[lamp_6]",
        seats=PEOPLE,
        verb="power_off",
    ),
)  # fmt: skip

SKILLS: dict[str, Skill] = {skill.name: skill for skill in _ALL}


def skills_of(kind: SeatKind) -> tuple[Skill, ...]:
    """Return the tools of a kind of seat, in the order in which they are listed to planners."""
    return tuple(skill for skill in _ALL if kind in skill.seats)


def state_phrase(skill: Skill, arguments: tuple[str, ...], room: str) -> str:
    """Word what others are told that the body is doing; ``room`` is where it is."""
    phrase = skill.phrase.format(*arguments, room=room)
    if skill.arguments == PLACING and arguments[3] == "next_to":
        phrase += f" next_to {arguments[4]}"
    return phrase
