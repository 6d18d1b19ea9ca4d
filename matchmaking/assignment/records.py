"""Records of the ledger of draws: what happened to a place, one after another."""

from __future__ import annotations

from typing import Literal

import msgspec

Stage = Literal["entry", "match"]
"""Time of a draw: at entry for the factors of a person, at the match for those of a group."""


class Drawn(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True, tag="drawn"):
    """A place was drawn."""

    at: float
    place: int
    """Number of the place, from 0 in the order of draws."""
    stage: Stage
    stratum: str
    """Levels of the factors that were drawn before; empty: there are none."""
    block: int
    arm: str
    """Condition, order or level that was drawn."""
    who: tuple[str, ...]
    """Ids of the participants."""
    closed: tuple[str, ...] = ()
    """Arms that could not be drawn then: full, at their cap, or without their policy."""


class GivenUp(
    msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True, tag="given_up"
):
    """A place was given up before its first task, and went back to its block."""

    at: float
    place: int
    reason: str


class SlotTaken(
    msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True, tag="slot_taken"
):
    """A place was given the tasks of a slot, the first that its people had not met."""

    at: float
    place: int
    slot: int


class Begun(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True, tag="begun"):
    """The first task of a place started."""

    at: float
    place: int


class Completed(
    msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True, tag="completed"
):
    """All tasks of a place were done, whatever their verdicts."""

    at: float
    place: int


class Lost(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True, tag="lost"):
    """A place was left after its first task had started; it stays taken."""

    at: float
    place: int
    reason: str


Record = Drawn | GivenUp | SlotTaken | Begun | Completed | Lost
