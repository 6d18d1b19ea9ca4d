"""Two people of one session on a whole server, who come through its pages and walk all the time."""

from __future__ import annotations

import asyncio
import contextlib
import json
import random
import time
from itertools import pairwise
from pathlib import Path
from types import TracebackType
from typing import NamedTuple

import httpx
from websockets.asyncio.client import connect
from websockets.typing import Origin

from tests.live_server import LiveServer, choose_tasks
from tests.load.crowd import Player, SharedSession, Tally, play
from tests.load.near_task import NEAR, Reach, write_near_task
from tests.patience import PATIENCE_S
from tests.server.web.doubles import Browser, boot_of, write_client


class Pace(NamedTuple):
    """Frames that the worse off of the two got within some seconds."""

    frames_s: float
    longest_gap_s: float


class HonestPair:
    """``async with HonestPair(server, reach) as pair:`` they are matched in the lobby, and walk."""

    def __init__(self, server: LiveServer, reach: Reach) -> None:
        self._server = server
        shared = SharedSession(reach)
        self.players = [Player(shared, Tally(), random.Random(n), frame_at=[]) for n in (0, 1)]
        self._playing: asyncio.Task[None] | None = None

    async def __aenter__(self) -> HonestPair:
        url = self._server.url.replace("http", "ws")
        tokens = await asyncio.gather(self._enter(), self._enter())
        for player, token in zip(self.players, tokens, strict=True):
            await player.join(f"{url}/ws/play", self._server.url, token)
        self._playing = asyncio.create_task(play(self.players))
        async with asyncio.timeout(20):
            while not all(p.is_playing for p in self.players):  # noqa: ASYNC110 — no event for it
                await asyncio.sleep(0.05)
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        for player in self.players:
            player.leave()
        if self._playing is not None:
            self._playing.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await self._playing

    async def _enter(self) -> str:
        """Return the token of a seat, as a page gets it."""
        async with httpx.AsyncClient(
            base_url=self._server.url, trust_env=False, timeout=PATIENCE_S
        ) as client:
            browser = Browser(client, self._server.url)
            lobby = (await browser.press("/", "/play/person")).headers["location"]
            ticket = boot_of((await browser.get(lobby)).text)["token"]
            url = self._server.url.replace("http", "ws") + "/ws/lobby"
            async with connect(url, origin=Origin(self._server.url), proxy=None) as socket:
                await socket.send(json.dumps(["hello", ticket, "t"]))
                async for message in socket:
                    tag, *fields = json.loads(message)
                    if tag == "matched":
                        return boot_of((await browser.get(fields[0])).text)["token"]
            raise ConnectionError("the lobby ended without a match")

    @property
    def is_connected(self) -> bool:
        return all(player.is_connected for player in self.players)

    def pace(self, since: float, until: float) -> Pace:
        """Return how frames came between two times of the monotonic clock."""
        rates, gaps = [], []
        for player in self.players:
            assert player.frame_at is not None
            times = [at for at in player.frame_at if since <= at <= until]
            rates.append(len(times) / (until - since))
            edges = [since, *times, until]
            gaps.append(max(b - a for a, b in pairwise(edges)))
        return Pace(min(rates), max(gaps))

    async def walk(self, seconds: float) -> Pace:
        """Walk on for so long."""
        begun = time.monotonic()
        await asyncio.sleep(seconds)
        return self.pace(begun, time.monotonic())


def pair_server(data_dir: Path, **options: object) -> tuple[LiveServer, Reach]:
    """Return a server, not started yet, whose sessions play the near task; and its reach.

    ``data_dir`` is its own and has houses.
    """
    reach = write_near_task(data_dir)
    choose_tasks(data_dir, NEAR)
    write_client(data_dir / "client")
    return LiveServer(data_dir, client_dir=data_dir / "client", **options), reach
