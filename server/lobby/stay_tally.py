"""Tally of stays in the lobby that ended: how long they were, by how they ended."""

from __future__ import annotations

from collections.abc import Iterable

from matchmaking.tickets import State, Ticket
from server.durations import WAIT_BOUNDS_S, Durations, DurationTally


class StayTally:
    """Tally of the stays that ended in this process."""

    def __init__(self) -> None:
        self._tallies: dict[State, DurationTally] = {}

    def note(self, state: State, tickets: Iterable[Ticket | None], now: float) -> None:
        """Note that stays ended so; those that the queue has not any more are none."""
        tally = self._tallies.setdefault(state, DurationTally(WAIT_BOUNDS_S))
        for ticket in tickets:
            if ticket is not None:
                tally.note(max(0.0, now - ticket.joined_at))

    def told(self) -> dict[State, Durations]:
        return {state: tally.told() for state, tally in self._tallies.items()}
