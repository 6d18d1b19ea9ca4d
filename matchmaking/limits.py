"""Limits of waiting in the lobby, and what becomes of those who reach the last of them."""

from __future__ import annotations

from enum import StrEnum

import msgspec

MOST_UNREADY = 3
"""Times that somebody may let a group of a study wait for nothing before their visit ends."""


class Limits(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Times for which the lobby is patient (s)."""

    grace_s: float = 5.0
    """Time for which a dropped socket keeps its place."""
    arrival_s: float = 20.0
    """Time from the form to the lobby page's first word; a slow phone loads a page in it."""
    wait_s: float = 3600.0
    """Longest wait of anybody: the deadline of a ticket, after which it has an outcome."""
    ready_s: float = 0.0
    """Time that people of a group have to say that they are ready; 0: nobody is asked."""


class AtDeadline(StrEnum):
    """Outcome for somebody who has waited as long as the lobby lets anybody wait."""

    END = "end"
    """The visit ends as `no_partner`, and is paid for the time."""
    SMALLER = "smaller"
    """People who are here begin without the others, where they are enough."""
    ROBOT = "robot"
    """The policy that the study names plays the bodies of those who have not come."""
    SOLO = "solo"
    """Each begins alone."""
    SURVEY = "survey"
    """The visit goes on behind the play, with the next page."""
