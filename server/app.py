"""The application factory: pages, sockets, lobby and sessions put together."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AsyncExitStack, asynccontextmanager
from importlib.metadata import PackageNotFoundError, version
from typing import Protocol

import structlog
from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from starlette.exceptions import HTTPException
from starlette.responses import Response

from matchmaking.matchmakers import fifo, robot_after
from matchmaking.queue import Limits
from server.hosting.archivist import Archivist
from server.hosting.host_stats import HostStats, SessionState
from server.hosting.picture_service import PictureService
from server.hosting.session_host import SessionHost
from server.hosting.session_manager import Host, SessionManager
from server.lobby import Lobby
from server.lobby.robot_partners import Robots
from server.sessions.results import EpisodeResult
from server.settings import Settings
from server.store import Database, DatabaseError
from server.web import (
    assets,
    health,
    home,
    lobby_pages,
    lobby_socket,
    metrics,
    operator_pages,
    play_pages,
    play_socket,
    report_pages,
    watch_socket,
)
from server.web.client_build import URL as CLIENT_URL
from server.web.client_build import ClientBuild
from server.web.context import Site, site_of
from server.web.csrf import Csrf
from server.web.errors import PageError, not_found
from server.web.identity import Identity
from server.web.pages import Pages
from server.web.security import SecurityHeaders
from server.web.tokens import Tokens

log = structlog.get_logger(__name__)


OnResult = Callable[[EpisodeResult], Awaitable[None]]
OnEnded = Callable[[str, str], Awaitable[None]]


class RunningHost(Host, Protocol):
    """A host of sessions, with its life."""

    async def start(self) -> None: ...

    def stats(self) -> HostStats: ...

    def sessions(self) -> list[SessionState]: ...

    def playing(self) -> int: ...

    def close_admission(self) -> None: ...

    def drain(self) -> None: ...

    async def stop(self) -> None: ...


class MakeHost(Protocol):
    def __call__(
        self, settings: Settings, on_result: OnResult, on_ended: OnEnded
    ) -> RunningHost: ...


def server_version() -> str:
    try:
        return version("cohabit")
    except PackageNotFoundError:
        return "0.0.0+checkout"


def create_app(settings: Settings, make_host: MakeHost | None = None) -> FastAPI:
    """The application; ``make_host`` replaces the session host, to fail on purpose in tests."""
    database = Database(settings.database)
    book = SessionManager(settings, database, server_version())
    host = (make_host or _session_host)(settings, book.on_result, book.on_session_ended)
    book.host = host
    limits = Limits(grace_s=settings.lobby_grace_s, wait_s=settings.lobby_wait_s)
    robots = Robots(settings)
    after_s = settings.robot_after_s
    lobby = Lobby(
        book,
        book,
        limits,
        policy=robot_after(after_s, robots.automatic) if after_s else fifo,
        robot_answers=robots.is_offered,
        robot_after_s=lambda: after_s if after_s and robots.automatic() else None,
    )
    archivist = Archivist(settings, database)
    book.on_free, book.on_closed = lobby.wake, archivist.wake
    csrf, client = Csrf(settings), ClientBuild(settings.client_dir)
    tokens = Tokens(settings.secret_key())
    site = Site(
        settings,
        database,
        lobby,
        book,
        tokens,
        Identity(secure=settings.is_https),
        csrf,
        client,
        Pages(client, csrf),
        PictureService(settings),
        robots,
        server_version(),
    )

    @asynccontextmanager
    async def lifespan(_app: FastAPI) -> AsyncIterator[None]:
        async with AsyncExitStack() as stack:
            stack.push_async_callback(database.close)
            await database.upgrade()
            await host.start()
            stack.push_async_callback(host.stop)
            stack.push_async_callback(site.pictures.stop)
            resumed = await book.resume()
            log.info("server.started", resumed_sessions=resumed)
            keeper = asyncio.create_task(book.keep(), name="sessions")
            stack.push_async_callback(_end, keeper)
            archiving = asyncio.create_task(archivist.keep(), name="archivist")
            stack.push_async_callback(_end, archiving)
            watching = asyncio.create_task(robots.watch(), name="robots")
            stack.push_async_callback(_end, watching)
            await lobby.start()
            # Left first: nobody is matched into a home that is about to close.
            stack.push_async_callback(lobby.stop)
            yield

    app = FastAPI(lifespan=lifespan, docs_url=None, redoc_url=None, openapi_url=None)
    app.router.redirect_slashes = False
    app.state.site = site
    app.state.settings, app.state.tokens, app.state.host = settings, tokens, host
    app.add_middleware(SecurityHeaders, https=settings.is_https)
    for pages in (
        home,
        lobby_pages,
        lobby_socket,
        play_pages,
        play_socket,
        report_pages,
        assets,
        health,
        metrics,
        operator_pages,
        watch_socket,
    ):
        app.include_router(pages.router)
    app.mount(CLIENT_URL, assets.ClientFiles(directory=settings.client_dir, check_dir=False))
    app.add_exception_handler(PageError, _page_error)
    app.add_exception_handler(HTTPException, _http_error)
    app.add_exception_handler(RequestValidationError, _http_error)
    app.add_exception_handler(DatabaseError, _no_database)
    app.add_exception_handler(Exception, _crash)
    return app


async def _end(task: asyncio.Task[None]) -> None:
    task.cancel()
    await asyncio.gather(task, return_exceptions=True)


def _session_host(settings: Settings, on_result: OnResult, on_ended: OnEnded) -> RunningHost:
    return SessionHost(settings, on_result, on_ended, version=server_version())


async def _page_error(request: Request, error: Exception) -> Response:
    assert isinstance(error, PageError)
    return site_of(request).pages.error(request, error)


async def _http_error(request: Request, error: Exception) -> Response:
    status = error.status_code if isinstance(error, HTTPException) else 400
    if status == 404:
        page = not_found()
    else:
        page = PageError(status, "That did not work", "Go back to the start page and try again.")
    return site_of(request).pages.error(request, page)


async def _no_database(request: Request, error: Exception) -> Response:
    log.warning("page.no_database", reason=str(error))
    page = PageError(
        503,
        "We cannot look that up right now",
        "Please try again in a moment. A game that is going on goes on, and nothing is lost.",
    )
    return site_of(request).pages.error(request, page)


async def _crash(request: Request, error: Exception) -> Response:
    page = PageError(
        500,
        "Something went wrong here",
        "It is our fault, and it is noted. Going back and trying again often helps.",
    )
    return site_of(request).pages.error(request, page)
