"""Pages of the operators: what runs now, and a look into it."""

from __future__ import annotations

import structlog
from fastapi import APIRouter, Request
from sqlalchemy.ext.asyncio import AsyncSession
from starlette.responses import RedirectResponse, Response

from matchmaking.identifiers import is_id
from server.operator_accounts import Role
from server.sessions.spec import TICK_RATE
from server.store.episodes import ended_lately
from server.store.matches import study_of_session
from server.store.operator_acts import note_act
from server.store.operator_models import OperatorActRow
from server.store.study_pauses import latest_troubles, pauses_that_go_on
from server.web.application_state import AppState, state_of
from server.web.assets import asset_root
from server.web.errors import PageError, not_found, session_over
from server.web.operator_standing import StrangerError
from server.web.operators.list_queries import number_of
from server.web.operators.route_roles import Operator
from server.web.tokens import WatchClaim

log = structlog.get_logger(__name__)
router = APIRouter(default_response_class=Response)

ENDED_SHOWN = 20
"""Ended episodes that are listed, to be watched again."""
TROUBLES_SHOWN = 20
"""Reports of problems that are listed."""
_WATCH_ENTRY = "src/watch/main.ts"
_LIST_ENTRY = "src/operator/main.ts"


@router.get("/operator")
async def overview(request: Request, state: AppState, operator: Operator) -> Response:
    """Show the running sessions and how things stand; to strangers, the way in."""
    async with state.database.transaction() as db:
        ended = await ended_lately(db, ENDED_SHOWN)
        modes = {opened.study.name: opened.study.mode for opened in state.studies}
        pauses = await pauses_that_go_on(db, modes)
        done = await _own_act(db, request.query_params.get("done", ""), operator)
        troubles = await latest_troubles(db, modes, TROUBLES_SHOWN)
    return state.pages.show(
        request,
        "operator.html",
        entry=_LIST_ENTRY,
        sessions=state.host.sessions(),
        workers=state.host.stats().workers,
        ended=ended,
        problems=state.host.problems(),
        pauses=pauses,
        troubles=troubles,
        tick_rate=TICK_RATE,
        refusal=state.host.refusal(),
        waiting=state.lobby.waiting(),
        stays=state.lobby.study_stays(),
        free_homes=state.sessions.free_places(),
        most_watchers=state.settings.watchers_per_session,
        operator=operator,
        may_run=operator.role >= Role.RUN,
        done=done,
    )


async def _own_act(db: AsyncSession, number: str, operator: Operator) -> OperatorActRow | None:
    """Return the act of an operator that a page was sent on from; None: there is none."""
    act_id = number_of(number)
    row = None if act_id is None else await db.get(OperatorActRow, act_id)
    return row if row is not None and row.who == operator.who else None


@router.post("/operator/enter")
async def enter(request: Request, state: AppState) -> Response:
    form = await state.csrf.check(request)
    session_id = form.get("watch", "")
    # Only the id comes from the form: nothing leads to other pages, or elsewhere.
    watched = session_id if is_id("ses", session_id) else ""
    response = RedirectResponse(f"/operator/watch/{watched}" if watched else "/operator", 303)
    # What was pasted may bring white space with it; no password begins or ends with any.
    password = form.get("password", "").strip()
    if not await state.operators.enter(request, form.get("name", ""), password, response):
        was_wrong = "link" if state.operators.is_used_link(password) else "password"
        return await _entrance(request, was_wrong, watched)
    return response


@router.post("/operator/leave")
async def leave(request: Request, state: AppState) -> Response:
    await state.csrf.check(request)
    response = RedirectResponse("/operator", 303)
    await state.operators.leave(request, response)
    return response


@router.get("/operator/watch/{session_id}")
async def watch(request: Request, state: AppState, operator: Operator, session_id: str) -> Response:
    """Show a session as it goes on, to somebody who can do nothing in it. It is logged."""
    if not is_id("ses", session_id):
        raise not_found()
    if session_id not in {running.session_id for running in state.host.sessions()}:
        raise session_over()
    if state.sockets.is_full(session_id):
        most = state.settings.watchers_per_session
        raise PageError(
            503,
            "No more can watch this session",
            f"As many browsers watch it as COHABIT_WATCHERS_PER_SESSION allows ({most}). Close one "
            "of them, or open another session.",
        )
    async with state.database.transaction() as db:
        study = await study_of_session(db, session_id)
        note_act(db, operator.who, "watch", session_id, state.now(), study=study)
    claim = WatchClaim(session_id, operator.sign_in)
    return state.pages.show(
        request,
        "watch.html",
        entry=_WATCH_ENTRY,
        boot={
            "token": state.tokens.sign_watch(claim),
            "wsPath": "/ws/watch",
            "assetRoot": asset_root(state.settings.data_dir),
            "homePath": "/operator",
            "sessionId": session_id,
            "clientVersion": state.client.version(),
        },
    )


async def show_entrance(request: Request, error: Exception) -> Response:
    """Show the way in to a stranger who asked for another page."""
    assert isinstance(error, StrangerError)
    return await _entrance(request, watched=error.watched)


async def _entrance(request: Request, was_wrong: str = "", watched: str = "") -> Response:
    """Show the way in.

    ``was_wrong`` is what has just been wrong, a ``link`` or a ``password``; ``watched`` is the
    session to whose page it leads.
    """
    state = state_of(request)
    has_accounts = await state.operators.has_accounts()
    return state.pages.show(
        request,
        "operator_entrance.html",
        status=403,
        entry=_LIST_ENTRY,
        can_enter=state.operators.can_enter(has_accounts=has_accounts),
        has_accounts=has_accounts,
        was_wrong=was_wrong,
        watched=watched if is_id("ses", watched) else "",
        has_provider=state.provider_sign_ins is not None,
        takes_passwords=state.settings.operator_passwords,
    )
