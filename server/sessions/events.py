"""What happened in a session, for players, the log and reports.

Unlike changes, of which only the latest state counts, each event is delivered once and in order.
``to`` restricts an event to one seat; None is for everybody in the session.
"""

from __future__ import annotations

from typing import Literal

import msgspec

from episodes.poses import Pose

Phase = Literal["gathering", "running", "ended"]
"""Waiting for every occupied seat to be ready; playing; verdict given."""
Presence = Literal["empty", "loading", "ready", "connected", "reconnecting", "gone"]
EndReason = Literal["finished", "time_limit", "success", "left", "operator", "failed"]


class Did(msgspec.Struct, frozen=True, tag="did", array_like=True):
    """A seat did something. ``verb`` is an intent's verb, or ``place``; ``where`` is the support
    of a placement (receptacle's unique name, object, or ``floor``)."""

    seat: str
    verb: str
    target: str
    part: int | None = None
    where: str | None = None
    intent_id: int | None = None


class Refused(msgspec.Struct, frozen=True, tag="refused", array_like=True):
    """An intent was refused: ``rule`` names the precondition, ``reason`` is for a person.

    Only the seat that asked is told."""

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
    """``seconds_left`` counts down a reconnection window."""

    seat: str
    presence: Presence
    seconds_left: float | None = None


class FinishChanged(msgspec.Struct, frozen=True, tag="finish", array_like=True):
    seat: str
    finished: bool


class Action(msgspec.Struct, frozen=True, array_like=True):
    """One action that the selection panel offers; ``reason`` says why it is not possible now."""

    verb: str
    possible: bool
    reason: str = ""


class Selection(msgspec.Struct, frozen=True, tag="selection", array_like=True):
    """What a seat can do with what it has selected (sent to that seat when it changes)."""

    to: str
    target: str | None
    part: int | None
    actions: tuple[Action, ...]


Event = Did | Refused | Said | PhaseChanged | PresenceChanged | FinishChanged | Selection


class PlacementPreview(msgspec.Struct, frozen=True):
    """Whether what the hand holds would fit where the player aims. An answer, not an event: it is
    neither logged nor repeated."""

    pose: Pose | None
    fits: bool
    reason: str
