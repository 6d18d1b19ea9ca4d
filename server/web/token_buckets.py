"""Token buckets: how much of something a socket, or an address, may do in a while.

They are asked for every connection, every request and every frame, before any of them costs
anything: two numbers for each, where the moving windows of `server.web.quotas` remember each time.
"""

from __future__ import annotations

from typing import NamedTuple

_FORGET_AT = 1024
"""Number of buckets from which on full ones are looked for, which say nothing any more."""


class Rate(NamedTuple):
    """A rate of anything: ``per_s`` on average, ``burst`` at once."""

    per_s: float
    burst: float


class Bucket:
    """Tokens that come back with time; it begins full."""

    __slots__ = ("_at", "_burst", "_per_s", "_tokens")

    def __init__(self, rate: Rate, now: float) -> None:
        self._per_s, self._burst = rate
        self._tokens, self._at = rate.burst, now

    def level(self, now: float) -> float:
        """Return how many tokens there are."""
        return min(self._burst, self._tokens + (now - self._at) * self._per_s)

    def is_full(self, now: float) -> bool:
        return self.level(now) >= self._burst

    def take(self, now: float, cost: float = 1.0, late_s: float = 0.0) -> bool:
        """Take ``cost`` tokens if they are there.

        Tokens of the ``late_s`` seconds in which nothing was read are kept beyond the burst.
        """
        # Not through `level`: this is done for every frame.
        tokens, most = self._tokens + (now - self._at) * self._per_s, self._burst
        if tokens > most:
            tokens = min(tokens, most + late_s * self._per_s)
        self._at = now
        if tokens < cost:
            self._tokens = tokens
            return False
        self._tokens = tokens - cost
        return True

    def spend(self, now: float, tokens: float) -> None:
        """Take as many of so many tokens as there are."""
        self._tokens, self._at = max(0.0, self.level(now) - tokens), now


class TokenBuckets:
    """Buckets of one rate by name. One that nobody took from is full, and costs nothing."""

    def __init__(self, rate: Rate) -> None:
        self.rate = rate
        self._buckets: dict[str, Bucket] = {}
        self._forget_at = _FORGET_AT

    def __len__(self) -> int:
        return len(self._buckets)

    def level(self, name: str, now: float) -> float:
        """Return how many tokens ``name`` has."""
        bucket = self._buckets.get(name)
        return self.rate.burst if bucket is None else bucket.level(now)

    def take(self, name: str, now: float) -> bool:
        """Take a token if ``name`` has one."""
        return (self._buckets.get(name) or self._new(name, now)).take(now)

    def spend(self, name: str, now: float, tokens: float) -> None:
        """Take as many of so many tokens as there are."""
        (self._buckets.get(name) or self._new(name, now)).spend(now, tokens)

    def wait_s(self, name: str, now: float) -> float:
        """Return the seconds after which ``name`` has a whole token."""
        return max(0.0, 1 - self.level(name, now)) / self.rate.per_s

    def _new(self, name: str, now: float) -> Bucket:
        if len(self._buckets) >= self._forget_at:
            self._forget(now)
        bucket = self._buckets[name] = Bucket(self.rate, now)
        return bucket

    def _forget(self, now: float) -> None:
        self._buckets = {
            name: bucket for name, bucket in self._buckets.items() if not bucket.is_full(now)
        }
        self._forget_at = max(_FORGET_AT, 2 * len(self._buckets))
