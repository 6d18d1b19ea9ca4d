"""Concurrent activity: the share of the time in which several did something at once."""

from __future__ import annotations

from server.research.measures.doings import Doings
from server.research.measures.measure import Measure, Value, of_team


def compute(doings: Doings) -> list[Value]:
    """Return the share; None for a body alone, or an episode without time."""
    if len(doings.seats) < 2 or not doings.trace.ticks:
        return of_team(None)
    turns = sorted(
        turn
        for spans in doings.active.values()
        for span in spans
        for turn in ((span.start, 1), (span.end, -1))
    )
    together, active, last = 0, 0, 0
    for tick, change in turns:
        if active > 1:
            together += tick - last
        active, last = active + change, tick
    return of_team(together / doings.trace.ticks)


MEASURE = Measure(
    name="concurrent_activity",
    version=1,
    definition="Share of the time in which two bodies at least were active at once (moved, turned, "
    "acted or spoke, with pauses of half a second at most). Hoffman's C-ACT.",
    unit="share from 0 to 1",
    source="motion, actions, chat",
    compute=compute,
)
