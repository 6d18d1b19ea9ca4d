"""Visits of studies: how they begin, move and end.

Whoever moves a visit says at which step they saw it; of several who move it at once, in whatever
process, one succeeds and the others look again.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from datetime import datetime
from typing import Any, NamedTuple

from msgspec import convert
from sqlalchemy import select, update
from sqlalchemy.ext.asyncio import AsyncSession

from matchmaking.study.endings import Ending
from matchmaking.study_key import StudyKey
from matchmaking.tickets import State
from matchmaking.tutorials import PRACTICE
from matchmaking.visits import LIVE, Event, Place, Route, Standing
from server.store.models import ParticipantRow
from server.store.sealed_rows import hidden_id, sealed_object, sealed_text
from server.store.tickets import latest_ticket, session_of_ticket
from server.store.visit_models import IdentityRow, VisitRow, VisitStepRow

MOVING = ("place", "page", "ending", "n_steps", "here_since", "ended_at", "session_id", "occasion")
"""Columns of a visit that a move changes."""


class Arrival(NamedTuple):
    """Facts of an arrival that are stored with the visit which begins."""

    study: str
    study_version: int
    mode: str
    recruiter: str
    language: str
    external_id: str | None
    parameters: Mapping[str, str]


def standing_of(visit: VisitRow) -> Standing:
    """Return the point that a visit has reached."""
    ending = Ending(visit.ending) if visit.ending else None
    return Standing(Place(visit.place), visit.page, ending)


def study_key_of(visit: VisitRow) -> StudyKey:
    """Return which study a visit is in."""
    return convert(
        {"name": visit.study, "version": visit.study_version, "mode": visit.mode}, StudyKey
    )


async def visit_of(db: AsyncSession, participant_id: str | None) -> VisitRow | None:
    """Return the visit of a participant; None: they came by no study's link."""
    if participant_id is None:
        return None
    return await db.scalar(select(VisitRow).where(VisitRow.participant_id == participant_id))


async def link_of(db: AsyncSession, visit_id: str) -> Mapping[str, str]:
    """Return the parameters of the link with which somebody began a visit; empty: none are kept."""
    identity = await db.get(IdentityRow, visit_id)
    return {} if identity is None else identity.parameters


class NotInLobbyError(Exception):
    """Error for a participant whose visit is not in the lobby of its study (any more)."""


async def check_in_lobby(db: AsyncSession, participant_id: str) -> None:
    """Check that a participant's visit is in the lobby of its study, without a session.

    Raises NotInLobbyError.
    """
    visit = await visit_of(db, participant_id)
    if visit is None or visit.place != Place.LOBBY or await new_session_of(db, visit):
        raise NotInLobbyError("the visit is not in the lobby of its study (any more)")


async def new_session_of(db: AsyncSession, visit: VisitRow) -> str | None:
    """Return the session that somebody was matched for who is in the lobby; None: there is none.

    Further tickets may have come after the one that was matched, and ended: of another tab, say.
    """
    ticket = await latest_ticket(
        db, visit.participant_id, besides=PRACTICE, states=(State.MATCHED,)
    )
    session_id = None if ticket is None else await session_of_ticket(db, ticket.ticket_id)
    return None if session_id == visit.session_id else session_id


async def known_visit(db: AsyncSession, arrival: Arrival) -> VisitRow | None:
    """Return the visit that somebody with the same id at the recruiter began before."""
    if arrival.external_id is None:
        return None
    return await db.scalar(
        select(VisitRow)
        .join(IdentityRow, IdentityRow.visit_id == VisitRow.visit_id)
        .where(
            IdentityRow.study == arrival.study,
            IdentityRow.mode == arrival.mode,
            IdentityRow.recruiter == arrival.recruiter,
            IdentityRow.external_hash == hidden_id(db, arrival.recruiter, arrival.external_id),
        )
    )


async def begin_visit(
    db: AsyncSession,
    visit_id: str,
    participant_id: str,
    arrival: Arrival,
    start: Standing,
    now: datetime,
) -> VisitRow:
    """Store a new visit with what the recruiter said of it."""
    row = VisitRow(
        visit_id=visit_id,
        participant_id=participant_id,
        study=arrival.study,
        study_version=arrival.study_version,
        mode=arrival.mode,
        recruiter=arrival.recruiter,
        language=arrival.language,
        place=start.place,
        page=start.page,
        n_steps=0,
        arrived_at=now,
        here_since=now,
    )
    db.add(row)
    await db.flush()
    known = arrival.external_id
    identity = IdentityRow(
        visit_id=visit_id,
        study=arrival.study,
        mode=arrival.mode,
        recruiter=arrival.recruiter,
        external_id=None if known is None else await sealed_text(db, participant_id, known),
        external_hash=None if known is None else hidden_id(db, arrival.recruiter, known),
        parameters=await sealed_object(db, participant_id, dict(arrival.parameters)),
    )
    db.add(identity)
    await db.flush()
    return row


