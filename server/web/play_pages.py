"""Page in which a session is played, and the way to its next task."""

from __future__ import annotations

from collections.abc import Collection

import msgspec
from fastapi import APIRouter, Request
from starlette.responses import PlainTextResponse, RedirectResponse, Response

from episodes.seat_names import names_of, spoken
from episodes.tasks.words import listed
from matchmaking.identifiers import is_id
from matchmaking.offers import AS_ROBOT
from matchmaking.tutorials import TUTORIALS
from server.hosting.episode_turns import SessionGoneError
from server.sessions.spec import SessionSpec
from server.store.models import SessionRow
from server.store.sessions import is_present, seat_of, session_row
from server.store.tickets import is_of_team
from server.web.application_state import ApplicationState, AppState
from server.web.assets import asset_root
from server.web.errors import PageError, not_found, not_yours, session_over
from server.web.open_homes import leave_for_good, open_home_of
from server.web.pages import VISIT
from server.web.participants.detour import is_visiting
from server.web.participants.practice import practice_left_s
from server.web.participants.visit_context import STOP, VisitFrame
from server.web.participants.visit_lookup import visit_in_task
from server.web.still_here import still_here_path
from server.web.tokens import SeatClaim

router = APIRouter(default_response_class=Response)

_PAIRS = (AS_ROBOT, *(offer.name for offer in TUTORIALS.values()))
"""Teams that are pairs with a name for themselves only: nobody in them is told apart by name."""
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
    visit = await visit_in_task(request, state, participant)
    if visit is not None and visit.standing.has_ended:
        return visit.go_on()
    frame = VisitFrame(visit) if visit is not None else None
    left_s = None if visit is None else await practice_left_s(visit)
    if visit is not None and left_s is not None and left_s < 0:
        return visit.go_on()
    async with state.database.transaction() as db:
        # In a study nobody asked for a team by its name: a group of two is a pair.
        is_team = visit is None and await is_of_team(db, session.match_id, _PAIRS)
    token = state.tokens.sign_seat(SeatClaim(session_id, seat_id, participant))
    return state.pages.show(
        request,
        "play.html",
        entry=_PLAY_ENTRY,
        still_here=still_here_path(session_id),
        leave_path="" if frame else f"/sessions/{session_id}/leave",
        boot={
            "token": token,
            "wsPath": "/ws/play",
            "assetRoot": asset_root(state.settings.data_dir),
            "reportPath": "/report/",
            "homePath": VISIT if frame else "/",
            "helpPath": frame.help if frame else "",
            "helpText": frame.t("visit-help") if frame else "",
            "chatNote": frame.t("chat-keep-private") if frame else "",
            "stopPath": frame.stop if frame else "",
            "stopText": frame.t("visit-stop") if frame else "",
            "sessionId": session_id,
            "clientVersion": state.client.version(),
            "automation": state.settings.page_automation,
            "purpose": session.spec.get("purpose", ""),
            **({} if left_s is None else {"practiceLeftS": left_s}),
            "named": is_team,
            "finishWaitS": session.spec.get("finish_wait_s", 0),
            "clockWaitS": session.spec.get("clock_wait_s", 0),
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
    """Leave a home for good, and go to the start page. Whoever else is in it goes on at once."""
    await state.csrf.check(request)
    state.admission.admit_form(request, state.identity.fingerprint(request))
    _, participant, _ = await _seat(request, state, session_id)
    async with state.database.transaction() as db:
        home = await open_home_of(db, participant)
        visits = await is_visiting(state, db, participant)
    if visits:
        # Whoever leaves a study gets an ending, which its own page asks about.
        return RedirectResponse(f"{VISIT}/{STOP}", 303)
    if home is not None and home.session_id == session_id:
        await leave_for_good(state, home)
    return RedirectResponse("/?left=home", 303)


@router.get("/sessions/{session_id}/here")
async def still_here(request: Request, state: AppState, session_id: str) -> Response:
    """Take note that a page without a socket is open: one that loads, or a report that is read.

    Answers 204, or 410 when the session is closed. To a report whose session has gone on to another
    task since (``after`` names the report's) it answers 200 with a sentence that says who waits.
    """
    session, _, seat_id = await _seat(request, state, session_id)
    state.sessions.pages.ask(session_id)
    if not state.sessions.goes_on(session):
        return Response(status_code=410)
    after = request.query_params.get("after", "")
    if after and session.episodes[-1].episode_id != after:
        spec = msgspec.convert(session.spec, SessionSpec)
        waiting = state.sessions.pages.seats(session_id) - {seat_id}
        return PlainTextResponse(next_task_note(spec, waiting))
    return Response(status_code=204)


def next_task_note(spec: SessionSpec, waiting: Collection[str]) -> str:
    """Return what somebody reads whose session has gone on without them."""
    names = names_of([seat.seat for seat in spec.seats])
    who = [spoken(name) for seat, name in names.items() if seat in waiting]
    if not who:
        return "The next task is open."
    if len(names) <= 2:
        who = ["your partner"]
    verb = "wait" if len(who) > 1 else "waits"
    return f"The next task is open, and {listed(who)} {verb} for you there."


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
            "It goes on without you. The start page leads on.",
        )
    return session, participant, seat_id
