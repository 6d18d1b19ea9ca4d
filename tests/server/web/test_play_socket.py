"""Players over real sockets: what they see of each other, and what the socket does not take."""

from __future__ import annotations

import asyncio
import math
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
import pytest_asyncio
from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed, InvalidStatus

from episodes.bodies import BODIES
from server.sessions.spec import TICK_RATE
from server.wire.messages import (
    DidEvent,
    DriveInput,
    Hello,
    Ping,
    PreviewInput,
    RefusedEvent,
    SelectInput,
    SelectionEvent,
)
from tests.load.near_task import NEAR, Reach
from tests.load.play_server import PlayServer

pytestmark = [pytest.mark.asyncio(loop_scope="module"), pytest.mark.processes]


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def server(play_dir: Path, reach: Reach) -> AsyncIterator[PlayServer]:
    async with PlayServer(play_dir, reconnect_window_s=30) as running:
        yield running


@pytest.mark.parametrize("codec", ["msgpack", "json"])
async def test_two_players_see_each_other_walk_act_and_talk(
    server: PlayServer, reach: Reach, codec: str
) -> None:
    spec = await server.open(NEAR)
    async with (
        server.client(spec, "human_0", codec=codec) as human,
        server.client(spec, "robot_0", codec="msgpack") as robot,
    ):
        await human.until_playing()
        await robot.until_playing()
        assert human.model.known() == robot.model.known()

        cup = human.model.index(reach.handle)
        did = await human.act("pick", cup)
        assert isinstance(did, DidEvent)
        await robot.until(lambda: robot.model.things[cup].holder == human.me)
        start = robot.model.agents[human.me]
        await human.drive(800, 0, start.yaw)
        await robot.until(lambda: robot.model.agents[human.me] != start)
        forth = robot.model.agents[human.me]
        await human.drive(-800, 0, start.yaw)
        await robot.until(lambda: robot.model.agents[human.me] != forth)
        await human.drive(0, 0, start.yaw)

        door = robot.model.index(reach.furniture)
        assert isinstance(await robot.act("open", door), DidEvent)
        await human.until(lambda: any(key[0] == door for key in human.model.parts))
        refused = await robot.act("pick", door)
        assert isinstance(refused, RefusedEvent)
        assert refused.reason
        assert not any(isinstance(e, RefusedEvent) for e in human.model.events)

        await human.say("hello <b>✓</b>")
        await robot.until(lambda: robot.model.chat)
        assert robot.model.chat[-1].text == "hello <b>✓</b>"
        await human.until(lambda: human.model.chat)
        await human.until(lambda: human.model.known() == robot.model.known())


async def test_selection_and_preview_answer_the_one_who_asks(
    server: PlayServer, reach: Reach
) -> None:
    spec = await server.open(NEAR, solo=True)
    async with server.client(spec, "human_0") as human:
        await human.until_playing()
        cup = human.model.index(reach.handle)
        await human.send(SelectInput(cup))
        await human.until(lambda: any(isinstance(e, SelectionEvent) for e in human.model.events))
        offered = next(e for e in human.model.events if isinstance(e, SelectionEvent))
        assert offered.target == cup
        assert ("pick", True) in [(a.verb, a.possible) for a in offered.actions]
        await human.act("pick", cup)
        await human.send(PreviewInput(9, reach.place_at, 0, -1))
        await human.until(lambda: human.previews)
        assert human.previews[0].preview_id == 9
        assert human.previews[0].fits, human.previews[0].reason
        back = await human.place(reach.place_at, -1)
        assert isinstance(back, DidEvent)
        assert back.where


async def test_an_index_that_means_nothing_is_refused(server: PlayServer) -> None:
    spec = await server.open(NEAR, solo=True)
    async with server.client(spec, "human_0") as human:
        await human.until_playing()
        answer = await human.act("pick", 100_000)
        assert isinstance(answer, RefusedEvent)


