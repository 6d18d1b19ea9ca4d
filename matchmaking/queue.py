"""Queue of the lobby: who waits, who is matched, who left. Pure: the clock is an argument.

Methods that a person or the network calls are safe to call late: what no longer applies answers
False and changes nothing.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from operator import attrgetter
from random import Random

from msgspec.structs import replace

from matchmaking.assignment.places import NOT_OPENED, Places
from matchmaking.full_times import FullTimes
from matchmaking.invitations import InviteError
from matchmaking.limits import Limits
from matchmaking.matches import Match
from matchmaking.matchmakers.contract import Matchmaker
from matchmaking.matchmakers.first_come import fifo
from matchmaking.offers import Offers
from matchmaking.proposals import Proposal, Proposals
from matchmaking.study_groups import HeldPlace, StudyGroups, groups_formed
from matchmaking.study_key import StudyKey
from matchmaking.tickets import (
    ABSENT,
    ASKED,
    LIVE,
    TRANSITIONS,
    Event,
    Pool,
    State,
    Ticket,
    TransitionError,
    Wish,
)


class Queue:
    """Live and just matched tickets, at most one of each participant.

    ``limits``, ``matchmaker`` and ``offers`` are of those who choose with whom they play; people of
    one of the ``studies`` meet nobody else.
    """

    def __init__(
        self,
        limits: Limits | None = None,
        matchmaker: Matchmaker = fifo,
        offers: Offers | None = None,
        studies: Iterable[StudyGroups] = (),
    ) -> None:
        self.limits = limits or Limits()
        self._matchmaker = matchmaker
        self._offers = offers or Offers()
        self._studies = {groups.study.key: groups for groups in studies}
        self.places: dict[StudyKey, Places] = {}
        """Places of each study whose ledger was read; the others form no groups."""
        self._tickets: dict[str, Ticket] = {}
        self._of_participant: dict[str, str] = {}
        self.proposals = Proposals()
        self._full_times = FullTimes()
        self._moved: set[str] = set()

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
        rtt_ms: float | None = None,
    ) -> Ticket:
        """Give a participant a place at the end; the same wish again gets the place it has.

        ``rtt_ms`` is the median of the participant's round trips, where it was measured.
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
            study=pool.study,
            seat=seat,
            rtt_ms=rtt_ms,
            absent_until=now + self.limits_of(pool).arrival_s,
        )
        if pool.code:
            self._check_invitation(ticket)
        self._tickets[ticket_id] = ticket
        self._of_participant[participant_id] = ticket_id
        return ticket

    def restore(self, ticket: Ticket, now: float) -> None:
        """Put back a ticket that was live when the last process ended; its page may come back.

        It keeps its place, and its deadline, unless that passes before the others could come back.
        """
        back_by = now + self.limits_of(ticket.pool).arrival_s
        self._tickets[ticket.ticket_id] = ticket.restored(back_by)
        self._of_participant[ticket.participant_id] = ticket.ticket_id

    def note_past(self, ticket_id: str, met: frozenset[str], unopened: int) -> None:
        """Note with whom a ticket's participant has played, and which stays led nowhere."""
        ticket = self._tickets.get(ticket_id)
        if ticket is not None:
            self._tickets[ticket_id] = replace(ticket, met=met, unopened=unopened)

    def limits_of(self, pool: Pool) -> Limits:
        """Return the limits that hold for those of a pool."""
        groups = self.groups_of(pool)
        return self.limits if groups is None else groups.study.limits

    def take_up(self, groups: StudyGroups) -> None:
        """Take up a study, beside earlier versions of it, whose people wait on."""
        self._studies[groups.study.key] = groups

    def groups_of(self, pool: Pool) -> StudyGroups | None:
        """Return the study that those of a pool are in; None: they chose their company."""
        return None if pool.study is None else self._studies.get(pool.study)

    def deadline(self, ticket: Ticket) -> float:
        """Return when a ticket has waited as long as anybody may."""
        return ticket.deadline(self.limits_of(ticket.pool).wait_s)

    def is_late(self, ticket_id: str, now: float) -> bool:
        """Tell whether somebody of a study has waited as long as it lets anybody wait."""
        ticket = self._tickets.get(ticket_id)
        return ticket is not None and ticket.study is not None and self.deadline(ticket) <= now

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
        pool = sorted(
            (t for t in self if t.pool == ticket.pool and t.state in LIVE), key=attrgetter("place")
        )
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
        self._tickets[ticket_id] = replace(ticket, wants_to_begin=True)
        self._moved.add(ticket_id)
        return True

    def holders(self, code: str) -> list[Ticket]:
        """Return the tickets of an invitation, that of the inviting participant first."""
        return sorted((t for t in self if t.code == code), key=attrgetter("place"))

    def await_arrival(self, ticket_id: str, now: float) -> None:
        """Count the time to arrive from now on, as the form is not answered yet."""
        ticket = self._tickets.get(ticket_id)
        if ticket is not None and ticket.state is State.ARRIVING:
            self._tickets[ticket_id] = replace(
                ticket, absent_until=now + self.limits_of(ticket.pool).arrival_s
            )

    def appear(self, ticket_id: str, now: float) -> bool:
        """Note that the ticket's page is here (again)."""
        if (ticket := self._tickets.get(ticket_id)) and ticket.appeared_at is None:
            self._tickets[ticket_id] = replace(ticket, appeared_at=now)
        return self._apply(ticket_id, Event.APPEARED)

    def vanish(self, ticket_id: str, now: float) -> bool:
        """Note that the ticket's page is gone; the place is kept for the grace."""
        if (ticket := self._tickets.get(ticket_id)) is None:
            return False
        return self._apply(ticket_id, Event.VANISHED, now + self.limits_of(ticket.pool).grace_s)

    def cancel(self, ticket_id: str) -> bool:
        """End a stay; the others of a group that was asked go back to the front."""
        if not self._apply(ticket_id, Event.CANCEL):
            return False
        if (proposal := self.proposals.of(ticket_id)) is not None:
            self._fall(proposal)
        return True

    def send_on(self, ticket_id: str, now: float) -> bool:
        """Let somebody of a study wait no longer, and return whether they did.

        What the study does at its deadline comes next; whoever is asked to be ready has a group.
        """
        ticket = self._tickets.get(ticket_id)
        if ticket is None or ticket.wish is not Wish.STUDY or ticket.state not in LIVE - ASKED:
            return False
        self._tickets[ticket_id] = replace(ticket, sent_on_at=now)
        self._moved.add(ticket_id)
        return True

    def moved(self) -> list[Ticket]:
        """Return the tickets of which one may say more than how they joined, since the last call.

        They stand at the front, wait no longer, or for nobody else. The caller stores it.
        """
        found, self._moved = self._moved, set()
        return [self._tickets[ticket_id] for ticket_id in found if ticket_id in self._tickets]

    def round(self, now: float, rng: Random, free_sessions: int | None) -> Iterator[Match | Ticket]:
        """Yield what a round brings, in its order: groups that get a session, tickets that left.

        Nobody's wait is over before groups were tried. None free: groups are to be tried later, so
        only those leave who are not ready or away. What is yielded is done, one step after another.
        """
        yield from self._drop_unready(now)
        self._full_times.note(now, is_full=True)
        if free_sessions is not None:
            yield from self._pair(now, rng, free_sessions)
        yield from self._sweep_absent(now)
        if free_sessions is not None:
            late = [t for t in self if t.state is State.WAITING and self.deadline(t) <= now]
            yield from [self._leave(ticket.on(Event.WAIT_OVER)) for ticket in late]
            # Places that are drawn and whose groups gather may come back.
            full = [ticket for ticket in self if self._has_no_place(ticket)]
            yield from [self._leave(ticket.on(Event.ALL_FULL)) for ticket in full]

    def _drop_unready(self, now: float) -> list[Ticket]:
        """Remove those who were not ready in time; the others of their groups are put back."""
        removed: list[Ticket] = []
        for proposal in [p for p in self.proposals if p.until <= now and not self._is_ready(p)]:
            late = [t for t in self._of_match(proposal.match) if t.state is State.PROPOSED]
            removed.extend(self._leave(ticket.on(Event.READY_OVER)) for ticket in late)
            self._fall(proposal)
        return removed

    def _sweep_absent(self, now: float) -> list[Ticket]:
        """Remove the tickets whose grace is over."""
        absent = [(t, t.absent_until or 0.0) for t in self if t.state in ABSENT]
        # Whom an operator let go has waited for as long as they were to.
        return [
            self._leave(t.on(Event.GRACE_OVER if t.sent_on_at is None else Event.WAIT_OVER))
            for t, absent_until in absent
            if absent_until <= now
        ]

    def _has_no_place(self, ticket: Ticket) -> bool:
        groups = self.groups_of(ticket.pool)
        mine = None if groups is None else self.places.get(groups.study.key)
        may_go = (ticket.state, Event.ALL_FULL) in TRANSITIONS
        return mine is not None and may_go and mine.is_full_for(ticket.participant_id)

    def next_deadline(self) -> float | None:
        """Return when somebody will next have to leave, or a group that is ready begins."""
        deadlines = [
            self.deadline(ticket) if ticket.absent_until is None else ticket.absent_until
            for ticket in self
            if ticket.state in LIVE - ASKED
        ]
        deadlines.extend(p.begins_at if self._is_ready(p) else p.until for p in self.proposals)
        return min(deadlines, default=None)

    def _pair(self, now: float, rng: Random, free_sessions: int) -> list[Match]:
        """Form matches, at most one for each free session; their tickets are matched now.

        Groups of a study with a ready check are asked first, and hold a session meanwhile. A study
        whose `places` are not known yet forms none. Groups of studies are served before others.
        """
        for key, places in self.places.items():
            places.keep({t.participant_id for t in self if t.study == key})
        matches = [
            self._matched(self.proposals.begin(proposal))
            for proposal in self.proposals
            if self._is_ready(proposal) and proposal.begins_at <= now
        ]
        free_sessions -= len(matches) + len(self.proposals)
        if free_sessions <= 0:
            return matches
        present = [t for t in self if t.state is State.WAITING]
        formed = groups_formed(self._studies, self.places, present, now, rng)
        formed += self._matchmaker([t for t in present if t.wish is not Wish.STUDY], now, rng)
        self._full_times.note(now, is_full=len(formed) > free_sessions)
        for match in self._full_times.accounted(formed[:free_sessions], self._tickets):
            if (ready_s := self._ready_s(match)) > 0:
                self._propose(match, now, ready_s)
            else:
                matches.append(self._matched(match))
        return matches

    def _ready_s(self, match: Match) -> float:
        """Return how long a group is asked; 0: it is not."""
        groups = self._studies.get(match.study) if match.study is not None else None
        return 0.0 if groups is None else groups.ready_s

    def _is_ready(self, proposal: Proposal) -> bool:
        return all(t.state is State.READY for t in self._of_match(proposal.match))

    def _propose(self, match: Match, now: float, ready_s: float) -> None:
        after_s = 0.0
        if (held := HeldPlace.of(match, self.places)) is not None:
            after_s = held.places.ready_after_s(held.number)
        self.proposals.ask(Proposal(match, now, ready_s, after_s))
        self._hold(match)
        for ticket in self._of_match(match):
            self._tickets[ticket.ticket_id] = ticket.on(Event.PROPOSE)

    def _hold(self, match: Match) -> None:
        if (held := HeldPlace.of(match, self.places)) is not None:
            held.places.hold(held.number)

    def _matched(self, match: Match) -> Match:
        self._hold(match)
        for ticket in self._of_match(match):
            self._tickets[ticket.ticket_id] = ticket.on(Event.MATCH)
        return match

    def confirm(self, ticket_id: str, now: float) -> bool:
        """Note that somebody who is asked, and here, is ready."""
        ticket = self._tickets.get(ticket_id)
        if ticket is None or ticket.absent_until is not None:
            return False
        is_ready, proposal = self._apply(ticket_id, Event.CONFIRM), self.proposals.of(ticket_id)
        if is_ready and proposal is not None:
            proposal.confirm(ticket_id, now)
        return is_ready

    def ready_until(self, ticket_id: str) -> float | None:
        """Return until when somebody is asked to be ready; None: nobody asks."""
        proposal = self.proposals.of(ticket_id)
        return None if proposal is None else proposal.until

    def _fall(self, proposal: Proposal) -> None:
        """Put those who are left of a group that does not begin back to the front."""
        self.proposals.fall(proposal)
        if (held := HeldPlace.of(proposal.match, self.places)) is not None:
            held.places.release(held.number)
        for ticket in self._of_match(proposal.match):
            away_until = ticket.absent_until
            waiting = replace(ticket.on(Event.GROUP_FELL), is_first=True)
            if away_until is not None:
                waiting = waiting.on(Event.VANISHED, away_until)
            self._tickets[ticket.ticket_id] = waiting
            self._moved.add(ticket.ticket_id)

    def _of_match(self, match: Match) -> list[Ticket]:
        """Return the tickets of a match that have not left."""
        return [self._tickets[t] for t in match.ticket_ids if t in self._tickets]

    def settle(self, match: Match) -> None:
        """Remove the tickets of a match that has its session."""
        for ticket_id in match.ticket_ids:
            self._leave(self._tickets[ticket_id])

    def give_back(self, match: Match) -> None:
        """Put the tickets of a match that got no session back where they were in the queue.

        Their place goes back to its block.
        """
        if (held := HeldPlace.of(match, self.places)) is not None:
            held.places.leave(held.number, NOT_OPENED)
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
        if (ticket := self._tickets.get(ticket_id)) is None:
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
