"""Deadlines of visitors while this process stood still, on a virtual clock: they get their time."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable
from pathlib import Path
from typing import Any, cast

import pytest
import uvicorn
from starlette.websockets import WebSocket

from server.hosting.session_host import SessionHost
from server.settings import Settings
from server.web.connection_limits import Peer
from server.web.direct_websocket import DirectWebSocketProtocol
from server.web.http_connection import HEAD_S, HttpConnection
from server.web.loop_lateness import in_time
from server.web.request_gate import RequestGate
from server.web.session_socket import LOOK_S, SILENT_S, SessionSocket
from server.wire.codecs import CODECS
from tests.server.lobby.virtual import VirtualLoop, virtual
from tests.server.web.http_site import request
from tests.server.web.test_closing_transport import Unread, speaker
from tests.server.web.test_direct_websocket import UPGRADE

STALL_S = 60.0


def stall() -> None:
    """Have the loop stand still for a while."""
    loop = asyncio.get_running_loop()
    assert isinstance(loop, VirtualLoop)
    loop._jumping.now += STALL_S


class SilentBrowser:
    """Websocket of a browser that is sent things and says nothing."""

    def __init__(self) -> None:
        self.scope: dict[str, Any] = {}
        self.closed: list[int] = []

    async def receive(self) -> dict[str, Any]:
        never: asyncio.Future[dict[str, Any]] = asyncio.get_running_loop().create_future()
        return await never

    async def close(self, code: int, reason: str) -> None:
        self.closed.append(code)


class HostDouble:
    def connect(self, *_of: object) -> object:
        return object()

    def disconnect(self, _connection: object) -> None: ...

    def set_behind(self, _connection: object, _behind: bool) -> None: ...


@virtual
async def test_no_player_is_silent_because_the_server_stood_still() -> None:
    browser = SilentBrowser()
    host = cast(SessionHost, HostDouble())
    socket = cast(WebSocket, browser)
    player = SessionSocket(socket, host, "ses_1", "human_0", CODECS["msgpack"], "tab")
    player.join()
    running = asyncio.create_task(player.run())
    await asyncio.sleep(LOOK_S * 2 + 1)
    stall()
    await asyncio.sleep(SILENT_S - LOOK_S * 3)
    assert browser.closed == []
    await asyncio.sleep(LOOK_S * 3)
    assert browser.closed == [4010]
    await running


class LateProcess:
    """Process that was late until it is told that it is not."""

    is_late = True

    def late_s(self, _now: float) -> float:
        return STALL_S if self.is_late else 0.0


@virtual
async def test_a_pong_may_come_late_where_the_server_was_late() -> None:
    config = uvicorn.Config(speaker, lifespan="off", log_level="critical")
    config.load()
    process = LateProcess()
    server_state = uvicorn.Server(config).server_state
    socket = DirectWebSocketProtocol(config, server_state, {}, late_s=process.late_s)
    unread = Unread()
    unread.protocol = socket
    socket.connection_made(unread)
    socket.data_received(UPGRADE)
    await asyncio.sleep(config.ws_ping_interval or 0.0)
    await asyncio.sleep((config.ws_ping_timeout or 0.0) + 1)
    assert not unread.is_closing()
    process.is_late = False
    await asyncio.sleep(config.ws_ping_timeout or 0.0)
    assert unread.is_closing()
    await asyncio.sleep(3600)


@virtual
async def test_a_head_may_come_late_where_the_server_was_late(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    loop = asyncio.get_running_loop()
    config = uvicorn.Config(speaker, lifespan="off", log_level="critical")
    config.load()
    gate = RequestGate(Settings(data_dir=tmp_path, _env_file=None), 10, loop.time)
    process = LateProcess()
    monkeypatch.setattr(gate.lateness, "late_s", process.late_s)
    place = gate.enter(Peer("visitor", "address"))
    assert place is not None
    connection = HttpConnection(
        gate, place, config=config, server_state=uvicorn.Server(config).server_state, app_state={}
    )
    unread = Unread()
    unread.protocol = connection
    connection.connection_made(unread)
    connection.data_received(request()[:-2])
    await asyncio.sleep(HEAD_S + 1)
    assert not unread.is_closing()
    process.is_late = False
    await asyncio.sleep(HEAD_S)
    assert unread.written.startswith(b"HTTP/1.1 408")
    await asyncio.sleep(3600)


@virtual
async def test_a_hello_may_come_late_where_the_server_was_late() -> None:
    process, asked = LateProcess(), 0

    def receive() -> Awaitable[str]:
        nonlocal asked
        asked += 1
        hello: asyncio.Future[str] = asyncio.get_running_loop().create_future()
        if asked == 3:
            hello.set_result("hello")
        return hello

    assert await in_time(receive, 10.0, process.late_s) == "hello"
    asked, process.is_late = 0, False
    with pytest.raises(TimeoutError):
        await in_time(receive, 10.0, process.late_s)
    assert asked == 1
