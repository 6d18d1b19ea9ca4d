"""Look-up of the visit of whoever asks, brought up to date, and the way out of what it holds."""

from __future__ import annotations

from datetime import timedelta

from fastapi import Request

from matchmaking.visits import Event
from server.store.sessions import leave_sessions
from server.store.visits import visit_of
from server.web.application_state import ApplicationState
from server.web.open_homes import leave_home, open_home_of
from server.web.participants.link_faults import page_of
from server.web.participants.progress import news_of
from server.web.participants.texts import texts_for, texts_in
from server.web.participants.visit_context import MovedError, OngoingVisit, VisitContext

MOST_NEWS = 4
"""Most events that are looked up at once: matched, played, and the questions between."""


async def load_visit(request: Request, state: ApplicationState) -> VisitContext:
    """Return the visit of whoever asks, up to date. Raises PageError where there is none."""
    async with state.database.transaction() as db:
        visit = await visit_of(db, await state.identity.of(request, db))
        study = None if visit is None else await state.studies.of_visit(db, visit)
    if visit is None:
        raise page_of(texts_for(request.headers.get("accept-language", "")), 404, "no-visit")
    if study is None:
        raise page_of(texts_in(visit.language), 410, "closed-study")
    return await _up_to_date(VisitContext(state, visit, study, request))


async def visit_in_task(
    request: Request, state: ApplicationState, participant: str
) -> VisitContext | None:
    """Return the visit of somebody to whom a task is shown, up to date; None: they are in no study.

    The lobby leads straight into the task. What ends the wait, which is paid, is that somebody sees
    it, and not the next look of whoever keeps visits.
    """
    async with state.database.transaction() as db:
        visit = await visit_of(db, participant)
        study = None if visit is None else await state.studies.of_visit(db, visit)
    if visit is None or study is None:
        return None
    return await _up_to_date(VisitContext(state, visit, study, request))


async def _up_to_date(at: VisitContext) -> VisitContext:
    if at.standing.has_ended:
        return at
    try:
        await bring_up_to_date(at)
    except MovedError:
        # Somebody else has brought it there: one more look is enough.
        async with at.state.database.transaction() as db:
            at.visit = await visit_of(db, at.visit.participant_id) or at.visit
    return at


async def bring_up_to_date(at: OngoingVisit) -> None:
    """Move a visit on by all that has happened to it. Raises MovedError."""
    for _ in range(MOST_NEWS):
        async with at.state.database.transaction() as db:
            news = await news_of(db, at.visit, at.open_study)
        if news is None:
            break
        async with at.turn() as db:
            await at.move(db, news.event, **news.changes)
    if is_late(at):
        await release(at)
        async with at.turn() as db:
            await at.move(db, Event.LATE)
        await release(at)


def is_late(at: OngoingVisit) -> bool:
    """Tell whether a visit has taken longer than its study lets it."""
    limit_s = at.open_study.study.visit_limit_s
    if limit_s is None or at.standing.has_ended:
        return False
    return at.state.now() - at.visit.arrived_at > timedelta(seconds=limit_s)


async def release(at: OngoingVisit) -> None:
    """Free the place in the lobby and the seat that a participant has; others play on.

    Call it before a visit is ended, and after that again: until then another tab may enter the
    lobby.
    """
    state, participant = at.state, at.visit.participant_id
    ticket = state.lobby.ticket_of(participant)
    if ticket is not None:
        await state.lobby.cancel(ticket.ticket_id)
    async with state.database.transaction() as db:
        home = await open_home_of(db, participant)
    if home is not None and not home.is_shared:
        await leave_home(state, home)
    async with state.database.transaction() as db:
        seats = await leave_sessions(db, participant, state.now())
    await state.sessions.left(seats)
