"""A queue of one study on a clock of its own, for tests."""

from __future__ import annotations

from random import Random
from typing import Any

from matchmaking.assignment.assignment import Assignment
from matchmaking.assignment.places import Places
from matchmaking.limits import Limits
from matchmaking.matches import Match
from matchmaking.matchmakers.registry import matchmaker_of
from matchmaking.queue import Queue
from matchmaking.study import Study
from matchmaking.study_groups import StudyGroups
from matchmaking.tickets import Pool, State
from tests.matchmaking.made_places import TASKS, places_of
from tests.matchmaking.matchmakers.test_balanced import PAIR, with_cells

LIMITS = Limits(grace_s=5, arrival_s=20, wait_s=120, ready_s=15)


def queue_of(of: Study) -> Queue:
    return Queue(studies=[StudyGroups(of, matchmaker_of(of, lambda _: True))])


class Waiting:
    """A queue of one study on a clock of its own, with who has left it and how."""

    def __init__(self, of: Study, seed: str = "secret") -> None:
        self.study, self.queue, self.now = of, queue_of(of), 0.0
        self.rng = Random(1)
        self.places = self.queue.places[of.key] = places_of(of, seed=seed)
        self.left: dict[str, State] = {}
        self.homes = 9

    def come(self, number: int, is_here: bool = True) -> str:
        pool = Pool.of_study(self.study.key)
        ticket = self.queue.join(f"tic_{number}", f"par_{number}", pool, self.now)
        if is_here:
            self.queue.appear(ticket.ticket_id, self.now)
        return ticket.ticket_id

    def round(self, after_s: float = 0.0) -> list[Match]:
        """Do what the lobby does in a round, some time later."""
        self.now += after_s
        matches = []
        for found in self.queue.round(self.now, self.rng, self.homes):
            if not isinstance(found, Match):
                self._end(found.ticket_id, found.state)
                continue
            matches.append(found)
            if found.place is not None:
                people = [a.participant_id for a in found.assignments]
                assert self.places.deal(found.place, people)
                assert found.decision is not None
                times = found.decision.waits_s, found.decision.others_ready_s
                self.places.begin(found.place, people, *times)
            self.queue.settle(found)
            for ticket_id in found.ticket_ids:
                self._end(ticket_id, State.MATCHED)
        return matches

    def restart(self, after_s: float = 0.0) -> None:
        """Kill the server, and start it again some time later."""
        self.now += after_s
        tickets, ledger = list(self.queue), self.places.assignment.ledger
        self.queue = queue_of(self.study)
        assignment = Assignment(self.study, "secret", TASKS, ledger.records)
        self.places = Places(self.study, assignment, lambda: 0.0)
        self.queue.places[self.study.key] = self.places
        for ticket in tickets:
            self.queue.restore(ticket, self.now)

    def state(self, ticket_id: str) -> State:
        ticket = self.queue.get(ticket_id)
        return self.left[ticket_id] if ticket is None else ticket.state

    def _end(self, ticket_id: str, state: State) -> None:
        assert ticket_id not in self.left, "a stay has one end"
        self.left[ticket_id] = state


def pairs(**changes: Any) -> Waiting:
    return Waiting(with_cells(PAIR, **{"limits": LIMITS, **changes}))
