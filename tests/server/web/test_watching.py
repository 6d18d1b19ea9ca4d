"""Watching: a real socket that is sent what both players see, and from which nothing is done."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator
from functools import partial
from pathlib import Path

import httpx
import msgspec
import pytest
import pytest_asyncio
from starlette.requests import HTTPConnection
from starlette.responses import Response
from websockets.exceptions import ConnectionClosed

from server.hosting.host_stats import SeatState, SessionState
from server.store.identifiers import new_id
from server.web import session_socket
from server.web.operator_access import SESSION_AGE_S, Operators
from server.wire.messages import (
    DidEvent,
    DriveInput,
    FinishInput,
    RefusedEvent,
    SayInput,
    SelectInput,
    SelectionEvent,
)
from tests.load.near_task import NEAR, Reach
from tests.load.play_server import PlayServer
from tests.load.protocol_client import ProtocolClient
from tests.server.faults.visitor import eventually
from tests.server.web.conftest import MakeSite, RunningSite
from tests.server.web.doubles import Browser, boot_of

PASSWORD = "open sesame, please"

pytestmark = [pytest.mark.asyncio(loop_scope="module"), pytest.mark.processes]


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def server(play_dir: Path, reach: Reach) -> AsyncIterator[PlayServer]:
    async with PlayServer(play_dir) as running:
        yield running


@pytest.mark.parametrize("codec", ["msgpack", "json"])
async def test_a_watcher_sees_what_both_players_see(
    server: PlayServer, reach: Reach, codec: str
) -> None:
    spec = await server.open(NEAR)
    async with server.client(spec, "human_0") as human, server.client(spec, "robot_0") as robot:
        await human.until_playing()
        assert isinstance(await human.act("pick", human.model.index(reach.handle)), DidEvent)
        await robot.say("hello")
        await human.until(lambda: human.model.chat)
        async with server.watcher(spec.session_id, codec=codec) as watcher:
            await watcher.until(lambda: watcher.snapshots)
            assert watcher.me == -1
            assert [line.text for line in watcher.model.chat] == ["hello"]
            await human.drive(700, 0, 300)
            await asyncio.sleep(0.2)
            await human.drive(0, 0, 300)
            # What is for one seat alone is not for those who look on.
            await human.send(SelectInput(human.model.index(reach.furniture)))
            refused = await human.act("pick", human.model.index(reach.furniture))
            assert isinstance(refused, RefusedEvent)
            await human.until(
                lambda: any(isinstance(e, SelectionEvent) for e in human.model.events)
            )
            await robot.say("bye")
            await watcher.until(lambda: len(watcher.model.chat) == 2)
            await watcher.until(lambda: watcher.model.known() == human.model.known())
            private = (RefusedEvent, SelectionEvent)
            assert not any(isinstance(event, private) for event in watcher.model.events)
            state = server.host.sessions()[-1]
            assert (state.session_id, state.task_id, state.phase, state.watchers) == (
                spec.session_id,
                NEAR,
                "playing",
                1,
            )
            seats = [(seat.seat_id, seat.policy, seat.presence) for seat in state.seats]
            assert seats == [("robot_0", "", "connected"), ("human_0", "", "connected")]
            for player in (human, robot):
                await player.send(FinishInput())
            await watcher.until(lambda: watcher.over)
        assert server.host.sessions()[-1].phase == "between tasks"
    await server.host.close_session(spec.session_id, "done")


async def test_nothing_is_done_by_looking_and_nobody_is_told(
    server: PlayServer, reach: Reach
) -> None:
    spec = await server.open(NEAR, solo=True)
    async with server.client(spec, "human_0") as human:
        await human.until_playing()
        before, told = human.model.known(), len(human.seats_told)
        async with server.watcher(spec.session_id) as first:
            async with server.watcher(spec.session_id) as second:
                await second.until(lambda: second.snapshots)
                await second.send(DriveInput(1, 1000, 0, 900, 0))
                await second.send(SayInput("boo"))
                await second.send(FinishInput())
                tick = second.model.tick
                await second.until(lambda: second.model.tick > tick + 30)
                assert human.model.known() == before
                assert human.model.chat == []
                assert len(server.watching) == 1, "it is noted with the episode"
            # One who goes does not take another along.
            tick = first.model.tick
            await first.until(lambda: first.model.tick > tick + 5)
        assert (len(human.seats_told), human.notices) == (told, [])
        await eventually(lambda: len(server.watching) == 0)
        assert human.model.phase == "running"
        async with server.watcher(spec.session_id) as flooder:
            with contextlib.suppress(ConnectionClosed):
                while flooder.close is None:
                    await flooder.send(DriveInput(1, 1, 0, 0, 0))
                    await asyncio.sleep(0)
            assert (await flooder.closed())[0] == 4008
        await server.host.close_session(spec.session_id, "done")


async def test_only_so_many_watch_one_session(server: PlayServer, reach: Reach) -> None:
    spec = await server.open(NEAR, solo=True)
    async with contextlib.AsyncExitStack() as stack:
        watchers = [
            await stack.enter_async_context(server.watcher(spec.session_id))
            for _ in range(server.settings.watchers_per_session)
        ]
        for watcher in watchers:
            await watcher.until(partial(getattr, watcher, "snapshots"))
        async with server.watcher(spec.session_id) as late:
            assert await late.closed() == (4003, "no more can watch this session")
        # Nobody who plays is kept out by those who look on.
        async with server.client(spec, "human_0") as human:
            await human.until_playing()
        # And who goes makes room.
        await watchers[-1].stop()
        await eventually(lambda: server.host.sessions()[-1].watchers < len(watchers))
        async with server.watcher(spec.session_id) as next_one:
            await next_one.until(lambda: next_one.snapshots)
    await server.host.close_session(spec.session_id, "done")


async def test_a_seats_token_does_not_open_the_watchers_socket_nor_the_other_way(
    server: PlayServer,
) -> None:
    spec = await server.open(NEAR, solo=True)
    for client in (server.client(spec, "human_0"), server.watcher(spec.session_id)):
        swap = {"/ws/play": "/ws/watch", "/ws/watch": "/ws/play"}
        path = client._url[client._url.index("/ws/") :]
        client._url = client._url.replace(path, swap[path])
        async with client:
            assert (await client.closed())[0] == 4401
    async with server.watcher("ses_none") as late:
        assert (await late.closed())[0] == 4404
    await server.host.close_session(spec.session_id, "done")


# The pages


def running(session_id: str) -> SessionState:
    seats = (SeatState("human_0", "", "gone", 80.0), SeatState("robot_0", "expert"))
    return SessionState(session_id, "t1", "playing", seats, 0)


SESSION = new_id("ses")
UNKNOWN = new_id("ses")


async def test_operators_see_what_runs_and_open_it(site: RunningSite) -> None:
    site.host.states = [running(SESSION)]
    browser = site.browser()
    page = (await browser.get("/operator")).text
    assert f"/operator/watch/{SESSION}" in page
    assert 'presence-gone">gone</span> 1 min' in page
    assert "expert" in page
    boot = boot_of((await browser.get(f"/operator/watch/{SESSION}")).text)
    assert site.state.tokens.read_watch(boot["token"]).session_id == SESSION
    assert (await browser.get(f"/operator/watch/{new_id('ses')}")).status_code == 410
    assert (await browser.get("/operator/watch/nonsense")).status_code == 404


async def test_who_signs_out_watches_no_longer(
    play_dir: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(session_socket, "SIGN_IN_LOOK_S", 0.02)
    async with PlayServer(play_dir, metrics_token=PASSWORD) as server:
        spec = await server.open(NEAR, solo=True)
        connection, sign_in = await sign_in_at(server.operators)
        _, other = await sign_in_at(server.operators)
        async with contextlib.AsyncExitStack() as stack:
            names = (sign_in, other, server.operators.process_sign_in)
            mine, others, local = [
                await stack.enter_async_context(server.watcher(spec.session_id, name))
                for name in names
            ]
            for watcher in (mine, others, local):
                await watcher.until(partial(getattr, watcher, "snapshots"))
            await server.operators.leave(connection, Response())
            assert await mine.closed() == (4401, "you have signed out: open it again")
            # Nobody else is sent away, and the token that was in the page opens nothing.
            for watcher in (others, local):
                tick = watcher.model.tick
                await watcher.until(partial(_is_past, watcher, tick + 5))
        for name in (sign_in, "f00d", "nonsense", "é" * 8):
            async with server.watcher(spec.session_id, name) as late:
                assert (await late.closed())[0] == 4401
        await server.host.close_session(spec.session_id, "done")


def _is_past(watcher: ProtocolClient, tick: int) -> bool:
    return watcher.model.tick > tick


async def sign_in_at(operators: Operators) -> tuple[HTTPConnection, str]:
    """Sign in with the password; return a request of that browser, and the sign-in's name."""
    scope: dict[str, object] = {"type": "http", "client": ("192.0.2.7", 1), "headers": []}
    response = Response()
    assert await operators.enter(HTTPConnection(scope), "", PASSWORD, response)
    cookie = response.headers["set-cookie"].partition(";")[0].encode()
    connection = HTTPConnection({**scope, "headers": [(b"cookie", cookie)]})
    standing = await operators.standing(connection)
    assert standing is not None
    return connection, standing.sign_in


