"""Bad clients and bad networks, over real sockets: other sessions go on and nobody is harmed.

The figures of the whole thing (10,000 messages, 60 s, tick rates) are under ``long``; here it is
the same with less of it.
"""

from __future__ import annotations

import asyncio
import contextlib
import random
import time
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
import pytest_asyncio
from websockets.exceptions import ConnectionClosed

from server.sessions.spec import TICK_RATE, SessionSpec
from server.wire.codecs import CODECS, CodecName, WireError
from server.wire.messages import DidEvent, DriveInput, Ping
from tests.load.bad_network import BadNetwork
from tests.load.hostile import hostile
from tests.load.near_task import NEAR, Reach
from tests.load.play_server import PlayServer
from tests.load.protocol_client import ProtocolClient

pytestmark = [pytest.mark.asyncio(loop_scope="module"), pytest.mark.processes]

CALM_S = 10.0
CLOSED_FOR = {1006, 1007, 1009, 4000, 4002, 4008, 4009}


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def server(play_dir: Path, reach: Reach) -> AsyncIterator[PlayServer]:
    async with PlayServer(play_dir) as running:
        yield running


class Bystanders:
    """Two players who walk in a session of their own, to see whether their time goes on."""

    def __init__(self, server: PlayServer) -> None:
        self._server = server
        self._calm = 1.0

    async def __aenter__(self) -> Bystanders:
        self.spec = await self._server.open(NEAR)
        self._stack = contextlib.AsyncExitStack()
        enter = self._stack.enter_async_context
        self.human = await enter(self._server.client(self.spec, "human_0"))
        self.robot = await enter(self._server.client(self.spec, "robot_0"))
        for player in (self.human, self.robot):
            await player.until_playing()
        self._walking = asyncio.create_task(self._walk())
        self._tick, self._at = self.robot.model.tick, time.monotonic()
        return self

    async def __aexit__(self, *error: object) -> None:
        self._walking.cancel()
        await asyncio.gather(self._walking, return_exceptions=True)
        await self._stack.aclose()

    async def _walk(self) -> None:
        yaw = 0
        while True:
            yaw = (yaw + 80) % 3000
            await self.human.drive(900, 0, yaw)
            await asyncio.sleep(0.1)

    def rate(self) -> float:
        """Ticks per second since the last time it was asked, as a share of what it should be."""
        now, tick = time.monotonic(), self.robot.model.tick
        ticks, seconds = tick - self._tick, now - self._at
        self._tick, self._at = tick, now
        return ticks / seconds / TICK_RATE

    async def calm(self, seconds: float) -> None:
        """Measure how it is without an attack: the machine may be busy with other things."""
        self.rate()
        await asyncio.sleep(seconds)
        self._calm = self.rate()

    def share(self) -> float:
        """Return the rate since then, as a share of what it was in the calm."""
        return self.rate() / self._calm

    async def go_on(self) -> None:
        """Check that they are still there and hear of each other."""
        assert self.human.close is None
        assert self.robot.close is None
        frames, before = self.robot.frames, self.robot.model.agents[self.human.me]
        await self.robot.until(lambda: self.robot.frames > frames + 3)
        await self.robot.until(lambda: self.robot.model.agents[self.human.me] != before)


async def attack(server: PlayServer, spec: SessionSpec, count: int, seed: int) -> dict[int, int]:
    """Send hostile messages from the robot's seat, coming back each time; how it was closed."""
    rng = random.Random(seed)
    codes: dict[int, int] = {}
    sent = 0
    while sent < count:
        codec: CodecName = rng.choice(("json", "msgpack"))
        async with server.client(spec, "robot_0", codec=codec, ready=False, pings=False) as enemy:
            with contextlib.suppress(ConnectionClosed):
                while enemy.close is None and sent < count:
                    sent += 1
                    data = hostile(rng, codec)
                    # A text message cannot be other than UTF-8: the websocket sees to that.
                    text = data.decode(errors="replace")
                    await enemy.send_raw(data if codec == "msgpack" else text)
                    if sent % 8 == 0:
                        await asyncio.sleep(0.001)
            if sent < count:
                with contextlib.suppress(TimeoutError):
                    await enemy.closed(2)
            code = enemy.close[0] if enemy.close else 0
            codes[code] = codes.get(code, 0) + 1
    return codes


