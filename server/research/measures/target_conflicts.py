"""Conflicts over one target: two seats that wanted the same thing at the same time."""

from __future__ import annotations

from server.research.measures.doings import Doings
from server.research.measures.measure import Measure, Value, of_team
from server.sessions.spec import TICK_RATE

AT_ONCE_TICKS = 3 * TICK_RATE
"""Ticks within which two attempts are at the same time."""


def compute(doings: Doings) -> list[Value]:
    """Return the number of conflicts; None for a body alone."""
    if len(doings.seats) < 2:
        return of_team(None)
    found, latest = 0, dict[str, tuple[int, str]]()
    for attempt in doings.trace.attempts:
        if attempt.target is None:
            continue
        tick, seat = latest.get(attempt.target, (attempt.tick, attempt.seat))
        if seat != attempt.seat and attempt.tick - tick <= AT_ONCE_TICKS:
            found += 1
        latest[attempt.target] = (attempt.tick, attempt.seat)
    return of_team(float(found))


MEASURE = Measure(
    name="target_conflicts",
    version=1,
    definition="Attempts of a seat at a thing, accepted or refused, that came within 3 s after "
    "another seat's latest attempt at the same thing.",
    unit="count",
    source="intents",
    compute=compute,
)
