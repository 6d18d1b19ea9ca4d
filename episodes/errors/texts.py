"""Sentences of errors: from fixed templates, at most 400 characters, no model."""

from __future__ import annotations

from collections.abc import Callable

from episodes.errors.history import History, Since
from episodes.errors.literals import Literal

LONGEST = 400
Label = Callable[[str], str]
_ACHIEVERS = {
    "holding": "Pick({1})",
    "hand_full": "Pick something",
    "is_open": "Open({0})",
    "is_closed": "Close({0})",
    "is_clean": "Clean({0})",
    "is_filled": "Fill({0})",
    "is_powered_on": "PowerOn({0})",
    "is_powered_off": "PowerOff({0})",
    "near": "Navigate({1})",
    "visible": "go where {1} can be seen",
    "near_spot": "walk closer to the spot",
    "visible_spot": "go where the spot can be seen",
    "at_water": "go to a tap",
    "clear": "take away what is on {0}",
    "way_clear": "move away what is in the way",
    "receptacle_open": "open what it should go into",
    "not_held_by_partner": "let the partner put {1} down",
    "holding_filled": "Pick something that is filled",
}


def literal_text(literal: Literal, label: Label) -> str:
    return f"{literal.name}({', '.join(label(a) for a in literal.args)})"


def achiever(literal: Literal, history: History, label: Label) -> str:
    """Return the words for what would make a literal true."""
    state = history.now
    if literal.name == "accessible":
        furniture = state.shut_in(literal.args[0])
        return f"Open({label(furniture or literal.args[0])})"
    if literal.name == "hand_empty":
        held = state.held.get(literal.args[0])
        return f"Place({label(held)}, ...)" if held else "Place"
    template = _ACHIEVERS.get(literal.name, "what it needs")
    return template.format(*(label(a) for a in literal.args))


def missing_step(action: str, literal: Literal, history: History, label: Label) -> str:
    return _short(
        f"{action} failed: {literal_text(literal, label)} was never true. "
        f"Do {achiever(literal, history, label)} first."
    )


def wrong_order(
    action: str, literal: Literal, broken: Since | None, history: History, label: Label
) -> str:
    until = "earlier"
    if broken is not None:
        did = f" did {broken.action}" if broken.action else " changed it"
        until = f"until tick {broken.tick}, when {broken.by or 'nobody'}{did}"
    return _short(
        f"{action} failed: {literal_text(literal, label)} was true {until}. Do {action} before "
        f"that, or restore it: {achiever(literal, history, label)}."
    )


def additional_step(action: str, literal: Literal | None, made: Since | None, label: Label) -> str:
    if literal is None:
        return _short(f"{action} was unnecessary.")
    since = "from the start" if made is None else f"since tick {made.tick}, by {made.by}"
    return _short(
        f"{action} was unnecessary: {literal_text(literal, label)} already held ({since})."
    )


def affordance(name: str, target: str, subclass: str | None, label: Label) -> str:
    if subclass == "agent_capability":
        return _short(f"This body cannot do {name}.")
    why = "" if subclass is None else f" ({subclass.replace('_', ' ')})"
    return _short(f"{name} is not possible with {label(target)}{why}.")


def _short(text: str) -> str:
    return text if len(text) <= LONGEST else f"{text[: LONGEST - 1]}…"
