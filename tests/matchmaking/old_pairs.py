"""Pairs as they were matched before there were groups, which their seats are still drawn by."""

from __future__ import annotations

from collections.abc import Iterable
from random import Random
from typing import NamedTuple

from episodes.seats import HUMAN, PAIR, ROBOT
from matchmaking.tickets import Pool, Ticket, Wish


class OldMatch(NamedTuple):
    """People by ticket and seat, and the policies beside them."""

    people: tuple[tuple[str, str], ...]
    robots: tuple[tuple[str, str], ...] = ()


def old_fifo(tickets: Iterable[Ticket], rng: Random) -> list[OldMatch]:
    """Match tickets first come, first served; who of two gets the robot is drawn."""
    waiting_alone: dict[Pool, Ticket] = {}
    matches: list[OldMatch] = []
    for ticket in sorted(tickets, key=lambda t: t.place):
        if ticket.wish is Wish.SOLO:
            matches.append(OldMatch(((ticket.ticket_id, HUMAN.seat_id),)))
            continue
        if ticket.wish is Wish.ROBOT:
            matches.append(_with_robot(ticket, ticket.robot))
            continue
        earlier = waiting_alone.get(ticket.pool)
        if earlier is None:
            waiting_alone[ticket.pool] = ticket
        elif earlier.participant_id != ticket.participant_id:
            del waiting_alone[ticket.pool]
            seats = [seat.seat_id for seat in PAIR]
            rng.shuffle(seats)
            pair = (earlier.ticket_id, ticket.ticket_id)
            matches.append(OldMatch(tuple(zip(pair, seats, strict=True))))
    return matches


def old_robot_after(
    wait_s: float, robot: str, tickets: Iterable[Ticket], now: float, rng: Random
) -> list[OldMatch]:
    """Match as `old_fifo`, and give the robot to who has waited alone for so long."""
    waiting = list(tickets)
    matches = old_fifo(waiting, rng)
    taken = {ticket_id for match in matches for ticket_id, _ in match.people}
    for ticket in sorted(waiting, key=lambda t: t.place):
        late = ticket.wish is Wish.PERSON and now - ticket.joined_at >= wait_s
        if late and ticket.ticket_id not in taken:
            matches.append(_with_robot(ticket, robot))
    return matches


def _with_robot(ticket: Ticket, robot: str) -> OldMatch:
    return OldMatch(((ticket.ticket_id, HUMAN.seat_id),), ((ROBOT.seat_id, robot),))
