"""Transport that is closed in bounded time, whoever closes it and whatever waits to leave."""

from __future__ import annotations

import asyncio
from typing import Any, cast

CLOSING_S = 30.0
"""Seconds that the other end has to take what was written before the close."""


class ClosingTransport:
    """Transport of a connection, with a deadline for its close; all else is the transport's own.

    Closing waits for every byte to be taken, which somebody who reads nothing puts off for ever.
    Uvicorn closes in a dozen places; all of them come through here.
    """

    def __init__(self, transport: asyncio.Transport, loop: asyncio.AbstractEventLoop) -> None:
        self._transport, self._loop = transport, loop
        self._deadline: asyncio.TimerHandle | None = None
        self._is_lost = False
        # For each message: not through `__getattr__`.
        self.write, self.is_closing = transport.write, transport.is_closing

    def __getattr__(self, name: str) -> Any:
        return getattr(self._transport, name)

    def close(self) -> None:
        if self._deadline is None and not self._is_lost:
            self._deadline = self._loop.call_later(CLOSING_S, self._transport.abort)
        self._transport.close()

    def lost(self) -> None:
        """Note that the connection is gone."""
        self._is_lost = True
        if self._deadline is not None:
            self._deadline.cancel()
            self._deadline = None


def with_deadline(
    transport: asyncio.Transport, loop: asyncio.AbstractEventLoop
) -> asyncio.Transport:
    """Return the transport with a deadline for its close; the same one if it has one."""
    if isinstance(transport, ClosingTransport):
        return transport
    return cast(asyncio.Transport, ClosingTransport(transport, loop))


def note_lost(transport: asyncio.Transport) -> None:
    """Note that a transport is gone and needs no deadline any more."""
    if isinstance(transport, ClosingTransport):
        transport.lost()
