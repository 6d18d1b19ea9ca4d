"""Guarded server with a small application, and callers who write bytes to it."""

from __future__ import annotations

import asyncio
import re
import socket
from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from pathlib import Path
from typing import Any

from server.settings import Settings
from server.web.direct_websocket import admit
from server.web.frame_budget import PLAYING
from server.web.guarded_server import GuardedServer, config_for

HEAD = "{method} {path} HTTP/1.1\r\nHost: x\r\n{fields}\r\n"
UPGRADE = (
    "Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
    "Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n"
)


def request(method: str = "GET", path: str = "/", fields: str = "", body: bytes = b"") -> bytes:
    return HEAD.format(method=method, path=path, fields=fields).encode() + body


def form(size: int) -> bytes:
    fields = f"Content-Type: application/x-www-form-urlencoded\r\nContent-Length: {size}\r\n"
    return request("POST", fields=fields, body=b"x" * size)


def chunked(size: int, chunk: int = 4096) -> bytes:
    body = b"".join(
        b"%x\r\n%b\r\n" % (len(part), part)
        for start in range(0, size, chunk)
        if (part := b"x" * min(chunk, size - start))
    )
    return request("POST", fields="Transfer-Encoding: chunked\r\n", body=body + b"0\r\n\r\n")


class Site:
    """A guarded server with a small application, in this event loop."""

    def __init__(self, server: GuardedServer, port: int) -> None:
        self.server, self.port = server, port
        self.asked: list[str] = []
        self.bodies: list[int] = []
        self.may_answer: asyncio.Event = asyncio.Event()
        self.may_answer.set()

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        self.asked.append(scope.get("path", ""))
        if scope["type"] == "websocket":
            # Whatever it says first is its hello.
            await receive()
            await send({"type": "websocket.accept"})
            while (await receive())["type"] == "websocket.receive":
                admit(scope, PLAYING)
            return
        if scope["method"] == "POST":
            body, more = b"", True
            while more:
                message = await receive()
                body += message.get("body", b"")
                more = message.get("more_body", False)
            self.bodies.append(len(body))
        await self.may_answer.wait()
        size = int(scope["query_string"] or 2)
        headers = [(b"content-length", str(size).encode())]
        await send({"type": "http.response.start", "status": 200, "headers": headers})
        await send({"type": "http.response.body", "body": b"x" * size})

    async def open(self, source: str = "127.0.0.1") -> Caller:
        return Caller(
            *await asyncio.open_connection("127.0.0.1", self.port, local_addr=(source, 0))
        )

    async def ask(self, data: bytes, source: str = "127.0.0.1") -> int:
        """Return the status of an answer; 0 if there is none."""
        try:
            caller = await self.open(source)
        except ConnectionError:
            return 0
        async with caller:
            return await caller.ask(data)

    async def until_refused(self, data: bytes, source: str) -> int:
        """Return how many were answered; a second gives one of sixty a minute."""
        answered = 0
        while (status := await self.ask(data, source)) == 200:
            answered += 1
        assert status == 429
        return answered

    async def until(self, condition: Callable[[], object]) -> None:
        async with asyncio.timeout(10):
            while not condition():  # noqa: ASYNC110 — the server has no event for it
                await asyncio.sleep(0.01)


class Caller:
    """Connection of a visitor."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.reader, self.writer = reader, writer
        self.head = self.body = b""

    async def __aenter__(self) -> Caller:
        return self

    async def __aexit__(self, *_error: object) -> None:
        self.writer.close()

    async def ask(self, data: bytes) -> int:
        self.writer.write(data)
        return await self.answer()

    async def answer(self) -> int:
        async with asyncio.timeout(10):
            try:
                self.head = await self.reader.readuntil(b"\r\n\r\n")
                size = re.search(rb"content-length: (\d+)", self.head)
                self.body = await self.reader.readexactly(int(size[1])) if size else b""
            except (asyncio.IncompleteReadError, ConnectionError):
                return 0
        return int(self.head[9:12])

    async def ended(self) -> bytes:
        """Return what comes until the server closes."""
        async with asyncio.timeout(10):
            try:
                return await self.reader.read()
            except ConnectionError:
                return b""


Start = Callable[..., AbstractAsyncContextManager[Site]]


@asynccontextmanager
async def serving(data_dir: Path, **options: Any) -> AsyncIterator[Site]:
    """Serve with these settings, until the block ends."""
    settings = Settings(data_dir=data_dir, _env_file=None, **options)
    holder: list[Site] = []

    async def app(scope: Any, receive: Any, send: Any) -> None:
        await holder[0](scope, receive, send)

    config = config_for(app, settings, grace_s=1)
    config.lifespan = "off"
    config.load()
    server = GuardedServer(config, settings)
    listening = socket.create_server(("127.0.0.1", 0))
    found = Site(server, listening.getsockname()[1])
    holder.append(found)
    running = asyncio.create_task(server._serve(sockets=[listening]))
    await found.until(lambda: server.started)
    yield found
    found.may_answer.set()
    server.should_exit = True
    await running
    await found.until(lambda: len(server.gate.connections) == 0)
