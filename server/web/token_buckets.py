"""Token buckets by name: how much of something each address may do in a while.

They are asked for every connection and every request, before either costs anything: two numbers for
each name, where the moving windows of `server.web.rates` remember each time.
"""

from __future__ import annotations

from server.web.input_limits import Rate

_FORGET_AT = 1024
"""Number of buckets from which on full ones are looked for, which say nothing any more."""


class TokenBuckets:
    """Buckets of one rate. One that nobody took from is full, and costs nothing."""

    def __init__(self, rate: Rate) -> None:
        self.rate = rate
        self._tokens: dict[str, tuple[float, float]] = {}
        self._forget_at = _FORGET_AT

    def __len__(self) -> int:
        return len(self._tokens)

    def level(self, name: str, now: float) -> float:
        """Return how many tokens ``name`` has."""
        tokens, at = self._tokens.get(name, (self.rate.burst, now))
        return min(self.rate.burst, tokens + (now - at) * self.rate.per_s)

    def take(self, name: str, now: float, least: float = 1.0) -> bool:
        """Take a token if ``name`` has ``least`` of them."""
        tokens = self.level(name, now)
        if tokens < least:
            return False
        self._tokens[name] = (tokens - 1, now)
        if len(self._tokens) >= self._forget_at:
            self._forget(now)
        return True

    def spend(self, name: str, now: float, tokens: float) -> None:
        """Take as many of so many tokens as there are."""
        self._tokens[name] = (max(0.0, self.level(name, now) - tokens), now)

    def wait_s(self, name: str, now: float) -> float:
        """Return the seconds after which ``name`` has a whole token."""
        return max(0.0, 1 - self.level(name, now)) / self.rate.per_s

    def _forget(self, now: float) -> None:
        self._tokens = {
            name: kept
            for name, kept in self._tokens.items()
            if self.level(name, now) < self.rate.burst
        }
        self._forget_at = max(_FORGET_AT, 2 * len(self._tokens))
