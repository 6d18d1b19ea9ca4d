"""Runs the application under uvicorn."""

from __future__ import annotations

import asyncio
import logging
import signal
import socket
import sys
from types import FrameType
from typing import Any

import structlog
import uvicorn
from fastapi import FastAPI

from server.app import RunningHost, create_app
from server.settings import Settings
from server.store import Database
from server.web.context import Site

GRACE_S = 8
"""How long open connections may take to end when the server is told to stop."""
LAST_WORD_S = 0.1
"""For the lobby's last words to leave before its sockets are closed."""


def configure_logging(*, as_json: bool) -> None:
    """One line per event. Ids of ours are the only thing in them that points at a person."""
    renderer: Any = (
        structlog.processors.JSONRenderer()
        if as_json
        else structlog.dev.ConsoleRenderer(colors=sys.stderr.isatty())
    )
    structlog.configure(
        processors=[
            structlog.contextvars.merge_contextvars,
            structlog.processors.add_log_level,
            structlog.processors.TimeStamper(fmt="iso", utc=True),
            structlog.processors.StackInfoRenderer(),
            structlog.processors.format_exc_info if as_json else _keep,
            renderer,
        ],
        wrapper_class=structlog.make_filtering_bound_logger(logging.INFO),
        logger_factory=structlog.PrintLoggerFactory(sys.stderr),
        cache_logger_on_first_use=True,
    )
    logging.basicConfig(level=logging.WARNING, stream=sys.stderr)


def _keep(_logger: Any, _name: str, event: Any) -> Any:
    # The console renderer draws tracebacks itself.
    return event


class _Server(uvicorn.Server):
    """Says the address when it can be opened, not before."""

    def __init__(self, config: uvicorn.Config, app: FastAPI) -> None:
        super().__init__(config)
        self._site: Site = app.state.site
        self._host: RunningHost = app.state.host

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        # Uvicorn's own would raise the signal again at the end; an asked-for stop is no failure.
        if self.should_exit and sig == signal.SIGINT:
            self.force_exit = True
        self.should_exit = True

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        if self.started:
            sys.stdout.write(f"Cohabit is at {self._site.settings.address}  (Ctrl+C stops it)\n")
            sys.stdout.flush()

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        # Uvicorn closes sockets before the application hears of the end, so this goes first:
        # whoever waits or plays is told why.
        await self._site.lobby.stop()
        self._host.drain()
        await asyncio.sleep(LAST_WORD_S)
        await super().shutdown(sockets)


def serve(settings: Settings) -> bool:
    """Serve until a signal; whether it started at all.

    Raises DatabaseError if the database cannot be used.
    """
    configure_logging(as_json=settings.log_json)
    # The application upgrades too, but there a failure comes out as a traceback of Uvicorn's.
    asyncio.run(_upgrade(settings))
    app = create_app(settings)
    config = uvicorn.Config(
        app,
        host=settings.host,
        port=settings.port,
        loop="auto",
        ws="websockets-sansio",
        # Frames are small and already dense; deflate would cost more than it saves, 30 times a
        # second for every browser.
        ws_per_message_deflate=False,
        ws_max_size=64 * 1024,
        proxy_headers=bool(settings.proxy_ips),
        forwarded_allow_ips=settings.proxy_ips or None,
        # Paths hold invitation codes, which are good for joining.
        access_log=False,
        log_level="warning",
        server_header=False,
        timeout_graceful_shutdown=GRACE_S,
    )
    server = _Server(config, app)
    server.run()
    return server.started


async def _upgrade(settings: Settings) -> None:
    database = Database(settings.database)
    try:
        await database.upgrade()
    finally:
        await database.close()
