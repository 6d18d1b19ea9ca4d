"""The schedule of ticks: real time for many sessions in one event loop, 30 ticks a second each.

The time of a tick is cut into slots; a session always steps in the same slot, so that the work is
spread evenly and no slot delays another by much. Ticks are never skipped and never caught up in a
burst: when the work does not fit, the whole schedule moves, and time stretches for everybody.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from typing import NamedTuple

from server.durations import DurationTally
from server.ipc.messages import LATE_BUCKETS_S
from server.sessions.spec import TICK_S

SLOTS = 12
"""The slots of a tick. More would spread better, but each costs a wake-up."""
MOST_LATE_S = TICK_S
"""The lateness beyond which time stretches; less is made up for."""


class Pace(NamedTuple):
    """Measure of how well time was kept since the last time somebody asked.

    The histogram (ticks by `LATE_BUCKETS_S`, then all later ones) and its sum are since the
    beginning.
    """

    ticks: int
    late_ms_p50: float
    late_ms_p99: float
    tick_us_mean: float
    stretched_s: float
    late_counts: tuple[int, ...]
    late_sum_s: float


class TickSchedule:
    """The schedule: which session steps when, and how late it was. No I/O, no waiting."""

    def __init__(self, now: float) -> None:
        self._slots: list[list[str]] = [[] for _ in range(SLOTS)]
        self._next = 0
        self._due = now
        self._late: list[float] = []
        self._tally = DurationTally(LATE_BUCKETS_S)
        self._busy_s = 0.0
        self._stretched_s = 0.0

    def add(self, key: str) -> None:
        """Give a session the emptiest slot."""
        min(self._slots, key=len).append(key)

    def remove(self, key: str) -> None:
        for slot in self._slots:
            if key in slot:
                slot.remove(key)

    def wait_s(self, now: float) -> float:
        """Return how long until the next slot is due; below zero, it is late already."""
        return self._due - now

    def take(self, now: float) -> tuple[str, ...]:
        """Return the sessions of the slot that is due, which ``now`` begins."""
        late = max(now - self._due, 0.0)
        if late > MOST_LATE_S:
            self._stretched_s += late - MOST_LATE_S
            self._due = now - MOST_LATE_S
        slot = tuple(self._slots[self._next])
        self._next = (self._next + 1) % SLOTS
        self._due += TICK_S / SLOTS
        return slot

    def ran(self, late_s: float, busy_s: float) -> None:
        """Note that a session was stepped this much after its time, and took this long."""
        self._late.append(late_s)
        self._busy_s += busy_s

    @property
    def due(self) -> float:
        """Time at which the slot that `take` returned last was due, as far as time was kept."""
        return self._due - TICK_S / SLOTS

    def pace(self) -> Pace:
        """Return how it went since the last call."""
        late = sorted(self._late)
        self._tally.note_sorted(late)
        told = self._tally.told()
        pace = Pace(
            ticks=len(late),
            late_ms_p50=1000 * late[len(late) // 2] if late else 0.0,
            late_ms_p99=1000 * late[min(len(late) - 1, len(late) * 99 // 100)] if late else 0.0,
            tick_us_mean=1e6 * self._busy_s / len(late) if late else 0.0,
            stretched_s=self._stretched_s,
            late_counts=told.counts,
            late_sum_s=told.sum_s,
        )
        self._late, self._busy_s, self._stretched_s = [], 0.0, 0.0
        return pace


async def run(
    schedule: TickSchedule, step: Callable[[str, float], None], after_slot: Callable[[], None]
) -> None:
    """Step sessions for ever.

    ``step`` is told which, and how many seconds late, and must not raise; ``after_slot`` sends what
    they said.
    """
    while True:
        wait_s = schedule.wait_s(time.monotonic())
        # Sleep even when late: messages that wait for us must be read.
        await asyncio.sleep(max(wait_s, 0.0))
        now = time.monotonic()
        # Before the schedule moves because it is too late: sessions are told how late it really is.
        promised = now + schedule.wait_s(now)
        slot = schedule.take(now)
        due = schedule.due
        begun = now
        for key in slot:
            step(key, max(begun - promised, 0.0))
            ended = time.monotonic()
            schedule.ran(max(begun - due, 0.0), ended - begun)
            begun = ended
        after_slot()