async def test_a_page_to_watch_is_worth_as_much_as_its_sign_in(make_site: MakeSite) -> None:
    async with make_site(metrics_token=PASSWORD).running() as site:
        site.host.states = [running(SESSION)]
        browser, other = site.browser(), site.browser()
        claims = []
        for each in (browser, other):
            await press(each, PASSWORD)
            boot = boot_of((await each.get(f"/operator/watch/{SESSION}")).text)
            claims.append(site.state.tokens.read_watch(boot["token"]))
        lasts = site.state.operators.lasts
        assert [await lasts(claim.sign_in) for claim in claims] == [True, True]
        await browser.press("/operator", "/operator/leave")
        assert [await lasts(claim.sign_in) for claim in claims] == [False, True]
        site.passed_s += SESSION_AGE_S
        assert not await lasts(claims[1].sign_in)


async def test_a_session_that_is_watched_enough_says_so(make_site: MakeSite) -> None:
    async with make_site(watchers_per_session=1).running() as site:
        site.host.states = [msgspec.structs.replace(running(SESSION), watchers=1)]
        browser = site.browser()
        assert "1 of at most 1" in (await browser.get("/operator")).text
        page = await browser.get(f"/operator/watch/{SESSION}")
        assert page.status_code == 503
        assert "COHABIT_WATCHERS_PER_SESSION" in page.text
        site.host.states = [running(SESSION)]
        assert (await browser.get(f"/operator/watch/{SESSION}")).status_code == 200


