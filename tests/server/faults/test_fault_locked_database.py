"""A database that is locked while two people are being matched: they get one session, later."""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import AsyncIterator
from pathlib import Path

import httpx
import pytest
from sqlalchemy import event, select
from websockets.asyncio.client import ClientConnection, connect
from websockets.typing import Origin

from matchmaking.tickets import State
from server.lobby import Matched
from server.store import Database
from server.store.models import OccupancyRow, SessionRow, TicketRow
from tests.patience import PATIENCE_S
from tests.server.faults.conftest import StartNearServer
from tests.server.faults.database_lock import DatabaseLock
from tests.server.faults.visitor import eventually
from tests.server.web.conftest import RunningSite
from tests.server.web.doubles import Browser, boot_of, make_settings

pytestmark = pytest.mark.processes

WAIT_S = 0.1
"""Seconds that the servers of these tests wait for a lock; each failure to get it takes so long."""
MOST_FAILURES = 4
"""Failures to get the lock after which it is released."""


@pytest.fixture(params=["sqlite", "postgres"])
def database_url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    if request.param == "sqlite":
        return f"sqlite:///{tmp_path / 'locked.db'}"
    url: str = request.getfixturevalue("postgres_url")
    return url


@pytest.fixture
async def lock(database_url: str) -> AsyncIterator[DatabaseLock]:
    held = DatabaseLock(database_url)
    yield held
    await held.release()


async def test_a_lock_when_the_session_has_been_opened(
    database_url: str, lock: DatabaseLock, tmp_path: Path
) -> None:
    """Give one session; in an attack the two sat in two, and one of these played for nobody."""
    settings = make_settings(tmp_path, database_url=database_url, database_wait_s=WAIT_S)
    site = RunningSite(settings)
    failures: list[object] = []
    engine = site.state.database.engine.sync_engine
    event.listen(engine, "handle_error", failures.append)

    async def lock_once() -> None:
        if len(site.host.opened) == 1:
            await lock.take()

    async with site.running():
        site.host.when_open = lock_once
        browsers = [site.browser(), site.browser()]
        pages = [(await b.press("/", "/play/person")).headers["location"] for b in browsers]
        tickets = [page.removeprefix("/lobby/") for page in pages]
        lobby = site.state.lobby
        outcomes = [lobby.outcome(ticket) for ticket in tickets]
        for ticket in tickets:
            await lobby.connect(ticket, ticket)
        await eventually(lambda: len(failures) >= MOST_FAILURES)
        for browser, page, ticket in zip(browsers, pages, tickets, strict=True):
            # Who asks meanwhile reads the same as before, and cannot leave what may be stored.
            assert "home" in (await browser.get(page)).text
            assert not await lobby.cancel(ticket)
        await lock.release()
        found = await asyncio.wait_for(asyncio.gather(*(o for o in outcomes if o)), 15)
        assert found[0] == found[1]
        assert isinstance(found[0], Matched)
        live = {spec.session_id for spec, _, _ in site.host.opened}
        assert live - {session_id for session_id, _ in site.host.closed} == {found[0].session_id}
        for browser, page in zip(browsers, pages, strict=True):
            assert (await browser.get(page)).headers["location"] == f"/play/{found[0].session_id}"
        await check_one_session(site.state.database, found[0].session_id, tickets)


async def check_one_session(database: Database, session_id: str, tickets: list[str]) -> None:
    async with database.transaction() as db:
        assert list(await db.scalars(select(SessionRow.session_id))) == [session_id]
        seats = list(await db.scalars(select(OccupancyRow)))
        rows = list(await db.scalars(select(TicketRow)))
    assert sorted(str(seat.ticket_id) for seat in seats) == sorted(tickets)
    assert [row.state for row in rows] == [State.MATCHED] * 2
    assert len({row.match_id for row in rows}) == 1


async def test_a_whole_server_holds_two_people_until_the_lock_is_gone(
    near_server: StartNearServer, database_url: str, lock: DatabaseLock
) -> None:
    server = near_server(
        database_url=database_url, database_wait_s=WAIT_S, metrics_token="let me look at it"
    )
    boots = [await in_lobby(server.url) for _ in range(2)]
    await lock.take()
    async with lobby_socket(server.url) as first, lobby_socket(server.url) as second:
        for socket, boot in zip((first, second), boots, strict=True):
            await socket.send(json.dumps(["hello", boot["token"], "tab", False]))
        await eventually(lambda: server.output().count("match.not_stored") >= MOST_FAILURES)
        await lock.release()
        homes = [await home_of(socket) for socket in (first, second)]
    assert homes[0] == homes[1]
    async with httpx.AsyncClient(trust_env=False, timeout=PATIENCE_S) as client:
        headers = {"authorization": "Bearer let me look at it"}
        figures = (await client.get(f"{server.url}/metrics", headers=headers)).text
    assert re.search(r"^cohabit_sessions 1(\.0)?$", figures, re.M), figures
    database = Database(database_url)
    try:
        tickets = [boot["ticketId"] for boot in boots]
        await check_one_session(database, homes[0].removeprefix("/play/"), tickets)
    finally:
        await database.close()


async def in_lobby(url: str) -> dict[str, str]:
    """Return the boot data of the lobby page of somebody new."""
    browser = Browser(httpx.AsyncClient(base_url=url, trust_env=False, timeout=PATIENCE_S), url)
    page = (await browser.press("/", "/play/person")).headers["location"]
    return boot_of((await browser.get(page)).text)


def lobby_socket(url: str) -> connect:
    return connect(f"{url.replace('http', 'ws')}/ws/lobby", origin=Origin(url), proxy=None)


async def home_of(socket: ClientConnection) -> str:
    """Return where a waiting browser is sent."""
    async with asyncio.timeout(20):
        while (message := json.loads(await socket.recv()))[0] == "status":
            pass
    assert message[0] == "matched", message
    return str(message[1])
