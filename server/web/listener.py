"""Listener for connections: it takes a few at a time, and refuses before anything is made."""

from __future__ import annotations

import asyncio
import errno
import socket
import struct
from collections.abc import Callable, Sequence

import structlog

from server.web.connection_limits import Place
from server.web.http_connection import HttpConnection
from server.web.request_gate import RequestGate

LOOKS = 64
"""Connections that are looked at before the event loop goes on with everything else."""
OPENED = 16
"""Connections among them that are let in: one costs several times as much as a refusal."""
PAUSE_S = 0.005
"""Seconds of rest after so many of which most were refused."""
OUT_OF_RESOURCES_S = 0.5
"""Seconds of rest when the system has no descriptor or memory for one more."""
_OUT_OF_RESOURCES = {errno.EMFILE, errno.ENFILE, errno.ENOBUFS, errno.ENOMEM}
_RESET = struct.pack("ii", 1, 0)
"""A linger of nothing: closing tells the other end at once, and nothing is kept of it."""

log = structlog.get_logger(__name__)

MakeConnection = Callable[[Place], HttpConnection]


class Listener:
    """Listener on some sockets, in place of the event loop's own server."""

    def __init__(
        self, gate: RequestGate, sockets: Sequence[socket.socket], make: MakeConnection
    ) -> None:
        self._loop = asyncio.get_running_loop()
        self._gate, self._sockets, self._make = gate, list(sockets), make
        self._opening: set[asyncio.Task[None]] = set()
        self._resting: asyncio.TimerHandle | None = None
        self._listen()

    @property
    def sockets(self) -> list[socket.socket]:
        return self._sockets

    def close(self) -> None:
        self._rest(None)
        for listening in self._sockets:
            listening.close()
        self._sockets = []

    async def wait_closed(self) -> None:
        """Return at once: what was let in is uvicorn's."""

    def _listen(self) -> None:
        self._resting = None
        for listening in self._sockets:
            self._loop.add_reader(listening, self._accept, listening)

    def _rest(self, seconds: float | None) -> None:
        """Leave those who come with the system for a while; None: for ever."""
        for listening in self._sockets:
            self._loop.remove_reader(listening)
        if self._resting is not None:
            self._resting.cancel()
        self._resting = None if seconds is None else self._loop.call_later(seconds, self._listen)

    def _accept(self, listening: socket.socket) -> None:
        refused = opened = 0
        for _ in range(LOOKS):
            rest_s = self._gate.connections.rest_s(self._gate.now())
            if rest_s > 0:
                self._rest(max(rest_s, PAUSE_S))
                return
            try:
                new, address = listening.accept()
            except (BlockingIOError, InterruptedError, ConnectionAbortedError):
                return
            except OSError as error:
                if error.errno not in _OUT_OF_RESOURCES:
                    raise
                log.error("server.cannot_accept", reason=str(error))
                self._rest(OUT_OF_RESOURCES_S)
                return
            place = self._gate.enter(self._gate.peer(address[0] if address else None))
            if place is None:
                refused += 1
                _reset(new)
            else:
                self._open(new, place)
                opened += 1
                if opened == OPENED:
                    return
        if refused > LOOKS // 2:
            self._rest(PAUSE_S)

    def _open(self, new: socket.socket, place: Place) -> None:
        new.setblocking(False)
        task = self._loop.create_task(self._connect(new, place))
        self._opening.add(task)
        task.add_done_callback(self._opening.discard)

    async def _connect(self, new: socket.socket, place: Place) -> None:
        connection = self._make(place)
        try:
            await self._loop.connect_accepted_socket(lambda: connection, new)
        except OSError:
            # It was gone before it was here.
            self._gate.leave(place, connection)
            new.close()


def _reset(new: socket.socket) -> None:
    new.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, _RESET)
    new.close()
