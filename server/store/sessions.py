"""Matches and their sessions."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from datetime import datetime
from typing import NamedTuple

import msgspec
from sqlalchemy import or_, select, update
from sqlalchemy.ext.asyncio import AsyncSession
from sqlalchemy.orm import selectinload

from matchmaking.matches import Match
from server.sessions.spec import SessionSpec
from server.store.models import EpisodeRow, MatchRow, OccupancyRow, SessionRow
from server.store.types import StoredValueError

IDS_AT_ONCE = 500
"""Most identifiers in one statement."""
AT_ONCE_S = 5.0
"""Most seconds between the losses of several people that had one cause; sockets notice late."""


class StillPlayingError(Exception):
    """Error for a participant who plays in ``session_id`` and cannot leave it so."""

    def __init__(self, session_id: str) -> None:
        super().__init__(f"the participant still plays in session {session_id}")
        self.session_id = session_id


class LeftSeat(NamedTuple):
    """A seat that its participant has left for good."""

    session_id: str
    seat_id: str
    others_stay: bool
    """Whether the session is open for other people who sit there; it is closed otherwise."""


def add_match(
    db: AsyncSession, match_id: str, match: Match, seed: int, n_waiting: int, now: datetime
) -> MatchRow:
    row = MatchRow(
        match_id=match_id,
        policy=match.matchmaker,
        seed=seed,
        formed_at=now,
        n_waiting=n_waiting,
        team=match.team.written_out,
        cell=match.cell or None,
        is_substituted=match.is_substituted,
        decision=msgspec.to_builtins(match.decision),
        place=match.place,
        plan=msgspec.to_builtins(match.plan),
    )
    if match.study is not None:
        row.study, row.study_version = match.study.name, match.study.version
        row.study_mode = match.study.mode
    db.add(row)
    return row


def add_session(
    db: AsyncSession,
    spec: SessionSpec,
    match_id: str,
    match: Match,
    dataset: str,
    now: datetime,
    *,
    member: str,
) -> SessionRow:
    """Add the session of a match, which this member runs, with the occupants of its seats.

    People sit as the match has assigned them, and policies where the specification has them.
    """
    people = [
        OccupancyRow(
            seat_id=a.seat_id, participant_id=a.participant_id, ticket_id=a.ticket_id, since=now
        )
        for a in match.assignments
    ]
    policies = [
        OccupancyRow(seat_id=seat.seat.seat_id, policy=seat.policy, since=now)
        for seat in spec.seats
        if seat.occupied and seat.policy
    ]
    row = SessionRow(
        session_id=spec.session_id,
        match_id=match_id,
        state="open",
        member=member,
        seed=spec.seed,
        simulator=spec.simulator,
        profile=spec.profile,
        semantics=spec.semantics,
        dataset=dataset,
        spec=msgspec.to_builtins(spec),
        opened_at=now,
        occupancies=[*people, *policies],
    )
    db.add(row)
    return row


async def session_row(db: AsyncSession, session_id: str) -> SessionRow | None:
    """Return a session with its seats and episodes; None if it is not known."""
    return await db.scalar(
        select(SessionRow)
        .where(SessionRow.session_id == session_id)
        .options(selectinload(SessionRow.occupancies), selectinload(SessionRow.episodes))
    )


class OpenSessions(NamedTuple):
    """A member's sessions that are not closed, oldest first."""

    rows: list[SessionRow]
    unreadable: dict[str, StoredValueError]
    """Errors for those whose rows hold what no release writes, by their ids."""


async def open_sessions(db: AsyncSession, member: str) -> OpenSessions:
    """Return a member's sessions that are not closed, with seats and episodes.

    One whose rows cannot be read keeps no other back.
    """
    is_open = (SessionRow.state == "open", SessionRow.member == member)
    whole = (selectinload(SessionRow.occupancies), selectinload(SessionRow.episodes))
    every = select(SessionRow).where(*is_open).order_by(SessionRow.session_id).options(*whole)
    try:
        return OpenSessions(list(await db.scalars(every)), {})
    except StoredValueError:
        ids = await db.scalars(
            select(SessionRow.session_id).where(*is_open).order_by(SessionRow.session_id)
        )
    found = OpenSessions([], {})
    for session_id in ids.all():
        try:
            row = await session_row(db, session_id)
        except StoredValueError as error:
            found.unreadable[session_id] = error
        else:
            assert row is not None
            found.rows.append(row)
    return found


async def known_sessions(db: AsyncSession, session_ids: Collection[str]) -> set[str]:
    """Return those of some sessions that are known, of whatever member."""
    ids, known = sorted(session_ids), set[str]()
    for start in range(0, len(ids), IDS_AT_ONCE):
        some = ids[start : start + IDS_AT_ONCE]
        known.update(
            await db.scalars(select(SessionRow.session_id).where(SessionRow.session_id.in_(some)))
        )
    return known