async def test_a_round_trip_tells_the_tick(server: PlayServer) -> None:
    spec = await server.open(NEAR, solo=True)
    async with server.client(spec, "human_0") as human:
        await human.until(lambda: human.pongs)
        assert human.pongs[0].tick >= 0


# Who is let in


async def _refusal(server: PlayServer, first: bytes | str, name: str = "json") -> tuple[int, str]:
    async with connect(
        server.url,
        origin=server.origin,  # type: ignore[arg-type]
        subprotocols=[f"cohabit.1.{name}"],  # type: ignore[list-item]
        compression=None,
        proxy=None,
    ) as socket:
        await socket.send(first)
        with pytest.raises(ConnectionClosed) as closed:
            await socket.recv()
    assert closed.value.rcvd is not None
    return closed.value.rcvd.code, closed.value.rcvd.reason


async def test_X2_a_foreign_page_is_refused_before_it_is_let_in(server: PlayServer) -> None:
    for origin in (None, "http://evil.example", f"http://127.0.0.1:{server.port + 1}"):
        with pytest.raises(InvalidStatus) as refused:
            async with connect(
                server.url,
                origin=origin,  # type: ignore[arg-type]
                subprotocols=["cohabit.1.json"],  # type: ignore[list-item]
                proxy=None,
            ):
                pass
        assert refused.value.response.status_code == 403


@pytest.mark.parametrize("offered", [None, ["cohabit.9.json"], ["chat"]])
async def test_another_version_is_told_to_reload(
    server: PlayServer, offered: list[str] | None
) -> None:
    async with connect(
        server.url,
        origin=server.origin,  # type: ignore[arg-type]
        subprotocols=offered,  # type: ignore[arg-type]
        proxy=None,
    ) as socket:
        with pytest.raises(ConnectionClosed) as closed:
            await socket.recv()
    assert closed.value.rcvd is not None
    assert closed.value.rcvd.code == 4426


async def test_S4_X3_nobody_gets_in_without_a_token_or_with_what_is_no_message(
    server: PlayServer,
) -> None:
    spec = await server.open(NEAR)
    good = server.token(spec, "human_0")
    assert (await _refusal(server, '["ready"]'))[0] == 4401
    assert (await _refusal(server, f'["hello","{good[:-2]}xx","tab","1"]'))[0] == 4401
    assert (await _refusal(server, "not json"))[0] == 4002
    assert (await _refusal(server, b"\xc1", "msgpack"))[0] == 4002
    elsewhere = server.token(server.spec(), "human_0")
    assert (await _refusal(server, f'["hello","{elsewhere}","tab","1"]'))[0] == 4404
    nobody = server.token(spec, "human_7")
    assert (await _refusal(server, f'["hello","{nobody}","tab","1"]'))[0] == 4003


async def test_an_empty_seat_of_a_solo_session_is_refused(server: PlayServer) -> None:
    spec = await server.open(NEAR, solo=True)
    token = server.token(spec, "robot_0")
    assert (await _refusal(server, f'["hello","{token}","tab","1"]'))[0] == 4003


# Tabs


async def test_E3_the_same_tab_takes_over_its_old_socket(server: PlayServer) -> None:
    spec = await server.open(NEAR)
    async with (
        server.client(spec, "human_0", tab="a") as old,
        server.client(spec, "robot_0") as robot,
    ):
        await robot.until_playing()
        async with server.client(spec, "human_0", tab="a") as new:
            await new.until_playing()
            assert (await old.closed())[0] == 4000
            await asyncio.sleep(0.2)
            # Nobody saw the seat empty.
            assert robot.model.seats[new.me][0] == "connected"
            assert new.model.known() == robot.model.known()


