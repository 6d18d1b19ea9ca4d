"""Start page, the page about what is recorded, and the forms that begin a stay in the lobby."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from fastapi import APIRouter, Request
from starlette.responses import FileResponse, RedirectResponse, Response

from episodes.bodies import SeatKind
from matchmaking.offers import AS_ROBOT, Offer
from matchmaking.tickets import Pool, Wish
from matchmaking.tutorials import TUTORIALS
from server.lobby.robot_partners import public_name
from server.privacy.kept_words import kept_words
from server.store.identifiers import new_code
from server.web.application_state import ApplicationState, AppState
from server.web.errors import PageError, not_found
from server.web.lobby_entry import enter_lobby
from server.web.open_homes import given_back_of, leave_home, open_home_of
from server.web.pages import VISIT
from server.web.participants.detour import frame_of, is_visiting
from server.web.participants.texts import texts_for

router = APIRouter(default_response_class=Response)

_STATIC = Path(__file__).parent / "static"
_FAVICON = _STATIC / "favicon.svg"
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
        if await is_visiting(state, db, participant):
            return _to(VISIT)
        given_back = None
        if open_home is None:
            given_back = await given_back_of(db, participant, state.now())
    ticket = state.lobby.ticket_of(participant) if participant else None
    return state.pages.show(
        request,
        "home.html",
        home=open_home,
        given_back=given_back,
        has_left=request.query_params.get("left") == "home",
        ticket_id=ticket.ticket_id if ticket else None,
        kept_s=None if open_home is None else state.sessions.seconds_left(open_home.session),
        offers_robot_seat=state.teams.offers_robot_seat(),
        alone_s=round(state.settings.alone_window_s),
        minutes=round(state.settings.time_limit_s / 60),
        kept=kept_words(state.settings),
        robots=[(public_name(entry.name), entry) for entry in state.robots.offered()],
        robot=state.robots.default(),
        teams=state.teams.cards(),
    )


@router.get("/favicon.svg")
@router.get("/favicon.ico")
async def favicon() -> Response:
    headers = {"cache-control": "public, max-age=86400"}
    return FileResponse(_FAVICON, media_type="image/svg+xml", headers=headers)


@router.get("/privacy")
async def privacy(request: Request, state: AppState) -> Response:
    async with state.database.transaction() as db:
        frame = await frame_of(request, state, db, await state.identity.of(request, db))
    return state.pages.show(
        request,
        "privacy.html",
        minutes=round(state.settings.between_tasks_s / 60),
        kept=kept_words(state.settings),
        visit=frame,
    )


@router.get("/first_minute.webp")
async def moving_picture() -> Response:
    return _picture("first_minute.webp")


@router.get("/first_minute_still.webp")
async def still_picture() -> Response:
    return _picture("first_minute_still.webp")


def _picture(name: str) -> FileResponse:
    headers = {"cache-control": "public, max-age=3600"}
    return FileResponse(_STATIC / name, media_type="image/webp", headers=headers)


@router.post("/play/tutorial")
async def play_tutorial(request: Request, state: AppState) -> Response:
    """Begin a tutorial, in the body that the form names."""
    form = await state.csrf.check(request)
    kind: SeatKind = "robot" if form.get("body") == "robot" else "human"
    pool = Pool(Wish.ROBOT, team=TUTORIALS[kind].name)
    return await _admit(request, state, form, pool)


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
    if chosen and not robot:
        raise PageError(
            404,
            "There is no such robot",
            "The start page shows the robots that are here. Choose one of them.",
        )
    if not state.robots.is_offered(robot):
        raise PageError(
            503,
            "That robot is not here now",
            "Its language model does not answer. Choose another robot, or play with a person.",
        )
    return await _admit(request, state, form, Pool(Wish.ROBOT, robot=robot))


@router.post("/play/as-robot")
async def play_as_robot(request: Request, state: AppState) -> Response:
    """Play in the robot's body, beside a program in the human one."""
    form = await state.csrf.check(request)
    if not state.teams.offers_robot_seat():
        raise PageError(
            503,
            "Your partner is not here now",
            "The program that plays the person does not answer. Play with a person instead.",
        )
    return await _admit(request, state, form, Pool(Wish.ROBOT, team=AS_ROBOT))


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
        visits = await is_visiting(state, db, participant)
    if visits:
        return _to(VISIT)
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
    say = texts_for(request.headers.get("accept-language", ""))
    return _to(await enter_lobby(request, state, participant, pool, say, seat))


def _wanted(state: ApplicationState, pool: Pool) -> str:
    if pool.team == AS_ROBOT:
        return "play as the robot"
    if pool.code and state.lobby.holders(pool.code):
        return "join"
    if pool.team in {tutorial.name for tutorial in TUTORIALS.values()}:
        return "begin the tutorial"
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


def _to(url: str) -> RedirectResponse:
    # 303: the browser asks for the page with GET, and reloading it sends no form again.
    return RedirectResponse(url, 303)
