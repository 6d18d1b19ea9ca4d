"""Pages of what is kept of somebody: what and how long, its download, and being forgotten.

They open by a signed link that holds in any browser and for good; the footer's link leads there
from the browser in which somebody plays. Whoever has the link has the data: it says so.
"""

from __future__ import annotations

import json
from collections.abc import Collection
from typing import Any

import msgspec
import structlog
from fastapi import APIRouter, Request
from sqlalchemy.ext.asyncio import AsyncSession
from starlette.responses import RedirectResponse, Response

from matchmaking.study import Study
from server.privacy.kept_words import kept_words
from server.privacy.own_data import own_data
from server.recording.durable_file import LockedError
from server.store.forgetting import Forgotten, StillHereError, forget_participant
from server.store.forgotten_words import remove_older_words
from server.store.models import ParticipantRow
from server.store.operator_acts import note_act
from server.store.studies import opened_version
from server.store.visit_models import VisitRow
from server.store.visits import study_key_of, visit_of
from server.web.application_state import ApplicationState, AppState
from server.web.errors import PageError, not_found
from server.web.pages import OWN_DATA
from server.web.tokens import TokenError

router = APIRouter(default_response_class=Response)
log = structlog.get_logger(__name__)

LINK = "their own link"
"""Name in the operators' log of somebody who forgets themselves."""
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
        person, visit, study = await _known(db, participant)
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


@router.post(OWN_DATA + "/{token}/forget")
async def forget(request: Request, state: AppState, token: str) -> Response:
    """Ask once, then forget somebody: their key is destroyed, and their study's data withdrawn."""
    form = await state.csrf.check(request)
    state.admission.admit_form(request, state.identity.fingerprint(request))
    participant = _participant(state, token)
    if form.get("sure") != "yes":
        async with state.database.transaction() as db:
            person, visit, study = await _known(db, participant)
        if person is None:
            return _show(request, state, "gone")
        action = f"{OWN_DATA}/{token}"
        return _show(request, state, "sure", action=action, of_visit=visit, study=study)
    try:
        async with state.database.transaction() as db:
            forgotten = await _forget(db, state, participant)
    except KeyError:
        return _show(request, state, "gone")
    except StillHereError:
        raise PageError(
            409,
            "You are still here",
            "You can be forgotten once your home is closed and your part in the study has its end: "
            "leave there, wait a few minutes, and come back by your link.",
        ) from None
    await _remove_older_words(state, forgotten.sessions)
    return _show(request, state, "forgotten")


async def _forget(db: AsyncSession, state: ApplicationState, participant: str) -> Forgotten:
    """Forget a participant, in a transaction that the operators' log has, too.

    Raises StillHereError, and KeyError for somebody of whom nothing is kept.
    """
    now = state.now()
    visit = await visit_of(db, participant)
    target = participant if visit is None else visit.visit_id
    study = None if visit is None else visit.study
    note_act(db, LINK, "forget", target, now, study=study)
    forgotten = await forget_participant(db, participant, now, withdraws=True)
    log.info("own_data.forgotten")
    return forgotten


async def _remove_older_words(state: ApplicationState, sessions: Collection[str]) -> None:
    """Remove somebody's words from logs of releases that sealed nothing. Raises PageError."""
    logs, archive = state.settings.recordings_dir, state.settings.archive_dir
    try:
        async with state.database.transaction() as db:
            await remove_older_words(db, logs, archive, sessions)
    except (OSError, LockedError, msgspec.DecodeError) as error:
        log.error("own_data.older_words_left", sessions=list(sessions), reason=str(error))
        raise PageError(
            500,
            "You are forgotten, but for an old recording",
            "The key to your words is destroyed. One recording of an older release still has some, "
            "and could not be changed: the people who run this server are told in its log.",
        ) from error


async def _known(
    db: AsyncSession, participant: str
) -> tuple[ParticipantRow | None, VisitRow | None, Study | None]:
    """Return somebody who is not forgotten, with their visit and its study."""
    person = await db.get(ParticipantRow, participant)
    if person is None or person.forgotten_at is not None:
        return None, None, None
    visit = await visit_of(db, participant)
    return person, visit, None if visit is None else await opened_version(db, study_key_of(visit))


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
