"""Turning: how much the body of each seat turned."""

from __future__ import annotations

import math

from server.research.measures.doings import Doings
from server.research.measures.measure import Measure, Value


def compute(doings: Doings) -> list[Value]:
    """Return the angle by which each seat's body turned."""
    return [Value(seat, math.degrees(doings.turned.get(seat, 0.0))) for seat in doings.seats]


MEASURE = Measure(
    name="turning",
    version=1,
    definition="Angle by which the body of the seat turned in all, whichever way.",
    unit="degrees",
    source="motion",
    compute=compute,
)
