"""A program that is connected to a whole server plays beside a person."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import httpx
import pytest
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, InvalidStatus
from websockets.typing import Origin

from server.web.secret_key import secret_key
from server.web.tokens import Tokens
from tests.conftest import StartServer
from tests.live_server import LiveServer
from tests.load.protocol_client import ProtocolClient
from tests.patience import PATIENCE_S
from tests.server.web.doubles import Browser, boot_of, write_client

pytestmark = pytest.mark.processes

LINE = "Shall I bring the cup?"


def address(server: LiveServer) -> str:
    return server.url.replace("http", "ws") + "/ws/policy"


@asynccontextmanager
async def program(server: LiveServer) -> AsyncIterator[ClientConnection]:
    token = Tokens(secret_key(server.data_dir)).sign_policy("mine")
    async with connect(address(server), proxy=None) as socket:
        await socket.send(json.dumps({"type": "hello", "version": 1, "token": token}))
        welcome = json.loads(await socket.recv())
        assert welcome == {
            "type": "welcome",
            "version": 1,
            "name": "mine",
            "decide_within_s": 30.0,
        }
        yield socket


async def told(socket: ClientConnection, kind: str) -> dict[str, Any]:
    async with asyncio.timeout(PATIENCE_S):
        while True:
            message: dict[str, Any] = json.loads(await socket.recv())
            if message["type"] == kind:
                return message


async def decide(socket: ClientConnection, **answer: Any) -> dict[str, Any]:
    """Answer the next question; return its view."""
    question = await told(socket, "decide")
    await socket.send(json.dumps({"type": "decision", "id": question["id"], **answer}))
    view: dict[str, Any] = question["view"]
    return view


async def test_a_program_elsewhere_is_offered_speaks_hears_and_is_told_the_end(
    start_server: StartServer, tmp_path: Path
) -> None:
    write_client(tmp_path / "client")
    server = start_server(client_dir=tmp_path / "client", robots="remote:mine expert")
    web = httpx.AsyncClient(base_url=server.url, trust_env=False, timeout=PATIENCE_S)
    browser = Browser(web, server.url)
    assert "mine" not in (await browser.get("/")).text
    async with program(server) as socket:
        page = (await browser.get("/")).text
        assert "A program that is connected to this server decides." in page
        name = page.split('name="robot" value="')[1].split('"')[0]
        home = (await browser.press("/", "/play/robot", robot=name)).headers["location"]
        boot = boot_of((await browser.get(home)).text)
        ws = server.url.replace("http", "ws") + "/ws/play"
        async with ProtocolClient(ws, server.url, boot["token"]) as person:
            await person.until_playing()
            assert (await decide(socket, say=LINE))["seat"] == "robot_0"
            await person.until(lambda: any(LINE in str(said) for said in person.model.chat))
            await person.say("Yes, please.")
            while not (view := await decide(socket, pause_s=60.0))["chat"][-1]["text"].endswith(
                "please."
            ):
                pass
            assert view["partners"][0]["seat"] == "human_0"
            assert [line["seat"] for line in view["chat"]] == ["robot_0", "human_0"]
            # Silent for good: what is asked stays open until the session is closed.
            await person.say("Are you there?")
            assert (await told(socket, "decide"))["view"]["chat"][-1]["text"] == "Are you there?"
    assert "mine" not in (await browser.get("/")).text
    await web.aclose()


async def test_a_program_that_freezes_is_not_offered_until_it_goes_on(
    start_server: StartServer, tmp_path: Path
) -> None:
    write_client(tmp_path / "client")
    server = start_server(client_dir=tmp_path / "client", robots="remote:mine expert")
    web = httpx.AsyncClient(base_url=server.url, trust_env=False, timeout=PATIENCE_S)
    browser = Browser(web, server.url)

    async def until_offered(is_offered: bool) -> None:
        async with asyncio.timeout(PATIENCE_S):
            while ("A program that is connected" in (await browser.get("/")).text) != is_offered:  # noqa: ASYNC110
                await asyncio.sleep(0.2)

    async with program(server) as socket:
        await until_offered(is_offered=True)
        socket.transport.pause_reading()
        await until_offered(is_offered=False)
        socket.transport.resume_reading()
        await until_offered(is_offered=True)
        assert (await socket.ping()) is not None
    await web.aclose()


async def test_a_stranger_plays_nothing(start_server: StartServer, tmp_path: Path) -> None:
    write_client(tmp_path / "client")
    server = start_server(client_dir=tmp_path / "client")
    async with connect(address(server), proxy=None) as socket:
        await socket.send(json.dumps({"type": "hello", "version": 1, "token": "x"}))
        with pytest.raises(ConnectionClosed) as closed:
            await socket.recv()
    assert closed.value.rcvd is not None
    assert closed.value.rcvd.code == 4401
    with pytest.raises(InvalidStatus) as refused:
        await connect(address(server), origin=Origin(server.url), proxy=None)
    assert refused.value.response.status_code == 403
    assert "Traceback" not in server.output()
