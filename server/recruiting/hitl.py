"""Parameters of Habitat HITL's links, which pilots take so that old links can be tried."""

from __future__ import annotations

from matchmaking.study import Study
from matchmaking.study.endings import Ending
from server.recruiting.recruiter import Fault, LinkError, Parameters, Recruiter, Way


class Hitl(Recruiter):
    kind = "hitl"
    id_parameter = "user_id"
    title = "the researchers"

    def external_id(self, study: Study, parameters: Parameters) -> str | None:
        if study.mode == "live":
            raise LinkError(Fault.NOT_PILOT)
        return super().external_id(study, parameters)

    def way_back(self, study: Study, ending: Ending, parameters: Parameters) -> Way | None:
        return None
