"""Pairing policies: pure functions of (tickets, now, rng) to matches.

A policy gets the tickets that are present, in any order, and returns matches in the order in
which they should get a home; what does not fit into the free homes waits for the next round.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from random import Random
from typing import Protocol

import msgspec

from episodes.seats import HUMAN, PAIR
from matchmaking.tickets import Ticket, Wish


class Assignment(msgspec.Struct, frozen=True):
    """Who sits where."""

    ticket_id: str
    participant_id: str
    seat_id: str


class Match(msgspec.Struct, frozen=True):
    """A group that gets a session. ``policy`` names what formed it; the seats are as drawn."""

    policy: str
    assignments: tuple[Assignment, ...]

    @property
    def ticket_ids(self) -> tuple[str, ...]:
        return tuple(a.ticket_id for a in self.assignments)


class Policy(Protocol):
    def __call__(self, tickets: Iterable[Ticket], now: float, rng: Random) -> list[Match]: ...


def fifo(tickets: Iterable[Ticket], now: float, rng: Random) -> list[Match]:
    """First come, first served: neighbours in the queue of a pool play together.

    ``now`` is of no consequence here; other policies widen with waiting time.
    """
    waiting_alone: dict[tuple[Wish, str], Ticket] = {}
    matches: list[Match] = []
    for ticket in sorted(tickets, key=lambda t: t.place):
        if ticket.wish is Wish.SOLO:
            matches.append(Match("fifo", (_assign(ticket, HUMAN.seat_id),)))
            continue
        earlier = waiting_alone.get(ticket.pool)
        if earlier is None:
            waiting_alone[ticket.pool] = ticket
        elif earlier.participant_id != ticket.participant_id:
            del waiting_alone[ticket.pool]
            matches.append(Match("fifo", draw_seats((earlier, ticket), rng)))
    return matches


def draw_seats(pair: Sequence[Ticket], rng: Random) -> tuple[Assignment, ...]:
    """One seat of each kind for two tickets; who gets the robot is drawn."""
    seats = [seat.seat_id for seat in PAIR]
    rng.shuffle(seats)
    return tuple(_assign(t, seat) for t, seat in zip(pair, seats, strict=True))


def _assign(ticket: Ticket, seat_id: str) -> Assignment:
    return Assignment(ticket.ticket_id, ticket.participant_id, seat_id)