async def hold_visit(db: AsyncSession, visit: VisitRow) -> bool:
    """Keep a visit where it is until the transaction ends; False: it has moved already."""
    return await _change_unmoved(db, visit, n_steps=VisitRow.n_steps)


async def held_visit(db: AsyncSession, visit_id: str) -> VisitRow:
    """Return a visit as it is now, and keep others from changing it until the transaction ends."""
    return await db.get_one(VisitRow, visit_id, populate_existing=True, with_for_update=True)


async def _change_unmoved(db: AsyncSession, visit: VisitRow, **values: Any) -> bool:
    """Write to a visit that stands where it stood when it was read; False: it has moved."""
    changed = await db.scalar(
        update(VisitRow)
        .where(VisitRow.visit_id == visit.visit_id, VisitRow.n_steps == visit.n_steps)
        .values(**values)
        .returning(VisitRow.visit_id)
        .execution_options(synchronize_session=False)
    )
    return changed is not None


async def move_visit(
    db: AsyncSession,
    visit: VisitRow,
    event: Event,
    route: Route,
    now: datetime,
    **changes: str | None,
) -> bool:
    """Move a visit on; False where somebody else has moved it since it was read.

    ``changes`` are further columns: the session, or the occasion of questions.

    The row says afterwards where it stands. Raises VisitError for an event that does not apply.
    """
    before = standing_of(visit)
    after = before.after(event, route)
    has_moved = await _change_unmoved(
        db,
        visit,
        place=after.place,
        page=after.page,
        ending=after.ending,
        n_steps=visit.n_steps + 1,
        here_since=now,
        ended_at=now if after.has_ended else None,
        **changes,
    )
    fresh = await db.get_one(VisitRow, visit.visit_id, populate_existing=True)
    for column in MOVING:
        setattr(visit, column, getattr(fresh, column))
    if not has_moved:
        return False
    step = VisitStepRow(
        visit_id=visit.visit_id,
        number=visit.n_steps,
        event=event,
        from_place=before.place,
        from_page=before.page,
        place=after.place,
        page=after.page,
        ending=after.ending,
        at=now,
    )
    db.add(step)
    await db.flush()
    return True


async def steps_of(db: AsyncSession, visit_id: str) -> list[VisitStepRow]:
    """Return the steps of a visit, in their order."""
    rows = await db.scalars(
        select(VisitStepRow).where(VisitStepRow.visit_id == visit_id).order_by(VisitStepRow.number)
    )
    return list(rows)


async def live_visits(db: AsyncSession, studies: Collection[str]) -> list[VisitRow]:
    """Return the visits of some studies that go on, oldest first."""
    rows = await db.scalars(
        select(VisitRow)
        .where(VisitRow.place.in_(sorted(LIVE)), VisitRow.study.in_(studies))
        .order_by(VisitRow.visit_id)
    )
    return list(rows)


async def visits_in_mode(db: AsyncSession, study: str, mode: str) -> list[VisitRow]:
    """Return all visits of a study in one mode, of whatever version."""
    rows = await db.scalars(
        select(VisitRow)
        .where(VisitRow.study == study, VisitRow.mode == mode)
        .order_by(VisitRow.visit_id)
    )
    return list(rows)


async def visits_of_study(db: AsyncSession, study: str) -> list[tuple[VisitRow, IdentityRow]]:
    """Return all visits of a study with who they are at the recruiter, oldest first."""
    rows = await db.execute(
        select(VisitRow, IdentityRow)
        .join(IdentityRow, IdentityRow.visit_id == VisitRow.visit_id)
        .where(VisitRow.study == study)
        .order_by(VisitRow.visit_id)
    )
    return [(visit, identity) for visit, identity in rows]


async def give_to_browser(db: AsyncSession, participant_id: str, cookie_hash: str) -> None:
    """Let a participant be known by another cookie: they came again, in another browser."""
    await db.execute(
        update(ParticipantRow)
        .where(ParticipantRow.participant_id == participant_id)
        .values(cookie_hash=cookie_hash)
    )


async def note_withdrawal(db: AsyncSession, visit_id: str, now: datetime) -> None:
    """Note that somebody has withdrawn, whether before the end or after it; the first time counts.

    What belongs to them is left out of all that is made of the data from then on.
    """
    await db.execute(
        update(VisitRow)
        .where(VisitRow.visit_id == visit_id, VisitRow.withdrawn_at.is_(None))
        .values(withdrawn_at=now)
        .execution_options(synchronize_session=False)
    )
