"""Decisions that fail: since when, and when to ask again."""

from __future__ import annotations

import traceback
from pathlib import Path
from typing import NamedTuple

from server.sessions.spec import TICK_RATE

RETRY_TICKS = 2 * TICK_RATE
"""After a failed decision a policy is asked again this much later, and twice as late each time."""
MOST_WAIT_TICKS = 30 * TICK_RATE
NO_ANSWER = "getting no answer"
"""What a partner is told while decisions fail."""


class FailureStreak(NamedTuple):
    """Decisions that have failed one after the other. Ticks are the session's."""

    since: int
    """When the first of them was asked for."""
    last: int
    """When the last of them had failed."""
    times: int
    error: Exception
    """Of the last one."""

    @property
    def lasted_s(self) -> float:
        return (self.last - self.since) / TICK_RATE

    @property
    def wait_ticks(self) -> int:
        """How long after the last one to ask again."""
        return min(RETRY_TICKS << min(self.times - 1, 8), MOST_WAIT_TICKS)


def in_brief(error: Exception) -> str:
    """An error in one line: what it is, and where it was raised."""
    text = f"{type(error).__name__}: {error}".partition("\n")[0]
    frames = traceback.extract_tb(error.__traceback__)
    return (
        f"{text} ({Path(frames[-1].filename).name}, line {frames[-1].lineno})" if frames else text
    )


def failed_again(
    before: FailureStreak | None, asked: int, now: int, error: Exception
) -> FailureStreak:
    """With one more, which was asked for at the tick ``asked``."""
    if before is None:
        return FailureStreak(asked, now, 1, error)
    return FailureStreak(before.since, now, before.times + 1, error)
