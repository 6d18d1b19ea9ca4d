"""Pages of a visit: each address leads to the page at which the visit stands."""

from __future__ import annotations

from contextlib import suppress

from fastapi import APIRouter, Request
from starlette.responses import RedirectResponse, Response

from server.store.visit_records import save_draft
from server.web.application_state import AppState
from server.web.errors import PageError
from server.web.forms import Form
from server.web.pages import VISIT
from server.web.participants.ending_page import show_the_end
from server.web.participants.page_reading import READ_MS, note_reading
from server.web.participants.page_signs import note_signs, signs_of_page
from server.web.participants.registry import VIEWS
from server.web.participants.view import UNPROCESSABLE
from server.web.participants.visit_context import THE_END, MovedError, VisitContext
from server.web.participants.visit_lookup import load_visit

router = APIRouter(default_response_class=Response)

_ANSWER_FIELDS = ("q.", "permit.")
"""Beginnings of the fields that a draft keeps."""


@router.get("/visit-ping")
async def ping() -> Response:
    """Answer with nothing, so that a page can measure how far away the server is."""
    return Response(status_code=204)


@router.get(VISIT)
async def current_page(request: Request, state: AppState) -> Response:
    """Send on to the page at which a visit stands."""
    return (await load_visit(request, state)).go_on()


@router.get(VISIT + "/{page}")
async def show_page(request: Request, state: AppState, page: str) -> Response:
    """Show the page at which a visit stands; any other address leads there."""
    at = await load_visit(request, state)
    if page != at.page_name:
        return at.go_on()
    if page == THE_END:
        return await show_the_end(at)
    try:
        return await VIEWS[at.standing.place].show(at)
    except MovedError:
        return RedirectResponse(VISIT, 303)
    except PageError as error:
        return at.render_error(error)


@router.post(VISIT + "/{page}")
async def send_page(request: Request, state: AppState, page: str) -> Response:
    """Take the form of a page, or keep its fields as a draft.

    A form of a page that the visit has left, in another tab or by the back button, changes nothing.
    """
    form = await state.csrf.check(request, is_survey=True)
    state.admission.admit_form(request, state.identity.fingerprint(request))
    at = await load_visit(request, state)
    if READ_MS in form:
        # The page may tell it after its form has led on.
        await note_reading(at, form)
        return Response(status_code=204)
    is_current = page == at.page_name and form.get("step") == str(at.visit.n_steps)
    if form.get("draft"):
        if is_current and not at.standing.has_ended:
            await _keep_draft(at, form)
        return Response(status_code=204)
    if not is_current or at.standing.has_ended:
        return at.go_on()
    signs = signs_of_page(at, form)
    try:
        answer = await VIEWS[at.standing.place].submit(at, form)
    except MovedError:
        return RedirectResponse(VISIT, 303)
    except PageError as error:
        return at.render_error(error)
    if answer.status_code == UNPROCESSABLE:
        # Whoever loads the page again instead of mending it finds what they had written.
        await _keep_draft(at, form)
    await note_signs(at, signs)
    return answer


async def _keep_draft(at: VisitContext, form: Form) -> None:
    """Keep the fields of a page, where it keeps any and the visit still stands at it."""
    if not VIEWS[at.standing.place].keeps_drafts:
        return
    kept = {name: text for name, text in form.items() if name.startswith(_ANSWER_FIELDS)}
    # Of a page that was sent meanwhile nothing is left to keep.
    with suppress(MovedError):
        async with at.turn() as db:
            await save_draft(db, at.visit.visit_id, at.draft_key, kept, at.state.now())
