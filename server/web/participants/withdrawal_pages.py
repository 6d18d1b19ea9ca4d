"""Page for whoever comes again after the end, and withdrawal there by the link that they came with.

Their browser may be another one, or have forgotten them. Knowing a study and somebody's id is not
enough: data are withdrawn by the link that its recruiter gave to nobody else, or by the operator.
"""

from __future__ import annotations

from typing import Any

import structlog
from fastapi import APIRouter, Request
from sqlalchemy.ext.asyncio import AsyncSession
from starlette.responses import Response

from matchmaking.study.endings import Ending
from server.recruiting.open_studies import OpenStudy
from server.recruiting.recruiter import Parameters
from server.store.models import ParticipantRow
from server.store.visit_models import VisitRow
from server.store.visit_records import erase_answers
from server.store.visits import link_of, note_withdrawal, standing_of
from server.web.application_state import ApplicationState, AppState
from server.web.participants.debrief_pages import may_withdraw, too_late
from server.web.participants.link_faults import page_of
from server.web.participants.texts import texts_for, texts_in
from server.web.tokens import TokenError, WithdrawalClaim

router = APIRouter(default_response_class=Response)
log = structlog.get_logger(__name__)


async def already_page(
    request: Request,
    state: ApplicationState,
    db: AsyncSession,
    study: OpenStudy,
    visit: VisitRow,
    parameters: Parameters,
) -> Response:
    """Show that somebody's visit has ended; with its whole link, the code and how to withdraw.

    On a computer of a laboratory the browser belongs to whoever came last: those before them have
    their links.
    """
    began = await state.studies.of_visit(db, visit) or study
    is_theirs = study.recruiter.is_proven(await link_of(db, visit.visit_id), parameters)
    ending, way = standing_of(visit).ending, "none"
    if (await db.get_one(ParticipantRow, visit.participant_id)).forgotten_at is not None:
        # Nothing is left that could be withdrawn, or by which somebody could prove who they are.
        way = "forgotten"
    elif ending is not Ending.NO_CONSENT:
        way = _way(began, visit, state) if is_theirs else "contact"
    code = began.code(ending) if is_theirs and ending is not None else None
    claim = WithdrawalClaim(visit.study, visit.visit_id)
    token = state.tokens.sign_withdrawal(claim) if way == "form" else ""
    return _show(request, state, began, visit, way, token=token, code=code)


@router.post("/s/{name}/withdraw")
async def withdraw(request: Request, state: AppState, name: str) -> Response:
    """Note that the data of a visit that has ended are withdrawn, until the study's date."""
    form = await state.csrf.check(request)
    state.admission.admit_form(request, state.identity.fingerprint(request))
    try:
        claim = state.tokens.read_withdrawal(form.get("withdrawal", ""))
    except TokenError as error:
        raise _expired(request) from error
    async with state.database.transaction() as db:
        visit = await db.get(VisitRow, claim.visit_id)
        study = None if visit is None else await state.studies.of_visit(db, visit)
        if visit is None or study is None or claim.study != name:
            raise _expired(request)
        if not may_withdraw(study.study, state.now()):
            raise too_late(study.study)
        await note_withdrawal(db, visit.visit_id, state.now())
        if form.get("erase") == "yes":
            await erase_answers(db, visit.visit_id)
    log.info("visit.withdrawn_by_link", study=name, visit=visit.visit_id)
    return _show(request, state, study, visit, "done", code=None)


def _way(study: OpenStudy, visit: VisitRow, state: ApplicationState) -> str:
    """Return how somebody can withdraw who has shown that the visit is theirs."""
    if visit.withdrawn_at is not None:
        return "done"
    return "form" if may_withdraw(study.study, state.now()) else "too-late"


def _expired(request: Request) -> Exception:
    return page_of(texts_for(request.headers.get("accept-language", "")[:200]), 400, "expired")


def _show(
    request: Request,
    state: ApplicationState,
    study: OpenStudy,
    visit: VisitRow,
    way: str,
    **values: Any,
) -> Response:
    declared = study.study
    return state.pages.show(
        request,
        "visit/already.html",
        t=texts_in(visit.language),
        study=declared,
        title=declared.title.get(visit.language) or next(iter(declared.title.values())),
        language=visit.language,
        recruiter=study.recruiter,
        action=f"/s/{declared.name}/withdraw",
        way=way,
        until=declared.withdraw_until,
        **values,
    )
