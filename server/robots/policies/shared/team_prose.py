"""Words for the bodies of a team in prompts: their names, how many there are, what they can do.

A robot and a person are told of in the words that each policy has for a pair; these are for all
other teams.
"""

from __future__ import annotations

from collections.abc import Sequence

from episodes.bodies import SeatKind
from episodes.seat_names import article, names_of
from episodes.seats import Seat
from server.robots.policy import PolicyView

_NUMBERS = ("no", "a", "two", "three", "four", "five")
_ONE: dict[SeatKind, str] = {"robot": "robot", "human": "person"}
_MANY: dict[SeatKind, str] = {"robot": "robots", "human": "people"}


def is_pair(seats: Sequence[Seat]) -> bool:
    """Tell whether these are a robot and a person."""
    return sorted(seat.kind for seat in seats) == ["human", "robot"]


def labels_of(view: PolicyView) -> dict[str, str]:
    """Name all bodies of the session by seat: ``robot``, or ``robot 1`` where there are more."""
    return names_of(view.graph.seats)


def holders_of(seats: Sequence[Seat]) -> dict[str, str]:
    """Name those who may hold something, in lists of objects; empty for a robot and a person.

    A pair's lists are PARTNR's: "the other agent" is enough there.
    """
    if is_pair(seats):
        return {}
    return {seat: the(name) for seat, name in names_of(seats).items()}


def members_of(view: PolicyView) -> tuple[Seat, ...]:
    """Return the seats that somebody plays, the view's own among them, in their order."""
    played = {view.seat, *(partner.seat for partner in view.partners)}
    return tuple(seat for seat in view.graph.seats if seat.seat_id in played)


def the(name: str) -> str:
    """Return a name within a sentence: *the robot*, but robot 2."""
    return f"{article(name)}{name}"


def subject(name: str) -> str:
    """Return a name at the start of a sentence: *The robot*, but Robot 2."""
    words = the(name)
    return words[0].upper() + words[1:]


def number(count: int) -> str:
    """Return a number of bodies as a word."""
    return "one" if count == 1 else _NUMBERS[count]


def listed(words: Sequence[str]) -> str:
    """Join words as a sentence does: ``robot 1, robot 2 and the person``."""
    *first, last = words
    return f"{', '.join(first)} and {last}" if first else last


def counted(seats: Sequence[Seat]) -> str:
    """Count bodies by kind: ``two robots and a person``."""
    kinds: tuple[SeatKind, ...] = ("robot", "human")
    totals = [(kind, sum(seat.kind == kind for seat in seats)) for kind in kinds]
    return listed(
        [
            f"{_NUMBERS[total]} {_ONE[kind] if total == 1 else _MANY[kind]}"
            for kind, total in totals
            if total
        ]
    )


def abilities(seats: Sequence[Seat]) -> str:
    """Say what the bodies of a team can do."""
    kinds = {seat.kind for seat in seats}
    moves = "walk, open, close, take things and put them down"
    if kinds == {"human"}:
        return f"People {moves}, and wash, fill, pour and switch things."
    if kinds == {"robot"}:
        return f"Robots {moves}. They cannot wash, fill, pour or switch anything."
    return f"Robots {moves}. Only people can also wash, fill, pour and switch things."


def meant(seats: Sequence[Seat]) -> str:
    """Say whom the task means by "you" and by "I"; empty where there are people alone."""
    robots = [seat for seat in seats if seat.kind == "robot"]
    people = [seat for seat in seats if seat.kind == "human"]
    if not robots:
        return ""
    you = "the robot" if len(robots) == 1 else "the robots"
    verb = "is" if len(robots) == 1 else "are"
    if not people:
        return f'The task\'s "you" {verb} {you}.'
    i = "the person" if len(people) == 1 else "one of the people"
    return f'The task\'s "you" {verb} {you}, and its "I" is {i}.'
