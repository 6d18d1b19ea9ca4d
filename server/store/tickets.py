"""Stays in the lobby. The queue in memory pairs them; how each one ended, its row decides."""

from __future__ import annotations

from collections.abc import Collection
from datetime import datetime

from sqlalchemy import select, update
from sqlalchemy.ext.asyncio import AsyncSession

from matchmaking.tickets import LIVE, State, Ticket
from server.store.models import SessionRow, TicketRow


def add_ticket(
    db: AsyncSession, ticket: Ticket, n_waiting: int, now: datetime, *, member: str
) -> TicketRow:
    row = TicketRow(
        ticket_id=ticket.ticket_id,
        participant_id=ticket.participant_id,
        wish=ticket.wish,
        code=ticket.code,
        team=ticket.team,
        seat=ticket.seat,
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


async def session_of_ticket(db: AsyncSession, ticket_id: str) -> str | None:
    """Return the session that a ticket led to; None if it led to none."""
    return await db.scalar(
        select(SessionRow.session_id)
        .join(TicketRow, TicketRow.match_id == SessionRow.match_id)
        .where(TicketRow.ticket_id == ticket_id)
    )


async def tickets_with_code(db: AsyncSession, code: str) -> list[TicketRow]:
    """Return every stay with this invitation, the inviter's first."""
    rows = await db.scalars(
        select(TicketRow)
        .where(TicketRow.code == code)
        .order_by(TicketRow.joined_at, TicketRow.ticket_id)
    )
    return list(rows)
