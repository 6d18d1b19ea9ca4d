"""The record of one episode: what was tried, what happened, what it was worth. Pure data.

Errors and metrics are computed from a `Trace`, whether it was read from a session's log, made by
a policy trial, or written by hand in a test. Ticks count from the start of the episode.
"""

from __future__ import annotations

from typing import Literal

import msgspec

from episodes.bodies import SeatKind
from episodes.evaluation.verdict import PropositionChange, Verdict
from episodes.world import Change

ActorKind = Literal["human", "llm", "program", "unknown"]

PARSE = "parse"
"""The rule that an answer breaks when it cannot be read as a skill call."""
UNKNOWN_ACTION = "unknown_action"
"""The rule that a call breaks when there is no such skill, or the actor was not offered it."""
ARGUMENTS = "arguments"
"""The rule that a call breaks when its number of arguments is wrong."""
UNOBSERVED = "unobserved"
"""The rule that a call breaks when it names a thing that the actor has never seen."""
EXECUTION = "execution"
"""The rule of a low-level failure: no way there, stuck, out of time."""


class Attempt(msgspec.Struct, frozen=True, omit_defaults=True):
    """An action that a seat tried; ``rule`` and ``reason`` say why it was refused.

    ``verb`` is an intent's verb, ``place``, or the name of a skill (then ``args`` holds its
    arguments as called). ``where`` is the support of a placement. ``observed_tick`` is the
    state of the world from which a policy decided, ``parent`` the composite skill it belongs
    to.
    """

    tick: int
    seat: str
    verb: str
    target: str | None = None
    accepted: bool = True
    rule: str = ""
    reason: str = ""
    part: int | None = None
    where: str | None = None
    args: tuple[str, ...] = ()
    observed_tick: int | None = None
    parent: str = ""


class Happening(msgspec.Struct, frozen=True, array_like=True):
    """A change of the world other than a body's motion, and the seat that did it."""

    tick: int
    change: Change
    by: str | None = None


class Percent(msgspec.Struct, frozen=True, array_like=True):
    """Percent complete from this tick on."""

    tick: int
    value: float


class Sighting(msgspec.Struct, frozen=True, array_like=True):
    """Things that a seat saw for the first time."""

    tick: int
    seat: str
    things: tuple[str, ...]


class SeatRecord(msgspec.Struct, frozen=True, omit_defaults=True):
    """The occupant of one seat; ``planning_cycles`` counts model calls (None: no model).

    ``calls`` counts the skills that its policy called and that came to an end, refused ones too
    (None: it calls none, as people and scripts). ``blocked_s`` are the seconds for which it pushed
    bodies that stood in its way (None: its rules let bodies through each other).
    """

    seat: str
    kind: SeatKind
    occupied: bool = True
    actor: ActorKind = "unknown"
    planning_cycles: int | None = None
    distance_m: float = 0.0
    blocked_s: float | None = None
    calls: int | None = None


class Trace(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A recorded episode; ``start`` is the world at tick 0 (bodies may be left out)."""

    episode_id: str
    task_id: str = ""
    session_id: str = ""
    try_index: int = 0
    scene_id: str = ""
    profile: str = ""
    simulator: str = ""
    end_reason: str = ""
    ticks: int = 0
    seats: tuple[SeatRecord, ...] = ()
    start: tuple[Change, ...] = ()
    happenings: tuple[Happening, ...] = ()
    attempts: tuple[Attempt, ...] = ()
    propositions: tuple[PropositionChange, ...] = ()
    percents: tuple[Percent, ...] = ()
    sightings: tuple[Sighting, ...] = ()
    verdict: Verdict

    @property
    def occupied(self) -> tuple[str, ...]:
        """The seats that somebody had, in the order of the session."""
        return tuple(s.seat for s in self.seats if s.occupied)
