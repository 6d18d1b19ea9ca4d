"""The base class of players: how a program plays a seat of a session."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from server.sessions.aim import Aim
from server.sessions.core import SessionCore, Tick
from server.sessions.intents import Intent
from server.sessions.policy_records import CallRecord, SkillRecord


class FailedDecisions(NamedTuple):
    """The decisions of a player that failed, in one episode."""

    times: int
    of: int
    """Number of its decisions that came, failed or not."""
    last: Exception
    streak_s: float | None
    """Seconds for which its last decisions have all failed; None: its last one did not fail."""


class Player:
    """A program that plays a seat: each tick `intents` are submitted, the core steps, then `see`.

    Everything but `intents` is a hook, which does nothing where it is not overridden.
    """

    seat: str
    status: str = ""
    """The body's doing, in words for its partner."""
    aim: Aim | None = None
    """The act that it is about to do, with what, where to and why; None: it says nothing."""

    def intents(self, core: SessionCore) -> Sequence[Intent]:
        """Return what to submit before the next step.

        Asked each tick, it must not block: what thinks, thinks elsewhere.
        """
        raise NotImplementedError

    def see(self, tick: Tick) -> None:
        """Take note of what the step came to."""

    def take_calls(self) -> Sequence[CallRecord]:
        """Return the model calls whose answers counted since the last time, for the log."""
        return ()

    def take_skills(self) -> Sequence[SkillRecord]:
        """Return the skill calls that ended since the last time, for the log."""
        return ()

    @property
    def gave_up(self) -> str:
        """Reason why it can play no longer; empty: it plays on."""
        return ""

    @property
    def failed_decisions(self) -> FailedDecisions | None:
        """The player's decisions that failed; None where none did."""
        return None

    def close(self) -> None:
        """Drop what is under way at the end of its part. Idempotent."""
