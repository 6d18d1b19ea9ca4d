"""Presence, finish and doing of each seat, at wire precision, and the wait that is left for it."""

from __future__ import annotations

from collections.abc import Mapping

from msgspec.structs import replace

from server.sessions.spec import TICK_RATE
from server.sessions.state import Seated
from server.wire.messages import SeatState
from server.worker.view.latest_values import LatestValues

NOBODY_WAITS = -1
"""Stand-in for the seconds of a seat that is not waited for."""


class SeatStates:
    """States of all seats. What a state tells of a wait is what is left when it is asked for."""

    def __init__(self, indices: Mapping[str, int], seats: Mapping[str, Seated], tick: int) -> None:
        self._indices = indices
        self._until: dict[str, int] = {}
        """Ticks at which the wait for a seat ends."""
        self._states: LatestValues[str, SeatState] = LatestValues()
        for seat, seated in seats.items():
            told = SeatState(
                indices[seat], seated.presence, seated.finished, NOBODY_WAITS, seated.doing
            )
            self._states.put(seat, told, 0)
            self._wait(seat, seated.seconds_left, tick)

    def put(
        self, seat: str, version: int, *, finished: bool | None = None, doing: str | None = None
    ) -> None:
        """Set whether a seat has finished, or what it does."""
        state = self._state(seat)
        if finished is not None:
            state = replace(state, finished=finished)
        if doing is not None:
            state = replace(state, doing=doing)
        self._states.put(seat, state, version)

    def put_presence(
        self, seat: str, version: int, presence: str, seconds_left: float | None, tick: int
    ) -> None:
        """Set how a seat's occupant is connected, and for how long it is waited for from now on."""
        self._wait(seat, seconds_left, tick)
        state = replace(self._state(seat), presence=presence)
        if seconds_left is None:
            self._states.put(seat, state, version)
        else:
            # The same words with another time are news.
            self._states.touch(seat, state, version)

    def at(self, seat: str, tick: int) -> SeatState:
        """Return the state of a seat, as it is at a tick."""
        return self._now(seat, self._state(seat), tick)

    def since(self, version: int, tick: int) -> tuple[SeatState, ...]:
        """Return what changed after a version, as it is at a tick."""
        return tuple(
            self._now(seat, self._state(seat), tick) for seat in self._states.keys_since(version)
        )

    def _wait(self, seat: str, seconds_left: float | None, tick: int) -> None:
        if seconds_left is None:
            self._until.pop(seat, None)
        else:
            self._until[seat] = tick + round(seconds_left * TICK_RATE)

    def _now(self, seat: str, state: SeatState, tick: int) -> SeatState:
        until = self._until.get(seat)
        if until is None:
            return state
        return replace(state, seconds_left=max(0, round((until - tick) / TICK_RATE)))

    def _state(self, seat: str) -> SeatState:
        state = self._states.get(seat)
        assert state is not None, seat
        return state
