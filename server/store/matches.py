"""Matches as one transaction: session, seats, first episode and the end of the tickets, or nothing.

The tickets' rows guard it. Whoever ends a ticket does so only while its row is live, so that two
matches, or a match and somebody who leaves, cannot both have it, in whatever process they run.
"""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime
from typing import NamedTuple

from sqlalchemy import select, update
from sqlalchemy.ext.asyncio import AsyncSession

from matchmaking.matches import Match
from matchmaking.tickets import State
from server.sessions.spec import EpisodeSpec, SessionSpec
from server.store.episodes import Provenance, add_episode
from server.store.models import MatchRow, OccupancyRow, SessionRow, TicketRow
from server.store.sessions import add_match, add_session
from server.store.tickets import end_ticket


class MatchRecord(NamedTuple):
    """Contents of a match as they are stored when its session opens."""

    match_id: str
    match: Match
    seed: int
    n_waiting: int
    spec: SessionSpec
    dataset: str
    member: str
    """Server that runs the session."""
    episode: EpisodeSpec
    provenance: Provenance


class MatchRefusedError(Exception):
    """Error for a match some of whose tickets have ended, or whose people play already.

    Nothing of the match is stored then, nor will be.
    """

    def __init__(self, ticket_ids: frozenset[str]) -> None:
        super().__init__(
            "expected live tickets of people who play nowhere; these are not: "
            f"{', '.join(sorted(ticket_ids))}"
        )
        self.ticket_ids = ticket_ids


async def store_match(db: AsyncSession, record: MatchRecord, now: datetime) -> None:
    """Store a match whole; do nothing if it is stored already. Raises MatchRefusedError.

    Attempts at the same match cannot both succeed, however late the first one's commit arrives:
    the second waits for the row of the match that the first one has inserted.
    """
    if await _session_exists(db, record.spec.session_id):
        return
    match, now_matched = record.match, State.MATCHED
    add_match(db, record.match_id, match, record.seed, record.n_waiting, now)
    await db.flush()
    # In one order everywhere, so that two of these never wait for each other.
    refused = {
        ticket_id
        for ticket_id in sorted(match.ticket_ids)
        if not await end_ticket(db, ticket_id, now_matched, now, record.match_id)
    }
    seated = await _seated(db, [a.participant_id for a in match.assignments])
    refused |= {a.ticket_id for a in match.assignments if a.participant_id in seated}
    if refused:
        raise MatchRefusedError(frozenset(refused))
    row = add_session(
        db, record.spec, record.match_id, match, record.dataset, now, member=record.member
    )
    await db.flush()
    add_episode(db, row, record.episode, 0, record.provenance, now)
    await db.flush()


async def match_is_stored(db: AsyncSession, record: MatchRecord) -> bool:
    """Tell for certain whether a match is stored, also while an earlier commit is under way.

    The tickets' rows are locked first, which waits until such a commit has succeeded or failed.
    """
    for ticket_id in sorted(record.match.ticket_ids):
        await db.execute(
            update(TicketRow)
            .where(TicketRow.ticket_id == ticket_id)
            .values(state=TicketRow.state)
            .execution_options(synchronize_session=False)
        )
    return await _session_exists(db, record.spec.session_id)


async def study_of_match(db: AsyncSession, match_id: str) -> str | None:
    """Return the name of the study that a match belongs to; None for open play."""
    row = await db.get(MatchRow, match_id)
    return None if row is None else row.study


async def study_of_session(db: AsyncSession, session_id: str) -> str | None:
    """Return the name of the study that a session belongs to; None for open play."""
    return await db.scalar(
        select(MatchRow.study)
        .join(SessionRow, SessionRow.match_id == MatchRow.match_id)
        .where(SessionRow.session_id == session_id)
    )


async def _session_exists(db: AsyncSession, session_id: str) -> bool:
    found = await db.scalar(
        select(SessionRow.session_id).where(SessionRow.session_id == session_id)
    )
    return found is not None


async def _seated(db: AsyncSession, participant_ids: Iterable[str]) -> set[str | None]:
    """Return those of some participants who have a seat in an open session."""
    rows = await db.scalars(
        select(OccupancyRow.participant_id).where(
            OccupancyRow.participant_id.in_(list(participant_ids)), OccupancyRow.until.is_(None)
        )
    )
    return set(rows)
