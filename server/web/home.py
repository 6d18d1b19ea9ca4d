"""Start page, the page about what is recorded, and the forms that begin a stay in the lobby."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from pathlib import Path

from fastapi import APIRouter, Request
from starlette.responses import FileResponse, RedirectResponse, Response

from matchmaking.offers import Offer
from matchmaking.tickets import Pool, Wish
from server.lobby import Closed, Matched, StartError
from server.lobby.robot_partners import public_name
from server.lobby.team_offers import TeamCard
from server.store.identifiers import new_code, new_id
from server.store.sessions import StillPlayingError
from server.web.application_state import ApplicationState, AppState
from server.web.errors import PageError, not_found
from server.web.open_homes import leave_home, open_home_of

router = APIRouter(default_response_class=Response)

_FAVICON = Path(__file__).parent / "static" / "favicon.svg"
SOLO_WAIT_S = 10.0
"""Seconds that a form may take; after that the browser goes to the lobby."""
TAB_OF_FORM = "form"
_WANTED = {
    Wish.SOLO: "play alone",
    Wish.PERSON: "find a partner",
    Wish.INVITE: "invite a partner",
    Wish.ROBOT: "play with a robot",
}
"""Wishes in words that follow "leave it and"."""
_WANTED_TEAM = {
    Wish.PERSON: "find a team",
    Wish.INVITE: "invite a team",
    Wish.ROBOT: "play in that team",
}
"""The same where they are for a team."""


@router.get("/")
async def home(request: Request, state: AppState) -> Response:
    async with state.database.transaction() as db:
        participant = await state.identity.of(request, db)
        open_home = await open_home_of(db, participant)
    ticket = state.lobby.ticket_of(participant) if participant else None
    return state.pages.show(
        request,
        "home.html",
        home=open_home,
        ticket_id=ticket.ticket_id if ticket else None,
        kept_s=round(max(state.settings.abandoned_s, state.settings.reconnect_window_s)),
        minutes=round(state.settings.time_limit_s / 60),
        robots=[(public_name(entry.name), entry) for entry in state.robots.offered()],
        robot=state.robots.default(),
        teams=[TeamCard(offer) for offer in state.teams.offered()],
    )


@router.get("/favicon.svg")
@router.get("/favicon.ico")
async def favicon() -> Response:
    headers = {"cache-control": "public, max-age=86400"}
    return FileResponse(_FAVICON, media_type="image/svg+xml", headers=headers)


@router.get("/privacy")
async def privacy(request: Request, state: AppState) -> Response:
    return state.pages.show(
        request, "privacy.html", minutes=round(state.settings.between_tasks_s / 60)
    )


@router.post("/play/solo")
async def play_solo(request: Request, state: AppState) -> Response:
    return await _enter(request, state, Pool(Wish.SOLO))


@router.post("/play/person")
async def play_person(request: Request, state: AppState) -> Response:
    return await _enter(request, state, Pool(Wish.PERSON))


@router.post("/play/robot")
async def play_robot(request: Request, state: AppState) -> Response:
    form = await state.csrf.check(request)
    chosen = form.get("robot", "")
    robot = state.robots.of_page(chosen) if chosen else state.robots.default()
    if not state.robots.is_offered(robot):
        raise PageError(
            503,
            "That robot is not here now",
            "Its language model does not answer. Choose another robot, or play with a person.",
        )
    return await _admit(request, state, form, Pool(Wish.ROBOT, robot=robot))


@router.post("/play/invite")
async def play_invite(request: Request, state: AppState) -> Response:
    return await _enter(request, state, Pool(Wish.INVITE, new_code()))


@router.post("/play/team/{name}")
async def play_team(request: Request, state: AppState, name: str) -> Response:
    """Play in a team with whoever comes; where it has one person, at once."""
    people = _offered(state, name).people
    return await _enter(request, state, Pool(Wish.PERSON if people > 1 else Wish.ROBOT, team=name))


@router.post("/play/team/{name}/invite")
async def invite_team(request: Request, state: AppState, name: str) -> Response:
    """Play in a team with those who open its links."""
    if _offered(state, name).people < 2:
        raise not_found()
    return await _enter(request, state, Pool(Wish.INVITE, new_code(), team=name))


def _offered(state: ApplicationState, name: str) -> Offer:
    """Return an offer. Raises PageError for one that is not there (now)."""
    if name not in state.teams.named:
        raise not_found()
    offer = next((offer for offer in state.teams.offered() if offer.name == name), None)
    if offer is None:
        raise PageError(
            503,
            "That team is not here now",
            "One of its robots does not answer. Choose another.",
        )
    return offer


async def enter_with_code(
    request: Request, state: ApplicationState, code: str, team: str, seat: str
) -> Response:
    """Join the invitation ``code`` of a team. Raises InviteError where there is no room."""
    return await _enter(request, state, Pool(Wish.INVITE, code, team=team), seat)


async def _enter(request: Request, state: ApplicationState, pool: Pool, seat: str = "") -> Response:
    return await _admit(request, state, await state.csrf.check(request), pool, seat)


async def _admit(
    request: Request,
    state: ApplicationState,
    form: Mapping[str, str],
    pool: Pool,
    seat: str = "",
) -> Response:
    """Answer a form that has been checked."""
    state.admission.admit_form(request, state.identity.fingerprint(request))
    secret = state.identity.secret(request)
    participant = await _identify(request, state, secret)
    response = await _answer(request, state, participant, form, pool, seat)
    # Each time: the answer that made the participant may have been a refusal, or never came.
    state.identity.remember(response, secret)
    return response


async def _answer(
    request: Request,
    state: ApplicationState,
    participant: str,
    form: Mapping[str, str],
    pool: Pool,
    seat: str,
) -> Response:
    """Answer a form of a participant: with the way in, or with a question about an open home."""
    async with state.database.transaction() as db:
        open_home = await open_home_of(db, participant)
    if open_home is not None:
        # One person plays in one session.
        if form.get("leave") != open_home.session_id:
            if open_home.is_of_press(pool, state):
                return _to(f"/play/{open_home.session_id}")
            return state.pages.show(
                request,
                "open_home.html",
                status=409,
                home=open_home,
                path=request.url.path,
                robot=form.get("robot", ""),
                wanted=_wanted(state, pool),
            )
        await leave_home(state, open_home)
    return _to(await _join(request, state, participant, pool, seat))


def _wanted(state: ApplicationState, pool: Pool) -> str:
    if pool.code and state.lobby.holders(pool.code):
        return "join"
    return _WANTED_TEAM[pool.wish] if pool.team else _WANTED[pool.wish]


async def _identify(request: Request, state: ApplicationState, secret: str) -> str:
    """Return the participant who sends a form; a new one is known by the secret from now on."""
    async with (
        state.newcomers.turn(state.identity.fingerprint(request)),
        state.database.transaction() as db,
    ):
        known = await state.identity.of(request, db)
        if known is not None:
            return known
        state.admission.admit_newcomer(request)
        return state.identity.create(secret, db, state.now())


async def _join(
    request: Request, state: ApplicationState, participant: str, pool: Pool, seat: str
) -> str:
    """Take a place in the lobby; return where the browser goes next."""
    mine, lobby = state.lobby.ticket_of(participant), state.lobby
    if (
        mine is not None
        and mine.wish is Wish.INVITE
        and mine.pool == pool._replace(code=mine.code)
        and not lobby.holders(pool.code)
    ):
        # Who asks for an invitation again gets the one that is already out.
        pool = mine.pool
    ticket_id = new_id("tic")
    try:
        seeks = lobby.rules.sought(pool)
        with state.admission.place(request, participant, pool.code or ticket_id, seeks):
            ticket = await lobby.join(ticket_id, participant, pool, seat)
    except StartError as error:
        raise PageError(503, "We will be back in a minute", str(error)) from error
    except StillPlayingError as error:
        return f"/play/{error.session_id}"
    if lobby.rules.people_of(pool) == 1:
        return await _begin_alone(state, ticket.ticket_id)
    return f"/lobby/{ticket.ticket_id}"


async def _begin_alone(state: ApplicationState, ticket_id: str) -> str:
    """Wait for the session of somebody who needs no other person, and return where to go next.

    The form waits with them, as long as that is short.
    """
    lobby_url = f"/lobby/{ticket_id}"
    outcome = state.lobby.outcome(ticket_id)
    if outcome is None or state.sessions.free_places() <= 0:
        return lobby_url
    connection = await state.lobby.connect(ticket_id, TAB_OF_FORM)
    if connection is None:
        return lobby_url
    try:
        match await asyncio.wait_for(asyncio.shield(outcome), SOLO_WAIT_S):
            case Matched(session_id):
                return f"/play/{session_id}"
            case Closed(_, text):
                raise PageError(503, "The home did not open", text)
    except TimeoutError:
        return lobby_url
    finally:
        await state.lobby.disconnect(ticket_id, connection)


def _to(url: str) -> RedirectResponse:
    # 303: the browser asks for the page with GET, and reloading it sends no form again.
    return RedirectResponse(url, 303)
