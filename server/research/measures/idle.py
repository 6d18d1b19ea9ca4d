"""Idle time of each seat."""

from __future__ import annotations

from server.research.measures.doings import Doings
from server.research.measures.measure import Measure, Value
from server.sessions.spec import TICK_RATE


def compute(doings: Doings) -> list[Value]:
    """Return the idle time of each seat."""
    return [
        Value(seat, sum(span.end - span.start for span in doings.idle(seat)) / TICK_RATE)
        for seat in doings.seats
    ]


MEASURE = Measure(
    name="idle",
    version=1,
    definition="Time in which the body neither moved, turned, acted nor spoke for more than half a "
    "second. Over the duration it is Hoffman's H-IDLE or R-IDLE.",
    unit="s",
    source="motion, actions, chat",
    compute=compute,
)
