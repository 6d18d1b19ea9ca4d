"""Messages of events, as the wire tells them."""

from __future__ import annotations

from typing import Protocol

from server.sessions.events import (
    Blocked,
    Did,
    LimitChanged,
    PhaseChanged,
    Refused,
    Said,
    Selection,
)
from server.wire.messages import (
    ActionInfo,
    BlockedEvent,
    DidEvent,
    LimitEvent,
    PhaseEvent,
    RefusedEvent,
    SaidEvent,
    SelectionEvent,
    WireEvent,
)

Told = Did | Refused | Said | PhaseChanged | LimitChanged | Blocked | Selection
"""Events that are told as such; the others are states of a seat, of which the latest counts."""


class EntityNumbers(Protocol):
    """Translator of names into the numbers and labels of the wire."""

    def seat_number(self, seat: str | None) -> int: ...

    def entity_number(self, handle: str | None) -> int: ...

    def place_label(self, where: str) -> str: ...


def tell(event: Told, tick: int, numbers: EntityNumbers) -> tuple[str | None, WireEvent]:
    """Return to whom an event is told (None: everybody), and as what."""
    match event:
        case Did(seat, verb, target, part, where, intent_id):
            return None, DidEvent(
                tick,
                numbers.seat_number(seat),
                verb,
                numbers.entity_number(target),
                or_minus_one(part),
                "" if where is None else numbers.place_label(where),
                or_minus_one(intent_id),
            )
        case Said(seat, text):
            return None, SaidEvent(tick, numbers.seat_number(seat), text)
        case PhaseChanged(phase, reason):
            return None, PhaseEvent(tick, phase, reason or "")
        case LimitChanged(ticks, full):
            return None, LimitEvent(tick, ticks or 0, ticks != full)
        case Blocked(seat, by, stage):
            met = numbers.seat_number(by) if by else -1
            return None, BlockedEvent(tick, numbers.seat_number(seat), met, stage == "passes")
        case Refused(to, verb, target, rule, reason, intent_id):
            number = numbers.entity_number(target)
            return to, RefusedEvent(verb, number, rule, reason, or_minus_one(intent_id))
        case Selection(to, target, part, actions):
            number = numbers.entity_number(target)
            offered = tuple(ActionInfo(a.verb, a.possible, a.reason) for a in actions)
            return to, SelectionEvent(number, or_minus_one(part), offered)


def or_minus_one(value: int | None) -> int:
    return -1 if value is None else value