async def fuzz(
    server: PlayServer, reach: Reach, count: int, calm_s: float = 0.1
) -> tuple[dict[int, int], float]:
    """Return how the attack ended, and the time that others had meanwhile."""
    spec = await server.open(NEAR)
    async with Bystanders(server) as others, server.client(spec, "human_0") as partner:
        await partner.until(lambda: partner.snapshots)
        await others.calm(calm_s)
        codes = await attack(server, spec, count, seed=count)
        rate = others.share()
        await others.go_on()
        # And in the session itself the partner, and later the seat, play on.
        assert partner.close is None
        async with server.client(spec, "robot_0") as robot:
            await robot.until(lambda: robot.snapshots)
            await partner.until_playing()
            await robot.until_playing()
            cup = partner.model.index(reach.handle)
            assert isinstance(await partner.act("pick", cup), DidEvent)
            await robot.until(lambda: robot.model.things[cup].holder == partner.me)
            assert robot.model.known() == partner.model.known()
    assert server.ended == []
    return codes, rate


async def test_hostile_messages_harm_their_own_connection_alone(
    server: PlayServer, reach: Reach
) -> None:
    codes, _ = await fuzz(server, reach, 1500)
    assert set(codes) <= CLOSED_FOR | {0}
    assert codes[4002] > 20


@pytest.mark.long
async def test_ten_thousand_hostile_messages(server: PlayServer, reach: Reach) -> None:
    codes, rate = await fuzz(server, reach, 10_000, CALM_S)
    print(f"\n10,000 hostile messages: closed {codes}; others' tick rate {rate:.1%}")
    assert set(codes) <= CLOSED_FOR | {0}


@pytest.mark.parametrize("codec", sorted(CODECS))
async def test_a_decoder_refuses_nonsense_and_never_breaks(codec: CodecName) -> None:
    rng = random.Random(7)
    refused = 0
    for _ in range(10_000):
        try:
            CODECS[codec].decode_client(hostile(rng, codec))
        except WireError:
            refused += 1
    assert 1000 < refused < 7000


# Floods


async def flood(
    server: PlayServer, seconds: float, per_s: int, calm_s: float = 0.1
) -> tuple[list[int], float]:
    """Send so many messages a second, coming back after each close; the codes, and others' time."""
    spec = await server.open(NEAR)
    codes: list[int] = []
    async with Bystanders(server) as others:
        await others.calm(calm_s)
        until, sent, began = time.monotonic() + seconds, 0, time.monotonic()
        while time.monotonic() < until:
            async with server.client(spec, "robot_0", pings=False) as wild:
                with contextlib.suppress(ConnectionClosed):
                    while wild.close is None and time.monotonic() < until:
                        due = (time.monotonic() - began) * per_s
                        while sent < due:
                            await wild.send(DriveInput(1, sent % 900, 0, 0, 0))
                            sent += 1
                        await asyncio.sleep(0.005)
                if wild.close is not None:
                    codes.append(wild.close[0])
        rate = others.share()
        await others.go_on()
    return codes, rate


async def test_a_flood_is_stopped_again_and_again_and_others_go_on(server: PlayServer) -> None:
    codes, _ = await flood(server, 4, 1000)
    assert codes
    assert set(codes) <= {4008, 1006}


@pytest.mark.long
async def test_a_flood_of_a_thousand_messages_a_second(server: PlayServer) -> None:
    codes, rate = await flood(server, 30, 1000, CALM_S)
    print(f"\n1,000 messages/s for 30 s: closed {len(codes)} times; others' tick rate {rate:.1%}")


# Coming and going


async def until_shown(client: ProtocolClient) -> None:
    await client.until(lambda: client.snapshots)


async def test_fifty_reconnects_in_a_row_change_nothing(server: PlayServer, reach: Reach) -> None:
    spec = await server.open(NEAR)
    async with server.client(spec, "robot_0") as robot:
        human = server.client(spec, "human_0")
        await human.open()
        await human.until_playing()
        cup = human.model.index(reach.handle)
        assert isinstance(await human.act("pick", cup), DidEvent)
        before = server.host.stats().connections
        for number in range(50):
            human.abort() if number % 2 else await human.stop()
            human = server.client(spec, "human_0")
            await human.open()
            await until_shown(human)
        await human.until_playing()
        # Nobody was told of so short absences, and no connection is left behind.
        told = [seat for frame in robot.seats_told for seat in frame if seat.seat == human.me]
        assert {seat.presence for seat in told} <= {"ready", "connected"}
        assert server.host.stats().connections == before
        assert human.model.things[human.model.index(reach.handle)].holder == human.me
        await robot.say("still there?")
        await human.until(lambda: human.model.chat)
        assert human.model.known() == robot.model.known()
        await human.stop()


