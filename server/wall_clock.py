"""The wall clock: what is noted in logs, rows and identifiers, and decides nothing.

Somebody may set it by hours at any time. Whatever waits, expires or is counted while something runs
asks a monotonic clock or counts ticks. The linter lets nobody but this module ask for wall time.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import NamedTuple


def wall_s() -> float:
    """Return the seconds since 1970; a clock that is set to before then says 0."""
    return max(0.0, time.time())


def utc_now() -> datetime:
    """Return the time as rows of the database note it."""
    return datetime.fromtimestamp(wall_s(), UTC)


class SteadyTime:
    """Time of day that no setting of the clock moves while the process runs.

    It is what the wall clock said when this was made (or ``began``), carried on by the monotonic
    ``clock``: for rows whose times are subtracted, such as those of visits.
    """

    def __init__(
        self, clock: Callable[[], float] = time.monotonic, began: datetime | None = None
    ) -> None:
        self._clock, self._began = clock, began or utc_now()
        self._began_at = clock()

    def __call__(self) -> datetime:
        return self._began + timedelta(seconds=self._clock() - self._began_at)


class FastClock(NamedTuple):
    """Clock ``rate`` times as fast as the real one, which was right at ``since`` (s since 1970).

    Processes that follow each other agree on what it says.
    """

    rate: float
    since: float

    def monotonic(self) -> float:
        return time.monotonic() * self.rate

    def utc_now(self) -> datetime:
        return datetime.fromtimestamp(self.since + (wall_s() - self.since) * self.rate, UTC)
