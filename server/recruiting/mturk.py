"""Mechanical Turk: a page in a frame of its own, a preview, and a form that goes back."""

from __future__ import annotations

from types import MappingProxyType
from typing import ClassVar
from urllib.parse import urlsplit

from matchmaking.study import Study
from matchmaking.study.endings import Ending
from server.recruiting.recruiter import Parameters, Recruiter, Way, code_of

NOT_AVAILABLE = "ASSIGNMENT_ID_NOT_AVAILABLE"
ORIGINS = ("https://www.mturk.com", "https://workersandbox.mturk.com")
"""Origins to which results go; another that a link names is not Mechanical Turk."""


class MTurk(Recruiter):
    kind = "mturk"
    names_people = True
    id_parameter = "workerId"
    proof = ("workerId", "assignmentId")
    title = "Mechanical Turk"
    trial_parameters: ClassVar[Parameters] = MappingProxyType(
        {"workerId": "TRIAL1", "assignmentId": "TRIAL", "hitId": "TRIAL"}
    )

    def is_preview(self, parameters: Parameters) -> bool:
        is_looked_at = _lower(parameters).get("assignmentid") == NOT_AVAILABLE
        return is_looked_at or super().is_preview(parameters)

    def way_back(self, study: Study, ending: Ending, parameters: Parameters) -> Way | None:
        given = _lower(parameters)
        origin = _origin_of(given.get("turksubmitto", ORIGINS[0]))
        code, assignment = code_of(study, ending), given.get("assignmentid", "")
        if code is None or not assignment or origin not in ORIGINS:
            return None
        fields = {"assignmentId": assignment, "code": code}
        return Way(f"{origin}/mturk/externalSubmit", fields, origin)


def _origin_of(url: str) -> str:
    """Return the origin of an address as a link has it; empty: it is none."""
    try:
        parts = urlsplit(url)
    except ValueError:
        return ""
    return f"{parts.scheme}://{parts.netloc}"


def _lower(parameters: Parameters) -> dict[str, str]:
    return {name.lower(): value for name, value in parameters.items()}
