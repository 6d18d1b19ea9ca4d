"""The file behind the output of a server is full: people play, and what breaks is mended."""

from __future__ import annotations

import os
import signal
from pathlib import Path

import pytest

from server.sessions.spec import TICK_RATE
from server.wire.messages import FinishInput
from tests.load.protocol_client import ProtocolClient
from tests.server.faults.conftest import StartNearServer
from tests.server.faults.visitor import Visitor, eventually

pytestmark = pytest.mark.processes

FULL = Path("/dev/full")


async def goes_on(player: ProtocolClient) -> None:
    """Wait until a player has seen another second."""
    tick = player.model.tick
    await player.until(lambda: player.model.tick > tick + TICK_RATE)


@pytest.mark.skipif(not FULL.exists(), reason="needs a file that is always full")
async def test_people_play_while_no_line_of_the_log_can_be_written(
    near_server: StartNearServer,
) -> None:
    server = near_server(log=FULL)
    ann, ben = Visitor(server), Visitor(server)
    await ann.move_in()
    await ben.move_in()
    async with ann.client() as client, ben.client() as other:
        for player in (client, other):
            await player.until_playing()
        # A worker's death is told in the log, by what takes its sessions to the next one.
        (before,) = server.workers()
        os.kill(before, signal.SIGKILL)
        await eventually(lambda: server.workers() not in ([], [before]))
        for player in (client, other):
            await goes_on(player)
        # A verdict is logged where it is stored.
        await client.send(FinishInput())
        await client.until(lambda: client.over)
    assert (await ann.browser.get("/readyz")).status_code == 200
    cleo = Visitor(server)
    await cleo.move_in()
    async with cleo.client() as client:
        await client.until_playing()
