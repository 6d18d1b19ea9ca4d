"""Shared room: how long each seat's body was in one room with another body."""

from __future__ import annotations

from server.research.measures.doings import Doings
from server.research.measures.measure import Measure, Value
from server.sessions.spec import TICK_RATE


def compute(doings: Doings) -> list[Value]:
    """Return the time; undefined alone, and where the house is not known."""
    rooms = doings.rooms
    if rooms is None or len(doings.seats) < 2:
        return [Value(seat, None) for seat in doings.seats]
    found = []
    for seat in doings.seats:
        ticks = {
            tick
            for mine in rooms
            for other in rooms
            if mine.seat == seat and other.seat != seat and mine.room == other.room
            for tick in range(max(mine.start, other.start), min(mine.end, other.end))
        }
        found.append(Value(seat, len(ticks) / TICK_RATE))
    return found


MEASURE = Measure(
    name="shared_room",
    version=1,
    definition="Time in which the body of the seat was in a room with another body, whichever way "
    "it faced; empty for a body alone.",
    unit="s",
    source="motion, rooms",
    compute=compute,
)
