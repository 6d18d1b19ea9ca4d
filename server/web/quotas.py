"""Quotas of what visitors may do, in moving windows; the notation is ``60/minute;600/hour``.

The counts are those of one process and are forgotten when it ends. Several processes would each
count on their own: they need a storage in common (`limits.storage` has some) in place of `Windows`.
"""

from __future__ import annotations

import time
from collections import OrderedDict, deque
from collections.abc import Callable
from math import ceil
from typing import NamedTuple

from limits import RateLimitItem, parse_many
from limits.storage import MemoryStorage
from limits.strategies import MovingWindowRateLimiter

MOST_KEYS = 20_000
"""Keys that are remembered; whoever has been quiet for the longest is forgotten first."""


class _Window(NamedTuple):
    """Times at which something was done, the oldest first, and the seconds that they count."""

    times: deque[float]
    lasts_s: int

    def is_over(self, now: float) -> bool:
        return self.times[-1] + self.lasts_s < now


class Windows(MemoryStorage):
    """Windows in memory, on a clock of the caller's choice, by key.

    The package's own storage counts with the wall clock, so that setting a clock back would shut
    everybody out; it keeps every key for ever, and looks through all of them in a thread.
    """

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        super().__init__()
        self._clock = clock
        self._windows: OrderedDict[str, _Window] = OrderedDict()

    def __len__(self) -> int:
        return len(self._windows)

    def acquire_entry(self, key: str, limit: int, expiry: int, amount: int = 1) -> bool:
        """Count what is done now, if the window has room for it; return whether it had."""
        now = self._clock()
        self._forget(now)
        if self.get_moving_window(key, limit, expiry)[1] + amount > limit:
            return False
        window = self._windows.setdefault(key, _Window(deque(maxlen=limit), expiry))
        window.times.extend([now] * amount)
        self._windows.move_to_end(key)
        return True

    def get_moving_window(self, key: str, limit: int, expiry: int) -> tuple[float, int]:
        """Return when the window's oldest entry was made, and how many it has."""
        now = self._clock()
        window = self._windows.get(key)
        if window is not None:
            while window.times and window.times[0] + expiry <= now:
                window.times.popleft()
            if window.times:
                return window.times[0], len(window.times)
            del self._windows[key]
        return now, 0

    def _forget(self, now: float) -> None:
        """Drop the keys that count no more: those in front have been quiet for the longest."""
        while self._windows:
            oldest = next(iter(self._windows.values()))
            if len(self._windows) <= MOST_KEYS and not oldest.is_over(now):
                return
            self._windows.popitem(last=False)


class Quota:
    """A quota that each key may use up and not exceed."""

    def __init__(self, notation: str, clock: Callable[[], float] = time.monotonic) -> None:
        """Read the notation. Raises ValueError for one that is none."""
        self._items: list[RateLimitItem] = parse_many(notation)
        self._clock = clock
        self._windows = Windows(clock)
        self._limiter = MovingWindowRateLimiter(self._windows)

    def __len__(self) -> int:
        """Return how many windows are remembered."""
        return len(self._windows)

    def take(self, key: str) -> int:
        """Count something that ``key`` does; return 0, or the seconds after which it may.

        What may not be done does not count, so that whoever goes on trying is not shut out longer.
        """
        wait_s = self.wait_s(key)
        if wait_s:
            return wait_s
        for item in self._items:
            self._limiter.hit(item, key)
        return 0

    def wait_s(self, key: str) -> int:
        """Return the seconds after which ``key`` may do something; 0: it may now."""
        return max(self._wait_s(item, key) for item in self._items)

    def _wait_s(self, item: RateLimitItem, key: str) -> int:
        window = self._limiter.get_window_stats(item, key)
        if window.remaining > 0:
            return 0
        return max(1, ceil(window.reset_time - self._clock()))
