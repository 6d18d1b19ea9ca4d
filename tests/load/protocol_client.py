"""A player that is a program: speaks the protocol over a real socket and keeps a model."""

from __future__ import annotations

import asyncio
import contextlib
import itertools
import time
from collections.abc import Callable
from types import TracebackType
from typing import Any, TypeVar

from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed

from server.wire.codecs import CODECS, inflate
from server.wire.messages import (
    ActInput,
    ClientMessage,
    DidEvent,
    DriveInput,
    EpisodeOver,
    Frame,
    Hello,
    Notice,
    Ping,
    PlaceInput,
    Pong,
    Preview,
    ReadyInput,
    RefusedEvent,
    SayInput,
    SeatState,
    ServerMessage,
    Snapshot,
    Welcome,
)
from tests.load.client_model import ClientModel
from tests.patience import PATIENCE_S

M = TypeVar("M")
FRAMING_BYTES = 2
"""Bytes of the header of a websocket message under 126 bytes from a server; longer ones have 4."""


class ProtocolClient:
    """``async with ProtocolClient(url, origin, token) as client:`` says hello and listens."""

    def __init__(
        self,
        url: str,
        origin: str | None,
        token: str,
        *,
        codec: str = "msgpack",
        tab: str = "tab-1",
        take_over: bool = False,
        ready: bool = True,
        pings: bool = True,
    ) -> None:
        self._url, self._origin = url, origin
        self._hello = Hello(token, tab, "test", take_over)
        self.codec = CODECS[codec]
        self._ready, self._pings = ready, pings
        self.model = ClientModel()
        self.welcome: Welcome | None = None
        self.over: list[EpisodeOver] = []
        self.notices: list[Notice] = []
        self.previews: list[Preview] = []
        self.pongs: list[Pong] = []
        self.snapshots = 0
        self.snapshot_bytes = self.snapshot_plain_bytes = 0
        self.frames = 0
        self.bytes_in = 0
        """Payloads and framing of all but snapshots."""
        self.frame_at: list[float] = []
        self.seats_told: list[tuple[SeatState, ...]] = []
        """News of seats in frames, in order."""
        self.close: tuple[int, str] | None = None
        self._socket: ClientConnection | None = None
        self._tasks: list[asyncio.Task[None]] = []
        self._changed = asyncio.Event()
        self._ids = itertools.count(1)
        self._started = time.monotonic()
        self.on_frame: Callable[[Frame], None] | None = None
        self.on_message: Callable[[ServerMessage, int], None] | None = None
        """Hears each message as it comes, with the bytes of its payload."""

    async def __aenter__(self) -> ProtocolClient:
        await self.open()
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        await self.stop()

    async def open(self) -> None:
        name: Any = f"cohabit.1.{self.codec.name}"
        self._socket = await connect(
            self._url,
            origin=self._origin,  # type: ignore[arg-type]
            subprotocols=[name],
            compression=None,
            proxy=None,
            ping_interval=None,
            max_size=None,
        )
        await self.send(self._hello)
        self._tasks = [asyncio.create_task(self._listen())]
        if self._pings:
            self._tasks.append(asyncio.create_task(self._ping()))

    async def stop(self) -> None:
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        if self._socket is not None:
            await self._socket.close()

    def abort(self) -> None:
        """Break the connection as if the network were gone."""
        assert self._socket is not None
        self._socket.transport.abort()

    def pause(self) -> None:
        """Read nothing more, as a program that hangs."""
        assert self._socket is not None
        self._socket.transport.pause_reading()

    def resume(self) -> None:
        assert self._socket is not None
        self._socket.transport.resume_reading()

    def ms(self) -> int:
        return int((time.monotonic() - self._started) * 1000)

    # Saying

    async def send(self, message: ClientMessage) -> None:
        await self.send_raw(self.codec.encode(message))

    async def send_raw(self, data: bytes | str) -> None:
        assert self._socket is not None
        if isinstance(data, bytes) and not self.codec.binary:
            data = data.decode()
        await self._socket.send(data)

    async def drive(self, forward: int, strafe: int = 0, yaw: int = 0, pitch: int = 0) -> None:
        await self.send(DriveInput(self.ms(), forward, strafe, yaw, pitch))

    async def act(self, verb: Any, target: int, part: int = -1) -> DidEvent | RefusedEvent:
        """Act and wait for the answer."""
        number = next(self._ids)
        await self.send(ActInput(self.ms(), number, verb, target, part))
        return await self._answer(number)

    async def place(self, point: tuple[int, int, int], target: int) -> DidEvent | RefusedEvent:
        number = next(self._ids)
        await self.send(PlaceInput(self.ms(), number, point, 0, target))
        return await self._answer(number)

    async def say(self, text: str) -> None:
        await self.send(SayInput(text))

    async def _answer(self, number: int) -> DidEvent | RefusedEvent:
        def found() -> DidEvent | RefusedEvent | None:
            for event in reversed(self.model.events):
                if isinstance(event, DidEvent) and event.intent_id == number:
                    if event.seat == self.me:
                        return event
                elif isinstance(event, RefusedEvent) and event.intent_id == number:
                    return event
            return None

        await self.until(lambda: found() is not None)
        answer = found()
        assert answer is not None
        return answer

    # Hearing

    @property
    def me(self) -> int:
        assert self.welcome is not None
        return self.welcome.me

    async def until(self, condition: Callable[[], object], timeout_s: float = PATIENCE_S) -> None:
        """Wait until something is so. Raises TimeoutError, and ConnectionError if it closes."""
        deadline = time.monotonic() + timeout_s
        while not condition():
            if self.close is not None:
                raise ConnectionError(f"closed: {self.close}")
            self._changed.clear()
            left = deadline - time.monotonic()
            if left <= 0:
                raise TimeoutError
            await asyncio.wait_for(self._changed.wait(), left)

    async def until_playing(self, timeout_s: float = PATIENCE_S) -> None:
        await self.until(lambda: self.model.phase == "running", timeout_s)

    async def closed(self, timeout_s: float = PATIENCE_S) -> tuple[int, str]:
        """Return the close code and reason."""
        deadline = time.monotonic() + timeout_s
        while self.close is None:
            if time.monotonic() > deadline:
                raise TimeoutError
            await asyncio.sleep(0.01)
        return self.close

    async def _listen(self) -> None:
        assert self._socket is not None
        try:
            while True:
                data = await self._socket.recv(decode=None)
                self._take(data)
        except ConnectionClosed as closed:
            received = closed.rcvd
            self.close = (1006, "") if received is None else (received.code, received.reason)
            self._changed.set()

    def _take(self, data: bytes | str) -> None:
        message = self.codec.decode_server(data)
        if self.on_message is not None:
            self.on_message(message, len(data))
        size = len(data) + (FRAMING_BYTES if len(data) < 126 else FRAMING_BYTES + 2)
        match message:
            case Snapshot():
                self.snapshots += 1
                self.snapshot_bytes = len(data)
                assert isinstance(data, bytes)
                self.snapshot_plain_bytes = len(inflate(data))
                self.model.apply(message)
                if self._ready and message.phase != "ended":
                    self._tasks.append(asyncio.ensure_future(self.send(ReadyInput())))
            case Frame():
                self.frames += 1
                self.bytes_in += size
                self.frame_at.append(time.monotonic())
                if message.seats:
                    self.seats_told.append(message.seats)
                self.model.apply(message)
                if self.on_frame is not None:
                    self.on_frame(message)
            case Welcome():
                self.welcome = message
            case EpisodeOver():
                self.over.append(message)
            case Notice():
                self.notices.append(message)
            case Preview():
                self.previews.append(message)
            case Pong():
                self.bytes_in += size
                self.pongs.append(message)
        self._changed.set()

    async def _ping(self) -> None:
        # An end in the middle of it is told by `_listen`.
        with contextlib.suppress(ConnectionClosed):
            while True:
                await self.send(Ping(self.ms()))
                await asyncio.sleep(2)
