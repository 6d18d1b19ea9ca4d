"""A worker as a process: it starts, says hello, and goes when the web process does."""

from __future__ import annotations

import asyncio
import os
import signal
from pathlib import Path

import pytest

from server.hosting.launchers import LocalLauncher
from server.ipc.channel import web_side
from server.ipc.messages import Hi
from tests.patience import PATIENCE_S

pytestmark = pytest.mark.processes


async def test_a_local_worker_lives_and_dies_with_its_channel(tmp_path: Path) -> None:
    connected: asyncio.Future[tuple[asyncio.StreamReader, asyncio.StreamWriter]] = (
        asyncio.get_running_loop().create_future()
    )
    socket_path = tmp_path / "w.sock"
    listener = await asyncio.start_unix_server(
        lambda *streams: connected.set_result(streams), socket_path
    )
    process = await LocalLauncher(tmp_path).launch(socket_path)
    async with asyncio.timeout(PATIENCE_S):
        channel = web_side(*await connected)
        messages = await channel.receive()
    assert messages == [Hi(process.pid)]
    # A Ctrl+C in the terminal reaches it too, and is not for it to act upon.
    os.kill(process.pid, signal.SIGINT)
    await asyncio.sleep(0.2)
    channel.close()
    async with asyncio.timeout(PATIENCE_S):
        assert await process.wait() == 0
    process.kill()
    listener.close()
