"""World in symbols: what is held, open, on what and how, and statements about it.

Positions are not in it. A body is known to be near a thing only from what it did: an accepted
action shows that it was.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final, NamedTuple

from episodes.scene import split_receptacle_id
from episodes.world import (
    FLOOR,
    Change,
    HolderChanged,
    PartMoved,
    StateChanged,
    SupportChanged,
)

OPEN_FROM: Final = 1e-6
"""Least joint value at which a part is not closed."""


class SymbolicState:
    """State of a world in symbols: holders, open parts, supports, and the states of things.

    ``within`` maps receptacles inside furniture to the part that must be open, as
    `episodes.evaluation.Surroundings` does; a receptacle that is not listed is open.
    """

    __slots__ = ("held", "holders", "near", "opened", "states", "supports", "within")

    def __init__(self, within: Mapping[str, int | None] | None = None) -> None:
        self.within: Mapping[str, int | None] = within or {}
        self.holders: dict[str, str] = {}
        self.held: dict[str, str] = {}
        self.supports: dict[str, str] = {}
        self.opened: dict[tuple[str, int], bool] = {}
        self.states: dict[tuple[str, str], bool] = {}
        self.near: dict[str, str] = {}
        """Thing that each seat is known to have last been near."""

    def apply(self, change: Change) -> None:
        """Fold one change; bodies and poses mean nothing here."""
        match change:
            case HolderChanged(handle, seat):
                before = self.holders.pop(handle, None)
                if before is not None:
                    self.held.pop(before, None)
                if seat is not None:
                    self.holders[handle] = seat
                    self.held[seat] = handle
            case SupportChanged(handle, support):
                if support is None:
                    self.supports.pop(handle, None)
                else:
                    self.supports[handle] = support
            case PartMoved(furniture, part, value):
                self.opened[furniture, part] = abs(value) > OPEN_FROM
            case StateChanged(handle, state, flag):
                self.states[handle, state] = flag

    def is_open(self, furniture: str, part: int | None = None) -> bool:
        """Tell whether a part, or any part, is open."""
        if part is not None:
            return self.opened.get((furniture, part), False)
        return any(o for (f, _), o in self.opened.items() if f == furniture)

    def shut_in(self, handle: str) -> str | None:
        """Return the furniture in a closed part of which a thing lies, perhaps on other things."""
        support = self.supports.get(handle)
        for _ in range(len(self.supports)):
            if support is None or "|" in support or support == FLOOR:
                break
            support = self.supports.get(support)
        if support is None or "|" not in support:
            return None
        part = self.within.get(support)
        furniture = split_receptacle_id(support)[0]
        return furniture if part is not None and not self.is_open(furniture, part) else None

    def rests(self, handle: str, relation: str, entity: str) -> bool:
        """Tell whether a thing is ``on`` or ``within`` furniture, an object or the floor."""
        support = self.supports.get(handle)
        if support is None or handle in self.holders:
            return False
        if "|" not in support:
            return relation == "on" and support == entity
        inside = support in self.within
        return inside is (relation == "within") and split_receptacle_id(support)[0] == entity


class Literal(NamedTuple):
    """A statement about the world, such as ``is_open(fridge_1)``."""

    name: str
    args: tuple[str, ...]

    def __str__(self) -> str:
        return f"{self.name}({', '.join(self.args)})"

    def holds(self, state: SymbolicState) -> bool | None:
        """Tell whether the literal is true; None for what symbols do not tell."""
        test = _TESTS.get(self.name)
        return None if test is None else test(state, self.args)


_Test = Callable[[SymbolicState, tuple[str, ...]], bool | None]


def _state(name: str, wanted: bool = True) -> _Test:
    return lambda s, a: s.states.get((a[0], name)) is wanted


def _is_open(s: SymbolicState, a: tuple[str, ...]) -> bool:
    return s.is_open(a[0], int(a[1]) if len(a) > 1 else None)


def _near(s: SymbolicState, a: tuple[str, ...]) -> bool | None:
    # Being near is only ever proven, never disproven.
    return True if s.near.get(a[0]) == a[1] or s.held.get(a[0]) == a[1] else None


_TESTS: Final[dict[str, _Test]] = {
    "holding": lambda s, a: s.holders.get(a[1]) == a[0],
    "hand_full": lambda s, a: a[0] in s.held,
    "hand_empty": lambda s, a: a[0] not in s.held,
    "not_held_by_partner": lambda s, a: s.holders.get(a[1]) in (None, a[0]),
    "not_held": lambda s, a: a[0] not in s.holders,
    "is_open": _is_open,
    "is_closed": lambda s, a: not _is_open(s, a),
    "accessible": lambda s, a: s.shut_in(a[0]) is None,
    "clear": lambda s, a: a[0] not in s.supports.values(),
    "on": lambda s, a: s.rests(a[0], "on", a[1]),
    "within": lambda s, a: s.rests(a[0], "within", a[1]),
    "is_clean": _state("is_clean"),
    "is_filled": _state("is_filled"),
    "is_powered_on": _state("is_powered_on"),
    "is_powered_off": _state("is_powered_on", False),
    "holding_filled": lambda s, a: (
        s.states.get((s.held.get(a[0], ""), "is_filled"), False) and s.held.get(a[0]) != a[1]
    ),
    "near": _near,
}
