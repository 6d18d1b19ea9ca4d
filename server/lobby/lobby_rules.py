"""Rules of a lobby: who is matched with whom, and how long people wait. A study says them."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from matchmaking.matchmakers.registry import matchmaker_of
from matchmaking.offers import Offers, Sought
from matchmaking.study import Study
from matchmaking.study.open_play import OPEN_PLAY
from matchmaking.study_groups import StudyGroups
from matchmaking.tickets import Pool, Wish
from matchmaking.tutorials import TUTORIALS


def _always(_name: str) -> bool:
    return True


def _untitled(_name: str) -> str:
    return ""


class LobbyRules:
    """Rules of a lobby; ``answers`` tells whether a policy can be played with now.

    ``title_of`` returns what people call a policy.

    ``study`` is open play, and ``studies`` are those whose people are given conditions: they meet
    nobody else. Raises StudyError for one whose matchmaker there is not.
    """

    def __init__(
        self,
        study: Study = OPEN_PLAY,
        answers: Callable[[str], bool] = _always,
        studies: Sequence[Study] = (),
        title_of: Callable[[str], str] = _untitled,
    ) -> None:
        self.study, self.answers, self.title_of = study, answers, title_of
        self.studies = tuple(studies)
        self.limits = study.limits
        menu = study.menu or Offers()
        tutorials = {offer.name: offer for offer in TUTORIALS.values()}
        self.offers = Offers({**menu.named, **tutorials}, menu.pair)
        self.groups = [StudyGroups(one, matchmaker_of(one, answers)) for one in studies]

    def take_up(self, study: Study) -> StudyGroups:
        """Take up a study, beside earlier versions of it; return the groups of its people.

        Raises StudyError for one whose matchmaker there is not.
        """
        groups = StudyGroups(study, matchmaker_of(study, self.answers))
        others = [one for one in self.groups if one.study.key != study.key]
        self.groups = [*others, groups]
        self.studies = tuple(one.study for one in self.groups)
        return groups

    def study_of(self, pool: Pool) -> Study | None:
        """Return the study that gives those of a pool their conditions; None: they chose."""
        if pool.study is None:
            return None
        return next((study for study in self.studies if study.key == pool.study), None)

    def people_of(self, pool: Pool) -> int:
        """Return how many people a full group of a pool has, at most."""
        if (study := self.study_of(pool)) is not None:
            return study.most_people
        offer = self.offers.of(pool)
        return offer.people if offer is not None else 1

    def sought(self, pool: Pool) -> Sought | None:
        """Return the group that those of a pool wait for, whoever comes; None: they do not."""
        people = self.people_of(pool)
        if pool.study is not None:
            return Sought("", people, pool.study) if people > 1 else None
        return Sought(pool.team, people) if pool.wish is Wish.PERSON and people > 1 else None