async def played_sessions(db: AsyncSession, member: str) -> dict[str, bool]:
    """Return the ids of a member's sessions that were played, true for those that are open.

    One that failed without any verdict could not be opened.
    """
    judged = select(EpisodeRow.session_id).where(EpisodeRow.verdict.is_not(None))
    rows = await db.execute(
        select(SessionRow.session_id, SessionRow.state).where(
            SessionRow.member == member,
            or_(
                SessionRow.state == "open",
                SessionRow.close_reason != "failed",
                SessionRow.session_id.in_(judged),
            ),
        )
    )
    return {session_id: state == "open" for session_id, state in rows}


async def played_ticks(db: AsyncSession, member: str) -> dict[str, int]:
    """Return the ticks that were played of a member's sessions, as far as results tell of them."""
    rows = await db.execute(
        select(EpisodeRow.session_id, EpisodeRow.ticks, EpisodeRow.lost_ticks)
        .join(SessionRow, SessionRow.session_id == EpisodeRow.session_id)
        .where(SessionRow.member == member)
    )
    played: dict[str, int] = {}
    for session_id, ticks, lost_ticks in rows:
        # What was lost is among the ticks, unless nothing could be read.
        played[session_id] = played.get(session_id, 0) + max(ticks or 0, lost_ticks)
    return played


async def open_session_of(db: AsyncSession, participant_id: str) -> str | None:
    """Return the open session in which a participant has an episode to play.

    Of several, the latest; None if there is none.
    """
    return await db.scalar(
        select(SessionRow.session_id)
        .join(OccupancyRow, OccupancyRow.session_id == SessionRow.session_id)
        .join(EpisodeRow, EpisodeRow.session_id == SessionRow.session_id)
        .where(
            SessionRow.state == "open",
            OccupancyRow.participant_id == participant_id,
            OccupancyRow.until.is_(None),
            EpisodeRow.ended_at.is_(None),
        )
        .order_by(SessionRow.session_id.desc())
        .limit(1)
    )


async def last_session_of(db: AsyncSession, participant_id: str) -> SessionRow | None:
    """Return the session that a participant came to last, open or closed."""
    last = (
        select(OccupancyRow.session_id)
        .where(OccupancyRow.participant_id == participant_id)
        .order_by(OccupancyRow.occupancy_id.desc())
        .limit(1)
    )
    session_id = await db.scalar(last)
    return None if session_id is None else await session_row(db, session_id)


async def hold_open(db: AsyncSession, session_ids: Collection[str]) -> list[str]:
    """Return those of some sessions that are open; they stay so until the transaction ends."""
    held = await db.scalars(
        update(SessionRow)
        .where(SessionRow.session_id.in_(session_ids), SessionRow.state == "open")
        .values(state="open")
        .returning(SessionRow.session_id)
        .execution_options(synchronize_session=False)
    )
    return sorted(held.all())


async def leave_between_tasks(
    db: AsyncSession, participant_id: str, now: datetime
) -> list[LeftSeat]:
    """Free the seats in which a participant sits between two tasks; return them.

    Somebody who wants to play elsewhere leaves the people they played with: nobody sits in two
    sessions. Raises StillPlayingError where an episode goes on.
    """
    seats = await _held_seats(db, participant_id)
    playing = await db.scalar(
        select(EpisodeRow.session_id)
        .where(EpisodeRow.session_id.in_(seats), EpisodeRow.ended_at.is_(None))
        .limit(1)
    )
    if playing is not None:
        raise StillPlayingError(playing)
    return await _leave(db, participant_id, seats, now)


async def leave_sessions(db: AsyncSession, participant_id: str, now: datetime) -> list[LeftSeat]:
    """Free all seats of a participant who goes for good, also in the middle of a task."""
    return await _leave(db, participant_id, await _held_seats(db, participant_id), now)


async def leave_session(
    db: AsyncSession, session_id: str, participant_id: str, now: datetime
) -> list[LeftSeat]:
    """Free a participant's seat in one session, also in the middle of a task."""
    held = await _held_seats(db, participant_id)
    return await _leave(db, participant_id, {k: v for k, v in held.items() if k == session_id}, now)


async def _held_seats(db: AsyncSession, participant_id: str) -> dict[str, str]:
    """Return the seats of a participant by session, which stay open until the transaction ends."""
    mine = await db.execute(
        select(OccupancyRow.session_id, OccupancyRow.seat_id).where(
            OccupancyRow.participant_id == participant_id, OccupancyRow.until.is_(None)
        )
    )
    seats = {row.session_id: row.seat_id for row in mine}
    return {session_id: seats[session_id] for session_id in await hold_open(db, seats)}


async def _leave(
    db: AsyncSession, participant_id: str, seats: Mapping[str, str], now: datetime
) -> list[LeftSeat]:
    """Free seats of a participant; where no person is left, the session is closed."""
    left = []
    for session_id, seat_id in seats.items():
        others_stay = await _vacate(db, session_id, participant_id, now)
        if not others_stay:
            await close_session(db, session_id, "finished", now)
        left.append(LeftSeat(session_id, seat_id, others_stay))
    return left


