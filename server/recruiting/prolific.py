"""Prolific: three parameters in, a completion code out."""

from __future__ import annotations

import re
from types import MappingProxyType
from typing import ClassVar
from urllib.parse import quote

from matchmaking.study import Study
from matchmaking.study.endings import Ending
from server.recruiting.recruiter import Fault, LinkError, Parameters, Recruiter, Way, code_of

ID = re.compile(r"[0-9a-f]{24}")
"""Form of the ids of people there."""
COMPLETE_URL = "https://app.prolific.com/submissions/complete?cc="


class Prolific(Recruiter):
    kind = "prolific"
    names_people = True
    id_parameter = "PROLIFIC_PID"
    proof = ("PROLIFIC_PID", "SESSION_ID")
    title = "Prolific"
    link_template: ClassVar[Parameters] = MappingProxyType(
        {
            "PROLIFIC_PID": "{{%PROLIFIC_PID%}}",
            "STUDY_ID": "{{%STUDY_ID%}}",
            "SESSION_ID": "{{%SESSION_ID%}}",
        }
    )
    """Prolific's session is a submission there and nothing of ours."""
    trial_parameters: ClassVar[Parameters] = MappingProxyType(
        {"PROLIFIC_PID": "0" * 23 + "1", "STUDY_ID": "trial", "SESSION_ID": "trial"}
    )

    def external_id(self, study: Study, parameters: Parameters) -> str | None:
        value = super().external_id(study, parameters)
        if value is None or ID.fullmatch(value.lower()) is None:
            # Nobody there has it, so nobody could be paid.
            raise LinkError(Fault.MALFORMED, self.id_parameter)
        return value.lower()

    def way_back(self, study: Study, ending: Ending, parameters: Parameters) -> Way | None:
        code = code_of(study, ending)
        return Way(f"{COMPLETE_URL}{quote(code, safe='')}") if code else None
