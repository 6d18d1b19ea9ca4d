"""Groups of studies in the queue: what forms them, and which are asked."""

from __future__ import annotations

from typing import NamedTuple

from matchmaking.assignment.places import Places
from matchmaking.matches import Match
from matchmaking.matchmakers.contract import StudyMatchmaker
from matchmaking.study import Study


class HeldPlace(NamedTuple):
    """A place of a study's ledger."""

    places: Places
    number: int


class StudyGroups(NamedTuple):
    """A study with what forms its groups."""

    study: Study
    matchmaker: StudyMatchmaker

    @property
    def ready_s(self) -> float:
        """Time for which groups are asked to be ready; 0: nobody is.

        Of one person too where others are of several: otherwise who plays alone or with a robot
        would know it by not being asked.
        """
        is_asked = any(cell.people > 1 for cell in self.study.cells)
        return self.study.limits.ready_s if is_asked else 0.0


class Proposal(NamedTuple):
    """A group that is asked whether it is ready, and until when."""

    match: Match
    until: float
