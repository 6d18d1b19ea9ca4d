"""Groups of studies in the queue: what forms them, and the places that they hold."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from random import Random
from typing import NamedTuple

from matchmaking.assignment.places import Places
from matchmaking.matches import Match
from matchmaking.matchmakers.contract import StudyMatchmaker
from matchmaking.study import Study
from matchmaking.study_key import StudyKey
from matchmaking.tickets import Ticket


class HeldPlace(NamedTuple):
    """A place of a study's ledger."""

    places: Places
    number: int

    @staticmethod
    def of(match: Match, places: Mapping[StudyKey, Places]) -> HeldPlace | None:
        """Return the place that a match was drawn for; None: it has none."""
        mine = None if match.study is None else places.get(match.study)
        number = match.place
        return None if mine is None or number is None else HeldPlace(mine, number)


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
        return self.study.limits.ready_s if self.study.most_people > 1 else 0.0


def groups_formed(
    studies: Mapping[StudyKey, StudyGroups],
    places: Mapping[StudyKey, Places],
    present: Sequence[Ticket],
    now: float,
    rng: Random,
) -> list[Match]:
    """Return the groups that people form in their studies, by who has waited longest in each.

    A study whose places are not known yet forms none.
    """
    formed: list[Match] = []
    for key, groups in studies.items():
        mine = [t for t in present if t.study == key]
        if mine and key in places:
            formed += groups.matchmaker(mine, now, rng, places[key])
    by_id = {t.ticket_id: t.place for t in present}
    return sorted(formed, key=lambda match: min(by_id[t] for t in match.ticket_ids))


def begin_match(places: Places, match: Match) -> None:
    """Note that a match has its session, and how long its people were waited for."""
    assert match.place is not None, "only groups with a place are noted"
    assert match.decision is not None, "a group of a study has an account"
    people = [assignment.participant_id for assignment in match.assignments]
    times = match.decision.waits_s, match.decision.others_ready_s
    places.begin(match.place, people, *times)
