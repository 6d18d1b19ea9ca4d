"""Pages of what is kept of somebody: what and how long, its download, and being forgotten.

They open by a signed link that holds in any browser and for good; the footer's link leads there
from the browser in which somebody plays. Whoever has the link has the data: it says so.
"""

from __future__ import annotations

import json
from typing import Any

import structlog
from fastapi import APIRouter, Request
from starlette.responses import RedirectResponse, Response

from server.privacy.kept_words import kept_words
from server.privacy.own_data import own_data
from server.store.models import ParticipantRow
from server.store.studies import opened_version
from server.store.visits import study_key_of, visit_of
from server.web.application_state import ApplicationState, AppState
from server.web.errors import not_found
from server.web.pages import OWN_DATA
from server.web.tokens import TokenError

router = APIRouter(default_response_class=Response)
log = structlog.get_logger(__name__)

_TURN = "own data"
"""Turn of whoever's recordings are read: one person's after the other's."""


@router.get(OWN_DATA)
async def find_own_data(request: Request, state: AppState) -> Response:
    """Send a browser on to the lasting link of whoever plays in it."""
    async with state.database.transaction() as db:
        participant = await state.identity.of(request, db)
    if participant is None:
        return _show(request, state, "nobody")
    return RedirectResponse(f"{OWN_DATA}/{state.tokens.sign_own_data(participant)}", 303)


@router.get(OWN_DATA + "/{token}")
async def own_data_page(request: Request, state: AppState, token: str) -> Response:
    participant = _participant(state, token)
    async with state.database.transaction() as db:
        person = await db.get(ParticipantRow, participant)
        visit = await visit_of(db, participant)
        study = None if visit is None else await opened_version(db, study_key_of(visit))
    if person is None:
        return _show(request, state, "gone")
    return _show(
        request,
        state,
        "kept",
        action=f"{OWN_DATA}/{token}",
        link=f"{state.hosts.base_url(request)}{OWN_DATA}/{token}",
        of_visit=visit,
        study=study,
    )


@router.post(OWN_DATA + "/{token}/download")
async def download(request: Request, state: AppState, token: str) -> Response:
    """Answer with all that is kept of somebody, as JSON."""
    await state.csrf.check(request)
    state.admission.admit_form(request, state.identity.fingerprint(request))
    participant = _participant(state, token)
    async with state.newcomers.turn(_TURN):
        data = await own_data(state.settings, state.database, participant, state.now())
    if data is None:
        return _show(request, state, "gone")
    log.info("own_data.downloaded")
    return Response(
        json.dumps(data, indent=2, ensure_ascii=False),
        media_type="application/json",
        headers={"content-disposition": 'attachment; filename="my-cohabit-data.json"'},
    )


def _participant(state: ApplicationState, token: str) -> str:
    """Return the participant of a link. Raises PageError for what is no such link."""
    try:
        return state.tokens.read_own_data(token)
    except TokenError as error:
        raise not_found() from error


def _show(
    request: Request, state: ApplicationState, what: str, status: int = 200, **values: Any
) -> Response:
    return state.pages.show(
        request,
        "own_data.html",
        status=status,
        what=what,
        kept=kept_words(state.settings),
        **values,
    )
