"""A real server with the play socket and the session host alone: no lobby, no database."""

from __future__ import annotations

import asyncio
import itertools
import socket
import time
from pathlib import Path
from types import TracebackType

import msgspec
from fastapi import FastAPI

from episodes.teams import Team
from server.hosting.launchers import Launcher
from server.hosting.page_presence import PagePresence
from server.hosting.session_host import SessionHost
from server.sessions.results import EpisodeResult
from server.sessions.spec import EpisodeSpec, SessionSpec
from server.settings import Settings
from server.store import Database
from server.wall_clock import utc_now
from server.web import play_socket, watch_socket
from server.web.application_state import sockets_of
from server.web.guarded_server import GuardedServer, config_for
from server.web.hosts import Hosts
from server.web.operator_access import Operators
from server.web.session_sockets import SessionSockets
from server.web.tokens import SeatClaim, Tokens, WatchClaim
from server.web.watch_tally import WatchTally
from tests.load.protocol_client import ProtocolClient

DATASET = "tasks/first.json.gz"


class PlayServer:
    """``async with PlayServer(data_dir) as server:`` serves on a free port in this event loop."""

    def __init__(self, data_dir: Path, launcher: Launcher | None = None, **options: object) -> None:
        self._socket = socket.create_server(("127.0.0.1", 0))
        self.port = int(self._socket.getsockname()[1])
        self.settings = Settings(
            data_dir=data_dir,
            port=self.port,
            _env_file=None,
            # All its players come from here.
            **{"exempt_loopback": True, **options},  # type: ignore[arg-type]
        )
        self.results: list[EpisodeResult] = []
        self.ended: list[tuple[str, str]] = []
        self.storing: asyncio.Event = asyncio.Event()
        """Results are stored when this is set; it is, unless a test clears it."""
        self.storing.set()
        self.host = SessionHost(
            self.settings, self._store, self._on_ended, launcher, version="test"
        )
        self.tokens = Tokens("a secret for tests")
        self.operators = Operators(self.settings)
        # Nobody runs it: it counts, and asks no database.
        self.watching = WatchTally(Database(self.settings.database), utc_now)
        self._numbers = itertools.count(1)
        self._server: GuardedServer | None = None
        self._task: asyncio.Task[None] | None = None

    @property
    def url(self) -> str:
        return f"ws://127.0.0.1:{self.port}/ws/play"

    @property
    def origin(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    async def _store(self, result: EpisodeResult) -> None:
        await self.storing.wait()
        self.results.append(result)

    async def _on_ended(self, session_id: str, reason: str) -> None:
        self.ended.append((session_id, reason))

    async def __aenter__(self) -> PlayServer:
        app = FastAPI()
        sockets = SessionSockets(
            self.settings,
            self.tokens,
            self.host,
            Hosts(self.settings),
            PagePresence(time.monotonic),
            self.operators,
            self.watching,
        )
        app.dependency_overrides[sockets_of] = lambda: sockets
        app.include_router(play_socket.router)
        app.include_router(watch_socket.router)
        await self.host.start()
        config = config_for(app, self.settings, grace_s=1)
        config.lifespan = "off"
        self._server = GuardedServer(config, self.settings)
        self._server.config.load()
        self._task = asyncio.create_task(self._server._serve(sockets=[self._socket]))
        while not self._server.started:  # noqa: ASYNC110 — uvicorn has no event for it
            await asyncio.sleep(0.01)
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        assert self._server is not None
        assert self._task is not None
        self.host.drain()
        self._server.should_exit = True
        await self._task
        await self.host.stop()
        self._socket.close()

    # Sessions

    def spec(
        self, *, solo: bool = False, team: str = "pair", seed: int = 1, **options: object
    ) -> SessionSpec:
        session_id = f"ses_{next(self._numbers)}"
        spec = SessionSpec.of(session_id, Team.parse("solo" if solo else team), seed)
        return msgspec.structs.replace(spec, **options)

    def episode(self, task_id: str, name: str = "", **options: object) -> EpisodeSpec:
        name = name or f"epi_{next(self._numbers)}"
        return EpisodeSpec(name, DATASET, task_id, **options)  # type: ignore[arg-type]

    async def open(
        self,
        task_id: str,
        *,
        solo: bool = False,
        team: str = "pair",
        seed: int = 1,
        **options: object,
    ) -> SessionSpec:
        """Open a session with a task of the first data set."""
        spec = self.spec(solo=solo, team=team, seed=seed, **options)
        await self.host.open(spec, self.episode(task_id))
        return spec

    def token(self, spec: SessionSpec, seat: str) -> str:
        return self.tokens.sign_seat(SeatClaim(spec.session_id, seat, f"par_{seat}"))

    def client(self, spec: SessionSpec, seat: str, **options: object) -> ProtocolClient:
        """Return a player of a seat, not connected yet."""
        return ProtocolClient(self.url, self.origin, self.token(spec, seat), **options)  # type: ignore[arg-type]

    def watcher(self, session_id: str, sign_in: str = "", **options: object) -> ProtocolClient:
        """Return an operator who only watches, not connected yet."""
        claim = WatchClaim(session_id, sign_in or self.operators.process_sign_in)
        token = self.tokens.sign_watch(claim)
        url = self.url.replace("/ws/play", "/ws/watch")
        return ProtocolClient(url, self.origin, token, **options)  # type: ignore[arg-type]