async def test_S5_two_sockets_with_one_token_are_one_player(server: PlayServer) -> None:
    """Only the one that has the seat is heard; what the other sends is attributed to nobody."""
    spec = await server.open(NEAR)
    async with (
        server.client(spec, "robot_0") as robot,
        server.client(spec, "human_0", tab="one") as first,
    ):
        await first.until_playing()
        async with server.client(spec, "human_0", tab="two", take_over=True) as second:
            await second.until_playing()
            with contextlib.suppress(ConnectionClosed):
                await first.say("from the old one")
            await second.say("from the new one")
            await robot.until(lambda: robot.model.chat)
            assert (await first.closed())[0] == 4009
            await robot.say("who is there?")
            await second.until(lambda: len(second.model.chat) > 1)
            texts = [line.text for line in second.model.chat]
            assert texts == ["from the new one", "who is there?"]


# Slow readers and bad networks


async def stall(server: PlayServer, seconds: float, calm_s: float = 0.1) -> float:
    """Have a player stop reading for so long, then go on.

    Returns the time that others had meanwhile.
    """
    spec = await server.open(NEAR)
    async with (
        Bystanders(server) as others,
        server.client(spec, "robot_0") as robot,
        server.client(spec, "human_0", pings=False) as stalled,
    ):
        await robot.until_playing()
        await stalled.until_playing()
        await others.calm(calm_s)
        stalled.pause()
        until, count = time.monotonic() + seconds, 0
        while time.monotonic() < until:
            count += 1
            await robot.drive(700, 0, count * 50 % 3000)
            if count % 10 == 0:
                await robot.say(f"line {count}")
            with contextlib.suppress(ConnectionClosed):
                await stalled.send(Ping(1))
            await asyncio.sleep(0.1)
        rate = others.share()
        await others.go_on()
        assert robot.close is None
        stalled.resume()
        await robot.drive(0, 0, 0)
        try:
            await stalled.send(Ping(2))
            await caught_up(stalled, robot)
        except (ConnectionError, ConnectionClosed):
            # No answer to a ping of the websocket's own: it was taken for dead, and comes back.
            async with server.client(spec, "human_0") as again:
                await again.until(lambda: again.snapshots)
                await caught_up(again, robot)
    return rate


async def caught_up(late: ProtocolClient, other: ProtocolClient) -> None:
    await late.until(lambda: late.model.known() == other.model.known())
    assert late.model.chat == other.model.chat
    assert late.model.chat


async def test_who_stops_reading_delays_nobody(server: PlayServer) -> None:
    await stall(server, 3)


@pytest.mark.long
async def test_who_stops_reading_for_a_minute_delays_nobody(server: PlayServer) -> None:
    rate = await stall(server, 60, CALM_S)
    print(f"\na client that stops reading for 60 s: others' tick rate {rate:.1%}")


async def play_badly_connected(
    server: PlayServer, reach: Reach, seconds: float, calm_s: float = 0.1
) -> float:
    """Two players behind a bad network walk, act and talk; the time that others had meanwhile."""
    spec = await server.open(NEAR)
    async with Bystanders(server) as others, BadNetwork(server.port, loss=0.02) as network:
        url = f"ws://127.0.0.1:{network.port}/ws/play"

        def client(seat: str) -> ProtocolClient:
            return ProtocolClient(url, server.origin, server.token(spec, seat))

        async with client("human_0") as human, client("robot_0") as robot:
            await human.until_playing()
            await robot.until_playing()
            await others.calm(calm_s)
            cup = human.model.index(reach.handle)
            assert isinstance(await human.act("pick", cup), DidEvent)
            until, count = time.monotonic() + seconds, 0
            while time.monotonic() < until:
                count += 1
                await robot.drive(700, 0, count * 90 % 3000)
                await asyncio.sleep(0.1)
            await robot.drive(0, 0, 0)
            assert isinstance(await human.place(reach.place_at, -1), DidEvent)
            await human.say("done")
            await robot.until(lambda: robot.model.chat)
            rate = others.share()
            await others.go_on()
            await human.until(lambda: human.model.known() == robot.model.known())
            # A body keeps walking through gaps that such a network makes.
            assert network.lost > 0
            assert {seat[0] for seat in human.model.seats.values()} == {"connected"}
    return rate


async def test_a_bad_network_delays_its_own_players_alone(server: PlayServer, reach: Reach) -> None:
    await play_badly_connected(server, reach, 3)


@pytest.mark.long
async def test_half_a_minute_of_a_bad_network(server: PlayServer, reach: Reach) -> None:
    rate = await play_badly_connected(server, reach, 30, CALM_S)
    print(f"\n200 ms ± 100 ms and 2 % loss for 30 s: others' tick rate {rate:.1%}")
