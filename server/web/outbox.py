"""Outbox of one browser's socket: a bounded queue and one task that writes.

Frames of state are not dropped here. When the queue grows, the session is asked to send nothing
more (`on_behind`); when it is empty again the session sends one frame with all that was missed
(`on_drained`). So a slow reader skips states, never events, and nobody waits for it.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Awaitable, Callable

from server.web.direct_websocket import WriteNow, framed
from server.wire.close_codes import CloseCode

BEHIND_MESSAGES = 60
"""Messages in the queue beyond which a reader is behind: two seconds of frames."""
BEHIND_BYTES = 64 * 1024
LARGEST_BYTES = 4 * 1024 * 1024
"""Bytes in the queue beyond which a reader has stalled for good."""

Send = Callable[[bytes, bool], Awaitable[None]]
Close = Callable[[int, str], Awaitable[None]]


class SocketOutbox:
    """Implementation of `server.hosting.connections.Outbox` over two coroutines of a socket."""

    def __init__(
        self,
        send: Send,
        close: Close,
        *,
        on_behind: Callable[[], None],
        on_drained: Callable[[], None],
        write_now: WriteNow | None = None,
    ) -> None:
        self._send, self._close = send, close
        self._on_behind, self._on_drained = on_behind, on_drained
        self._queue: deque[tuple[bytes, bool]] = deque()
        self._bytes = 0
        self._is_behind = False
        self._held_back = False
        self._ending: tuple[int, str] | None = None
        self._wake: asyncio.Future[None] | None = None
        self._write_now = write_now
        self._is_sending = False

    @property
    def ending(self) -> tuple[int, str] | None:
        """Code and reason with which it closes or was closed; None while it is open."""
        return self._ending

    @property
    def waiting_bytes(self) -> int:
        return self._bytes

    def push(self, payload: bytes, binary: bool) -> None:
        if self._ending is not None:
            return
        if self._left_at_once(payload, binary):
            return
        self._queue.append((payload, binary))
        self._bytes += len(payload)
        if self._bytes > LARGEST_BYTES:
            self._queue.clear()
            self.close(CloseCode.TRY_AGAIN, "you read too slowly")
        elif len(self._queue) > BEHIND_MESSAGES or self._bytes > BEHIND_BYTES:
            self._set_behind(True)
        self._wake_up()

    def _left_at_once(self, payload: bytes, binary: bool) -> bool:
        """Write a message at once if that keeps the order; tell whether it did.

        It must not go past another that waits, or is being sent.
        """
        write = self._write_now
        if write is None or self._queue or self._is_sending:
            return False
        return write(framed(payload, binary))

    def close(self, code: int, reason: str) -> None:
        if self._ending is None:
            self._ending = (code, reason)
            self._wake_up()

    def hold_back(self, held_back: bool) -> None:
        """Ask for nothing more, whatever the queue: nobody seems to be there."""
        self._held_back = held_back
        if held_back:
            self._set_behind(True)
        elif not self._queue:
            self._set_behind(False)

    def _set_behind(self, behind: bool) -> None:
        if behind != self._is_behind:
            self._is_behind = behind
            (self._on_behind if behind else self._on_drained)()

    def _wake_up(self) -> None:
        if self._wake is not None and not self._wake.done():
            self._wake.set_result(None)

    async def run(self) -> None:
        """Write until closed. Raises what the socket raises when it is gone."""
        loop = asyncio.get_running_loop()
        while True:
            while self._queue:
                payload, binary = self._queue.popleft()
                self._bytes -= len(payload)
                self._is_sending = True
                await self._send(payload, binary)
                self._is_sending = False
            if self._ending is not None:
                await self._close(*self._ending)
                return
            if self._is_behind and not self._held_back:
                self._set_behind(False)
            self._wake = loop.create_future()
            await self._wake
            self._wake = None