async def test_E3_another_tab_may_play_only_when_it_says_so(server: PlayServer) -> None:
    spec = await server.open(NEAR, solo=True)
    async with server.client(spec, "human_0", tab="a") as first:
        await first.until_playing()
        async with server.client(spec, "human_0", tab="b") as second:
            assert (await second.closed())[0] == 4009
        assert first.close is None
        async with server.client(spec, "human_0", tab="b", take_over=True) as third:
            await third.until_playing()
            assert (await first.closed())[0] == 4009


async def test_S1_a_player_who_comes_back_finds_everything_as_it_is(
    server: PlayServer, reach: Reach
) -> None:
    spec = await server.open(NEAR)
    async with server.client(spec, "robot_0") as robot:
        async with server.client(spec, "human_0") as human:
            await human.until_playing()
            await human.act("pick", human.model.index(reach.handle))
            await human.say("back in a minute")
            await asyncio.sleep(0.1)
            human.abort()
            seat = human.me
            await robot.until(lambda: robot.model.seats[seat][0] == "reconnecting")
            # A flap is not told, so two of the thirty seconds are over; more on a busy machine.
            assert 20 < robot.model.seats[seat][2] <= 28
        async with server.client(spec, "human_0") as human:
            await human.until(lambda: human.model.seats.get(seat, ("",))[0] == "connected")
            await robot.until(lambda: robot.model.seats[seat][0] == "connected")
            await human.until(lambda: human.model.known() == robot.model.known())
            cup = human.model.index(reach.handle)
            assert human.model.things[cup].holder == seat


# What is too much


async def test_malformed_messages_close_that_connection_alone(server: PlayServer) -> None:
    spec = await server.open(NEAR)
    async with server.client(spec, "robot_0") as robot:
        for codec, bad in (
            ("msgpack", b"\xc1\xc1"),
            ("msgpack", b"\x93\xa1d\x01"),
            ("json", '["a",1,1,"explode",2]'),
            ("json", '["d",1,99999999999,0,0,0]'),
        ):
            async with server.client(spec, "human_0", codec=codec) as human:
                await human.until(lambda: human.snapshots)
                await human.send_raw(bad)
                code, reason = await human.closed()
                assert code == 4002
                assert reason
        async with server.client(spec, "human_0") as human:
            await human.until_playing()
            await human.send(Hello("again", "tab", "1"))
            assert (await human.closed())[0] == 4002
        assert robot.close is None
        frames = robot.frames
        await robot.until(lambda: robot.frames > frames)


async def test_X3_an_oversized_message_is_refused(server: PlayServer) -> None:
    spec = await server.open(NEAR, solo=True)
    async with server.client(spec, "human_0", codec="json") as human:
        await human.until(lambda: human.snapshots)
        await human.send_raw('["say","' + "x" * 20_000 + '"]')
        assert (await human.closed())[0] == 4008


async def test_X3_a_flood_is_warned_of_once_and_then_closed(server: PlayServer) -> None:
    spec = await server.open(NEAR)
    async with (
        server.client(spec, "robot_0") as robot,
        server.client(spec, "human_0") as human,
    ):
        await human.until_playing()
        await robot.until_playing()

        async def flood() -> None:
            while human.close is None:
                await human.send(DriveInput(1, 0, 0, 0, 0))
                await asyncio.sleep(0)

        # The connection may go in the middle of a send.
        await asyncio.gather(flood(), return_exceptions=True)
        # By those who know the messages, long before the limit of what a socket may send at all.
        assert await human.closed() == (4008, "too many messages")
        assert [notice.code for notice in human.notices] == ["rate"]
        frames = robot.frames
        await robot.until(lambda: robot.frames > frames)


