"""Stall timer: ends a connection whose other end takes nothing of what it is sent."""

from __future__ import annotations

import asyncio


class StallTimer:
    """Timer that aborts a transport unless something is taken within ``limit_s``."""

    def __init__(self, loop: asyncio.AbstractEventLoop, limit_s: float) -> None:
        self._loop, self._limit_s = loop, limit_s
        self._running: asyncio.TimerHandle | None = None

    def start(self, transport: asyncio.Transport) -> None:
        """Give the other end its time, unless that is running already."""
        if self._running is None:
            self._running = self._loop.call_later(self._limit_s, transport.abort)

    def stop(self) -> None:
        """Note that something was taken, or that nothing needs to be."""
        if self._running is not None:
            self._running.cancel()
            self._running = None
