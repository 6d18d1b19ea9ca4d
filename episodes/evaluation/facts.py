"""Questions of the evaluator about the world, and a table that answers from a record."""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from typing import Protocol


class Facts(Protocol):
    """Primitives of section 3 of the evaluator specification, for the world as it is now.

    Names are handles and room ids. Every answer depends only on the things that are named, so
    an answer stays good until one of them moves, opens or changes state. A name that the scene
    does not have raises (any exception; the evaluator passes it on).
    """

    def is_above(self, a: str, b: str) -> bool:
        """Tell whether a ray straight down from one of a's nine keypoints meets b."""
        ...

    def is_within(self, a: str, b: str) -> bool:
        """Tell whether b is around a's centre, or around more than two of its corners."""
        ...

    def in_room(self, a: str, room_id: str) -> bool:
        """Tell whether at least a quarter of a's keypoints are in the room's volume."""
        ...

    def on_floor(self, a: str) -> bool:
        """Tell whether a rests on the largest indoor island of the walkable area."""
        ...

    def gap(self, a: str, b: str) -> float:
        """Return the horizontal gap in metres; ``math.inf`` when they are vertically apart."""
        ...

    def state(self, a: str, name: str) -> bool:
        """Return ``is_clean``, ``is_filled`` or ``is_powered_on``; KeyError if a cannot have it."""
        ...


@dataclass(slots=True)
class FactTable:
    """Facts from a record: what is not listed is false, or at an infinite distance.

    ``above``, ``within`` and ``room`` map a handle to the names it relates to, ``floor`` lists
    handles, ``near`` maps ordered pairs to metres (each pair may be given in either order, or
    both), ``states`` maps a state to the handles that have it and their values. ``absent`` lists
    handles that the scene does not have, ``fixed`` those that cannot lie on a floor (articulated
    furniture); ``rooms``, when given, lists all rooms there are.
    """

    above: Mapping[str, Collection[str]] = field(default_factory=dict)
    within: Mapping[str, Collection[str]] = field(default_factory=dict)
    room: Mapping[str, Collection[str]] = field(default_factory=dict)
    floor: Collection[str] = ()
    near: Mapping[tuple[str, str], float] = field(default_factory=dict)
    states: Mapping[str, Mapping[str, bool]] = field(default_factory=dict)
    absent: Collection[str] = ()
    fixed: Collection[str] = ()
    rooms: Collection[str] | None = None

    def _present(self, *handles: str) -> None:
        for handle in handles:
            if handle in self.absent:
                raise LookupError(f"the scene has no {handle!r}")

    def is_above(self, a: str, b: str) -> bool:
        self._present(a, b)
        return b in self.above.get(a, ())

    def is_within(self, a: str, b: str) -> bool:
        self._present(a, b)
        return b in self.within.get(a, ())

    def in_room(self, a: str, room_id: str) -> bool:
        self._present(a)
        if self.rooms is not None and room_id not in self.rooms:
            raise LookupError(f"the scene has no room {room_id!r}")
        return room_id in self.room.get(a, ())

    def on_floor(self, a: str) -> bool:
        self._present(a)
        if a in self.fixed:
            raise LookupError(f"{a!r} is furniture, which does not lie on a floor")
        return a in self.floor

    def gap(self, a: str, b: str) -> float:
        self._present(a, b)
        found = self.near.get((a, b))
        if found is None:
            found = self.near.get((b, a), math.inf)
        return found

    def state(self, a: str, name: str) -> bool:
        self._present(a)
        return self.states[name][a]


class RecordedFacts:
    """Facts from a log: the newest answer to each question, in the order the log tells them.

    A session logs the answers to `Evaluator.questions` about whatever changed in a tick; fed back
    tick by tick, they give the same verdict without a simulator. A question that was never
    answered raises KeyError.
    """

    def __init__(self) -> None:
        self._answers: dict[tuple[str, tuple[str, ...]], bool | float] = {}

    def record(self, method: str, args: tuple[str, ...], value: bool | float | None) -> None:
        """Record an answer: a method of `Facts`, its arguments, and what it said.

        An infinite gap may be given as None, since JSON has no infinity.
        """
        self._answers[method, args] = math.inf if value is None else value

    def is_above(self, a: str, b: str) -> bool:
        return bool(self._answers["is_above", (a, b)])

    def is_within(self, a: str, b: str) -> bool:
        return bool(self._answers["is_within", (a, b)])

    def in_room(self, a: str, room_id: str) -> bool:
        return bool(self._answers["in_room", (a, room_id)])

    def on_floor(self, a: str) -> bool:
        return bool(self._answers["on_floor", (a,)])

    def gap(self, a: str, b: str) -> float:
        return self._answers["gap", (a, b)]

    def state(self, a: str, name: str) -> bool:
        return bool(self._answers["state", (a, name)])
