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
from tests.load.protocol_client import ProtocolClient
from tests.model_double import ModelDouble
from tests.patience import PATIENCE_S
from tests.server.web.doubles import Browser, boot_of, write_client

pytestmark = pytest.mark.processes


@pytest.mark.long
async def test_O1_one_command_gives_a_pair_a_home_and_a_robot_whose_model_is_a_double(
    start_server: StartServer, tmp_path: Path
) -> None:
    """`cohabit serve`, without a graphics card, and without a simulator beside ours."""
    write_client(tmp_path / "client")
    with ModelDouble() as double:
        server = start_server(client_dir=tmp_path / "client", model_url=double.url, robot="react")

        async def home_of(browser: Browser) -> dict[str, str]:
            page = (await browser.press("/", "/play/person")).headers["location"]
            boot = boot_of((await browser.get(page)).text)
            url = server.url.replace("http", "ws") + "/ws/lobby"
            async with connect(url, origin=Origin(server.url), proxy=None) as socket:
                await socket.send(json.dumps(["hello", boot["token"], "t"]))
                while (told := json.loads(await socket.recv()))[0] != "matched":
                    continue
            return boot_of((await browser.get(told[1])).text)

        def someone() -> Browser:
            client = httpx.AsyncClient(base_url=server.url, trust_env=False, timeout=PATIENCE_S)
            return Browser(client, server.url)

        homes = await asyncio.wait_for(
            asyncio.gather(home_of(someone()), home_of(someone())), PATIENCE_S
        )
        assert homes[0]["sessionId"] == homes[1]["sessionId"]
        url = server.url.replace("http", "ws") + homes[0]["wsPath"]
        async with (
            ProtocolClient(url, server.url, homes[0]["token"]) as ann,
            ProtocolClient(url, server.url, homes[1]["token"]) as ben,
        ):
            await asyncio.gather(ann.until_playing(), ben.until_playing())
            await ann.say("hello")
            await ben.until(lambda: any("hello" in str(event) for event in ben.model.events))
        alone = someone()
        robots = (await alone.press("/", "/play/robot", robot="react")).headers["location"]
        boot = boot_of((await alone.get(robots)).text)
        async with ProtocolClient(url, server.url, boot["token"]) as eve:
            await eve.until_playing()
            await eve.until(lambda: double.asked)


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
