"""Pages that every page of a visit leads to: *I have a problem*, and withdrawal."""

from __future__ import annotations

import structlog
from fastapi import APIRouter, Request
from starlette.responses import RedirectResponse, Response

from matchmaking.visits import Event
from server.store.visit_records import add_trouble, erase_answers
from server.store.visits import note_withdrawal
from server.web.application_state import AppState
from server.web.pages import VISIT
from server.web.participants.debrief_pages import may_withdraw, too_late
from server.web.participants.visit_context import HELP, STOP, MovedError, VisitContext
from server.web.participants.visit_lookup import load_visit, release

router = APIRouter(default_response_class=Response)
log = structlog.get_logger(__name__)

LONGEST_REPORT = 2000
"""Most characters of a report of a problem."""
MOST_TRIES = 10
"""Most tries to withdraw while other tabs move the visit; then its page asks once more."""


CHAT = "chat"
"""Topic of a report from the chat of a session."""
ABOUT_CHAT = "About the chat: "
"""Beginning of such a report, as the operator reads it."""


@router.get(f"{VISIT}/{HELP}")
async def help_page(request: Request, state: AppState) -> Response:
    about = request.query_params.get("about", "")
    at = await load_visit(request, state)
    return at.render("help.html", is_sent=False, is_empty=False, is_of_chat=about == CHAT)


@router.post(f"{VISIT}/{HELP}")
async def send_trouble(request: Request, state: AppState) -> Response:
    """Store a report and tell the operator. It changes nothing of the visit, nor of its pay."""
    form = await state.csrf.check(request)
    state.admission.admit_form(request, state.identity.fingerprint(request))
    at = await load_visit(request, state)
    text, is_of_chat = form.get("text", "").strip()[:LONGEST_REPORT], form.get("about") == CHAT
    if not text:
        return at.render(
            "help.html", status=422, is_sent=False, is_empty=True, is_of_chat=is_of_chat
        )
    if is_of_chat:
        text = ABOUT_CHAT + text
    async with state.database.transaction() as db:
        await add_trouble(db, at.visit, text, state.now())
    state.recruiting.wake()
    # Without its text, which may name somebody.
    log.warning(
        "visit.trouble",
        study=at.visit.study,
        visit=at.visit.visit_id,
        place=at.visit.place,
        session=at.visit.session_id,
        is_of_chat=is_of_chat,
    )
    return at.render("help.html", is_sent=True, is_empty=False, is_of_chat=is_of_chat)


@router.get(f"{VISIT}/{STOP}")
async def stop_page(request: Request, state: AppState) -> Response:
    at = await load_visit(request, state)
    # Withdrawn already, it may be in another browser: the last page says so.
    return at.go_on() if at.visit.withdrawn_at is not None else at.render("stop.html")


@router.post(f"{VISIT}/{STOP}")
async def stop(request: Request, state: AppState) -> Response:
    """End the visit: the seat is free at once, and answers are erased where that is asked for."""
    form = await state.csrf.check(request)
    state.admission.admit_form(request, state.identity.fingerprint(request))
    for _ in range(MOST_TRIES):
        at = await load_visit(request, state)
        goes_on = not at.standing.has_ended
        if goes_on:
            await release(at)
        elif not may_withdraw(at.open_study.study, state.now()):
            raise too_late(at.open_study.study)
        try:
            await _withdraw(at, erases=form.get("erase") == "yes")
        except MovedError:
            # Another tab was faster by a moment; what it did is no reason to stay.
            continue
        if goes_on:
            # Another tab may have entered the lobby meanwhile.
            await release(at)
        return RedirectResponse(VISIT, 303)
    return RedirectResponse(f"{VISIT}/{STOP}", 303)


async def _withdraw(at: VisitContext, *, erases: bool) -> None:
    async with at.turn() as db:
        if not at.standing.has_ended:
            await at.move(db, Event.WITHDREW)
        await note_withdrawal(db, at.visit.visit_id, at.state.now())
        if erases:
            await erase_answers(db, at.visit.visit_id)
