"""``/ws/lobby`` over real sockets."""

from __future__ import annotations

import asyncio
import json
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any, TypeVar

import httpx
import msgspec
import pytest
import uvicorn
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, InvalidStatus
from websockets.typing import Origin

from matchmaking.tickets import State
from server.wire.close_codes import CloseCode
from server.wire.lobby_messages import LobbyClosed, LobbyMatched, LobbyServerMessage, LobbyStatus
from tests.live_server import free_port
from tests.patience import PATIENCE_S
from tests.server.web.conftest import RunningSite
from tests.server.web.doubles import Browser, boot_of, make_settings

pytestmark = pytest.mark.processes

DECODER: Any = msgspec.json.Decoder(LobbyServerMessage)
M = TypeVar("M", LobbyStatus, LobbyMatched, LobbyClosed)


class Served(RunningSite):
    """The site behind uvicorn, in a thread with a loop of its own."""

    def start(self) -> None:
        self.url = f"http://127.0.0.1:{self.settings.port}"
        config = uvicorn.Config(
            self.app, port=self.settings.port, log_level="warning", ws="websockets-sansio"
        )
        self.server = uvicorn.Server(config)
        self.thread = threading.Thread(target=self.server.run, daemon=True)
        self.thread.start()
        deadline = time.monotonic() + PATIENCE_S
        while not self.server.started:
            assert time.monotonic() < deadline
            time.sleep(0.02)

    def stop(self) -> None:
        self.server.should_exit = True
        self.thread.join(20)

    def someone(self) -> Browser:
        return Browser(
            httpx.AsyncClient(base_url=self.url, trust_env=False, timeout=PATIENCE_S), self.url
        )

    async def waits(self, browser: Browser, action: str = "/play/person") -> dict[str, str]:
        """Return the boot data of the lobby page after a form."""
        lobby = (await browser.press("/", action)).headers["location"]
        return boot_of((await browser.get(lobby)).text)

    def state_of(self, ticket_id: str) -> State:
        ticket = self.state.lobby.ticket(ticket_id)
        assert ticket is not None
        return ticket.state

    def socket(self, origin: str | None = None) -> connect:
        return connect(
            self.url.replace("http", "ws") + "/ws/lobby",
            origin=Origin(origin or self.url),
            proxy=None,
        )


@pytest.fixture
def served(tmp_path: Path) -> Iterator[Served]:
    site = Served(make_settings(tmp_path, port=free_port(), lobby_grace_s=1.0))
    site.start()
    yield site
    site.stop()


async def receive(socket: ClientConnection) -> LobbyServerMessage:
    message: LobbyServerMessage = DECODER.decode(await asyncio.wait_for(socket.recv(), PATIENCE_S))
    return message


async def receive_one(socket: ClientConnection, kind: type[M]) -> M:
    message = await receive(socket)
    assert isinstance(message, kind)
    return message


async def until(socket: ClientConnection, kind: type[M]) -> M:
    while not isinstance(message := await receive(socket), kind):
        pass
    return message


async def hello(
    socket: ClientConnection, boot: dict[str, str], tab: str = "tab", take_over: bool = False
) -> None:
    await socket.send(json.dumps(["hello", boot["token"], tab, take_over]))


async def test_two_browsers_are_told_the_same_home(served: Served) -> None:
    boots = [await served.waits(served.someone()) for _ in range(2)]
    async with served.socket() as first, served.socket() as second:
        await hello(first, boots[0])
        status = await receive(first)
        assert isinstance(status, LobbyStatus)
        assert (status.position, status.text[:7]) == (1, "Waiting")
        await hello(second, boots[1])
        matched = [await until(s, LobbyMatched) for s in (first, second)]
    assert matched[0] == matched[1]
    assert matched[0].play_url.startswith("/play/ses_")
    async with served.socket() as late:
        await hello(late, boots[0])
        assert await receive(late) == matched[0]


async def test_the_status_comes_every_second(served: Served) -> None:
    boot = await served.waits(served.someone())
    async with served.socket() as socket:
        await hello(socket, boot)
        first = await receive_one(socket, LobbyStatus)
        others = [await receive_one(socket, LobbyStatus) for _ in range(2)]
    # However late each is, it tells the time, and comes without having been asked for.
    waits = [first.waited_s, *(status.waited_s for status in others)]
    assert waits == sorted(set(waits))


