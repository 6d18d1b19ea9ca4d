"""Requests: lines of chat that name a thing, and when another seat does something with it."""

from __future__ import annotations

from typing import NamedTuple

from server.research.measures.doings import Doings
from server.research.measures.measure import Measure, Value
from server.sessions.spec import TICK_RATE


class _Request(NamedTuple):
    """A request; sorts after those that were followed sooner, or at all."""

    is_unanswered: bool
    ticks: int
    """Ticks until another seat followed it, or else until the end."""


def compliance(doings: Doings) -> list[Value]:
    """Return the median time to compliance of each seat's requests.

    It is censored where the request in the middle was never followed.
    """
    found = []
    for seat in doings.seats:
        requests = _requests(doings, seat)
        if not requests:
            found.append(Value(seat, None))
            continue
        middle = requests[(len(requests) - 1) // 2]
        found.append(Value(seat, middle.ticks / TICK_RATE, middle.is_unanswered))
    return found


def count(doings: Doings) -> list[Value]:
    """Return the number of each seat's requests; None for a body alone."""
    return [
        Value(seat, None if requests is None else float(len(requests)))
        for seat in doings.seats
        for requests in [_requests(doings, seat)]
    ]


def _requests(doings: Doings, seat: str) -> list[_Request] | None:
    """Return the requests of a seat, the soonest followed first; None: it can have none."""
    if len(doings.seats) < 2 or doings.rooms is None:
        return None
    requests = []
    for spoken in doings.spoken:
        if spoken.seat != seat or len(spoken.named) != 1:
            continue
        acted = next(
            (
                attempt
                for attempt in doings.trace.attempts
                if attempt.accepted
                and attempt.tick >= spoken.tick
                and attempt.target == spoken.named[0]
            ),
            None,
        )
        if acted is None:
            requests.append(_Request(True, doings.trace.ticks - spoken.tick))
        elif acted.seat != seat:
            requests.append(_Request(False, acted.tick - spoken.tick))
    return sorted(requests)


_REQUEST = (
    "A request is a line of chat that names exactly one thing that can be carried (by its label, "
    "or by the noun that only it has), unless the seat itself is the next to act on the thing. "
    "Whether the line asks for anything is not judged."
)
REQUESTS = Measure(
    name="requests",
    version=1,
    definition=f"Requests that the seat made. {_REQUEST}",
    unit="count",
    source="chat, intents",
    compute=count,
)
COMPLIANCE = Measure(
    name="request_to_compliance",
    version=1,
    definition="Median (the lower one of two) of the times from a request of the seat to the next "
    "accepted action on the thing, which is another seat's; censored where the request in the "
    f"middle was never followed, the value then being the time to the end. {_REQUEST}",
    unit="s",
    source="chat, intents",
    compute=compliance,
)
