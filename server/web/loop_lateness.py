"""Lateness of the event loop: for how long this process did not read what was sent to it.

After a stall (a suspended machine, a slow disk, an attack) everything that was sent meanwhile
arrives at once. Its senders kept to their pace, so budgets let that much more come at once. No
budget grows faster for it: only what time has paid for is kept for longer.
"""

from __future__ import annotations

import asyncio
import math
import time
from collections import deque
from collections.abc import Awaitable, Callable
from typing import TypeVar

LOOK_S = 0.25
LEAST_S = 0.5
"""Shortest lateness (s) that counts: less is bridged by what every budget lets through at once."""
REMEMBER_S = 5.0
"""Seconds for which a stall counts: until what waited with systems and proxies has come."""
MOST_S = 30.0

Result = TypeVar("Result")

LateS = Callable[[float], float]
"""Function that tells for how long the process was late, at a time."""


def never_late(now: float) -> float:
    return 0.0


class Lateness:
    """Lateness of one loop, on a clock of the caller's choice."""

    def __init__(self) -> None:
        self._due = math.inf
        self._stalls: deque[tuple[float, float]] = deque()
        """Times at which stalls ended, and their lengths."""

    def look(self, now: float) -> None:
        """Note that the loop has come round; it is to do so again after `LOOK_S`."""
        late_s = now - self._due
        if late_s >= LEAST_S:
            self._stalls.append((now, late_s))
        while self._stalls and now - self._stalls[0][0] > REMEMBER_S:
            self._stalls.popleft()
        self._due = now + LOOK_S

    def late_s(self, now: float) -> float:
        """Return for how long the loop was late lately, or is right now; 0 for little."""
        late_s = now - self._due
        if late_s < LEAST_S:
            if not self._stalls:
                return 0.0
            late_s = 0.0
        return min(MOST_S, late_s + sum(length for _, length in self._stalls))


async def in_time(act: Callable[[], Awaitable[Result]], limit_s: float, late_s: LateS) -> Result:
    """Return what ``act`` returns; where this process was late at the end, it is done anew.

    Raises TimeoutError if it took longer than that.
    """
    while True:
        try:
            return await asyncio.wait_for(act(), limit_s)
        except TimeoutError:
            if not late_s(time.monotonic()):
                raise


async def watch(lateness: Lateness) -> None:
    """Look round for ever; cancel it."""
    while True:
        lateness.look(time.monotonic())
        await asyncio.sleep(LOOK_S)
