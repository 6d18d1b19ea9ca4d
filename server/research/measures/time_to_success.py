"""Time to success: how long it took until the goals held, censored where they never did."""

from __future__ import annotations

from episodes.metrics import endings
from server.research.measures.doings import Doings
from server.research.measures.measure import Measure, Value, of_team
from server.sessions.spec import TICK_RATE


def compute(doings: Doings) -> list[Value]:
    """Return the time; that of the end, censored, where there was no success."""
    steps = endings(doings.trace, doings.goals, TICK_RATE).steps_to_success
    if steps is None:
        return of_team(doings.duration_s, is_censored=True)
    return of_team(steps / TICK_RATE)


MEASURE = Measure(
    name="time_to_success",
    version=1,
    definition="Time from the start until all goals held and nothing that they name was in a hand; "
    "without success the time of the end, censored.",
    unit="s",
    source="percent complete, what hands hold",
    compute=compute,
)
