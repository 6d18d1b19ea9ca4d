"""A web process that stands still for a while: what its players sent meanwhile comes at once."""

from __future__ import annotations

import os
import signal
import time

import pytest

from server.wire.messages import DriveInput
from tests.live_server import LiveServer
from tests.load.protocol_client import ProtocolClient
from tests.server.faults.conftest import StartNearServer
from tests.server.faults.visitor import Visitor, eventually

pytestmark = pytest.mark.processes

STALL_S = 2.0
DRIVES = 150
"""Drives sent in a stall: 75 a second, of which what a burst may hold is a part."""


async def test_players_stay_after_stalls_of_the_server(near_server: StartNearServer) -> None:
    server = near_server()
    visitor = Visitor(server)
    await visitor.move_in()
    async with visitor.client() as client:
        await eventually(lambda: client.frames)
        for _ in range(3):
            await stall(server, client)
            assert client.close is None
        assert client.notices == []


async def stall(server: LiveServer, client: ProtocolClient) -> None:
    """Stop the web process for a while in which its player goes on, and wait until it answers."""
    os.kill(server.pid, signal.SIGSTOP)
    try:
        until = time.monotonic() + STALL_S
        for number in range(DRIVES):
            await client.send(DriveInput(number, 0, 0, number, 0))
        await eventually(lambda: time.monotonic() > until)
    finally:
        os.kill(server.pid, signal.SIGCONT)
    known = len(client.pongs)
    await eventually(lambda: len(client.pongs) > known + 1 or client.close)
