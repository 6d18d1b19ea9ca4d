"""Pairing policies: pure functions of (tickets, now, rng) to matches.

A policy gets the tickets that are present, in any order, and returns matches in the order in
which they should get a home; what does not fit into the free homes waits for the next round.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from random import Random
from typing import Protocol

import msgspec

from episodes.seats import HUMAN, PAIR, ROBOT
from matchmaking.tickets import Ticket, Wish


class Assignment(msgspec.Struct, frozen=True):
    """Who sits where."""

    ticket_id: str
    participant_id: str
    seat_id: str


class Match(msgspec.Struct, frozen=True):
    """A group that gets a session. ``policy`` names what formed it; the seats are as drawn;
    ``robots`` are (seat, policy that plays it)."""

    policy: str
    assignments: tuple[Assignment, ...]
    robots: tuple[tuple[str, str], ...] = ()

    @property
    def ticket_ids(self) -> tuple[str, ...]:
        return tuple(a.ticket_id for a in self.assignments)


class Matchmaker(Protocol):
    def __call__(self, tickets: Iterable[Ticket], now: float, rng: Random) -> list[Match]: ...


def fifo(tickets: Iterable[Ticket], now: float, rng: Random) -> list[Match]:
    """First come, first served: neighbours in the queue of a pool play together.

    ``now`` is of no consequence here; other policies widen with waiting time.
    """
    waiting_alone: dict[tuple[Wish, str, str], Ticket] = {}
    matches: list[Match] = []
    for ticket in sorted(tickets, key=lambda t: t.place):
        if ticket.wish is Wish.SOLO:
            matches.append(Match("fifo", (_assign(ticket, HUMAN.seat_id),)))
            continue
        if ticket.wish is Wish.ROBOT:
            matches.append(with_robot("fifo", ticket, ticket.robot))
            continue
        earlier = waiting_alone.get(ticket.pool)
        if earlier is None:
            waiting_alone[ticket.pool] = ticket
        elif earlier.participant_id != ticket.participant_id:
            del waiting_alone[ticket.pool]
            matches.append(Match("fifo", draw_seats((earlier, ticket), rng)))
    return matches


def robot_after(wait_s: float, robot: Callable[[], str]) -> Matchmaker:
    """First come, first served; who has waited alone for a person for ``wait_s`` gets the robot
    that ``robot`` names then (an empty name: none is offered, and the wait goes on).

    A robot starts nobody's timer and holds nobody up: a person who is there comes first.
    """

    def pair(tickets: Iterable[Ticket], now: float, rng: Random) -> list[Match]:
        waiting = list(tickets)
        matches = fifo(waiting, now, rng)
        taken = {ticket_id for match in matches for ticket_id in match.ticket_ids}
        name = robot()
        if not name:
            return matches
        for ticket in sorted(waiting, key=lambda t: t.place):
            late = ticket.wish is Wish.PERSON and now - ticket.joined_at >= wait_s
            if late and ticket.ticket_id not in taken:
                matches.append(with_robot("robot_after", ticket, name))
        return matches

    return pair


def with_robots_that_answer(policy: Matchmaker, answers: Callable[[str], bool]) -> Matchmaker:
    """The same, but that who wants a robot that does not answer now waits on."""

    def pair(tickets: Iterable[Ticket], now: float, rng: Random) -> list[Match]:
        able = [t for t in tickets if t.wish is not Wish.ROBOT or answers(t.robot)]
        return policy(able, now, rng)

    return pair


def with_robot(formed_by: str, ticket: Ticket, robot: str) -> Match:
    """A person in the human seat, a policy in the robot's."""
    return Match(formed_by, (_assign(ticket, HUMAN.seat_id),), ((ROBOT.seat_id, robot),))


def draw_seats(pair: Sequence[Ticket], rng: Random) -> tuple[Assignment, ...]:
    """One seat of each kind for two tickets; who gets the robot is drawn."""
    seats = [seat.seat_id for seat in PAIR]
    rng.shuffle(seats)
    return tuple(_assign(t, seat) for t, seat in zip(pair, seats, strict=True))


def _assign(ticket: Ticket, seat_id: str) -> Assignment:
    return Assignment(ticket.ticket_id, ticket.participant_id, seat_id)
