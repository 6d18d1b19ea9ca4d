"""Queue of the lobby: who waits, who is matched, who left. Pure: the clock is an argument.

Methods that a person or the network calls are safe to call late: what no longer applies answers
False and changes nothing.
"""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

import msgspec

from matchmaking.matchmakers import Match, Matchmaker, fifo
from matchmaking.tickets import ABSENT, LIVE, Event, State, Ticket, TransitionError, Wish


class Limits(msgspec.Struct, frozen=True):
    """Times for which the lobby is patient (s)."""

    grace_s: float = 5.0
    """Time for which a dropped socket keeps its place."""
    arrival_s: float = 20.0
    """Time from the form to the lobby page's first word; a slow phone loads a page in it."""
    wait_s: float = 3600.0
    """Longest wait of anybody."""


class InviteError(Exception):
    """An invitation cannot be joined; ``kind`` is ``unknown``, ``full`` or ``own``."""

    def __init__(self, kind: str) -> None:
        super().__init__(f"the invitation cannot be joined: {kind}")
        self.kind = kind


class Queue:
    """Live and just matched tickets, at most one of each participant."""

    def __init__(self, limits: Limits | None = None, matchmaker: Matchmaker = fifo) -> None:
        self.limits = limits or Limits()
        self._matchmaker = matchmaker
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
        wish: Wish,
        now: float,
        code: str = "",
        robot: str = "",
    ) -> Ticket:
        """Give a participant a place at the end; the same wish again gets the place it has.

        Raises InviteError for a code that already brought two together. The caller cancels a
        ticket with another wish first (`of`); raises ValueError if it did not.
        """
        mine = self.of(participant_id)
        if mine is not None:
            if mine.pool != (wish, code, robot):
                raise ValueError(f"{participant_id} already waits with {mine.ticket_id}")
            return mine
        if code and len(self.holders(code)) >= 2:
            raise InviteError("full")
        ticket = Ticket(
            ticket_id,
            participant_id,
            wish,
            now,
            code=code,
            robot=robot,
            absent_until=now + self.limits.arrival_s,
        )
        self._tickets[ticket_id] = ticket
        self._of_participant[participant_id] = ticket_id
        return ticket

    def holders(self, code: str) -> list[Ticket]:
        """Return the tickets of an invitation, that of the inviting participant first."""
        found = [t for t in self if t.code == code]
        return sorted(found, key=lambda t: t.place)

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

        An inviting participant whose guest has not come stands in nobody's way, because no
        session waits for them.
        """
        ticket = self._tickets[ticket_id]
        ahead = (
            t
            for t in self
            if t.state in LIVE
            and t.place < ticket.place
            and (t.wish is not Wish.INVITE or len(self.holders(t.code)) == 2)
        )
        return 1 + sum(1 for _ in ahead)

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
