"""SONA: a survey code in, which goes back to have the credit granted."""

from __future__ import annotations

from types import MappingProxyType
from typing import ClassVar
from urllib.parse import quote

from matchmaking.study import Study
from matchmaking.study.endings import Ending
from server.recruiting.recruiter import Fault, LinkError, Parameters, Recruiter, Way, code_of


class Sona(Recruiter):
    """Recruiter whose way back is the completion URL of the SONA study, in `return_url`."""

    kind = "sona"
    id_parameter = "survey_code"
    title = "SONA"
    link_template: ClassVar[Parameters] = MappingProxyType({"survey_code": "%SURVEY_CODE%"})
    trial_parameters: ClassVar[Parameters] = MappingProxyType({"survey_code": "1"})

    def external_id(self, study: Study, parameters: Parameters) -> str | None:
        given = {name.lower(): value for name, value in parameters.items()}
        name = self.id_parameter if self.id_parameter in given else "id"
        if not given.get(name, "").strip():
            raise LinkError(Fault.MISSING, self.id_parameter)
        return super().external_id(study, {self.id_parameter: given[name]})

    def way_back(self, study: Study, ending: Ending, parameters: Parameters) -> Way | None:
        if code_of(study, ending) is None or not study.recruiter.return_url:
            return None
        try:
            who = self.external_id(study, parameters)
        except LinkError:
            # Their code is kept no longer: the last page opens all the same.
            return None
        assert who is not None
        return Way(study.recruiter.return_url.replace("{id}", quote(who, safe="")))
