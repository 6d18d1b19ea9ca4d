"""Policies that a study tells nobody of: they come to their seats as people do.

A page takes a while to load, and no two take the same. A partner who is there at the first instant,
each time, is told to be a program whatever the pages say.
"""

from __future__ import annotations

import math
from collections import deque
from random import Random

from server.sessions.core import SessionCore, Tick
from server.sessions.events import PresenceChanged
from server.sessions.spec import TICK_RATE

USUAL_S = 2.0
"""Median time (s) in which somebody is ready, before this worker has seen any come."""
SPREAD = 0.5
"""Standard deviation of the logarithm of that time."""
LEAST_SEEN = 8
"""Number of people seen from which theirs are the times that are drawn."""
MOST_KEPT = 200
VARIES = 0.1
"""Share by which a time that was seen is varied, so that none comes twice."""


class ArrivalTimes:
    """Times in which people of this worker's sessions were ready to play, in ticks.

    Coming to a session and going on to its next episode are kept apart: one loads a page, the other
    does not.
    """

    def __init__(self) -> None:
        self._seen: dict[bool, deque[int]] = {
            is_first: deque(maxlen=MOST_KEPT) for is_first in (True, False)
        }

    def note(self, ticks: int, is_first: bool) -> None:
        """Note the time that somebody took in the first episode of a session, or a later one."""
        self._seen[is_first].append(ticks)

    def draw(self, rng: Random, is_first: bool) -> int:
        """Draw a time like those of people."""
        seen = self._seen[is_first]
        if len(seen) < LEAST_SEEN:
            return round(TICK_RATE * rng.lognormvariate(math.log(USUAL_S), SPREAD))
        return round(rng.choice(seen) * rng.uniform(1 - VARIES, 1 + VARIES))


class HiddenPolicies:
    """The seats of a session whose policies people take for one of them, and when each is there."""

    def __init__(self, core: SessionCore, times: ArrivalTimes) -> None:
        self._core, self._times = core, times
        self._seats = [
            s.seat.seat_id for s in core.spec.seats if s.policy and s.stands_for_person is True
        ]
        self._here_at: dict[str, int] = {}
        self._began = core.tick
        self.begin()

    def begin(self) -> None:
        """Draw when each is there in an episode that begins."""
        core = self._core
        self._began = core.tick
        self._here_at = {}
        if core.phase != "gathering":
            return
        for seat in self._seats:
            rng = Random(f"{core.spec.seed} {core.episode_spec.episode_id} {seat} comes")
            self._here_at[seat] = core.tick + self._times.draw(rng, self._is_first)

    @property
    def _is_first(self) -> bool:
        return self._began == 0

    def is_here(self, seat: str) -> bool:
        """Tell whether the policy of a seat acts; one that is told of does from the start."""
        return self._core.tick >= self._here_at.get(seat, 0)

    def begins_the_clock(self, seat: str) -> bool:
        """Tell whether it acts, as people do, while the task's clock waits for them."""
        return seat in self._seats

    def see(self, tick: Tick) -> None:
        """Note the times of people who get ready."""
        for event in tick.events:
            if (
                isinstance(event, PresenceChanged)
                and event.presence == "ready"
                and not self._core.seats[event.seat].policy
            ):
                self._times.note(self._core.tick - self._began, self._is_first)
