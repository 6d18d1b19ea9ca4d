"""Page in which a session is played, and the way to its next task."""

from __future__ import annotations

from fastapi import APIRouter, Request
from starlette.responses import RedirectResponse, Response

from matchmaking.identifiers import is_id
from server.hosting.episode_turns import SessionGoneError
from server.store.models import SessionRow
from server.store.sessions import is_present, seat_of, session_row
from server.web.application_state import ApplicationState, AppState
from server.web.assets import asset_root
from server.web.errors import PageError, not_found, not_yours, session_over
from server.web.open_homes import leave_home, open_home_of
from server.web.tokens import SeatClaim

router = APIRouter(default_response_class=Response)

_PLAY_ENTRY = "src/play/main.ts"


@router.get("/play/{session_id}")
async def play_page(request: Request, state: AppState, session_id: str) -> Response:
    session, participant, seat_id = await _seat(request, state, session_id)
    state.sessions.pages.ask(session_id)
    last = session.episodes[-1]
    if last.verdict is not None:
        return RedirectResponse(f"/report/{last.episode_id}", 303)
    if not state.sessions.goes_on(session):
        raise session_over()
    token = state.tokens.sign_seat(SeatClaim(session_id, seat_id, participant))
    return state.pages.show(
        request,
        "play.html",
        entry=_PLAY_ENTRY,
        still_here=still_here_path(session_id),
        boot={
            "token": token,
            "wsPath": "/ws/play",
            "assetRoot": asset_root(state.settings.data_dir),
            "reportPath": "/report/",
            "homePath": "/",
            "sessionId": session_id,
            "clientVersion": state.client.version(),
        },
    )


@router.post("/sessions/{session_id}/next")
async def next_task(request: Request, state: AppState, session_id: str) -> Response:
    """Begin the next task.

    Both players press this; the first one begins the task, the other joins it.
    """
    form = await state.csrf.check(request)
    state.admission.admit_form(request, state.identity.fingerprint(request))
    await _seat(request, state, session_id)
    after = form.get("after")
    if after is None:
        raise PageError(400, "That did not work", "Go back to the start page and try again.")
    state.sessions.pages.ask(session_id)
    try:
        await state.sessions.next(session_id, after, again=form.get("again") == "true")
    except SessionGoneError as error:
        raise session_over() from error
    return RedirectResponse(f"/play/{session_id}", 303)


@router.post("/sessions/{session_id}/leave")
async def leave(request: Request, state: AppState, session_id: str) -> Response:
    """Leave a home for good, and go to the start page."""
    await state.csrf.check(request)
    state.admission.admit_form(request, state.identity.fingerprint(request))
    _, participant, _ = await _seat(request, state, session_id)
    async with state.database.transaction() as db:
        home = await open_home_of(db, participant)
    if home is not None and home.session_id == session_id:
        await leave_home(state, home)
    return RedirectResponse("/", 303)


@router.get("/sessions/{session_id}/here")
async def still_here(request: Request, state: AppState, session_id: str) -> Response:
    """Take note that a page without a socket is open: one that loads, or a report that is read.

    Answers 204, or 410 when the session is closed.
    """
    session, _, _ = await _seat(request, state, session_id)
    state.sessions.pages.ask(session_id)
    return Response(status_code=204 if state.sessions.goes_on(session) else 410)


def still_here_path(session_id: str) -> str:
    """Return the path at which a page says that it is open."""
    return f"/sessions/{session_id}/here"


async def _seat(
    request: Request, state: ApplicationState, session_id: str
) -> tuple[SessionRow, str, str]:
    """Return the session, the participant who asks, and their seat in it.

    Raises PageError where there is none.
    """
    if not is_id("ses", session_id):
        raise not_found()
    async with state.database.transaction() as db:
        participant = await state.identity.of(request, db)
        session = await session_row(db, session_id)
    if session is None:
        raise not_found()
    seat_id = seat_of(session, participant) if participant else None
    if participant is None or seat_id is None:
        raise not_yours()
    if session.state == "open" and not is_present(session, participant):
        raise PageError(
            410,
            "You have left this home",
            "You went to play elsewhere, and it goes on without you. The start page leads on.",
        )
    return session, participant, seat_id
