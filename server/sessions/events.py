"""The events of a session, for players, the log and reports.

Unlike changes, of which only the latest state counts, each event is delivered once and in order.
``to`` restricts an event to one seat; None is for everybody in the session.
"""

from __future__ import annotations

from typing import Literal

import msgspec

from episodes.poses import Pose
from server.sessions.aim import Aim
from server.sessions.task_clock import ClockRule

Phase = Literal["gathering", "running", "paused", "ended"]
"""The phase of an episode.

Waiting for every occupied seat to be ready; playing; playing, but waiting for somebody who is away
(an option); verdict given.
"""
Presence = Literal["empty", "loading", "ready", "connected", "away", "reconnecting", "gone"]
"""Connection of an occupant.

``away`` is connected, but the page is hidden or nobody has touched it for long.
"""
EndReason = Literal["finished", "time_limit", "success", "left", "operator", "failed", "abandoned"]
"""Reason for which an episode ended.

``left``: all who came have gone; ``abandoned``: no page followed the session any more.
"""
LAST_REASONS: frozenset[EndReason] = frozenset({"left", "operator", "failed", "abandoned"})
"""Ends of an episode that was not played to its end; the same people do not go on together."""


class Did(msgspec.Struct, frozen=True, tag="did", array_like=True):
    """An action that a seat carried out.

    ``verb`` is an intent's verb, or ``place``; ``where`` is the support of a placement
    (receptacle's unique name, object, or ``floor``).
    """

    seat: str
    verb: str
    target: str
    part: int | None = None
    where: str | None = None
    intent_id: int | None = None


class Refused(msgspec.Struct, frozen=True, tag="refused", array_like=True):
    """The refusal of an intent, told only to the seat that asked.

    ``rule`` names the precondition, ``reason`` is for a person.
    """

    to: str
    verb: str
    target: str | None
    rule: str
    reason: str
    intent_id: int | None = None


class Said(msgspec.Struct, frozen=True, tag="said", array_like=True):
    seat: str
    text: str


class PhaseChanged(msgspec.Struct, frozen=True, tag="phase", array_like=True):
    phase: Phase
    reason: EndReason | None = None


class PresenceChanged(msgspec.Struct, frozen=True, tag="presence", array_like=True):
    """A seat's new presence.

    ``seconds_left`` counts down how long somebody who is not there is waited for.
    """

    seat: str
    presence: Presence
    seconds_left: float | None = None


class FinishChanged(msgspec.Struct, frozen=True, tag="finish", array_like=True):
    seat: str
    finished: bool


class OccupantChanged(msgspec.Struct, frozen=True, tag="occupant", array_like=True):
    """The driver of a seat now: the ``policy`` of that name, or (empty) its participant.

    ``stands_in``: in place of a participant who may come back. Players are not told.
    """

    seat: str
    policy: str
    stands_in: bool = False


class DoingChanged(msgspec.Struct, frozen=True, tag="doing", array_like=True):
    """The doing of an occupant that is a program, in its words: ``walking to the kitchen``."""

    seat: str
    text: str


class AimChanged(msgspec.Struct, frozen=True, tag="aim", array_like=True):
    """The aim of a seat's body now; None: it shows none."""

    seat: str
    aim: Aim | None


class LimitChanged(msgspec.Struct, frozen=True, tag="limit", array_like=True):
    """The new time limit, in ticks after the start; None: when everybody has finished.

    A pause makes it later. Once somebody has finished it can be earlier: ``full`` is what it is
    without that.
    """

    ticks: int | None
    full: int | None


class Begun(msgspec.Struct, frozen=True, tag="begun", array_like=True):
    """The first sign of a person that they play.

    They moved, acted, said something or pressed *ready*.
    """

    seat: str


class ClockStarted(msgspec.Struct, frozen=True, tag="clock", array_like=True):
    """The start of the task's clock, where that does not start with the episode."""

    rule: ClockRule


BlockedStage = Literal["pushes", "lets_go", "passes", "passed"]
"""The stage that somebody has come to with a body in the way.

Pushes it, and lets go of it again, or after 2 s passes through: until clear of all bodies, and for
3 s at most.
"""


class Blocked(msgspec.Struct, frozen=True, tag="blocked", array_like=True):
    """A body in the way of a seat; only under rules by which bodies block.

    ``by`` is whose body it is; empty once the seat lets go or has passed.
    """

    seat: str
    by: str
    stage: BlockedStage


class Action(msgspec.Struct, frozen=True, array_like=True):
    """Action that the selection panel offers; ``reason`` says why it is not possible now."""

    verb: str
    possible: bool
    reason: str = ""


class Selection(msgspec.Struct, frozen=True, tag="selection", array_like=True):
    """The actions for what a seat has selected, sent to that seat when they change."""

    to: str
    target: str | None
    part: int | None
    actions: tuple[Action, ...]


Event = (
    Did
    | Refused
    | Said
    | PhaseChanged
    | PresenceChanged
    | FinishChanged
    | OccupantChanged
    | DoingChanged
    | AimChanged
    | LimitChanged
    | Blocked
    | Begun
    | ClockStarted
    | Selection
)


class PlacementPreview(msgspec.Struct, frozen=True):
    """An answer to whether what the hand holds would fit where the player aims.

    It is no event: it is neither logged nor repeated.
    """

    pose: Pose | None
    fits: bool
    reason: str
    support: str = ""
    """Support: a receptacle's unique name, an object or ``floor``; empty: nothing."""
