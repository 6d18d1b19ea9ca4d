"""Direct link: whoever has it takes part, and nobody else knows them."""

from __future__ import annotations

from matchmaking.study import Study
from matchmaking.study.endings import Ending
from server.recruiting.recruiter import Parameters, Recruiter, Way


class Direct(Recruiter):
    kind = "direct"
    title = "the researchers"

    def external_id(self, study: Study, parameters: Parameters) -> str | None:
        return None

    def way_back(self, study: Study, ending: Ending, parameters: Parameters) -> Way | None:
        return None
