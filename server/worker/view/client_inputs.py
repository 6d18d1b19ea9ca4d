"""Translation of what a browser sends into what a session understands."""

from __future__ import annotations

from server.sessions.intents import (
    Act,
    Drive,
    Finish,
    Intent,
    Look,
    Place,
    Ready,
    Say,
    Select,
)
from server.wire.messages import (
    ActInput,
    DriveInput,
    FinishInput,
    PlaceInput,
    ReadyInput,
    RefusedEvent,
    SayInput,
    SelectInput,
)
from server.wire.quantise import metres3, radians
from server.worker.view.public_view import PublicView

Input = ActInput | DriveInput | FinishInput | PlaceInput | ReadyInput | SayInput | SelectInput

_GONE = "That is not there any more."


def intents_of(message: Input, view: PublicView) -> tuple[Intent, ...] | RefusedEvent:
    """Return the intents that a message stands for.

    A refusal instead, when it names what is not in view.
    """
    match message:
        case DriveInput(_, forward, strafe, yaw, pitch):
            return (
                Drive(forward / 1000, strafe / 1000),
                Look(radians(yaw), radians(pitch)),
            )
        case ActInput(client_ms, intent_id, verb, target, part):
            handle = view.handle(target)
            if handle is None:
                return RefusedEvent(verb, -1, "known", _GONE, intent_id)
            whole = _none_below_zero(part)
            return (Act(intent_id, verb, handle, whole, client_ms=client_ms),)
        case PlaceInput(client_ms, intent_id, point, yaw, target):
            handle = view.handle(target)
            if handle is None and target >= 0:
                return RefusedEvent("place", -1, "known", _GONE, intent_id)
            where = metres3(point)
            return (Place(intent_id, where, radians(yaw), handle, client_ms=client_ms),)
        case SelectInput(target, part):
            return (Select(view.handle(target), _none_below_zero(part)),)
        case SayInput(text):
            return (Say(text),)
        case ReadyInput():
            return (Ready(),)
        case FinishInput(finished):
            return (Finish(finished),)


def _none_below_zero(value: int) -> int | None:
    return None if value < 0 else value
