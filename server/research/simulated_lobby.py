"""A study's lobby on a virtual clock: the queue and matchmaker in use, without people.

What people do there, and what becomes of groups and of those who get none, is for subclasses.
"""

from __future__ import annotations

import heapq
from abc import ABC, abstractmethod
from collections.abc import Callable
from functools import partial
from itertools import count
from random import Random

from matchmaking.assignment.assignment import Assignment
from matchmaking.assignment.places import Places
from matchmaking.matches import Match
from matchmaking.matchmakers.registry import matchmaker_of
from matchmaking.queue import Queue
from matchmaking.study import Study
from matchmaking.study_groups import StudyGroups
from matchmaking.tickets import Ticket

ROUND_S = 1.0
"""Time between two rounds of the lobby."""


class SimulatedLobby(ABC):
    """The lobby of one study. The same seed and the same people make the same day.

    ``now`` is in seconds from its beginning.
    """

    def __init__(self, study: Study, assignment: Assignment, seed: int) -> None:
        self.study = study
        self.now = 0.0
        # Every policy answers, because none is asked here.
        groups = StudyGroups(study, matchmaker_of(study, lambda _policy: True))
        self.queue = Queue(studies=[groups])
        self.places = Places(study, assignment, lambda: self.now)
        self.queue.places[study.key] = self.places
        self._seed = seed
        self._order = count()
        self._events: list[tuple[float, int, Callable[[], object]]] = []
        self._asked: set[tuple[str, float]] = set()
        self._has_round = False

    @abstractmethod
    def free_homes(self) -> int:
        """Return how many sessions may open now."""

    @abstractmethod
    def begin(self, match: Match) -> None:
        """Let a group begin."""

    @abstractmethod
    def left_over(self, ticket: Ticket) -> None:
        """Take note of a stay that the lobby has ended without a group."""

    @abstractmethod
    def answers_s(self, ticket_id: str) -> float | None:
        """Return after how long somebody says that they are ready; None: they do not."""

    def at(self, time: float, act: Callable[[], object]) -> None:
        """Have something done at a time; what is due at once is done in the order of asking."""
        heapq.heappush(self._events, (time, next(self._order), act))

    def pass_the_day(self) -> None:
        """Do everything that is to be done, until nothing is left."""
        while self._events:
            self.now, _, act = heapq.heappop(self._events)
            act()

    def schedule_round(self, after_s: float = 0.0) -> None:
        """Have the lobby look for groups, unless that is to come anyway."""
        if not self._has_round:
            self._has_round = True
            self.at(self.now + after_s, self._round)

    def _round(self) -> None:
        self._has_round = False
        rng = Random(f"{self._seed}/round/{self.now!r}")
        for found in self.queue.round(self.now, rng, self.free_homes()):
            if isinstance(found, Match):
                self.begin(found)
            else:
                self.left_over(found)
        self._ask_ready()
        if len(self.queue):
            self.schedule_round(ROUND_S)

    def _ask_ready(self) -> None:
        """Have those who are newly asked answer in their time, if they do."""
        for ticket in list(self.queue):
            until = self.queue.ready_until(ticket.ticket_id)
            if until is None or (ticket.ticket_id, until) in self._asked:
                continue
            self._asked.add((ticket.ticket_id, until))
            answers_s = self.answers_s(ticket.ticket_id)
            if answers_s is not None:
                at = self.now + answers_s
                self.at(at, partial(self.queue.confirm, ticket.ticket_id, at))
