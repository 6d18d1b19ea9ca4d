"""A place in a trial where remote policies connect: a websocket beside the runs, in a thread."""

from __future__ import annotations

import asyncio
import logging
import tempfile
import threading
from collections.abc import Callable, Collection
from pathlib import Path
from types import TracebackType
from typing import NamedTuple, Self

from websockets.asyncio.server import ServerConnection
from websockets.asyncio.server import serve as serve_websockets
from websockets.exceptions import ConnectionClosed

from server.research.trials.plan import TrialError
from server.robots.remote import connection, hop
from server.robots.remote.messages import LARGEST_MESSAGE
from server.robots.remote.switchboard import Switchboard

LOOK_S = 0.05
CONNECTED_WITHIN_S = 60.0
"""Seconds for which a trial waits for the policies that it needs."""


class Address(NamedTuple):
    """Place to listen at."""

    host: str
    port: int

    @classmethod
    def parse(cls, text: str) -> Self:
        """Read HOST:PORT. Raises TrialError."""
        host, colon, port = text.rpartition(":")
        if not colon or not host or not port.isdecimal() or int(port) > 65_535:
            raise TrialError(f"expected --listen HOST:PORT, as 127.0.0.1:8765, got {text!r}")
        return cls(host.strip("[]"), int(port))


def _quiet() -> logging.Logger:
    """Return a log that does not tell of strangers' bytes: the terminal is the trial's."""
    logger = logging.getLogger(f"{__name__}.websockets")
    logger.setLevel(logging.CRITICAL)
    return logger


class _WebSocketLine:
    def __init__(self, socket: ServerConnection) -> None:
        self._socket = socket

    async def receive(self) -> str | bytes:
        try:
            return await self._socket.recv()
        except ConnectionClosed as error:
            raise connection.LineClosedError from error

    async def send(self, text: str) -> None:
        try:
            await self._socket.send(text)
        except ConnectionClosed as error:
            raise connection.LineClosedError from error

    async def close(self, code: int, reason: str) -> None:
        await self._socket.close(code, reason)

    def unanswered_s(self) -> float:
        """Return 0: a trial's policies have their games before they connect."""
        return 0.0


class PolicyListener:
    """A listener for the time of a ``with``; its processes ask at ``path``."""

    def __init__(self, address: Address, wait_s: float, name_of: Callable[[str], str]) -> None:
        """Take where to listen, the seconds for a decision, and the reader of tokens."""
        self._address, self._wait_s, self._name_of = address, wait_s, name_of
        self._folder = tempfile.TemporaryDirectory(prefix="cohabit-")
        self.path = hop.path_in(Path(self._folder.name))
        self.port = 0
        """The port that it listens at, once it does."""
        self._switchboard = Switchboard(wait_s)
        self._ready = threading.Event()
        self._problem: OSError | None = None
        self._loop = asyncio.new_event_loop()
        self._end = asyncio.Event()
        self._thread = threading.Thread(target=self._run, name="remote policies", daemon=True)

    def __enter__(self) -> Self:
        """Listen. Raises TrialError where that cannot be."""
        self._thread.start()
        self._ready.wait()
        if self._problem is not None:
            self._thread.join()
            raise TrialError(
                f"cannot listen at {self._address.host}:{self._address.port}: {self._problem}"
            )
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._loop.call_soon_threadsafe(self._end.set)
        self._thread.join()
        self._folder.cleanup()

    @property
    def url(self) -> str:
        """The address for policies, once it listens."""
        host = f"[{self._address.host}]" if ":" in self._address.host else self._address.host
        return f"ws://{host}:{self.port}/ws/policy"

    def wait_for(self, names: Collection[str], within_s: float = CONNECTED_WITHIN_S) -> None:
        """Wait until policies are connected. Raises TrialError when one does not come."""
        asyncio.run_coroutine_threadsafe(self._wait_for(names, within_s), self._loop).result()

    async def _wait_for(self, names: Collection[str], within_s: float) -> None:
        try:
            async with asyncio.timeout(within_s):
                while any(not self._switchboard.is_connected(name) for name in names):  # noqa: ASYNC110
                    await asyncio.sleep(LOOK_S)
        except TimeoutError as error:
            missing = [name for name in names if not self._switchboard.is_connected(name)]
            raise TrialError(
                f"expected remote policies {', '.join(missing)} to connect to "
                f"{self.url} within {within_s:g} s: start them with a token of "
                "`cohabit robots token NAME`, and this again"
            ) from error

    def _run(self) -> None:
        with asyncio.Runner(loop_factory=lambda: self._loop) as runner:
            runner.run(self._serve())

    async def _serve(self) -> None:
        try:
            at_hop = await hop.listen(self.path, self._switchboard)
            # No page of a browser plays this way: whoever names an origin is refused.
            server = await serve_websockets(
                self._take,
                self._address.host,
                self._address.port,
                origins=[None],
                max_size=LARGEST_MESSAGE,
                compression=None,
                logger=_quiet(),
            )
        except OSError as error:
            self._problem = error
            self._ready.set()
            return
        async with server, at_hop:
            self.port = next(iter(server.sockets)).getsockname()[1]
            self._ready.set()
            await self._end.wait()

    async def _take(self, socket: ServerConnection) -> None:
        if socket.request is None or socket.request.path != "/ws/policy":
            await socket.close(4404, "expected the path /ws/policy")
            return
        await connection.serve(_WebSocketLine(socket), self._switchboard, self._name_of)
