"""Registry of recruiters: the one place that names their classes."""

from __future__ import annotations

import hashlib

from matchmaking.study import Study
from server.recruiting.direct import Direct
from server.recruiting.hitl import Hitl
from server.recruiting.lab_label import LabLabel
from server.recruiting.mturk import MTurk
from server.recruiting.prolific import Prolific
from server.recruiting.recruiter import Recruiter
from server.recruiting.sona import Sona

KINDS: dict[str, type[Recruiter]] = {
    recruiter.kind: recruiter for recruiter in (Direct, LabLabel, Prolific, MTurk, Sona, Hitl)
}
NAMING_PEOPLE = frozenset(kind for kind, recruiter in KINDS.items() if recruiter.names_people)
"""Kinds by whose ids a person is known again in another study."""


class UnknownRecruiterError(ValueError):
    """Error for a study whose recruiter is of no kind that there is."""

    def __init__(self, study: Study) -> None:
        super().__init__(
            f"study {study.name}: expected one of {', '.join(sorted(KINDS))} for the kind of its "
            f"recruiter, got {study.recruiter.kind!r}"
        )


def recruiter_of(study: Study, secret_key: str) -> Recruiter:
    """Return the recruiter of a study. Raises UnknownRecruiterError."""
    made = KINDS.get(study.recruiter.kind)
    if made is None:
        raise UnknownRecruiterError(study)
    return made(hashlib.sha256(b"cohabit.recruiting.1" + secret_key.encode()).digest())
