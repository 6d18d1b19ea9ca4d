"""Strangers flood websockets: who plays keeps the frames, and the floods are closed with 4008.

`tests/load/strangers.py` does the same for longer, from more addresses, and in more ways.
"""

from __future__ import annotations

import itertools

import pytest

from tests.live_server import LiveServer
from tests.load.honest_pair import HonestPair
from tests.load.strangers import Outcome, attack, seated_hello
from tests.server.faults.conftest import StartNearServer

pytestmark = pytest.mark.processes

SECONDS = 1.5
LEAST_SHARE = 0.8
"""Frames beside a flood, as a share of those beside a process that only burns a core."""
MOST_GROWTH_MB = 40.0
MOST_TRIES = 5
"""A flood that costs frames costs them at every try; a busy machine loses some at one of them."""


class Floods:
    """Attacks on the server of one honest pair, each from an address of its own.

    None is shut out for what another did. A try that lost frames is measured again, beside a
    control of its own.
    """

    def __init__(self, server: LiveServer, pair: HonestPair, hello: bytes = b"") -> None:
        self._server = server
        self._pair = pair
        self._hello = hello
        self._addresses = itertools.count(2)
        self._control: Outcome | None = None
        self._memory_mb = 0.0

    async def measure(self, name: str) -> Outcome:
        """Flood in the way ``name``, and return the outcome of the first try that lost nothing.

        Raises AssertionError where each try cost the pair frames, or one ended its session or
        let the server's memory grow.
        """
        shares: list[float] = []
        for _ in range(MOST_TRIES):
            if self._control is None or shares:
                self._control = await attack(self._server, self._pair, "burn", seconds=SECONDS)
                self._memory_mb = self._memory_mb or self._control.memory_before_mb
            found = await attack(
                self._server,
                self._pair,
                name,
                seconds=SECONDS,
                hello=self._hello,
                first_address=next(self._addresses),
            )
            assert found.is_connected
            assert max(found.memory_mb) - self._memory_mb < MOST_GROWTH_MB, found
            shares.append(found.pace.frames_s / self._control.pace.frames_s)
            if shares[-1] >= LEAST_SHARE:
                return found
        raise AssertionError(f"{name} left these shares of the frames: {shares}")


async def test_floods_of_frames_cost_nobody_a_frame_and_are_closed(
    near_server: StartNearServer,
) -> None:
    server = near_server()
    async with HonestPair(server, server.reach) as pair:
        floods = Floods(server, pair)
        for name in ("pings", "unread", "pongs", "empty", "fragments"):
            found = await floods.measure(name)
            assert found.told["answers"]["close 4008"] > 0, found


async def test_floods_of_requests_cost_nobody_a_frame(near_server: StartNearServer) -> None:
    server = near_server()
    async with HonestPair(server, server.reach) as pair:
        floods = Floods(server, pair)
        for name in ("chunks", "hidden-chunks", "files", "fields"):
            found = await floods.measure(name)
            assert found.was_answered, found


async def test_a_player_who_floods_is_closed_and_others_keep_their_frames(
    near_server: StartNearServer,
) -> None:
    server = near_server()
    async with HonestPair(server, server.reach) as pair:
        floods = Floods(server, pair, await seated_hello(server))
        for name in ("unread", "messages"):
            found = await floods.measure(name)
            assert found.told["answers"]["close 4008"] > 0, found
