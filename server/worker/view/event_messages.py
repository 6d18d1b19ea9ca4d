"""Messages of events, as the wire tells them."""

from __future__ import annotations

from typing import Protocol

from server.sessions.aim import Aim
from server.sessions.events import (
    AimChanged,
    Blocked,
    ClockStarted,
    Did,
    LimitChanged,
    PhaseChanged,
    Refused,
    Said,
    Selection,
)
from server.wire.messages import (
    ActionInfo,
    AimEvent,
    BlockedEvent,
    ClockEvent,
    DidEvent,
    LimitEvent,
    PhaseEvent,
    RefusedEvent,
    SaidEvent,
    SelectionEvent,
    WireEvent,
)

Told = (
    Did
    | Refused
    | Said
    | PhaseChanged
    | LimitChanged
    | Blocked
    | Selection
    | AimChanged
    | ClockStarted
)
"""Events that are told as such; the others are states of a seat, of which the latest counts."""


class EntityNumbers(Protocol):
    """Translator of names into the numbers and labels of the wire."""

    def seat_number(self, seat: str | None) -> int: ...

    def entity_number(self, handle: str | None) -> int: ...

    def shown_number(self, handle: str) -> int: ...

    def room_number(self, room_id: str) -> int: ...

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
        case ClockStarted():
            return None, ClockEvent(tick)
        case Blocked(seat, by, stage):
            met = numbers.seat_number(by) if by else -1
            return None, BlockedEvent(tick, numbers.seat_number(seat), met, stage == "passes")
        case AimChanged(seat, aim):
            return None, aim_event(seat, aim, tick, numbers)
        case Refused(to, verb, target, rule, reason, intent_id):
            number = numbers.entity_number(target)
            return to, RefusedEvent(verb, number, rule, reason, or_minus_one(intent_id))
        case Selection(to, target, part, actions):
            number = numbers.entity_number(target)
            offered = tuple(ActionInfo(a.verb, a.possible, a.reason) for a in actions)
            return to, SelectionEvent(number, or_minus_one(part), offered)


def aim_event(seat: str, aim: Aim | None, tick: int, numbers: EntityNumbers) -> AimEvent:
    """Return an aim as the wire tells it; what is shut in is where it is shut in."""
    number = numbers.seat_number(seat)
    if aim is None:
        return AimEvent(tick, number, "")
    place = numbers.shown_number(aim.place)
    room = numbers.room_number(aim.place) if place < 0 else -1
    target = numbers.entity_number(aim.target or None)
    return AimEvent(tick, number, aim.verb, aim.text, target, place, room, aim.why)


def or_minus_one(value: int | None) -> int:
    return -1 if value is None else value
