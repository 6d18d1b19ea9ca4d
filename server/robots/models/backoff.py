"""The failures after which a call is tried again, and when."""

from __future__ import annotations

import random
from dataclasses import dataclass


@dataclass(frozen=True)
class Backoff:
    """Waits that double, each shortened at random so that callers do not come back together."""

    most_retries: int = 3
    first_s: float = 0.25
    longest_s: float = 8.0

    def wait_s(self, retry: int, rng: random.Random, told_s: float | None = None) -> float:
        """Return the wait before retry number ``retry`` (from 0), in seconds.

        ``told_s`` is what the server asked for, the least that is waited then.
        """
        most = min(self.longest_s, self.first_s * 2.0**retry)
        return float(max(told_s or 0.0, most * rng.uniform(0.5, 1.0)))
