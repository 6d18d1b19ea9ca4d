"""Strangers flood websockets: who plays keeps the frames, and the floods are closed with 4008.

`tests/load/strangers.py` does the same for longer, from more addresses, and in more ways.
"""

from __future__ import annotations

import pytest

from tests.load.honest_pair import HonestPair
from tests.load.strangers import attack, seated_hello
from tests.server.faults.conftest import StartNearServer

pytestmark = pytest.mark.processes

SECONDS = 1.5
LEAST_SHARE = 0.8
"""Frames beside a flood, as a share of those beside a process that only burns a core."""
MOST_GROWTH_MB = 40.0


async def test_floods_of_frames_cost_nobody_a_frame_and_are_closed(
    near_server: StartNearServer,
) -> None:
    server = near_server()
    async with HonestPair(server, server.reach) as pair:
        control = await attack(server, pair, "burn", seconds=SECONDS)
        for number, name in enumerate(("pings", "unread", "pongs", "empty", "fragments")):
            # Each from an address of its own: none is shut out for what another did.
            found = await attack(server, pair, name, seconds=SECONDS, first_address=2 + number)
            assert found.pace.frames_s >= LEAST_SHARE * control.pace.frames_s, found
            assert found.told["answers"]["close 4008"] > 0, found
            assert max(found.memory_mb) - control.memory_before_mb < MOST_GROWTH_MB, found
            assert found.is_connected


async def test_floods_of_requests_cost_nobody_a_frame(near_server: StartNearServer) -> None:
    server = near_server()
    async with HonestPair(server, server.reach) as pair:
        control = await attack(server, pair, "burn", seconds=SECONDS)
        for number, name in enumerate(("chunks", "hidden-chunks", "files", "fields")):
            found = await attack(server, pair, name, seconds=SECONDS, first_address=2 + number)
            assert found.pace.frames_s >= LEAST_SHARE * control.pace.frames_s, found
            assert found.was_answered, found
            assert found.is_connected


async def test_a_player_who_floods_is_closed_and_others_keep_their_frames(
    near_server: StartNearServer,
) -> None:
    server = near_server()
    async with HonestPair(server, server.reach) as pair:
        hello = await seated_hello(server)
        control = await attack(server, pair, "burn", seconds=SECONDS)
        for number, name in enumerate(("unread", "messages")):
            found = await attack(
                server, pair, name, seconds=SECONDS, hello=hello, first_address=2 + number
            )
            assert found.pace.frames_s >= LEAST_SHARE * control.pace.frames_s, found
            assert found.told["answers"]["close 4008"] > 0, found
            assert max(found.memory_mb) - control.memory_before_mb < MOST_GROWTH_MB, found
            assert found.is_connected
