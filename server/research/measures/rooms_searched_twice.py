"""Rooms searched twice: rooms in which one looked around after another had."""

from __future__ import annotations

from server.research.measures.doings import Doings
from server.research.measures.measure import Measure, Value, of_team
from server.sessions.spec import TICK_RATE

SEARCHED_TICKS = 3 * TICK_RATE
"""Ticks of a stay after which a room counts as searched."""


def compute(doings: Doings) -> list[Value]:
    """Return the number; None for a body alone, or where the house is not known."""
    if doings.rooms is None or len(doings.seats) < 2:
        return of_team(None)
    searched: dict[str, dict[str, int]] = {}
    for stay in doings.rooms:
        if stay.end - stay.start >= SEARCHED_TICKS:
            searched.setdefault(stay.room, {}).setdefault(stay.seat, stay.start)
    return of_team(float(sum(len(seats) - 1 for seats in searched.values())))


MEASURE = Measure(
    name="rooms_searched_twice",
    version=1,
    definition="Rooms in which a seat stayed for 3 s or more, counted once for each further seat "
    "that did so after the first; rooms in which they began count, too.",
    unit="count",
    source="motion, outlines of rooms",
    compute=compute,
)
