"""Visitors of a study that hides what plays: what one of them receives, and one who plays a part.

Each goes from the link to the end over HTTP and websockets. Whoever gets the robot's body watches
and keeps all that came with its time; whoever gets a person's body sends the recorded part.
"""

from __future__ import annotations

import asyncio
import json
import random
import time
from collections.abc import Mapping
from typing import Any

import httpx
import msgspec
from websockets.asyncio.client import connect
from websockets.typing import Origin

from server.robots.baselines.ghost import Part
from server.sessions.intents import Act, Drive, Finish, Intent, Look, Place, Say
from server.sessions.spec import TICK_RATE
from server.wire.messages import (
    ActInput,
    DriveInput,
    FinishInput,
    PlaceInput,
    SayInput,
    ServerMessage,
    Snapshot,
)
from tests.load.protocol_client import ProtocolClient
from tests.load.rehearsal_visitor import ANSWERS, THE_END, filled
from tests.patience import PATIENCE_S
from tests.server.web.doubles import boot_of

REPEAT_TICKS = TICK_RATE // 10
"""Ticks after which a page says again that its body moves."""
FOLLOWS_S = (0.02, 0.4)
"""Shortest and longest time (s) in which a browser asks for the page that it is sent to."""
LOADS_S = (0.3, 1.5)
"""Shortest and longest time (s) in which a page of theirs loads."""


class Received(msgspec.Struct, frozen=True):
    """Message or page that came: when (s since the first request), which way, and what."""

    at: float
    way: str
    what: Any


class Stream(msgspec.Struct):
    """All that one visitor received."""

    recording: int
    by: str
    """`person` or `policy`."""
    received: list[Received] = []


class Visitor:
    """Visitor of one study."""

    def __init__(
        self, url: str, study: str, number: int, recording: int, part: Part, rng: random.Random
    ) -> None:
        self._url, self._study, self._number, self._part = url, study, number, part
        self._rng = rng
        self._client = httpx.AsyncClient(
            base_url=url, trust_env=False, timeout=PATIENCE_S, follow_redirects=True
        )
        self._began = time.monotonic()
        self._page = self._path = ""
        self._kinds: list[str] = []
        """Kinds of the bodies in the session."""
        self.stream = Stream(recording, "")
        self.session_id = ""
        self.is_watching = self.is_sending = False

    async def take_part(self) -> None:
        """Go from the link to the end."""
        async with self._client:
            self._began = time.monotonic()
            await self._get(f"/s/{self._study}")
            await self._send({})
            while self._path != THE_END:
                if self._path.startswith("/lobby/"):
                    await self._wait()
                elif self._path.startswith("/play/"):
                    await self._play()
                elif self._path.startswith("/report/"):
                    await asyncio.sleep(0.3)
                else:
                    await asyncio.sleep(self._rng.uniform(0.1, 0.4))
                    await self._send(ANSWERS[self._path.split("/")[-1]])
                await self._get("/visit")

    async def _get(self, path: str) -> None:
        self._note("asked", path)
        self._take(await self._client.get(path))

    async def _send(self, fields: Mapping[str, str]) -> None:
        action, data = filled(self._page, fields)
        headers = {"origin": self._url}
        self._note("asked", action)
        self._take(await self._client.post(action, data=data, headers=headers))

    def _take(self, answer: httpx.Response) -> None:
        for one in (*answer.history, answer):
            assert one.status_code < 400, f"{one.request.url} answers {one.status_code}"
            what = [one.url.path, one.status_code, list(one.headers.multi_items()), one.text]
            self._note("page", what)
        self._page, self._path = answer.text, answer.url.path

    def _note(self, way: str, what: Any) -> None:
        self.stream.received.append(Received(time.monotonic() - self._began, way, what))

    async def _wait(self) -> None:
        boot = boot_of(self._page)
        address = self._url.replace("http", "ws") + "/ws/lobby"
        async with connect(address, origin=Origin(self._url), proxy=None) as socket:
            await socket.send(json.dumps(["hello", boot["token"], "tab-1"]))
            async for message in socket:
                self._note("lobby", json.loads(message))
                if json.loads(message)[0] != "status":
                    break
        # No two browsers of a pair follow at the same instant, as two coroutines do.
        await asyncio.sleep(self._rng.uniform(*FOLLOWS_S))

    async def _play(self) -> None:
        self.session_id = self._path.removeprefix("/play/")
        await asyncio.sleep(self._rng.uniform(*LOADS_S))
        boot = boot_of(self._page)
        address = self._url.replace("http", "ws") + "/ws/play"
        client = ProtocolClient(address, self._url, boot["token"])
        client.on_message = self._hear
        async with client:
            await client.until_playing()
            self.is_watching = self._kinds[client.me] == "robot"
            self.is_sending = not self.is_watching
            if self.is_watching:
                await self._watch(client)
            else:
                await self._replay(client)
            await client.until(lambda: client.over)

    def _hear(self, message: ServerMessage, size: int) -> None:
        self._note("play", [size, msgspec.to_builtins(message)])
        if isinstance(message, Snapshot):
            self._kinds = [seat.kind for seat in message.seats]

    async def _watch(self, client: ProtocolClient) -> None:
        """Walk a little, say something, and finish after as long as the part takes."""
        seconds = self._part.ends / TICK_RATE
        begun = time.monotonic()
        said = False
        while time.monotonic() - begun < seconds and not client.over:
            turn = self._rng.choice((0, 1))
            await client.drive(400 * turn, 0, self._rng.randrange(-3000, 3000), 0)
            if not said and time.monotonic() - begun > seconds / 3:
                said = True
                await client.say("What do you do?")
            await asyncio.sleep(0.5)
        if not client.over:
            await client.drive(0)
            await client.send(FinishInput())

    async def _replay(self, client: ProtocolClient) -> None:
        """Send the part, each intent at its tick as the clock of a page has it."""
        begun = time.monotonic()
        sender = Sender(client)
        for tick in range(1, self._part.ends + 1):
            intents = self._part.intents.get(tick, [])
            if intents or sender.repeats(tick):
                left = begun + tick / TICK_RATE - time.monotonic()
                if left > 0:
                    await asyncio.sleep(left)
                if client.over:
                    return
                await sender.send(tick, intents)
        if not client.over:
            await client.drive(0, 0, sender.yaw, sender.pitch)
            await client.send(FinishInput())


