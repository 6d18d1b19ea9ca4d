"""Matchmakers: pure functions of (tickets, now, rng) to matches.

A matchmaker gets the tickets that are present, in any order, and returns matches in the order in
which they should get a session; what does not fit into the free sessions waits for the next round.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from random import Random
from typing import Protocol

import msgspec

from episodes.seats import HUMAN, PAIR, ROBOT
from matchmaking.tickets import Ticket, Wish


class Assignment(msgspec.Struct, frozen=True):
    """Seat of a participant in a match."""

    ticket_id: str
    participant_id: str
    seat_id: str


class Match(msgspec.Struct, frozen=True):
    """A group that gets a session.

    ``matchmaker`` names what formed it; the seats are as drawn; ``robots`` are pairs
    of a seat and the policy that plays it.
    """

    matchmaker: str
    assignments: tuple[Assignment, ...]
    robots: tuple[tuple[str, str], ...] = ()

    @property
    def ticket_ids(self) -> tuple[str, ...]:
        return tuple(a.ticket_id for a in self.assignments)


class Matchmaker(Protocol):
    def __call__(self, tickets: Iterable[Ticket], now: float, rng: Random) -> list[Match]: ...


def fifo(tickets: Iterable[Ticket], now: float, rng: Random) -> list[Match]:
    """Match tickets first come, first served: neighbours in the queue of a pool play together.

    ``now`` is of no consequence here; other matchmakers widen with waiting time.
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
    """Return a matchmaker that works as `fifo` and offers the robot after ``wait_s`` seconds.

    A participant who has waited alone for a person for so long gets the robot that ``robot``
    names then (an empty name: none is offered, and the wait goes on). A robot starts nobody's
    timer and holds nobody up: a person who is there comes first.
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


def with_robots_that_answer(matchmaker: Matchmaker, answers: Callable[[str], bool]) -> Matchmaker:
    """Return a matchmaker that leaves those waiting who want a robot that does not answer now."""

    def pair(tickets: Iterable[Ticket], now: float, rng: Random) -> list[Match]:
        able = [t for t in tickets if t.wish is not Wish.ROBOT or answers(t.robot)]
        return matchmaker(able, now, rng)

    return pair


def with_robot(formed_by: str, ticket: Ticket, robot: str) -> Match:
    """Match a person in the human seat with a policy in the robot's."""
    return Match(formed_by, (_assign(ticket, HUMAN.seat_id),), ((ROBOT.seat_id, robot),))


def draw_seats(pair: Sequence[Ticket], rng: Random) -> tuple[Assignment, ...]:
    """Assign one seat of each kind to two tickets; who gets the robot is drawn."""
    seats = [seat.seat_id for seat in PAIR]
    rng.shuffle(seats)
    return tuple(_assign(t, seat) for t, seat in zip(pair, seats, strict=True))


def _assign(ticket: Ticket, seat_id: str) -> Assignment:
    return Assignment(ticket.ticket_id, ticket.participant_id, seat_id)
