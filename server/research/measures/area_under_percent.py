"""Area under percent complete: how early how much of the task was done."""

from __future__ import annotations

from server.research.measures.doings import Doings
from server.research.measures.measure import Measure, Value, of_team
from server.sessions.spec import TICK_RATE


def compute(doings: Doings) -> list[Value]:
    """Return the mean of percent complete over the time limit, or the episode without one."""
    trace = doings.trace
    if trace.verdict.percent_complete is None:
        return of_team(None)
    ticks = trace.ticks
    if doings.limit_s is not None:
        ticks = max(ticks, round(doings.limit_s * TICK_RATE))
    if not ticks:
        return of_team(None)
    area, value, last = 0.0, 0.0, 0
    for percent in trace.percents:
        tick = min(max(percent.tick, 0), trace.ticks)
        area += value * (tick - last)
        value, last = percent.value, tick
    area += value * (trace.ticks - last)
    # What was reached stays after the end.
    area += trace.verdict.percent_complete * (ticks - trace.ticks)
    return of_team(area / ticks)


MEASURE = Measure(
    name="area_under_percent",
    version=1,
    definition="Mean of percent complete over the time up to the time limit, with what was reached "
    "at the end going on after it; without a limit, up to the end.",
    unit="share from 0 to 1",
    source="percent complete",
    compute=compute,
)
