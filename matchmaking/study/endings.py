"""Endings of a visit: every visit gets exactly one."""

from __future__ import annotations

from enum import StrEnum


class Ending(StrEnum):
    """Ending of a visit; each has a code of its own at the recruiter's."""

    COMPLETED = "completed"
    NO_PARTNER = "no_partner"
    """Too few people came before the deadline of the lobby."""
    PARTNER_LEFT = "partner_left"
    """A partner left, and the group could not go on."""
    TECHNICAL_FAILURE = "technical_failure"
    OVER_RECRUITED = "over_recruited"
    """All cells were full."""
    SCREENED_OUT = "screened_out"
    """Device, eligibility, tutorial or quiz were not passed."""
    ATTENTION_FAILED = "attention_failed"
    """A question that shows whether it is read was answered wrongly, and the study ends then."""
    TIMED_OUT = "timed_out"
    """The visit took longer than the study lets it."""
    NO_CONSENT = "no_consent"
    WITHDREW = "withdrew"