async def test_X4_whatever_a_client_asks_for_a_body_walks_and_reaches_as_bodies_do(
    server: PlayServer, reach: Reach
) -> None:
    spec = await server.open(NEAR)
    async with (
        server.client(spec, "robot_0") as robot,
        server.client(spec, "human_0") as human,
    ):
        await human.until_playing()
        await robot.until_playing()
        # It lies beside the person.
        assert isinstance(await robot.act("pick", robot.model.index(reach.handle)), RefusedEvent)
        partner, furthest = robot.model.agents[human.me], 0.0
        for yaw in (0, 1571, 3141, -1571):
            start, tick = human.model.agents[robot.me], human.model.tick
            # Thirty metres a second.
            await robot.drive(30_000, 0, yaw)
            await human.until(lambda at=tick: human.model.tick > at + 20)  # type: ignore[misc]
            now = human.model.agents[robot.me]
            metres = math.dist((start.x, start.z), (now.x, now.z)) / 1000
            assert metres <= BODIES["robot"].speed * (human.model.tick - tick + 5) / TICK_RATE
            furthest = max(furthest, metres)
        assert furthest > 0.2, "it has walked"
        assert robot.model.agents[human.me] == partner


async def test_a_line_that_is_too_long_is_not_sent(server: PlayServer) -> None:
    spec = await server.open(NEAR, solo=True)
    async with server.client(spec, "human_0") as human:
        await human.until_playing()
        await human.say("x" * 501)
        await human.until(lambda: human.notices)
        assert human.notices[0].code == "text_too_long"
        await human.say("short")
        await human.until(lambda: human.model.chat)
        assert [line.text for line in human.model.chat] == ["short"]


async def test_a_reader_that_stalls_delays_nobody_and_then_catches_up(
    server: PlayServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The client stops reading and pinging; the server stops sending, later sends one frame."""
    monkeypatch.setattr("server.web.session_socket.QUIET_S", 0.5)
    monkeypatch.setattr("server.web.session_socket.LOOK_S", 0.1)
    spec = await server.open(NEAR)
    async with (
        server.client(spec, "robot_0") as robot,
        server.client(spec, "human_0", pings=False) as stalled,
    ):
        await robot.until_playing()
        await stalled.until_playing()
        yaw, frames, began = 0, robot.frames, robot.model.tick
        until_tick = robot.model.tick + 75
        while robot.model.tick < until_tick or stalled.model.tick >= robot.model.tick - 20:
            yaw = (yaw + 100) % 3000
            await robot.drive(1000, 0, yaw)
            if yaw % 500 == 0:
                await robot.say(f"at {yaw}")
            await asyncio.sleep(0.1)
        # A frame a tick, or nearly: nothing was kept from the one who reads.
        assert robot.frames - frames > 0.6 * (robot.model.tick - began)
        behind, events = stalled.frames, len(stalled.model.events)
        assert stalled.model.tick < robot.model.tick - 20
        await robot.drive(0, 0, yaw)
        pongs, ticks_behind = len(stalled.pongs), robot.model.tick - stalled.model.tick
        await stalled.send(Ping(1))
        await stalled.until(lambda: len(stalled.pongs) > pongs)
        await stalled.until(lambda: stalled.model.tick >= robot.model.tick - 3)
        # What it missed came in few frames, not one for each tick.
        assert stalled.frames - behind < ticks_behind
        await stalled.until(lambda: stalled.model.known() == robot.model.known())
        assert len(stalled.model.events) >= events
        assert stalled.model.chat == robot.model.chat


async def test_a_dead_line_is_cut_and_a_hidden_page_is_not(
    server: PlayServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("server.web.session_socket.SILENT_S", 0.6)
    monkeypatch.setattr("server.web.session_socket.LOOK_S", 0.1)
    spec = await server.open(NEAR)
    async with (
        server.client(spec, "robot_0", pings=False) as hidden,
        server.client(spec, "human_0", pings=False) as dead,
    ):
        await hidden.until_playing()
        await hidden.send(Ping(1, -1, 0, True))
        assert (await dead.closed())[0] == 4010
        assert hidden.close is None
        pongs = len(hidden.pongs)
        await hidden.send(Ping(2, -1, 0, True))
        await hidden.until(lambda: len(hidden.pongs) > pongs)
