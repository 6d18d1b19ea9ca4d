"""The player protocol: how a program plays a seat of a session."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol, runtime_checkable

from server.sessions.core import SessionCore, Tick
from server.sessions.intents import Intent
from server.sessions.policy_records import CallRecord, SkillRecord


class Player(Protocol):
    """Something that plays a seat, tick by tick."""

    seat: str

    def intents(self, core: SessionCore) -> Sequence[Intent]:
        """What to submit before the next step."""
        ...

    def see(self, tick: Tick) -> None:
        """What the step came to."""
        ...


@runtime_checkable
class AsksModels(Protocol):
    """A player whose calls of language models belong in the log."""

    def take_calls(self) -> Sequence[CallRecord]:
        """Those whose answers counted since the last time."""
        ...


@runtime_checkable
class RunsSkills(Protocol):
    """A player whose skill calls belong in the log."""

    def take_skills(self) -> Sequence[SkillRecord]:
        """Those that ended since the last time."""
        ...
