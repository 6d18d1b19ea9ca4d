"""Contract of matchmakers, and what they have in common.

One's own matchmaker is one class in one file of this folder: it has a ``name``, which a study
writes as its ``matchmaker``, and forms matches from tickets. It may begin from `Balanced` and
replace a part.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from random import Random
from typing import ClassVar, Protocol

from episodes.teams import Team
from matchmaking.assignment.places import Place, Places
from matchmaking.matches import MOST_CANDIDATES, Assignment, Candidate, Decision, Match
from matchmaking.offers import Offer
from matchmaking.pair_rules import PairRule, objection
from matchmaking.study import Study
from matchmaking.tickets import Ticket

FIRST_GATHERINGS = 20
"""Groups of a pool that are looked at for each ticket, however many there are."""
MORE_LOOKS = 50_000
"""Looks at further groups in one round, so that it stays short: 300 people of whom no two may play
together are looked at in full."""


class Matchmaker(Protocol):
    """Pure function of tickets, the time and a generator to matches.

    It gets the tickets that are present, in any order, and returns matches in the order in which
    they should get a session; what does not fit into the free sessions waits for the next round.
    """

    def __call__(self, tickets: Iterable[Ticket], now: float, rng: Random) -> list[Match]: ...


class StudyMatchmaker(Protocol):
    """Matchmaker of a study's conditions: ``places`` draws them, and is told who has one."""

    name: ClassVar[str]

    def __init__(self, study: Study, answers: Callable[[str], bool]) -> None: ...

    def __call__(
        self, tickets: Iterable[Ticket], now: float, rng: Random, places: Places
    ) -> list[Match]: ...


class Gathering:
    """A group that is being gathered, with whoever was looked at for it."""

    __slots__ = ("_n_passed", "_passed_over", "offer", "place", "seats", "tickets")

    def __init__(self, offer: Offer, place: Place | None = None) -> None:
        self.offer, self.place = offer, place
        self.seats = offer.team.people
        """Seats that people have in the full group."""
        self.tickets: list[Ticket] = []
        self._passed_over: list[tuple[Ticket, str]] = []
        self._n_passed = 0

    @property
    def is_full(self) -> bool:
        return len(self.tickets) == len(self.seats)

    def pass_over(self, ticket: Ticket, why: str) -> None:
        """Note that a ticket was looked at, and why it is not in the group."""
        self._n_passed += 1
        if len(self._passed_over) < MOST_CANDIDATES:
            self._passed_over.append((ticket, why))

    def decision(
        self, reason: str, n_waiting: int, now: float, loads: Mapping[str, float] | None = None
    ) -> Decision:
        """Return the account of a group that begins now."""
        looked_at = [(ticket, "") for ticket in self.tickets]
        if self._passed_over:
            others = self._passed_over[: MOST_CANDIDATES - len(looked_at)]
            looked_at = sorted([*looked_at, *others], key=lambda pair: pair[0].place)
        candidates = [
            Candidate(ticket.ticket_id, now - ticket.here_since, ticket.rtt_ms, against)
            for ticket, against in looked_at
        ]
        n_candidates = len(self.tickets) + self._n_passed
        return Decision(reason, n_waiting, n_candidates, tuple(candidates), loads or {})

    def seated(self, offer: Offer, rng: Random) -> tuple[tuple[Assignment, ...], Team]:
        """Seat the group in an offer's team, without those who have not come.

        Who named a place gets it, the other places are drawn.
        """
        named = {ticket.seat for ticket in self.tickets if ticket.seat}
        team, kept = offer.team, list(self.seats)
        names: Mapping[str, str] = {}
        if not self.is_full:
            kept = offer.kept_seats(named, len(self.tickets))
            team, names = offer.team_with(kept)
        drawn = [seat for seat in kept if seat not in named] if named else kept
        if len(drawn) > 1:
            rng.shuffle(drawn)
        rest = iter(drawn)
        assignments = []
        for ticket in self.tickets:
            seat = ticket.seat or next(rest)
            seat_id = names.get(seat, seat)
            assignments.append(Assignment(ticket.ticket_id, ticket.participant_id, seat_id))
        return tuple(assignments), team


class Looks:
    """Looks at groups beyond the first ones that are left in a round."""

    def __init__(self, left: int = MORE_LOOKS) -> None:
        self.left = left

    def among(self, gatherings: Sequence[Gathering]) -> Iterator[Gathering]:
        """Yield the groups to look at for a ticket, in their order, as long as looks are left."""
        yield from gatherings[:FIRST_GATHERINGS]
        for number in range(FIRST_GATHERINGS, len(gatherings)):
            if not self.left:
                return
            self.left -= 1
            yield gatherings[number]


def joined(
    ticket: Ticket,
    gatherings: Sequence[Gathering],
    rules: Sequence[PairRule],
    now: float,
    looks: Looks,
) -> Gathering | None:
    """Put a ticket into the first group that it may join, and return that; None: there is none."""
    for group in looks.among(gatherings):
        why = objection(rules, ticket, group.tickets, now)
        if not why:
            group.tickets.append(ticket)
            return group
        group.pass_over(ticket, why)
    return None
