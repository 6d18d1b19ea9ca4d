"""Failed decisions of a policy: since when they fail, and when to ask again."""

from __future__ import annotations

import traceback
from pathlib import Path
from typing import NamedTuple

from server.robots.models.request import ModelError
from server.sessions.spec import TICK_RATE

RETRY_TICKS = 2 * TICK_RATE
"""Ticks after a failed decision until a policy is asked again; they double each time."""
MOST_WAIT_TICKS = 30 * TICK_RATE
NO_ANSWER = "getting no answer"
"""The body's doing as its partner is told while decisions fail."""


class FailureStreak(NamedTuple):
    """Decisions that have failed one after the other. Ticks are the session's."""

    since: int
    """The tick at which the first of them was asked for."""
    last: int
    """The tick at which the last of them had failed."""
    times: int
    error: Exception
    """The error of the last one."""

    @property
    def lasted_s(self) -> float:
        return (self.last - self.since) / TICK_RATE

    @property
    def wait_ticks(self) -> int:
        """Ticks from the last one until the policy is asked again."""
        return min(RETRY_TICKS << min(self.times - 1, 8), MOST_WAIT_TICKS)


def in_brief(error: Exception) -> str:
    """Return an error in one line: what it is, and where it was raised.

    A model or a policy elsewhere that gives no decision is no fault of a program, so that it has
    no place in one.
    """
    if isinstance(error, ModelError):
        return str(error).partition("\n")[0]
    text = f"{type(error).__name__}: {error}".partition("\n")[0]
    frames = traceback.extract_tb(error.__traceback__)
    return (
        f"{text} ({Path(frames[-1].filename).name}, line {frames[-1].lineno})" if frames else text
    )


def failed_again(
    before: FailureStreak | None, asked: int, now: int, error: Exception
) -> FailureStreak:
    """Return the streak with one more failure, of a decision asked for at the tick ``asked``."""
    if before is None:
        return FailureStreak(asked, now, 1, error)
    return FailureStreak(before.since, now, before.times + 1, error)
