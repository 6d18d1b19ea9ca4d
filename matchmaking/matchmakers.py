"""Matchmakers: pure functions of (tickets, now, rng) to matches.

A matchmaker gets the tickets that are present, in any order, and returns matches in the order in
which they should get a session; what does not fit into the free sessions waits for the next round.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from math import inf
from operator import itemgetter
from random import Random
from typing import Protocol

import msgspec

from episodes.teams import Team
from matchmaking.offers import Offer, Offers
from matchmaking.tickets import Pool, Ticket, Wish


class Assignment(msgspec.Struct, frozen=True):
    """Seat of a participant in a match."""

    ticket_id: str
    participant_id: str
    seat_id: str


class Match(msgspec.Struct, frozen=True):
    """A group that gets a session.

    ``matchmaker`` names what formed it; the people sit as drawn, and the team says who plays the
    other bodies.
    """

    matchmaker: str
    assignments: tuple[Assignment, ...]
    team: Team

    @property
    def ticket_ids(self) -> tuple[str, ...]:
        return tuple(a.ticket_id for a in self.assignments)


class Matchmaker(Protocol):
    def __call__(self, tickets: Iterable[Ticket], now: float, rng: Random) -> list[Match]: ...


def _always(_name: str) -> bool:
    return True


def groups(offers: Offers, answers: Callable[[str], bool] = _always) -> Matchmaker:
    """Return a matchmaker that serves first come, first served: neighbours of a pool play together.

    A pool are those who want the same team, or have the same invitation. Once a group is full it
    begins. A smaller one begins when the first of them has waited as long as the offer says, or
    somebody of an invitation says so. A team waits while ``answers`` says that one of its policies
    does not answer now. Where homes are scarce, the group gets one that could begin first: since
    its last one came, or since its wait was over.
    """

    def form(tickets: Iterable[Ticket], now: float, rng: Random) -> list[Match]:
        pools: dict[Pool, tuple[Offer, list[Ticket]]] = {}
        ready: list[tuple[float, Match]] = []
        for ticket in sorted(tickets, key=lambda t: t.place):
            offer = offers.of(ticket.pool)
            if offer is None or not all(map(answers, offer.team.policies.values())):
                continue
            _, group = pools.setdefault(ticket.pool, (offer, []))
            if any(_exclude(ticket, other) for other in group):
                continue
            group.append(ticket)
            if len(group) == offer.people:
                del pools[ticket.pool]
                ready.append((ticket.joined_at, _match("fifo", offer, group, rng)))
        for offer, group in pools.values():
            ready_at = _ready_at(offer, group)
            if ready_at <= now and (not offer.fill or answers(offer.fill)):
                ready.append((ready_at, _match("fewer_after_wait", offer, group, rng)))
        return [match for _, match in sorted(ready, key=itemgetter(0))]

    return form


fifo = groups(Offers())
"""Matchmaker of pairs, and of those who want to be alone or a robot."""


def _exclude(ticket: Ticket, other: Ticket) -> bool:
    """Tell whether two cannot be in one group."""
    same_place = bool(ticket.seat) and ticket.seat == other.seat
    return same_place or ticket.participant_id == other.participant_id


def _ready_at(offer: Offer, group: Sequence[Ticket]) -> float:
    """Return when a group that is not full may begin; infinite as long as that is not known."""
    if len(group) < offer.least:
        return inf
    if group[0].wish is Wish.INVITE:
        # Friends are waited for, until somebody says that nobody else comes.
        is_all = any(ticket.wants_to_begin for ticket in group)
        return group[-1].joined_at if is_all else inf
    return max(group[offer.least - 1].joined_at, group[0].joined_at + offer.after_s)


def _match(formed_by: str, offer: Offer, group: Sequence[Ticket], rng: Random) -> Match:
    """Seat a group: who named a place gets it, the other places are drawn."""
    named = {ticket.seat for ticket in group if ticket.seat}
    kept = offer.kept_seats(named, len(group))
    team, names = offer.team_with(kept)
    drawn = [seat for seat in kept if seat not in named]
    rng.shuffle(drawn)
    rest = iter(drawn)
    return Match(
        formed_by,
        tuple(
            Assignment(t.ticket_id, t.participant_id, names[t.seat or next(rest)]) for t in group
        ),
        team,
    )