class Sender:
    """Recorded intents as the messages of a page."""

    def __init__(self, client: ProtocolClient) -> None:
        self._client = client
        self._forward = self._strafe = 0
        mine = client.model.agents[client.me]
        # As a page does: what has not looked about looks where it stands.
        self.yaw, self.pitch = mine.yaw, mine.pitch
        self._ids = 0
        self._moved_at = 0

    def repeats(self, tick: int) -> bool:
        """Tell whether a page would say again that its body moves: else the worker stops it."""
        return bool(self._forward or self._strafe) and tick - self._moved_at >= REPEAT_TICKS

    async def send(self, tick: int, intents: list[Intent]) -> None:
        """Send the intents of one tick; none: say again what moves."""
        client, moves = self._client, not intents
        for intent in intents:
            match intent:
                case Drive(forward, strafe):
                    self._forward, self._strafe = round(forward * 1000), round(strafe * 1000)
                    moves = True
                case Look(yaw, pitch):
                    self.yaw, self.pitch = round(yaw * 1000), round(pitch * 1000)
                    moves = True
                case Act(_, verb, target, part) if self._is_seen(target):
                    self._ids += 1
                    index, link = self._index(target), -1 if part is None else part
                    await client.send(ActInput(client.ms(), self._ids, verb, index, link))
                case Place(_, (x, y, z), yaw, target) if target is None or self._is_seen(target):
                    self._ids += 1
                    point = (round(x * 1000), round(y * 1000), round(z * 1000))
                    index = -1 if target is None else self._index(target)
                    message = PlaceInput(client.ms(), self._ids, point, round(yaw * 1000), index)
                    await client.send(message)
                case Say(text):
                    await client.send(SayInput(text))
                case Finish(finished):
                    await client.send(FinishInput(finished))
        if moves:
            self._moved_at = tick
            await client.send(
                DriveInput(client.ms(), self._forward, self._strafe, self.yaw, self.pitch)
            )

    def _is_seen(self, handle: str) -> bool:
        """Tell whether the page knows a thing: nobody can press what is not there."""
        model = self._client.model
        return any(model.name(index) == handle for index in model.things)

    def _index(self, handle: str) -> int:
        return self._client.model.index(handle)
