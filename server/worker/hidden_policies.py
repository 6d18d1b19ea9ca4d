"""Policies that a study tells nobody of: they come to their seats as people do, and act as late.

A page takes a while to load, and no two take the same; what it sends comes in as evenly as frames,
network and load let it. A partner who is there at the first instant, each time, or who turns at
exact ticks, is told to be a program whatever the pages say.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator
from random import Random

from server.sessions.core import SessionCore, Tick
from server.sessions.events import PresenceChanged
from server.sessions.intents import Intent
from server.worker.arrival_times import Coming, ComingAlone
from server.worker.seen_people import SeenPeople


class HiddenPolicies:
    """The seats of a session whose policies people take for one of them, and when each is there."""

    def __init__(self, core: SessionCore, people: SeenPeople) -> None:
        self._core, self._people = core, people
        self._seats = [
            s.seat.seat_id for s in core.spec.seats if s.policy and s.stands_for_person is True
        ]
        self._coming: dict[str, Coming | ComingAlone] = {}
        """Arrivals of policies that are not there yet, by seat."""
        self._ready_at: dict[str, int] = {}
        """Ticks after which people were ready, by seat, in the order in which they were."""
        self._delays: dict[str, Iterator[int]] = {}
        self._due: dict[str, deque[tuple[int, Intent]]] = {}
        """Intents that are on their way, with the ticks at which they come in."""
        self._began = core.tick
        self.begin()

    def begin(self) -> None:
        """Draw when each is there in an episode that begins."""
        core = self._core
        self._began = core.tick
        self._coming, self._ready_at = {}, {}
        self._due = {seat: deque() for seat in self._seats}
        for seat in self._seats:
            rng = Random(f"{core.spec.seed} {core.episode_spec.episode_id} {seat} acts")
            self._delays[seat] = self._people.inputs.delays(rng)
        if core.phase != "gathering":
            return
        for seat in self._seats:
            rng = Random(f"{core.spec.seed} {core.episode_spec.episode_id} {seat} comes")
            self._coming[seat] = self._people.arrivals.somebody(rng, self._is_first)

    @property
    def _is_first(self) -> bool:
        return self._began == 0

    @property
    def _first_ready(self) -> int | None:
        """Ticks after which the first person was ready; None: nobody is."""
        return next(iter(self._ready_at.values()), None)

    def is_here(self, seat: str) -> bool:
        """Tell whether the policy of a seat acts; one that is told of does from the start."""
        coming = self._coming.get(seat)
        if coming is not None:
            if not coming.is_here(self._core.tick - self._began, self._first_ready):
                return False
            del self._coming[seat]
        return True

    def begins_the_clock(self, seat: str) -> bool:
        """Tell whether it acts, as people do, while the task's clock waits for them."""
        return seat in self._seats

    def come_in(self, seat: str, intents: Iterable[Intent]) -> list[Intent]:
        """Send what the policy of a seat wants at this tick; return what comes in at it.

        Nothing overtakes what was sent before. Of one that is told of all comes in at once.
        """
        wanted = list(intents)
        line = self._due.get(seat)
        if line is None:
            return wanted
        late = next(self._delays[seat])
        if wanted:
            due = self._core.tick + late
            if line:
                due = max(due, line[-1][0])
            line += [(due, intent) for intent in wanted]
        found = []
        while line and line[0][0] <= self._core.tick:
            found.append(line.popleft()[1])
        return found

    def see(self, tick: Tick) -> None:
        """Note the times of people who get ready."""
        for event in tick.events:
            if (
                isinstance(event, PresenceChanged)
                and event.presence == "ready"
                and not self._core.seats[event.seat].policy
            ):
                self._note(event.seat, self._core.tick - self._began)

    def _note(self, seat: str, ticks: int) -> None:
        if seat in self._ready_at:
            # A page that was loaded again.
            return
        arrivals = self._people.arrivals
        arrivals.note(ticks, self._is_first)
        # The first alone is followed by whoever comes later.
        if self._first_ready is not None:
            arrivals.note_pair(self._first_ready, ticks, self._is_first)
        self._ready_at[seat] = ticks
