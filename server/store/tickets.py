"""Stays in the lobby. The queue in memory pairs them; how each one ended, its row decides."""

from __future__ import annotations

from collections.abc import Collection
from datetime import datetime
from itertools import takewhile
from typing import NamedTuple

from sqlalchemy import and_, func, literal, or_, select, update
from sqlalchemy.ext.asyncio import AsyncSession
from sqlalchemy.orm import aliased

from matchmaking.tickets import LIVE, State, Ticket
from matchmaking.tutorials import PRACTICE
from server.store.models import EpisodeRow, OccupancyRow, SessionRow, TicketRow
from server.store.visit_models import IdentityRow, VisitRow


def add_ticket(
    db: AsyncSession, ticket: Ticket, n_waiting: int, now: datetime, *, member: str
) -> TicketRow:
    row = TicketRow(
        ticket_id=ticket.ticket_id,
        participant_id=ticket.participant_id,
        wish=ticket.wish,
        code=ticket.code,
        team=ticket.team if ticket.study is None else ticket.study.name,
        seat=ticket.seat,
        robot=ticket.robot,
        rtt_ms=ticket.rtt_ms,
        state=ticket.state,
        member=member,
        joined_at=now,
        n_waiting_at_join=n_waiting,
    )
    db.add(row)
    return row


async def ticket_row(db: AsyncSession, ticket_id: str) -> TicketRow | None:
    return await db.get(TicketRow, ticket_id)


async def end_ticket(
    db: AsyncSession, ticket_id: str, state: State, now: datetime, match_id: str | None = None
) -> bool:
    """Note how a ticket left the lobby; return whether this was its end.

    A ticket that has ended stays as it ended.
    """
    ended = await db.scalar(
        update(TicketRow)
        .where(TicketRow.ticket_id == ticket_id, TicketRow.state.in_(LIVE))
        .values(state=state, left_at=now, match_id=match_id)
        .returning(TicketRow.ticket_id)
    )
    return ended is not None


async def move_ticket(db: AsyncSession, ticket: Ticket, sent_on_at: datetime | None) -> None:
    """Note that a ticket which has not ended stands at the front, or what it waits for no longer.

    Nothing of it is ever taken back, so notes of one ticket may be stored in any order.
    """
    await db.execute(
        update(TicketRow)
        .where(TicketRow.ticket_id == ticket.ticket_id, TicketRow.state.in_(LIVE))
        .values(
            is_first=or_(TicketRow.is_first, literal(ticket.is_first)),
            wants_to_begin=or_(TicketRow.wants_to_begin, literal(ticket.wants_to_begin)),
            sent_on_at=func.coalesce(TicketRow.sent_on_at, sent_on_at),
        )
    )


async def end_all_live(
    db: AsyncSession, now: datetime, keep: Collection[str] = (), *, member: str
) -> int:
    """End the tickets that a dead process of a member left behind; return how many."""
    rows = await db.scalars(
        update(TicketRow)
        .where(
            TicketRow.state.in_(LIVE),
            TicketRow.member == member,
            TicketRow.ticket_id.not_in(keep),
        )
        .values(state=State.STOPPED, left_at=now)
        .returning(TicketRow.ticket_id)
    )
    return len(rows.all())


async def live_tickets(db: AsyncSession, *, member: str) -> list[TicketRow]:
    """Return the stays of a member that have not ended, in the order in which they began."""
    rows = await db.scalars(
        select(TicketRow)
        .where(TicketRow.state.in_(LIVE), TicketRow.member == member)
        .order_by(TicketRow.joined_at, TicketRow.ticket_id)
    )
    return list(rows)


async def has_live_ticket(db: AsyncSession, participant_id: str) -> bool:
    """Tell whether somebody has a stay that has not ended."""
    live = select(TicketRow.ticket_id).where(
        TicketRow.participant_id == participant_id, TicketRow.state.in_(LIVE)
    )
    return await db.scalar(live.limit(1)) is not None


async def people_met(
    db: AsyncSession, participant_id: str, recruiters: Collection[str] = ()
) -> frozenset[str]:
    """Return the participants who have sat in a session with one, whenever that was.

    Each visit is another participant's; ``recruiters`` are the kinds by whose ids people are known
    again in other studies.
    """
    me = {participant_id} | await _same_people(db, [participant_id], recruiters)
    met = await _sat_with(db, me)
    return (met | await _same_people(db, met, recruiters)) - me


async def _sat_with(db: AsyncSession, people: Collection[str]) -> frozenset[str]:
    mine = select(OccupancyRow.session_id).where(OccupancyRow.participant_id.in_(people))
    rows = await db.scalars(
        select(OccupancyRow.participant_id)
        .where(
            OccupancyRow.session_id.in_(mine),
            OccupancyRow.participant_id.is_not(None),
            OccupancyRow.participant_id.not_in(people),
        )
        .distinct()
    )
    return frozenset(person for person in rows if person is not None)


