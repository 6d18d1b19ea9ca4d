"""Clock of a task as people saw it: late where they were waited for, and still in pauses."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from episodes.evaluation.account_sentences import clock
from server.recording.log_records import Keyframe, Line, TickLine
from server.sessions.events import PhaseChanged


class TaskClock(NamedTuple):
    """A clock over the ticks of an episode, which count from its start."""

    waited: int = 0
    """Ticks after which the clock started."""
    pauses: tuple[tuple[int, int], ...] = ()
    """Ticks between which nobody could do anything, and no time of the task passed."""

    def passed(self, tick: int) -> int:
        """Return the ticks that the clock has counted at a tick; none before it started."""
        stood = sum(
            max(0, min(tick, until) - max(since, self.waited)) for since, until in self.pauses
        )
        return max(0, tick - self.waited - stood)

    def at(self, tick: int) -> str:
        """Return what the clock said at a tick, as ``m:ss``: ``0:00`` before it started."""
        return clock(self.passed(tick))


ON_TIME = TaskClock()
"""Clock that started with the episode and never stood."""


def pauses_of(lines: Iterable[Line], start: int) -> tuple[tuple[int, int], ...]:
    """Return the pauses of a recorded episode that began at ``start``, in its own ticks."""
    found: list[tuple[int, int]] = []
    since: int | None = None
    for line in lines:
        if isinstance(line, Keyframe) and line.paused_tick is not None and since is None:
            since = line.paused_tick
        for event in line.events if isinstance(line, TickLine) else ():
            if not isinstance(event, PhaseChanged):
                continue
            if event.phase == "paused" and since is None:
                since = line.tick
            elif event.phase in ("running", "ended") and since is not None:
                found.append((since - start, line.tick - start))
                since = None
    return tuple(found)
