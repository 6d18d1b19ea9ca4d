"""The wall clock: what is noted in logs, rows and identifiers, and decides nothing.

Somebody may set it by hours at any time. Whatever waits, expires or is counted while something runs
asks a monotonic clock or counts ticks. The linter lets nobody but this module ask for wall time.
"""

from __future__ import annotations

import time
from datetime import UTC, datetime


def wall_s() -> float:
    """Return the seconds since 1970; a clock that is set to before then says 0."""
    return max(0.0, time.time())


def utc_now() -> datetime:
    """Return the time as rows of the database note it."""
    return datetime.fromtimestamp(wall_s(), UTC)
