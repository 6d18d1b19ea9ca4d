"""Settings of the baselines that have options."""

from __future__ import annotations

from typing import Literal

import msgspec

from server.robots.option_types import Count, Pace, Seconds, Share


class GhostSettings(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    recording: str = ""
    """The file with the log of a session."""
    episode: str = ""
    """The id of the episode in it; empty: the first."""
    seat: str = ""
    """The seat whose intents are played; empty: that of the seat that the ghost takes."""


class ExpertSettings(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Settings of the expert: there are none, so that figures of all trials compare."""


class PartnrExpertSettings(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Settings of PARTNR's own heuristic expert."""

    seed: int = 142
    """Seed of its draws; 142 is the released planner's."""


class PartnerManner(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A scripted partner's way of going about a task."""

    speed: Pace = 0.8
    """The share of its body's pace at which it walks, above 0 and up to 1."""
    pause_s: Seconds = 1.5
    """Seconds of rest before each errand, in which people can object."""
    answers_after_s: Seconds = 0.7
    """Seconds until it answers what is said."""


class PersonManner(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A scripted person's way of going about a task."""

    does: Literal["everything", "what only people can"] = "everything"
    """Work to do: all that is not done yet, or only what has to be washed, filled, switched."""
    pause_s: Seconds = 0.0
    """Seconds of rest before each errand."""
    errs: Share = 0.0
    """The probability with which a thing is first put in a wrong place."""
    notices_s: Seconds = 10.0
    """Seconds until a wrong place is noticed."""
    undoes: Count = 0
    """Number of things that the partner put down and that are taken away again."""
    helps_after_s: Seconds = 0.0
    """Seconds without any act of anybody on the task's things until it does one thing that is left;
    0: never. Who only opens doors does not keep it from helping.

    It does that whatever it is: a robot is too low to see what lies in a basin.
    """
    patience_s: Seconds = 0.0
    """Seconds for the partner to do what is missing, once it has nothing left to do itself."""
    answers_after_s: Seconds | None = None
    """Seconds until it answers what it is asked in the chat; None: it never says anything."""
    seed: int = 0
