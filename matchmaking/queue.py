"""Queue of the lobby: who waits, who is matched, who left. Pure: the clock is an argument.

Methods that a person or the network calls are safe to call late: what no longer applies answers
False and changes nothing.
"""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

import msgspec

from matchmaking.matchmakers import Match, Matchmaker, fifo
from matchmaking.offers import Offers
from matchmaking.tickets import (
    ABSENT,
    LIVE,
    Event,
    Place,
    Pool,
    State,
    Ticket,
    TransitionError,
    Wish,
)


class Limits(msgspec.Struct, frozen=True):
    """Times for which the lobby is patient (s)."""

    grace_s: float = 5.0
    """Time for which a dropped socket keeps its place."""
    arrival_s: float = 20.0
    """Time from the form to the lobby page's first word; a slow phone loads a page in it."""
    wait_s: float = 3600.0
    """Longest wait of anybody."""


class InviteError(Exception):
    """An invitation cannot be joined; ``kind`` is ``full``, ``taken`` or ``no_such_place``."""

    def __init__(self, kind: str) -> None:
        super().__init__(f"the invitation cannot be joined: {kind}")
        self.kind = kind


class Queue:
    """Live and just matched tickets, at most one of each participant."""

    def __init__(
        self,
        limits: Limits | None = None,
        matchmaker: Matchmaker = fifo,
        offers: Offers | None = None,
    ) -> None:
        self.limits = limits or Limits()
        self._matchmaker = matchmaker
        self._offers = offers or Offers()
        self._tickets: dict[str, Ticket] = {}
        self._of_participant: dict[str, str] = {}

    def __iter__(self) -> Iterator[Ticket]:
        return iter(self._tickets.values())

    def __len__(self) -> int:
        return sum(1 for ticket in self if ticket.state in LIVE)

    def get(self, ticket_id: str) -> Ticket | None:
        return self._tickets.get(ticket_id)

    def of(self, participant_id: str) -> Ticket | None:
        """Return the ticket that the participant has now."""
        return self._tickets.get(self._of_participant.get(participant_id, ""))

    def join(
        self,
        ticket_id: str,
        participant_id: str,
        pool: Pool,
        now: float,
        seat: str = "",
    ) -> Ticket:
        """Give a participant a place at the end; the same wish again gets the place it has.

        Raises InviteError for an invitation that all have come to, or a seat in it that is taken
        or is not for people. The caller cancels a ticket with another wish first (`of`); raises
        ValueError if it did not.
        """
        mine = self.of(participant_id)
        if mine is not None:
            if mine.pool != pool:
                raise ValueError(f"{participant_id} already waits with {mine.ticket_id}")
            return mine
        ticket = Ticket(
            ticket_id,
            participant_id,
            pool.wish,
            now,
            code=pool.code,
            robot=pool.robot,
            team=pool.team,
            seat=seat,
            absent_until=now + self.limits.arrival_s,
        )
        if pool.code:
            self._check_invitation(ticket)
        self._tickets[ticket_id] = ticket
        self._of_participant[participant_id] = ticket_id
        return ticket

    def _check_invitation(self, ticket: Ticket) -> None:
        """Check that somebody may come to an invitation. Raises InviteError."""
        offer, holders = self._offers.of(ticket.pool), self.holders(ticket.code)
        if offer is None or (ticket.seat and ticket.seat not in offer.team.people):
            raise InviteError("no_such_place")
        if len(holders) >= offer.people:
            raise InviteError("full")
        if ticket.seat and any(holder.seat == ticket.seat for holder in holders):
            raise InviteError("taken")

    def group(self, ticket_id: str) -> list[Ticket]:
        """Return those with whom a ticket would begin as things stand, in the queue's order.

        Those who are away for a moment are among them.
        """
        ticket = self._tickets[ticket_id]
        offer = self._offers.of(ticket.pool)
        if offer is None or ticket.state not in LIVE:
            return [ticket]
        pool = sorted((t for t in self if t.pool == ticket.pool and t.state in LIVE), key=_place)
        first = pool.index(ticket) // offer.people * offer.people
        return pool[first : first + offer.people]

    def may_begin(self, ticket_id: str) -> bool:
        """Tell whether somebody may say that nobody else of an invitation is waited for.

        The least people have to be there, and one to be missing.
        """
        ticket = self._tickets.get(ticket_id)
        offer = None if ticket is None else self._offers.of(ticket.pool)
        if ticket is None or offer is None or ticket.wish is not Wish.INVITE:
            return False
        if ticket.state not in LIVE:
            return False
        group = self.group(ticket_id)
        here = sum(other.state is State.WAITING for other in group)
        is_said = any(other.wants_to_begin for other in group)
        return offer.least <= here < offer.people and not is_said

    def begin_now(self, ticket_id: str) -> bool:
        """Note that somebody waits for nobody else, and return whether they may (`may_begin`)."""
        if not self.may_begin(ticket_id):
            return False
        ticket = self._tickets[ticket_id]
        self._tickets[ticket_id] = msgspec.structs.replace(ticket, wants_to_begin=True)
        return True

    def holders(self, code: str) -> list[Ticket]:
        """Return the tickets of an invitation, that of the inviting participant first."""
        found = [t for t in self if t.code == code]
        return sorted(found, key=_place)

    def await_arrival(self, ticket_id: str, now: float) -> None:
        """Count the time to arrive from now on, as the form is not answered yet."""
        ticket = self._tickets.get(ticket_id)
        if ticket is not None and ticket.state is State.ARRIVING:
            self._tickets[ticket_id] = msgspec.structs.replace(
                ticket, absent_until=now + self.limits.arrival_s
            )

    def appear(self, ticket_id: str) -> bool:
        """Note that the ticket's page is here (again)."""
        return self._apply(ticket_id, Event.APPEARED)

    def vanish(self, ticket_id: str, now: float) -> bool:
        """Note that the ticket's page is gone; the place is kept for the grace."""
        return self._apply(ticket_id, Event.VANISHED, now + self.limits.grace_s)

    def cancel(self, ticket_id: str) -> bool:
        return self._apply(ticket_id, Event.CANCEL)

    def sweep(self, now: float) -> list[Ticket]:
        """Remove the tickets whose grace or patience is over; return what they became."""
        removed = []
        for ticket in list(self):
            if ticket.state in ABSENT:
                assert ticket.absent_until is not None
                if ticket.absent_until <= now:
                    removed.append(self._leave(ticket.on(Event.GRACE_OVER)))
            elif ticket.state is State.WAITING and ticket.joined_at + self.limits.wait_s <= now:
                removed.append(self._leave(ticket.on(Event.WAIT_OVER)))
        return removed

    def next_deadline(self) -> float | None:
        """Return when `sweep` will next have something to do."""
        deadlines = [
            ticket.absent_until
            if ticket.absent_until is not None
            else ticket.joined_at + self.limits.wait_s
            for ticket in self
            if ticket.state in LIVE
        ]
        return min(deadlines, default=None)

    def pair(self, now: float, rng: Random, free_sessions: int) -> list[Match]:
        """Form matches, at most one for each free session; their tickets are matched now."""
        if free_sessions <= 0:
            return []
        present = [t for t in self if t.state is State.WAITING]
        matches = self._matchmaker(present, now, rng)[:free_sessions]
        for match in matches:
            for ticket_id in match.ticket_ids:
                self._tickets[ticket_id] = self._tickets[ticket_id].on(Event.MATCH)
        return matches

    def settle(self, match: Match) -> None:
        """Remove the tickets of a match that has its session."""
        for ticket_id in match.ticket_ids:
            self._leave(self._tickets[ticket_id])

    def give_back(self, match: Match) -> None:
        """Put the tickets of a match that got no session back where they were in the queue."""
        for ticket_id in match.ticket_ids:
            self._tickets[ticket_id] = self._tickets[ticket_id].on(Event.MATCH_FAILED)

    def position(self, ticket_id: str) -> int:
        """Return how many stand before the ticket, plus one.

        People of an invitation whose guests have not all come stand in nobody's way, because no
        session waits for them.
        """
        ticket = self._tickets[ticket_id]
        ahead = (
            t
            for t in self
            if t.state in LIVE
            and t.place < ticket.place
            and (t.wish is not Wish.INVITE or self.is_full(t))
        )
        return 1 + sum(1 for _ in ahead)

    def is_full(self, ticket: Ticket) -> bool:
        """Tell whether all have come to a ticket's invitation."""
        offer = self._offers.of(ticket.pool)
        return offer is not None and len(self.holders(ticket.code)) >= offer.people

    def _apply(self, ticket_id: str, event: Event, absent_until: float | None = None) -> bool:
        ticket = self._tickets.get(ticket_id)
        if ticket is None:
            return False
        try:
            ticket = ticket.on(event, absent_until)
        except TransitionError:
            return False
        if ticket.state in LIVE:
            self._tickets[ticket_id] = ticket
        else:
            self._leave(ticket)
        return True

    def _leave(self, ticket: Ticket) -> Ticket:
        del self._tickets[ticket.ticket_id]
        del self._of_participant[ticket.participant_id]
        return ticket


def _place(ticket: Ticket) -> Place:
    return ticket.place
