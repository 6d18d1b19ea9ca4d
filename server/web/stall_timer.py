"""Stall timer: ends a connection whose other end does not take in time what waits for it."""

from __future__ import annotations

import asyncio


class StallTimer:
    """Timer that aborts a transport whose writing stays paused for ``limit_s``.

    It runs from the moment in which more waits than the transport's upper mark until less waits
    than its lower one, however many single bytes are taken in between.
    """

    def __init__(self, loop: asyncio.AbstractEventLoop, limit_s: float) -> None:
        self._loop, self._limit_s = loop, limit_s
        self._running: asyncio.TimerHandle | None = None

    def start(self, transport: asyncio.Transport) -> None:
        """Give the other end its time, unless that is running already."""
        if self._running is None:
            self._running = self._loop.call_later(self._limit_s, transport.abort)

    def stop(self) -> None:
        """Note that enough was taken, or that the connection is gone."""
        if self._running is not None:
            self._running.cancel()
            self._running = None
