"""A running site without a network: lifespan on, requests straight into the application."""

from __future__ import annotations

import time
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path
from typing import cast

import httpx
import pytest

from matchmaking.study import Study
from server.app import create_app, make_state
from server.hosting.result_publisher import OnEnded, OnResult
from server.hosting.session_host import SessionHost
from server.settings import Settings
from server.web.application_state import ApplicationState
from tests.server.web.doubles import ORIGIN, Browser, FakeHost, make_settings


class RunningSite:
    def __init__(self, settings: Settings, studies: Sequence[Study] = ()) -> None:
        self.settings = settings
        self.host: FakeHost
        self.passed_s = 0.0
        """Seconds by which the clock of limits and of pages is ahead, for tests to add to."""
        self.state: ApplicationState = make_state(
            settings,
            self._make_host,
            self.clock,
            studies=studies,
        )
        self.app = create_app(self.state)
        self._stack = AsyncExitStack()

    def _make_host(self, settings: Settings, on_result: OnResult, on_ended: OnEnded) -> SessionHost:
        self.host = FakeHost(on_result, on_ended, settings.recordings_dir)
        # The double has what the site asks of a host.
        return cast("SessionHost", self.host)

    def clock(self) -> float:
        """Return the time of limits, of pages and of visits."""
        return time.monotonic() + self.passed_s

    def browser(self, address: str = "127.0.0.1") -> Browser:
        transport = httpx.ASGITransport(
            self.app, raise_app_exceptions=False, client=(address, 40000)
        )
        return Browser(httpx.AsyncClient(transport=transport, base_url=ORIGIN))

    @asynccontextmanager
    async def running(self) -> AsyncIterator[RunningSite]:
        async with self.app.router.lifespan_context(self.app):
            yield self


MakeSite = Callable[..., RunningSite]


@pytest.fixture
def make_site(tmp_path: Path) -> MakeSite:
    return lambda *studies, **changes: RunningSite(make_settings(tmp_path, **changes), studies)


@pytest.fixture
async def site(make_site: MakeSite) -> AsyncIterator[RunningSite]:
    async with make_site().running() as running:
        yield running
