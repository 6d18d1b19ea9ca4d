"""Records of stays in the lobby: a ticket's row is there before anybody can be matched with it."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Collection, Iterator, Sequence
from datetime import datetime

import structlog
from msgspec.structs import replace
from sqlalchemy.ext.asyncio import AsyncSession

from matchmaking.tickets import State, Ticket, Wish
from server.lobby.contracts import Past
from server.lobby.ticket_outcomes import (
    CLOSED_BY_STATE,
    GOING_AWAY,
    Matched,
    Outcome,
    closed_by,
)
from server.personal.key_folder import ForgottenError, KeysError
from server.store.attempts import ATTEMPT_S, attempt, retry_pauses
from server.store.database import Database
from server.store.database_faults import DatabaseError
from server.store.sealed_rows import ensure_key_of
from server.store.sessions import LeftSeat, leave_between_tasks
from server.store.tickets import (
    add_ticket,
    end_ticket,
    live_tickets,
    move_ticket,
    people_met,
    session_of_ticket,
    ticket_row,
    unopened_stays,
)
from server.store.visits import check_in_lobby, study_key_of, visit_of
from server.wall_clock import utc_now

log = structlog.get_logger(__name__)


class TicketRecords:
    """Records of the tickets of a member in a database.

    ``left`` is told of seats whose people play elsewhere now; ``naming_people`` are the kinds of
    recruiters by whose ids people are known again in another study.
    """

    def __init__(
        self,
        database: Database,
        member: str,
        left: Callable[[Sequence[LeftSeat]], Awaitable[None]],
        now: Callable[[], datetime] = utc_now,
        pauses: Callable[[], Iterator[float]] = retry_pauses,
        attempt_s: float = ATTEMPT_S,
        naming_people: Collection[str] = (),
    ) -> None:
        self._database, self._member = database, member
        self._left, self._now = left, now
        self._pauses, self._attempt_s = pauses, attempt_s
        self._naming_people = naming_people

    async def ticket_joined(self, ticket: Ticket, n_waiting: int) -> Past:
        """Store a new ticket; its participant leaves sessions that are between tasks.

        Returns their past. Raises StillPlayingError, NotInLobbyError, DatabaseError, and KeysError
        where their key is missing.
        """
        try:
            seats, past = await attempt(self._begin(ticket, n_waiting), self._attempt_s)
        except TimeoutError as error:
            raise DatabaseError(f"a stay could not be stored, try again: {error}") from error
        try:
            await self._left(seats)
        except Exception as error:
            # The manager of sessions looks again by itself.
            sessions = [seat.session_id for seat in seats]
            log.warning("lobby.not_left", sessions=sessions, reason=repr(error))
        return past

    async def _begin(self, ticket: Ticket, n_waiting: int) -> tuple[list[LeftSeat], Past]:
        now = self._now()
        async with self._database.transaction() as db:
            if ticket.wish is Wish.STUDY:
                # Another tab may have ended the visit since the form was sent.
                await check_in_lobby(db, ticket.participant_id)
            # Before a group of theirs is formed, which would meet the fault with them.
            await ensure_key_of(db, ticket.participant_id)
            seats = await leave_between_tasks(db, ticket.participant_id, now)
            add_ticket(db, ticket, n_waiting, now, member=self._member)
            past = await self._past(db, ticket)
        return seats, past

    async def live_tickets(self, now: float) -> list[Ticket]:
        """Return the tickets that were live when the last process ended."""
        wall, tickets = self._now(), []
        async with self._database.transaction() as db:
            for row in await live_tickets(db, member=self._member):
                await self._ensure_key(db, row.participant_id)
                joined_at = _before(row.joined_at, wall, now)
                assert joined_at is not None, "every stay has a beginning"
                study = None
                if row.wish == Wish.STUDY:
                    visit = await visit_of(db, row.participant_id)
                    study = None if visit is None else study_key_of(visit)
                ticket = Ticket(
                    row.ticket_id,
                    row.participant_id,
                    Wish(row.wish),
                    joined_at,
                    code=row.code,
                    robot=row.robot,
                    team="" if study is not None else row.team,
                    study=study,
                    seat=row.seat,
                    rtt_ms=row.rtt_ms,
                    wants_to_begin=row.wants_to_begin,
                    sent_on_at=_before(row.sent_on_at, wall, now),
                    is_first=row.is_first,
                )
                met, unopened = await self._past(db, ticket)
                tickets.append(replace(ticket, met=met, unopened=unopened))
        return tickets

    async def _ensure_key(self, db: AsyncSession, person: str) -> None:
        """Make the key of somebody who came before each had one (an earlier release)."""
        try:
            await ensure_key_of(db, person)
        except (ForgottenError, KeysError) as error:
            # Their group is told when it begins; the lobby of all others has to open.
            log.error("lobby.no_key", reason=str(error))

    async def ticket_moved(self, ticket: Ticket) -> None:
        """Store what became of a place in the queue, so that the next process keeps it."""
        sent_on = None if ticket.sent_on_at is None else self._now()

        async def move() -> None:
            async with self._database.transaction() as db:
                await move_ticket(db, ticket, sent_on)

        for pause_s in self._pauses():
            try:
                await attempt(move(), self._attempt_s)
                return
            except Exception as error:
                log.warning("lobby.move_not_stored", ticket=ticket.ticket_id, reason=repr(error))
            await asyncio.sleep(pause_s)

    async def ticket_ended(self, ticket: Ticket, state: State) -> Outcome | None:
        """Store how a ticket ended, however long the database is away.

        Returns None, or how it had ended before: a ticket ends once.
        """
        for pause_s in self._pauses():
            try:
                return await attempt(self._end(ticket, state), self._attempt_s)
            except Exception as error:
                log.warning("lobby.end_not_stored", ticket=ticket.ticket_id, reason=repr(error))
            await asyncio.sleep(pause_s)
        raise AssertionError("the pauses have no end")

    async def _end(self, ticket: Ticket, state: State) -> Outcome | None:
        async with self._database.transaction() as db:
            if await end_ticket(db, ticket.ticket_id, state, self._now()):
                return None
            row = await ticket_row(db, ticket.ticket_id)
            if row is None:
                # Its beginning was not stored, or is not yet: this row keeps that one out.
                begun = add_ticket(db, ticket, 0, self._now(), member=self._member)
                begun.state, begun.left_at = state, self._now()
                return None
            return None if row.state == state else await self._outcome(db, ticket.ticket_id)

    async def _past(self, db: AsyncSession, ticket: Ticket) -> Past:
        if ticket.wish is not Wish.STUDY:
            return Past()
        met = await people_met(db, ticket.participant_id, self._naming_people)
        return Past(met, await unopened_stays(db, ticket.participant_id))

    async def outcome_of(self, ticket_id: str) -> Outcome:
        """Return how a ticket ended that the lobby does not have any more."""
        async with self._database.transaction() as db:
            return await self._outcome(db, ticket_id)

    async def _outcome(self, db: AsyncSession, ticket_id: str) -> Outcome:
        session_id = await session_of_ticket(db, ticket_id)
        if session_id is not None:
            return Matched(session_id)
        row = await ticket_row(db, ticket_id)
        if row is None:
            return CLOSED_BY_STATE[State.GONE]
        state = State(row.state)
        # One that has not ended goes on in the next process: this one is about to end.
        return closed_by(state, Wish(row.wish)) if state in CLOSED_BY_STATE else GOING_AWAY


def _before(at: datetime | None, wall: datetime, now: float) -> float | None:
    """Return a time on the clock that shows ``now`` when the wall's shows ``wall``.

    No stay began in the future: the wall's clock was wrong then, and was set back since.
    """
    return None if at is None else now - max(0.0, (wall - at).total_seconds())
