"""Work of others: goals that one seat reached and another undid or reached again, things taken."""

from __future__ import annotations

from server.research.measures.doings import Doings
from server.research.measures.measure import Measure, Value, of_team


def undone(doings: Doings) -> list[Value]:
    """Return how often a goal ceased to hold through another seat; None for a body alone."""
    if len(doings.seats) < 2:
        return of_team(None)
    found, through = 0, dict[int, str | None]()
    for change in doings.trace.propositions:
        if change.holds:
            through[change.index] = change.by_seat
        elif change.cause == "world":
            before = through.pop(change.index, None)
            if None not in (before, change.by_seat) and before != change.by_seat:
                found += 1
    return of_team(float(found))


def redone(doings: Doings) -> list[Value]:
    """Return how often a goal held again through another seat; None for a body alone."""
    if len(doings.seats) < 2:
        return of_team(None)
    found, through = 0, dict[int, str | None]()
    for change in doings.trace.propositions:
        if not change.holds or change.cause != "world":
            continue
        before = through.get(change.index)
        if None not in (before, change.by_seat) and before != change.by_seat:
            found += 1
        through[change.index] = change.by_seat
    return of_team(float(found))


def taken(doings: Doings) -> list[Value]:
    """Return by seat how often it took what another had put down; None for a body alone."""
    if len(doings.seats) < 2:
        return [Value(seat, None) for seat in doings.seats]
    counts = dict.fromkeys(doings.seats, 0)
    put_down: dict[str, str] = {}
    for attempt in doings.trace.attempts:
        if not attempt.accepted or attempt.target is None:
            continue
        if attempt.verb == "place":
            put_down[attempt.target] = attempt.seat
        elif attempt.verb == "pick":
            before = put_down.pop(attempt.target, attempt.seat)
            if before != attempt.seat and attempt.seat in counts:
                counts[attempt.seat] += 1
    return [Value(seat, float(count)) for seat, count in counts.items()]


UNDONE = Measure(
    name="others_work_undone",
    version=1,
    definition="Times that a goal which held through one seat ceased to hold through another.",
    unit="count",
    source="verdict",
    compute=undone,
)
REDONE = Measure(
    name="others_work_redone",
    version=1,
    definition="Times that a goal held again through a seat after it had held through another.",
    unit="count",
    source="verdict",
    compute=redone,
)
TAKEN = Measure(
    name="taken_from_others",
    version=1,
    definition="Things that the seat took which another had put down last. It is no fault by "
    "itself: handing over is one way to work together.",
    unit="count",
    source="intents",
    compute=taken,
)
