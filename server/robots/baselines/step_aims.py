"""Aims of players that do steps: what a body is about to do, in words and for a picture."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from server.robots.baselines.scripted_player import (
    Change,
    Go,
    Put,
    PutAnywhere,
    Step,
    Take,
    Turn,
)
from server.sessions.aim import Aim, AimVerb

CHANGING = {
    "clean": "washing",
    "fill": "filling",
    "power_on": "switching on",
    "power_off": "switching off",
}


def step_aim(
    labels: Mapping[str, str], thing: str, steps: Sequence[Step], step: Step, why: str
) -> Aim:
    """Return the aim of a step among the steps that are done about a thing."""
    verb, place = _shown_as(step)
    text = in_words(labels, thing, steps)
    match step, steps[-1]:
        case Take(), Put(target, _) if target in labels:
            # It has nothing in its hand yet, and may go the other way.
            text = f"going to fetch the {labels.get(thing, 'thing')} for the {labels[target]}"
    return Aim(verb, text, thing, place, why)


def in_words(labels: Mapping[str, str], thing: str, steps: Sequence[Step]) -> str:
    """Return what is done by steps: ``taking the red book to the coffee table``."""

    def the(key: str) -> str:
        return f"the {labels.get(key, 'thing')}"

    last = next((s for s in reversed(steps) if not isinstance(s, Take)), None)
    match last:
        case Put():
            return carried(the, thing, last, "putting", "taking")
        case Change(verb, _):
            return f"{CHANGING.get(verb, 'seeing to')} {the(thing)}"
        case PutAnywhere():
            return f"putting {the(thing)} down"
        case Turn(target, opening):
            return f"{'opening' if opening else 'closing'} {the(target)}"
        case Go(target):
            return f"walking to {the(target)}"
    return f"getting {the(thing)}"


def carried(the: Callable[[str], str], thing: str, put: Put, puts: str, takes: str) -> str:
    """Return how a thing is put somewhere, by the forms that *put* and *take* have there."""
    beside = f", next to {the(put.next_to)}" if put.next_to else ""
    if put.relation == "floor":
        room = f" of {the(put.target)}" if put.target else ""
        return f"{puts} {the(thing)} on the floor{room}{beside}"
    into = "into" if put.relation == "within" else "to"
    return f"{takes} {the(thing)} {into} {the(put.target)}{beside}"


def put_it(the: Callable[[str], str], put: Put) -> str:
    """Return where *it* is put: ``it on the coffee table``."""
    beside = f", next to {the(put.next_to)}" if put.next_to else ""
    if put.relation == "floor":
        return f"it on the floor{f' of {the(put.target)}' if put.target else ''}{beside}"
    return f"it {'in' if put.relation == 'within' else 'on'} {the(put.target)}{beside}"


def _shown_as(step: Step) -> tuple[AimVerb, str]:
    """Return the verb that a step is shown by, and where it leads."""
    match step:
        case Take(target):
            return "pick", target
        case Put(target):
            return "place", target
        case PutAnywhere():
            return "place", ""
        case Turn(target, opening):
            return ("open" if opening else "close"), target
        case Change(verb, target):
            shown: dict[str, AimVerb] = {"clean": "clean", "fill": "fill"}
            return shown.get(verb, "power"), target
        case Go(target):
            return "go", target
    return "wait", ""
