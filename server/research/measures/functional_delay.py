"""Functional delay: how long nobody did anything until a seat took over from another."""

from __future__ import annotations

from server.research.measures.doings import Doings
from server.research.measures.measure import Measure, Value
from server.sessions.spec import TICK_RATE


def compute(doings: Doings) -> list[Value]:
    """Return the delay before each seat's takeovers; None for a body alone."""
    if len(doings.seats) < 2:
        return [Value(seat, None) for seat in doings.seats]
    delays = dict.fromkeys(doings.seats, 0)
    spans = sorted(
        (span.start, span.end, seat) for seat, found in doings.active.items() for span in found
    )
    last_end, last_seats = 0, frozenset[str]()
    for start, end, seat in spans:
        if start > last_end and last_seats and seat not in last_seats:
            delays[seat] += start - last_end
        if end > last_end:
            last_end, last_seats = end, frozenset({seat})
        elif end == last_end:
            last_seats |= {seat}
    return [Value(seat, delay / TICK_RATE) for seat, delay in delays.items()]


MEASURE = Measure(
    name="functional_delay",
    version=1,
    definition="Time in which nobody was active, between the end of another's activity and the "
    "next of this seat, all such gaps together. Hoffman's F-DEL, without overlaps.",
    unit="s",
    source="motion, actions, chat",
    compute=compute,
)
