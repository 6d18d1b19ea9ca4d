"""Blocked paths: how long each seat pushed bodies that stood in its way."""

from __future__ import annotations

from server.research.measures.doings import Doings
from server.research.measures.measure import Measure, Value


def compute(doings: Doings) -> list[Value]:
    """Return the time of each seat; None where bodies pass through each other."""
    return [Value(s.seat, s.blocked_s) for s in doings.trace.seats if s.occupied]


MEASURE = Measure(
    name="blocked",
    version=1,
    definition="Time for which the body pushed others that stood in its way; empty under rules by "
    "which bodies pass through each other.",
    unit="s",
    source="blocked events",
    compute=compute,
)
