"""Delay line of a player's connection: the round trip that a study's condition adds to it.

Half of it is added each way. What goes in later never comes out earlier.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable

from server.hosting.outbox import Outbox


class DelayLine:
    """Things to do later, in their order; ``delay_s`` says by how much, now."""

    def __init__(self, delay_s: Callable[[], float]) -> None:
        self._delay_s = delay_s
        self._due: deque[tuple[float, Callable[[], None]]] = deque()
        self._timer: asyncio.TimerHandle | None = None

    @property
    def is_idle(self) -> bool:
        """Whether nothing is delayed, and nothing waits."""
        return not self._due and not self._delay_s()

    def put(self, act: Callable[[], None]) -> None:
        """Do something after the delay; at once where there is none and nothing waits."""
        delay_s = self._delay_s()
        if not delay_s and not self._due:
            act()
            return
        loop = asyncio.get_running_loop()
        at = loop.time() + delay_s
        if self._due:
            at = max(at, self._due[-1][0])
        self._due.append((at, act))
        if self._timer is None:
            self._timer = loop.call_at(at, self._release)

    def _release(self) -> None:
        loop = asyncio.get_running_loop()
        self._timer = None
        while self._due and self._due[0][0] <= loop.time():
            self._due.popleft()[1]()
        if self._due:
            self._timer = loop.call_at(self._due[0][0], self._release)


class DelayedOutbox:
    """Outbox whose bytes leave after a delay."""

    def __init__(self, outbox: Outbox, delay_s: Callable[[], float]) -> None:
        self._outbox, self._line = outbox, DelayLine(delay_s)
        self._waiting = 0

    @property
    def waiting_bytes(self) -> int:
        """Number of bytes that were pushed and have not left."""
        return self._waiting + self._outbox.waiting_bytes

    def push(self, payload: bytes, binary: bool) -> None:
        """Send bytes after the delay."""
        if self._line.is_idle:
            self._outbox.push(payload, binary)
            return
        self._waiting += len(payload)

        def leave() -> None:
            self._waiting -= len(payload)
            self._outbox.push(payload, binary)

        self._line.put(leave)

    def close(self, code: int, reason: str) -> None:
        """Send what was pushed, then close. Idempotent."""
        self._line.put(lambda: self._outbox.close(code, reason))
