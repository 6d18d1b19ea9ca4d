"""Factory of the application: pages, sockets, lobby and sessions put together."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Collection, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from functools import partial
from importlib.metadata import PackageNotFoundError, version

import structlog
from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect
from starlette.responses import Response
from starlette.types import ASGIApp

from matchmaking.study import Study
from server.hosting.archivist import Archivist
from server.hosting.episode_programs import picture_program
from server.hosting.orphaned_logs import OrphanedLogs
from server.hosting.result_publisher import OnEnded, OnResult
from server.hosting.session_host import SessionHost
from server.hosting.session_manager import MakeHost, SessionManager
from server.lobby import Lobby, LobbyRules
from server.lobby.draw_records import StoredDraws
from server.lobby.open_play import open_play
from server.lobby.robot_partners import RobotPartners
from server.lobby.team_offers import TeamOffers
from server.lobby.ticket_records import TicketRecords
from server.newly_opened import NewlyOpened
from server.personal.key_folder import KeysError
from server.personal.process_keys import use_keys
from server.privacy.retention import Retention
from server.privacy.retention_watch import keep_retention
from server.recruiting.draw_seed import DrawSeed
from server.recruiting.open_studies import OpenStudies
from server.recruiting.operator_notices import OperatorNotices, channels_of
from server.recruiting.recruiting_watch import RecruitingWatch
from server.recruiting.registry import NAMING_PEOPLE
from server.replays.service import film_program
from server.research.studies.frozen_models import FrozenModels
from server.research.studies.task_choice import task_ids
from server.research.summaries.summariser import Summariser
from server.settings import Settings
from server.store import Database, DatabaseError
from server.store.studies import note_opened
from server.wall_clock import FastClock, SteadyTime
from server.web import (
    assets,
    coding_pages,
    health,
    home,
    lobby_pages,
    lobby_socket,
    metrics,
    own_data_pages,
    play_pages,
    play_socket,
    policy_socket,
    preflight_answers,
    replay_pages,
    report_pages,
    watch_socket,
)
from server.web.account_access import AccountAccess
from server.web.admission import Admission
from server.web.application_state import ApplicationState, attach, state_of, state_of_app
from server.web.behalf import OnBehalf
from server.web.client_build import URL as CLIENT_URL
from server.web.client_build import ClientBuild
from server.web.csrf import Csrf
from server.web.errors import PageError, not_found
from server.web.host_check import HostCheck
from server.web.hosts import Hosts
from server.web.identity import Identity
from server.web.newcomers import Newcomers
from server.web.oidc.provider_sign_ins import provider_sign_ins
from server.web.operator_access import Operators
from server.web.operator_refusals import OperatorRefusals
from server.web.operator_standing import StrangerError
from server.web.operators import account_pages as operator_accounts
from server.web.operators import act_pages as operator_acts
from server.web.operators import log_pages as operator_log
from server.web.operators import oidc_pages as operator_oidc
from server.web.operators import pages as operator_pages
from server.web.operators import preflight_pages as operator_preflight
from server.web.operators import study_pages as operator_studies
from server.web.pages import Pages
from server.web.participants import (
    arrival_pages,
    debrief_pages,
    help_pages,
    visit_pages,
    withdrawal_pages,
)
from server.web.participants.keeper import keep_visits
from server.web.participants.texts import texts_for
from server.web.preflight_runs import PreflightRuns
from server.web.readiness import Readiness
from server.web.secret_key import secret_key
from server.web.security import SecurityHeaders
from server.web.session_sockets import SessionSockets
from server.web.tokens import Tokens
from server.web.watch_tally import WatchTally

log = structlog.get_logger(__name__)


def server_version() -> str:
    try:
        return version("cohabit")
    except PackageNotFoundError:
        return "0.0.0+checkout"


def make_state(
    settings: Settings,
    make_host: MakeHost | None = None,
    clock: Callable[[], float] | None = None,
    studies: Sequence[Study] = (),
    closed: Collection[str] = (),
    *,
    has_accounts: bool = False,
) -> ApplicationState:
    """Wire the parts of the web process; nothing of them runs yet.

    ``make_host`` replaces the session host, to fail on purpose in tests, ``clock`` the time of
    limits and of pages that the settings say, and ``studies`` are those that people can be invited
    to, but for the ``closed`` ones, whose people may only come back. Raises StudyError for one that
    cannot open, SettingsError for settings that name no policy or leave operators without a
    password (``has_accounts`` says that some have one), and for a key that cannot be trusted.
    """
    settings.require_operators(has_accounts=has_accounts)
    version = server_version()
    database = Database(settings.database, settings.database_wait_s, use_keys(settings.keys))
    rate = settings.clock_rate
    fast = FastClock(rate, settings.clock_since)
    clock = clock or fast.monotonic
    now = SteadyTime(clock, fast.utc_now())
    sessions = SessionManager(
        settings, database, version, make_host or _session_host, now, clock, studies=studies
    )
    archivist = Archivist(
        settings,
        database,
        on_lost=sessions.host.losses.count_at_the_end,
        on_packed=Summariser(settings).summarise,
    )
    robots = RobotPartners(settings, sessions.host.switchboard.answers)
    teams = TeamOffers(settings, robots, studies)
    records = TicketRecords(
        database, settings.member, sessions.left, now, naming_people=NAMING_PEOPLE
    )
    rules = LobbyRules(open_play(settings, teams.menu), teams.answers, studies, teams.title_of)
    key = secret_key(settings.data_dir)
    draws = StoredDraws(database, DrawSeed(key), partial(task_ids, data_dir=settings.data_dir))
    lobby = Lobby(sessions, records, rules, draws=draws, rate=rate)
    sessions.on_close(lobby.wake)
    sessions.on_close(archivist.wake)
    tokens, hosts, client = Tokens(key), Hosts(settings), ClientBuild(settings.client_dir)
    csrf = Csrf(hosts, key, secure=settings.is_https, clock=clock)
    identity = Identity(secure=settings.is_https)
    provider = (settings.oidc_issuer, settings.oidc_claim)
    known_by = None if settings.operator_passwords else provider
    operators = Operators(
        settings,
        clock,
        lambda guesses: AccountAccess(database, tokens, guesses, now, clock, known_by),
    )
    opened = OpenStudies(studies, key, closed)
    notices = OperatorNotices(channels_of(settings))
    return ApplicationState(
        settings=settings,
        version=version,
        database=database,
        sessions=sessions,
        lobby=lobby,
        robots=robots,
        teams=teams,
        archivist=archivist,
        pictures=picture_program(settings),
        films=film_program(settings),
        tokens=tokens,
        identity=identity,
        hosts=hosts,
        operators=operators,
        provider_sign_ins=provider_sign_ins(settings, clock),
        refusals=OperatorRefusals(database, now, clock),
        csrf=csrf,
        client=client,
        pages=Pages(client, csrf, identity, texts_for),
        sockets=SessionSockets(
            settings,
            tokens,
            sessions.host,
            hosts,
            sessions.pages,
            operators,
            WatchTally(database, now),
        ),
        admission=Admission(settings, lobby, sessions, clock),
        newcomers=Newcomers(),
        readiness=Readiness(database, sessions, OrphanedLogs(settings, database), clock),
        studies=opened,
        now=now,
        recruiting=RecruitingWatch(
            database,
            opened,
            lobby.longest_wait_s,
            lobby.study_draws.fault_of,
            lobby.study_draws.is_full,
            lobby.study_draws.are_all_taken,
            notices,
            now,
        ),
        preflights=PreflightRuns(settings, database, now),
    )


def _session_host(settings: Settings, on_result: OnResult, on_ended: OnEnded) -> SessionHost:
    return SessionHost(settings, on_result, on_ended, version=server_version())


def _frozen_models(state: ApplicationState) -> FrozenModels:
    def invited_to() -> list[Study]:
        return [opened.study for opened in state.studies if not opened.is_closed]

    return FrozenModels(
        state.database, invited_to, state.settings, state.recruiting.pause, state.now
    )


def _retention(state: ApplicationState) -> Retention:
    return Retention(state.settings, state.database, state.now)


@asynccontextmanager
async def _life(state: ApplicationState) -> AsyncIterator[None]:
    """Start everything that runs beside requests, and end it in the reverse order."""
    async with AsyncExitStack() as stack:
        stack.push_async_callback(state.database.close)
        await state.database.upgrade()
        async with state.database.transaction() as db:
            await note_opened(db, [opened.study for opened in state.studies], state.now())
        newly_opened = NewlyOpened(state)
        await newly_opened.resume()
        await state.host.start()
        stack.push_async_callback(state.host.stop)
        stack.push_async_callback(state.pictures.stop)
        stack.push_async_callback(state.films.stop)
        stack.push_async_callback(state.preflights.stop)
        resumed = await state.sessions.resume()
        log.info("server.started", resumed_sessions=resumed)
        stack.push_async_callback(state.refusals.tell_rest)
        stack.push_async_callback(state.sockets.watching.tell)
        for name, work in (
            ("sessions", state.sessions.keep()),
            ("archivist", state.archivist.keep()),
            ("robots", state.robots.model_watch.watch()),
            ("visits", keep_visits(state)),
            ("refusals", state.refusals.keep()),
            ("watching", state.sockets.watching.keep()),
            ("recruiting", state.recruiting.watch()),
            ("studies", newly_opened.watch()),
            ("study_models", _frozen_models(state).watch()),
            ("retention", keep_retention(_retention(state), state.settings)),
        ):
            stack.push_async_callback(_end, asyncio.create_task(work, name=name))
        await state.lobby.start()
        # Left first: nobody is matched into a session that is about to close.
        stack.push_async_callback(state.lobby.stop)
        yield


class _Application(FastAPI):
    """Application of which every answer carries the security headers, that to a crash too."""

    def build_middleware_stack(self) -> ASGIApp:
        https = state_of_app(self).settings.is_https
        return SecurityHeaders(super().build_middleware_stack(), https=https)


def create_app(state: ApplicationState) -> FastAPI:
    """Return the application that serves ``state``: pages, sockets, and what runs beside them."""

    @asynccontextmanager
    async def lifespan(_app: FastAPI) -> AsyncIterator[None]:
        async with _life(state):
            yield

    app = _Application(lifespan=lifespan, docs_url=None, redoc_url=None, openapi_url=None)
    app.router.redirect_slashes = False
    attach(app, state)
    app.add_middleware(OnBehalf)
    app.add_middleware(HostCheck, hosts=state.hosts, pages=state.pages)
    for pages in (
        home,
        lobby_pages,
        lobby_socket,
        play_pages,
        play_socket,
        policy_socket,
        replay_pages,
        coding_pages,
        report_pages,
        assets,
        health,
        metrics,
        preflight_answers,
        operator_pages,
        operator_oidc,
        operator_acts,
        operator_accounts,
        operator_studies,
        operator_log,
        operator_preflight,
        watch_socket,
        arrival_pages,
        debrief_pages,
        withdrawal_pages,
        help_pages,
        visit_pages,
        own_data_pages,
    ):
        app.include_router(pages.router)
    client_files = assets.ClientFiles(directory=state.settings.client_dir, check_dir=False)
    app.mount(CLIENT_URL, client_files)
    app.add_exception_handler(PageError, _page_error)
    app.add_exception_handler(StrangerError, operator_pages.show_entrance)
    app.add_exception_handler(HTTPException, _http_error)
    app.add_exception_handler(RequestValidationError, _http_error)
    app.add_exception_handler(DatabaseError, _no_database)
    app.add_exception_handler(KeysError, _no_key)
    app.add_exception_handler(ClientDisconnect, _gone)
    app.add_exception_handler(Exception, _crash)
    return app


async def _end(task: asyncio.Task[None]) -> None:
    task.cancel()
    await asyncio.gather(task, return_exceptions=True)


async def _page_error(request: Request, error: Exception) -> Response:
    assert isinstance(error, PageError)
    return state_of(request).pages.error(request, error)


async def _http_error(request: Request, error: Exception) -> Response:
    status = error.status_code if isinstance(error, HTTPException) else 400
    if status == 404:
        page = not_found()
    else:
        page = PageError(status, "That did not work", "Go back to the start page and try again.")
    return state_of(request).pages.error(request, page)


async def _gone(request: Request, error: Exception) -> Response:
    """Answer a form whose sender hung up in the middle: to nobody, and without a traceback."""
    return Response(status_code=400)


async def _no_database(request: Request, error: Exception) -> Response:
    page = PageError(
        503,
        "We cannot look that up right now",
        "Please try again in a moment. A game that is going on goes on.",
    )
    return _not_now(request, error, page, "page.no_database", log.warning)


async def _no_key(request: Request, error: Exception) -> Response:
    """Answer somebody whose words cannot be sealed; others are served as ever."""
    page = PageError(
        503,
        "We cannot keep what you send right now",
        "Nothing of it was stored. Please try again in a few minutes, or tell who invited you.",
    )
    return _not_now(request, error, page, "page.no_key", log.error)


def _not_now(
    request: Request, error: Exception, page: PageError, event: str, tell: Callable[..., object]
) -> Response:
    """Answer with a page that says so, and tell the log why, now and then."""
    state = state_of(request)
    if count := state.log_throttle.count(event):
        tell(event, reason=str(error), count=count)
    return state.pages.error(request, page)


async def _crash(request: Request, error: Exception) -> Response:
    page = PageError(
        500,
        "Something went wrong here",
        "It is our fault, and it is noted. Going back and trying again often helps.",
    )
    return state_of(request).pages.error(request, page)
