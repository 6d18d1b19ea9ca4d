"""What can be varied of the baselines that have options."""

from __future__ import annotations

from typing import Literal

import msgspec


class GhostSettings(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    recording: str = ""
    """The log of a session."""
    episode: str = ""
    """Which episode of it; empty: the first."""
    seat: str = ""
    """Whose intents; empty: those of the seat that the ghost takes."""


class PersonManner(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """How a scripted person goes about a task."""

    does: Literal["everything", "what only people can"] = "everything"
    """All that is not done yet, or only the things that have to be washed, filled, switched."""
    pause_s: float = 0.0
    """Rests so long before each errand."""
    errs: float = 0.0
    """The probability with which a thing is first put in a wrong place."""
    notices_s: float = 10.0
    """After so long a wrong place is noticed."""
    undoes: int = 0
    """So many things that the partner put down are taken away again."""
    helps_after_s: float = 0.0
    """When nobody has done anything for so long, it does one thing that is left, whatever it is (a
    robot is too low to see what lies in a basin); 0: never."""
    patience_s: float = 0.0
    """So long the partner may still do what is missing, once oneself has nothing left to do."""
    answers_after_s: float | None = None
    """After so long it answers what it is asked in the chat; None: it never says anything."""
    seed: int = 0