async def _same_people(
    db: AsyncSession, people: Collection[str], recruiters: Collection[str]
) -> frozenset[str]:
    """Return all participants whom a recruiter knows by the id of one of some; never the ids.

    Ids of the mode ``test`` are made up, and are none of a person.
    """
    theirs, again = aliased(IdentityRow), aliased(IdentityRow)
    visit, other = aliased(VisitRow), aliased(VisitRow)
    rows = await db.scalars(
        select(other.participant_id)
        .join(again, again.visit_id == other.visit_id)
        .join(
            theirs,
            and_(
                theirs.recruiter == again.recruiter,
                theirs.external_hash == again.external_hash,
            ),
        )
        .join(visit, visit.visit_id == theirs.visit_id)
        .where(
            visit.participant_id.in_(people),
            theirs.recruiter.in_(recruiters),
            theirs.mode != "test",
            again.mode != "test",
        )
        .distinct()
    )
    return frozenset(rows)


async def session_of_ticket(db: AsyncSession, ticket_id: str) -> str | None:
    """Return the session that a ticket led to; None if it led to none."""
    return await db.scalar(
        select(SessionRow.session_id)
        .join(TicketRow, TicketRow.match_id == SessionRow.match_id)
        .where(TicketRow.ticket_id == ticket_id)
    )


async def is_of_team(db: AsyncSession, match_id: str, pairs: Collection[str]) -> bool:
    """Tell whether somebody of a match had asked for a team by name, other than for ``pairs``."""
    is_named = TicketRow.team.not_in(("", *pairs))
    asked = select(TicketRow.ticket_id).where(TicketRow.match_id == match_id, is_named)
    return await db.scalar(asked.limit(1)) is not None


async def tickets_with_code(db: AsyncSession, code: str) -> list[TicketRow]:
    """Return every stay with this invitation, the inviter's first."""
    rows = await db.scalars(
        select(TicketRow)
        .where(TicketRow.code == code)
        .order_by(TicketRow.joined_at, TicketRow.ticket_id)
    )
    return list(rows)


class DoneTask(NamedTuple):
    """Task that somebody has done in full, and the seat in which they did it."""

    session_id: str
    seat_id: str
    ended_at: datetime


async def tasks_done(db: AsyncSession, participant_id: str, team: str) -> list[DoneTask]:
    """Return the tasks that a participant has done in full in a team, the latest first."""
    rows = await db.execute(
        select(OccupancyRow.session_id, OccupancyRow.seat_id, EpisodeRow.ended_at)
        .join(TicketRow, TicketRow.ticket_id == OccupancyRow.ticket_id)
        .join(EpisodeRow, EpisodeRow.session_id == OccupancyRow.session_id)
        .where(
            OccupancyRow.participant_id == participant_id,
            TicketRow.team == team,
            EpisodeRow.success.is_(True),
        )
        .order_by(EpisodeRow.ended_at.desc())
    )
    return [DoneTask(session, seat, ended_at) for session, seat, ended_at in rows if ended_at]


async def stays_that_ended(db: AsyncSession, participant_id: str, state: State) -> int:
    """Return how many of a participant's stays ended in one state."""
    ended = select(func.count()).where(
        TicketRow.participant_id == participant_id, TicketRow.state == state
    )
    return await db.scalar(ended) or 0


async def unopened_stays(db: AsyncSession, participant_id: str) -> int:
    """Return for how many of a participant's stays no session opened, since they last had one.

    Ways into a practice are no stays of theirs.
    """
    states = await db.scalars(
        select(TicketRow.state)
        .where(
            TicketRow.participant_id == participant_id,
            TicketRow.team.not_in(PRACTICE),
            TicketRow.state.in_((State.UNOPENED, State.MATCHED)),
        )
        .order_by(TicketRow.joined_at.desc(), TicketRow.ticket_id.desc())
    )
    return sum(1 for _ in takewhile(lambda state: state == State.UNOPENED, states))


async def first_match_at(
    db: AsyncSession, participant_id: str, teams: Collection[str]
) -> datetime | None:
    """Return when a participant first had a home in one of some teams; None: never."""
    return await db.scalar(
        select(TicketRow.left_at)
        .where(
            TicketRow.participant_id == participant_id,
            TicketRow.team.in_(teams),
            TicketRow.state == State.MATCHED,
        )
        .order_by(TicketRow.left_at)
        .limit(1)
    )


async def latest_ticket(
    db: AsyncSession,
    participant_id: str,
    *,
    besides: Collection[str],
    states: Collection[State] = tuple(State),
) -> TicketRow | None:
    """Return a participant's last stay in some states for any but some teams; None: none."""
    return await db.scalar(
        select(TicketRow)
        .where(
            TicketRow.participant_id == participant_id,
            TicketRow.team.not_in(besides),
            TicketRow.state.in_(states),
        )
        .order_by(TicketRow.joined_at.desc(), TicketRow.ticket_id.desc())
        .limit(1)
    )
