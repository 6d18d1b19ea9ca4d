"""Sentences of our explanation."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from episodes.dataset.vocabulary import PREDICATES
from episodes.evaluation.account import Expectation, Named, Situation

TICK_RATE = 30
MANY = 4
"""Number of alternatives from which a list is told as "one of 7 tables"."""
Who = Callable[[str | None], str]

_RELATIONS = {"is_on_top": "on", "is_inside": "inside", "is_in_room": "in"}
_STATES = {
    "is_clean": "clean",
    "is_dirty": "dirty",
    "is_filled": "full",
    "is_empty": "empty",
    "is_powered_on": "switched on",
    "is_powered_off": "switched off",
}
_STATE_WORDS = {
    ("is_clean", True): "clean",
    ("is_clean", False): "dirty",
    ("is_filled", True): "full",
    ("is_filled", False): "empty",
    ("is_powered_on", True): "on",
    ("is_powered_on", False): "off",
}


def seat_words(seat: str | None) -> str:
    """Return words for a seat: ``the human``, ``the robot``, ``human 2``; ``nobody`` for None."""
    if seat is None:
        return "nobody"
    kind, _, number = seat.rpartition("_")
    if not kind or not number.isdecimal():
        return seat
    return f"the {kind}" if number == "0" else f"{kind} {int(number) + 1}"


def clock(tick: int) -> str:
    """Return a tick as minutes and seconds since the start."""
    seconds = tick // TICK_RATE
    return f"{seconds // 60}:{seconds % 60:02}"


def capital(text: str) -> str:
    return text[:1].upper() + text[1:]


def listed(names: Sequence[str], word: str) -> str:
    """Join names to ``a, b and c``."""
    if len(names) < 2:
        return "".join(names)
    return f"{', '.join(names[:-1])} {word} {names[-1]}"


def some_of(things: Sequence[Named], number: int) -> str:
    """Return words for ``number`` of some things: all, one, or "2 of" them."""
    names = list(dict.fromkeys(t.name for t in things))
    if number >= len(names):
        return listed(names, "and")
    if number == 1:
        return any_of(things)
    return f"{number} of {listed(names, 'and')}"


def any_of(things: Sequence[Named]) -> str:
    """Return words for any one of some things; many are told by their kind if they have one."""
    names = list(dict.fromkeys(t.name for t in things))
    if len(names) <= MANY:
        return listed(names, "or")
    kinds = {_kind(name) for name in names}
    if len(kinds) == 1:
        return f"any {kinds.pop()} of {len(names)}"
    return listed([*names[:MANY], f"{len(names) - MANY} others"], "or")


def _kind(name: str) -> str:
    words = name.removeprefix("the ").partition(" in ")[0].split(" ")
    return " ".join(words[:-1] if words[-1].isdecimal() else words)


def expected_text(step: Expectation) -> str:
    """Return what should be the case, as a clause: ``the cup should be on the table``."""
    second = ""
    if PREDICATES[step.predicate].second is not None:
        second = any_of(step.groups[1])
        if step.same and step.numbers[0] > 1 and len(step.groups[1]) > 1:
            second = f"the same one: {second}"
    return _clause(step, some_of(step.groups[0], step.numbers[0]), "should be", second)


def reached_text(
    step: Expectation, things: Sequence[Named], places: Sequence[Named], number: int = 0
) -> str:
    """Return what is the case once a step is done: ``the red book is on the coffee table``.

    ``number`` is how many of ``things`` did it, where it is not known which; 0: all of them.
    """
    signature = PREDICATES[step.predicate]
    names = list(dict.fromkeys(t.name for t in things))
    many = number > 1 or (number == 0 and len(names) > 1) or signature.is_clustered
    second = "" if signature.second is None else any_of(places or step.groups[1])
    first = some_of(things, number or len(names))
    return _clause(step, first, "are" if many else "is", second)


def _clause(step: Expectation, first: str, verb: str, second: str) -> str:
    """Return a step as a clause of ``first``, or of its groups, and of ``second`` if it has one."""
    signature = PREDICATES[step.predicate]
    if signature.is_clustered:
        groups = [some_of(g, n) for g, n in zip(step.groups, step.numbers, strict=True)]
        return f"{listed(groups, 'and')} {verb} close together"
    if signature.state is not None:
        return f"{first} {verb} {_STATES[step.predicate]}"
    if signature.second is None:
        return f"{first} {verb} on the floor"
    relation = "next to" if step.predicate == "is_next_to" else _RELATIONS[step.predicate]
    return f"{first} {verb} {relation} {second}"


def situation_text(at: Situation, who: Who, states: bool) -> str:
    """Return where a thing is, and (if asked) how it is."""
    found = [_place_text(at, who)]
    if states:
        found = [_STATE_WORDS.get((n, v), f"{n} {v}") for n, v in sorted(at.states.items())]
    return f"{at.thing.name} is {listed([f for f in found if f], 'and')}"


def _place_text(at: Situation, who: Who) -> str:
    entity = "something" if at.entity is None else at.entity.name
    room = "" if at.room is None or at.room.name in entity else f" in {at.room.name}"
    if at.relation == "held":
        return f"in the hand of {who(at.holder)}{room}"
    if at.relation == "floor":
        return f"on the floor{room}"
    if at.relation == "on":
        return f"on {entity}{room}"
    if at.relation == "within":
        return f"inside {entity}{room}"
    if at.relation == "fixed":
        return room.strip()
    return "somewhere"


def when_text(tick: int | None, by: str | None, who: Who) -> str:
    """Return the time and the seat of a change: `` by the human at 1:05``."""
    through = "" if by is None else f" by {who(by)}"
    return through if tick is None else f"{through} at {clock(tick)}"
