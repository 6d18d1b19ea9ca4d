"""A bad network between a client and a server: late, uneven, and losing packets.

TCP hides a loss: what was lost comes again after a while, and everything behind it waits. So a loss
is a longer delay here, and the order stays.
"""

from __future__ import annotations

import asyncio
import random
from types import TracebackType

CHUNK = 1400
"""About a packet."""


class BadNetwork:
    """``async with BadNetwork(port) as network:`` listens on ``network.port`` for that server.

    Each packet takes ``delay_s`` give or take ``jitter_s``; with the probability ``loss`` it takes
    ``again_s`` longer.
    """

    def __init__(
        self,
        to_port: int,
        *,
        delay_s: float = 0.2,
        jitter_s: float = 0.1,
        loss: float = 0.02,
        again_s: float = 0.3,
        seed: int = 1,
    ) -> None:
        self._to_port = to_port
        self._delay_s, self._jitter_s = delay_s, jitter_s
        self._loss, self._again_s = loss, again_s
        self._rng = random.Random(seed)
        self._server: asyncio.Server | None = None
        self._tasks: set[asyncio.Task[None]] = set()
        self.packets = self.lost = 0

    @property
    def port(self) -> int:
        assert self._server is not None
        return int(self._server.sockets[0].getsockname()[1])

    async def __aenter__(self) -> BadNetwork:
        self._server = await asyncio.start_server(self._relay, "127.0.0.1", 0)
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        assert self._server is not None
        self._server.close()
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    async def _relay(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        there, back = await asyncio.open_connection("127.0.0.1", self._to_port)
        for source, sink in ((reader, back), (there, writer)):
            arrivals: asyncio.Queue[tuple[float, bytes]] = asyncio.Queue()
            for work in (self._receive(source, arrivals), self._deliver(arrivals, sink)):
                task = asyncio.create_task(work)
                self._tasks.add(task)
                task.add_done_callback(self._tasks.discard)

    async def _receive(
        self, source: asyncio.StreamReader, arrivals: asyncio.Queue[tuple[float, bytes]]
    ) -> None:
        loop = asyncio.get_running_loop()
        last = 0.0
        while True:
            try:
                data = await source.read(CHUNK)
            except ConnectionError:
                data = b""
            delay_s = self._delay_s + self._rng.uniform(-self._jitter_s, self._jitter_s)
            self.packets += 1
            if self._rng.random() < self._loss:
                self.lost += 1
                delay_s += self._again_s
            last = max(last, loop.time() + delay_s)
            arrivals.put_nowait((last, data))
            if not data:
                return

    async def _deliver(
        self, arrivals: asyncio.Queue[tuple[float, bytes]], sink: asyncio.StreamWriter
    ) -> None:
        loop = asyncio.get_running_loop()
        while True:
            at, data = await arrivals.get()
            await asyncio.sleep(max(0.0, at - loop.time()))
            if not data or sink.is_closing():
                sink.close()
                return
            sink.write(data)
