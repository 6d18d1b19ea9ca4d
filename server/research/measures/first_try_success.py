"""First-try success: whether a task was done at the first attempt."""

from __future__ import annotations

from server.research.measures.doings import Doings
from server.research.measures.measure import Measure, Value, of_team


def compute(doings: Doings) -> list[Value]:
    """Return 1 or 0 for a first attempt that was judged; None for all others."""
    trace = doings.trace
    if trace.try_index > 0 or trace.verdict.success is None:
        return of_team(None)
    return of_team(float(trace.verdict.success))


MEASURE = Measure(
    name="first_try_success",
    version=1,
    definition="Whether the first attempt at the task succeeded; empty for later attempts.",
    unit="0 or 1",
    source="verdict",
    compute=compute,
)
