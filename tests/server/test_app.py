"""The whole server as a process: homes that open, restarts that lose nothing, a polite end."""

from __future__ import annotations

import asyncio
import contextlib
import json
import signal
from pathlib import Path

import httpx
import pytest
from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed
from websockets.typing import Origin

from tests.conftest import StartServer
from tests.patience import PATIENCE_S
from tests.server.web.doubles import Browser, boot_of, write_client

pytestmark = pytest.mark.processes


async def test_a_home_survives_the_web_process_and_a_stop_is_polite(
    start_server: StartServer, tmp_path: Path
) -> None:
    write_client(tmp_path / "client")
    server = start_server(client_dir=tmp_path / "client")

    def someone() -> Browser:
        return Browser(
            httpx.AsyncClient(base_url=server.url, trust_env=False, timeout=PATIENCE_S), server.url
        )

    player = someone()
    home = (await player.press("/", "/play/solo")).headers["location"]
    boot = boot_of((await player.get(home)).text)
    asset = await player.get(f"{boot['assetRoot']}/catalogue/cup_1.glb")
    assert asset.content[:4] == b"glTF"
    assert (await player.get("/readyz")).json()["status"] == "ok"

    server.kill()
    server.start()
    page = await player.get(home)
    assert page.status_code == 200
    assert boot_of(page.text)["sessionId"] == boot["sessionId"]
    assert "session.resumed" in server.output()

    waiting = someone()
    lobby = (await waiting.press("/", "/play/person")).headers["location"]
    boot = boot_of((await waiting.get(lobby)).text)
    url = server.url.replace("http", "ws") + "/ws/lobby"
    messages = []
    async with connect(url, origin=Origin(server.url), proxy=None) as socket:
        await socket.send(json.dumps(["hello", boot["token"], "t"]))
        assert json.loads(await socket.recv())[0] == "status"
        process = server._process
        assert process is not None
        process.send_signal(signal.SIGTERM)
        with contextlib.suppress(ConnectionClosed):
            while True:
                messages.append(json.loads(await socket.recv()))
    # Who waits keeps the place: the page is not sent away, and comes back by itself.
    assert "closed" not in [message[0] for message in messages]
    assert socket.close_code == 4001
    assert await asyncio.to_thread(process.wait, 10) == 0
    assert "Traceback" not in server.output()
