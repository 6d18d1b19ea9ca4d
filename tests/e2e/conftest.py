"""A real Chromium with software GL, and players in it.

The tests of this folder share one event loop and one browser. Every player is a browser context of
its own, as if on a machine of its own. What a failed test saw is left in ``test-results/e2e``.
"""

from __future__ import annotations

import re
import shutil
from collections.abc import AsyncIterator, Awaitable, Callable, Generator
from pathlib import Path
from typing import Any

import pytest
import pytest_asyncio
from playwright.async_api import Browser, async_playwright, expect
from playwright.async_api import Error as PlaywrightError

from tests.e2e.guide import Guide
from tests.e2e.player import Player
from tests.live_server import LiveServer, choose_tasks
from tests.patience import LOADING_S, PATIENCE_S
from toolchain.browser import ARGUMENTS, find_chromium

expect.set_options(timeout=1000 * PATIENCE_S)

RESULTS = Path(__file__).parents[2] / "test-results" / "e2e"

PATIENT = {"loading_timeout_s": LOADING_S, "reconnect_window_s": LOADING_S, "idle_s": LOADING_S}
"""Settings of a server that does not give up a browser which a busy machine keeps waiting."""

NewPlayer = Callable[..., Awaitable[Player]]
ServeTasks = Callable[..., LiveServer]
GuideOf = Callable[[str], Guide]


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_runtest_makereport(
    item: pytest.Item,
) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Remember how the test went, for the fixtures that clean up after it."""
    report = yield
    setattr(item, f"report_{report.when}", report)
    return report


@pytest_asyncio.fixture(scope="session", loop_scope="session")
async def browser() -> AsyncIterator[Browser]:
    path = find_chromium()
    if path is None:
        pytest.fail("no Chromium: `make test` installs one; CHROME_BIN names one")
    async with async_playwright() as playwright:
        chromium = await playwright.chromium.launch(executable_path=path, args=list(ARGUMENTS))
        yield chromium
        await chromium.close()


@pytest.fixture
def serve(start_server: ServeTasks, data_dir: Path) -> ServeTasks:
    """Return what starts a server that plays exactly the named tasks: ``serve("2", "5")``."""

    def start(*task_ids: str, **options: object) -> LiveServer:
        options = {**PATIENT, **options}
        choose_tasks(data_dir, *task_ids)
        return start_server(**options)

    return start


@pytest.fixture
def guide(data_dir: Path) -> GuideOf:
    """Return what makes the guide of a task: a player who knows the house."""
    return lambda task_id: Guide(data_dir, task_id)


@pytest_asyncio.fixture(loop_scope="session")
async def new_player(
    browser: Browser, request: pytest.FixtureRequest, data_dir: Path
) -> AsyncIterator[NewPlayer]:
    """Return what opens a browser context at a server, and close all of them afterwards.

    Called as ``await new_player(server, "ann")``; further arguments are of the context.
    """
    players: list[Player] = []

    async def open_player(server: LiveServer, name: str, **device: Any) -> Player:
        device = {"viewport": {"width": 800, "height": 500}, **device}
        context = await browser.new_context(base_url=server.url, reduced_motion="reduce", **device)
        context.set_default_timeout(1000 * PATIENCE_S)
        player = Player(name, await context.new_page(), server.url)
        players.append(player)
        return player

    yield open_player
    report = getattr(request.node, "report_call", None)
    if report is not None and report.failed:
        await _leave_traces(request.node.name, players, data_dir / "server.log")
    for player in players:
        await player.page.context.close()
    # After the test itself, so that its own failure is the one that is shown.
    if report is not None and report.passed:
        complaints = [f"{p.name}: {line}" for p in players for line in p.complaints]
        assert complaints == [], "the browser complained in its console"


async def _leave_traces(test: str, players: list[Player], server_log: Path) -> None:
    pictures: dict[str, bytes] = {}
    for player in players:
        try:
            pictures[player.name] = await player.page.screenshot(timeout=5000)
        except PlaywrightError as error:
            player.console.append(f"no picture: {error.message}")
    _write_traces(RESULTS / re.sub(r"\W+", "_", test), players, pictures, server_log)


def _write_traces(
    folder: Path, players: list[Player], pictures: dict[str, bytes], server_log: Path
) -> None:
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    for player in players:
        (folder / f"{player.name}.txt").write_text("\n".join(player.console))
    for name, picture in pictures.items():
        (folder / f"{name}.png").write_bytes(picture)
    if server_log.exists():
        shutil.copy(server_log, folder)
