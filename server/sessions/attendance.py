"""Who is at a seat, and for how long somebody who is not is waited for.

Counted in ticks, so that a session whose time stretches waits longer, and a test needs no clock.
"""

from __future__ import annotations

from server.sessions.core import SessionCore
from server.sessions.events import Presence
from server.sessions.spec import TICK_RATE

RESUME_GRACE_TICKS = 2 * TICK_RATE
"""After a crash of ours the sockets come back by themselves: nobody is told that they are gone."""


class Attendance:
    """Turns connections that come and go into the presence of seats."""

    def __init__(self, core: SessionCore, loading_ticks: int, resumed: bool = False) -> None:
        self._core = core
        self._loading_ticks = loading_ticks
        self._window_ticks = round(core.spec.reconnect_window_s * TICK_RATE)
        self._connections: dict[str, set[int]] = {seat: set() for seat in core.seats}
        self._gone_at: dict[str, int] = {}
        """When a seat that nobody is connected to is given up."""
        self._load_until: dict[str, int] = {}
        self._away_at: dict[str, int] = {}
        """When a seat without its connection counts as dropped (after a resume)."""
        self.begin()
        if resumed:
            self._expect_back()

    def begin(self) -> None:
        """An episode was loaded: everybody has this long to get ready."""
        self._load_until.clear()
        if self._core.phase != "gathering":
            return
        for seat, seated in self._core.seats.items():
            if seated.occupied:
                self._load_until[seat] = self._core.tick + self._loading_ticks

    def _expect_back(self) -> None:
        for seat, seated in self._core.seats.items():
            if seated.occupied and seated.presence in ("connected", "ready", "reconnecting"):
                self._away_at[seat] = self._core.tick + RESUME_GRACE_TICKS

    def arrive(self, seat: str, connection: int) -> None:
        """A browser has proven that it occupies the seat."""
        self._connections[seat].add(connection)
        self._gone_at.pop(seat, None)
        self._away_at.pop(seat, None)
        if self._core.seats[seat].presence == "gone" and self._core.phase == "gathering":
            self._load_until[seat] = self._core.tick + self._loading_ticks
        self._set(seat, "connected")

    def leave(self, seat: str, connection: int) -> None:
        """A connection has ended."""
        there = self._connections[seat]
        there.discard(connection)
        if not there:
            self._drop(seat)

    def _drop(self, seat: str) -> None:
        self._gone_at[seat] = self._core.tick + self._window_ticks
        self._set(seat, "reconnecting", self._core.spec.reconnect_window_s)

    def look(self) -> None:
        """Once a tick: give up on those whose time is over."""
        tick, core = self._core.tick, self._core
        for seat in [s for s, at in self._away_at.items() if tick >= at]:
            del self._away_at[seat]
            self._drop(seat)
        for seat in [s for s, at in self._gone_at.items() if tick >= at]:
            del self._gone_at[seat]
            self._set(seat, "gone")
        if not self._load_until:
            return
        if core.phase != "gathering":
            self._load_until.clear()
            return
        for seat in [s for s, at in self._load_until.items() if tick >= at]:
            del self._load_until[seat]
            if core.seats[seat].presence != "ready":
                # The partner must not be kept waiting for ever; who comes late may still join.
                self._set(seat, "gone")

    def _set(self, seat: str, presence: Presence, seconds_left: float | None = None) -> None:
        self._core.set_presence(seat, presence, seconds_left)
