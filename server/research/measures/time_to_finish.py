"""Time to finish: how long it took until everybody said that it was done."""

from __future__ import annotations

from server.research.measures.doings import Doings
from server.research.measures.measure import Measure, Value, of_team


def compute(doings: Doings) -> list[Value]:
    """Return the time of the end, censored where people had not finished then."""
    return of_team(doings.duration_s, is_censored=doings.trace.end_reason != "finished")


MEASURE = Measure(
    name="time_to_finish",
    version=1,
    definition="Time from the start until all had said that they had finished; where the episode "
    "ended otherwise, the time of that, censored.",
    unit="s",
    source="end of the episode",
    compute=compute,
)
