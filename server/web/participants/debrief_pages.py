"""Debrief by a link of one's own: it holds in any browser, and after the study is closed.

It reaches everybody who was in a session of a study that does not tell the truth of a partner or a
wait, whatever their ending.
"""

from __future__ import annotations

from datetime import datetime

from fastapi import APIRouter, Request
from sqlalchemy.ext.asyncio import AsyncSession
from starlette.responses import RedirectResponse, Response

from matchmaking.study import Study
from matchmaking.study.pages import Debrief
from server.store.studies import opened_version
from server.store.visit_models import VisitRow
from server.store.visit_records import consent_of, erase_answers
from server.store.visits import note_withdrawal, study_key_of
from server.web.application_state import ApplicationState, AppState
from server.web.errors import PageError, not_found
from server.web.pages import OWN_DATA
from server.web.participants.prose import prose
from server.web.participants.texts import texts_in
from server.web.tokens import TokenError

router = APIRouter(default_response_class=Response)

DEBRIEF = "/debrief"


async def debrief_link(
    db: AsyncSession, state: ApplicationState, visit: VisitRow, study: Study
) -> str:
    """Return the address of a visit's debrief; empty: nothing was hidden, or nobody consented."""
    if not study.owes_debrief or study.page_of(Debrief) is None or visit.session_id is None:
        return ""
    if await consent_of(db, visit.visit_id) is None:
        return ""
    return f"{DEBRIEF}/{state.tokens.sign_debrief(visit.visit_id)}"


def may_withdraw(study: Study, now: datetime) -> bool:
    """Tell whether data may be withdrawn after the end of a visit."""
    return not study.withdraw_until or now.date().isoformat() <= study.withdraw_until


@router.get(DEBRIEF + "/{token}")
async def debrief_page(request: Request, state: AppState, token: str) -> Response:
    """Show a debrief to whoever has its link; only the visit's own browser is led to its data."""
    visit, study, page = await _found(state, token)
    async with state.database.transaction() as db:
        is_theirs = await state.identity.of(request, db) == visit.participant_id
    t = texts_in(visit.language)
    text = page.text.get(visit.language) or next(iter(page.text.values()))
    return state.pages.show(
        request,
        "visit/debrief_link.html",
        t=t,
        title=study.title.get(visit.language) or next(iter(study.title.values())),
        text=prose(text),
        action=f"{DEBRIEF}/{token}",
        has_withdrawn=visit.withdrawn_at is not None,
        may_withdraw=may_withdraw(study, state.now()),
        until=study.withdraw_until,
        contact=study.contact,
        own_data=OWN_DATA if is_theirs else "",
    )


@router.post(DEBRIEF + "/{token}")
async def withdraw(request: Request, state: AppState, token: str) -> Response:
    """Note that the data of a visit are withdrawn, until the date that the study names."""
    form = await state.csrf.check(request)
    state.admission.admit_form(request, state.identity.fingerprint(request))
    visit, study, _ = await _found(state, token)
    if not may_withdraw(study, state.now()):
        raise too_late(study)
    async with state.database.transaction() as db:
        await note_withdrawal(db, visit.visit_id, state.now())
        if form.get("erase") == "yes":
            await erase_answers(db, visit.visit_id)
    return RedirectResponse(f"{DEBRIEF}/{token}", 303)


def too_late(study: Study) -> PageError:
    """Return the page for somebody who withdraws after the date of the study."""
    return PageError(
        409,
        "The date for withdrawing is over",
        f"Data could be withdrawn until {study.withdraw_until}. Write to {study.contact} if "
        "something is wrong.",
    )


async def _found(state: ApplicationState, token: str) -> tuple[VisitRow, Study, Debrief]:
    """Return the visit of a link with its study. Raises PageError for what is no such link."""
    try:
        visit_id = state.tokens.read_debrief(token)
    except TokenError as error:
        raise not_found() from error
    async with state.database.transaction() as db:
        visit = await db.get(VisitRow, visit_id)
        study = None
        if visit is not None:
            study = await opened_version(db, study_key_of(visit))
    page = None if study is None else study.page_of(Debrief)
    if visit is None or study is None or page is None:
        raise not_found()
    return visit, study, page