async def _vacate(db: AsyncSession, session_id: str, participant_id: str, now: datetime) -> bool:
    """Free a participant's seat in a session that is held; tell whether another person is left."""
    is_of_session = OccupancyRow.session_id == session_id, OccupancyRow.until.is_(None)
    await db.execute(
        update(OccupancyRow)
        .where(*is_of_session, OccupancyRow.participant_id == participant_id)
        .values(until=now)
    )
    other = select(OccupancyRow.seat_id).where(
        *is_of_session, OccupancyRow.participant_id.is_not(None)
    )
    return await db.scalar(other.limit(1)) is not None


async def free_seats(db: AsyncSession, session_id: str, left_at: Mapping[str, datetime]) -> None:
    """Free seats of a session that does not go on, as of the times at which their people left."""
    for seat_id, until in left_at.items():
        await db.execute(
            update(OccupancyRow)
            .where(
                OccupancyRow.session_id == session_id,
                OccupancyRow.seat_id == seat_id,
                OccupancyRow.participant_id.is_not(None),
                OccupancyRow.until.is_(None),
            )
            .values(until=until)
        )


async def note_substitute(db: AsyncSession, session_id: str) -> None:
    """Note of the match of a session that a policy had a person's place for a while."""
    mine = select(SessionRow.match_id).where(SessionRow.session_id == session_id)
    await db.execute(
        update(MatchRow).where(MatchRow.match_id.in_(mine)).values(is_substituted=True)
    )


async def close_session(db: AsyncSession, session_id: str, reason: str, now: datetime) -> None:
    """Close a session, free its seats and end what was still being played.

    Once closed, it stays closed.
    """
    closed = await db.scalar(
        update(SessionRow)
        .where(SessionRow.session_id == session_id, SessionRow.state == "open")
        .values(state="closed", closed_at=now, close_reason=reason)
        .returning(SessionRow.session_id)
    )
    if closed is None:
        return
    await db.execute(
        update(OccupancyRow)
        .where(OccupancyRow.session_id == session_id, OccupancyRow.until.is_(None))
        .values(until=now)
    )
    await db.execute(
        update(EpisodeRow)
        .where(EpisodeRow.session_id == session_id, EpisodeRow.ended_at.is_(None))
        .values(ended_at=now, end_reason=reason)
    )


def seat_of(session: SessionRow, participant_id: str) -> str | None:
    """Return the seat in which the participant sits, or sat last."""
    mine = [o for o in session.occupancies if o.participant_id == participant_id]
    return max(mine, key=lambda o: (o.until is None, o.occupancy_id)).seat_id if mine else None


def is_present(session: SessionRow, participant_id: str) -> bool:
    """Tell whether the participant has a seat in the session and has not left it."""
    return any(o.participant_id == participant_id and o.until is None for o in session.occupancies)


def has_other_people(session: SessionRow, participant_id: str) -> bool:
    """Tell whether other people have seats in the session and have not left them."""
    return any(
        o.participant_id not in (None, participant_id) and o.until is None
        for o in session.occupancies
    )


def _ends(session: SessionRow) -> dict[str, datetime]:
    """Return when each person of a session left it; those who sit there are not in it."""
    ends: dict[str, datetime] = {}
    for o in session.occupancies:
        if o.participant_id is not None and o.until is not None:
            ends[o.participant_id] = max(o.until, ends.get(o.participant_id, o.until))
    return ends


def others_left_first(session: SessionRow, participant_id: str) -> bool:
    """Tell whether another person had left a session before somebody did, or before it closed."""
    ends = _ends(session)
    mine = ends.pop(participant_id, None)
    return any(mine is None or until < mine for until in ends.values())


def lost_together(session: SessionRow, participant_id: str) -> bool:
    """Tell whether somebody and another person were gone at one moment, before the session closed.

    Nobody of them has left the others; whom a third had left before was left by that one.
    """
    ends = _ends(session)
    lost = {who: until for who, until in ends.items() if not has_stayed(session, who)}
    mine = lost.pop(participant_id, None)
    if mine is None:
        return False
    after_s = [(until - mine).total_seconds() for until in lost.values()]
    return any(abs(s) <= AT_ONCE_S for s in after_s) and min(after_s) >= -AT_ONCE_S


def left_before_the_end(session: SessionRow, participant_id: str) -> bool:
    """Tell whether somebody was gone when the last episode of a session ended.

    A clock that was set back between that and the session's end says so of nobody who stayed.
    """
    mine = _ends(session).get(participant_id)
    ended_at = session.episodes[-1].ended_at if session.episodes else None
    is_earlier = mine is not None and ended_at is not None and mine < ended_at
    return is_earlier and not has_stayed(session, participant_id)


def has_stayed(session: SessionRow, participant_id: str) -> bool:
    """Tell whether somebody sat in a session to its end, or sits there."""
    mine = _ends(session).get(participant_id)
    return mine is None or (session.closed_at is not None and mine >= session.closed_at)


def people_in(session: SessionRow) -> dict[str, str]:
    """Return the participants of a session by their seats."""
    return {o.seat_id: o.participant_id for o in session.occupancies if o.participant_id}


def vacated_seats(session: SessionRow) -> list[str]:
    """Return the seats of an open session that their people have left for good."""
    return [o.seat_id for o in session.occupancies if o.participant_id and o.until is not None]
