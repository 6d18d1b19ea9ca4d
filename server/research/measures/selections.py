"""Selections: how often each seat selected a thing."""

from __future__ import annotations

from server.research.measures.doings import Doings
from server.research.measures.measure import Measure, Value


def compute(doings: Doings) -> list[Value]:
    """Return the number of selections of each seat."""
    return [Value(seat, float(doings.selected.get(seat, 0))) for seat in doings.seats]


MEASURE = Measure(
    name="selections",
    version=1,
    definition="Times that the seat selected a thing, by which its actions are offered.",
    unit="count",
    source="intents",
    compute=compute,
)