async def test_cancel_over_the_socket(served: Served) -> None:
    boot = await served.waits(served.someone())
    async with served.socket() as socket:
        await hello(socket, boot)
        await socket.send('["cancel"]')
        closed = await until(socket, LobbyClosed)
        assert closed.code == 4000
        with pytest.raises(ConnectionClosed) as end:
            await socket.recv()
        assert end.value.rcvd is not None
        assert end.value.rcvd.code == 4000


async def test_a_socket_that_drops_leaves_no_ghost(served: Served) -> None:
    boot = await served.waits(served.someone())
    async with served.socket() as socket:
        await hello(socket, boot)
        await receive(socket)
    other = await served.waits(served.someone())
    async with asyncio.timeout(PATIENCE_S):
        while served.state.lobby.ticket(boot["ticketId"]) is not None:  # noqa: ASYNC110 — no event
            await asyncio.sleep(0.05)
    async with served.socket() as socket:
        await hello(socket, other)
        assert (await receive_one(socket, LobbyStatus)).waiting == 1
        assert served.state_of(other["ticketId"]) is State.WAITING
    async with served.socket() as socket:
        await hello(socket, boot)
        closed = await receive_one(socket, LobbyClosed)
        assert "join again" in closed.text


async def test_a_second_tab_is_told_and_a_reload_takes_over(served: Served) -> None:
    boot = await served.waits(served.someone())
    async with served.socket() as first, served.socket() as second, served.socket() as reloaded:
        await hello(first, boot, "one")
        await receive(first)
        await hello(second, boot, "two")
        assert (await receive_one(second, LobbyClosed)).code == 4009
        await hello(reloaded, boot, "one")
        assert isinstance(await receive(reloaded), LobbyStatus)
        assert (await until(first, LobbyClosed)).code == 4009
        assert served.state_of(boot["ticketId"]) is State.WAITING


async def test_a_second_tab_may_wait_instead(served: Served) -> None:
    boot = await served.waits(served.someone())
    async with served.socket() as first, served.socket() as second:
        await hello(first, boot, "one")
        await receive(first)
        await hello(second, boot, "two", take_over=True)
        assert isinstance(await receive(second), LobbyStatus)
        assert (await until(first, LobbyClosed)).code == 4009
        assert served.state_of(boot["ticketId"]) is State.WAITING


async def test_who_floods_the_lobby_is_sent_away_and_others_wait_on(served: Served) -> None:
    boots = [await served.waits(served.someone()) for _ in range(2)]
    async with served.socket() as wild, served.socket() as other:
        await hello(wild, boots[0])
        await receive(wild)
        for _ in range(30):
            await hello(wild, boots[0])
        assert (await until(wild, LobbyClosed)).code == 4008
        await hello(other, boots[1])
        assert isinstance(await receive(other), LobbyStatus | LobbyMatched)


async def test_another_sites_script_gets_nothing(served: Served) -> None:
    with pytest.raises(InvalidStatus) as refused:
        async with served.socket("https://evil.example"):
            pass
    assert refused.value.response.status_code == 403


@pytest.mark.parametrize(
    ("message", "code"),
    [
        ('["hello","forged","t"]', 4401),
        ('["cancel"]', 4401),
        ("not json", 4002),
        ('["hello","' + "x" * 5000 + '","t"]', 4008),
    ],
)
async def test_a_wrong_first_message_is_answered_with_a_reason(
    served: Served, message: str, code: int
) -> None:
    async with served.socket() as socket:
        await socket.send(message)
        closed = await receive_one(socket, LobbyClosed)
    assert closed.code == code
    assert "reload" in closed.text


@pytest.mark.parametrize(
    "message",
    [b"\x93\xa5hello", "[" * 1500, '["hello","t","a",' + "[" * 1500, "{", '{"hello": 1}'],
    ids=["binary", "deep", "deep in a field", "cut short", "of no release"],
)
async def test_what_cannot_be_read_is_answered_too(served: Served, message: str | bytes) -> None:
    async with served.socket() as socket:
        await socket.send(message)
        closed = await receive_one(socket, LobbyClosed)
    assert closed.code == CloseCode.MALFORMED


async def test_a_page_of_an_older_release_is_told_so_in_its_own_words(served: Served) -> None:
    async with served.socket() as socket:
        await socket.send('{"type": "hello", "token": "t", "tab": "a", "take_over": false}')
        closed = json.loads(await socket.recv())
        await socket.wait_closed()
    assert (closed["type"], closed["code"]) == ("closed", CloseCode.VERSION)
    assert "updated" in closed["text"]
    assert socket.close_code == CloseCode.VERSION