async def test_who_has_no_password_sees_nothing_of_it(make_site: MakeSite) -> None:
    async with make_site(metrics_token=PASSWORD).running() as site:
        site.host.states = [running(SESSION)]
        browser = site.browser()
        await browser.get("/")
        for path in ("/operator", f"/operator/watch/{SESSION}"):
            answer = await browser.get(path)
            assert answer.status_code == 403
            # It names what was asked for, there or not.
            other = await browser.get(path.replace(SESSION, UNKNOWN))
            assert answer.text.replace(SESSION, UNKNOWN) == other.text
            assert path != "/operator" or "ses_" not in answer.text
        shown = await browser.client.get("/operator")
        assert "operator-password" in shown.text
        refused = await press(browser, "sesame")
        assert refused.status_code == 403
        assert "That is not it" in refused.text
        assert (await browser.get("/operator")).status_code == 403
        entered = await press(browser, PASSWORD)
        assert entered.headers["location"] == "/operator"
        assert SESSION in (await browser.get("/operator")).text
        assert (await browser.get(f"/operator/watch/{SESSION}")).status_code == 200
        await browser.press("/operator", "/operator/leave")
        assert (await browser.get("/operator")).status_code == 403


async def press(browser: Browser, password: str) -> httpx.Response:
    """Press the button of the form, which stands on a page that answers 403."""
    page = (await browser.client.get("/operator")).text
    token = page.split('name="form_token" value="')[1].split('"')[0]
    return await browser.client.post(
        "/operator/enter",
        data={"form_token": token, "password": password},
        headers={"origin": "http://127.0.0.1:8000"},
    )


async def test_without_a_password_only_this_machine_gets_in(site: RunningSite) -> None:
    browser = site.browser()
    assert (await browser.get("/operator")).status_code == 200
    away = await browser.client.get("/operator", headers={"x-forwarded-for": "1.2.3.4"})
    assert away.status_code == 403
    assert "COHABIT_METRICS_TOKEN" in away.text
