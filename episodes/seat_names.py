"""The names of seats among players, and whom a line of chat is addressed to.

What a body is decides its name, never who plays it: that may be secret. The browser has the same
in ``client/src/world/seat_names.ts``, and ``tests/data/seat_names.json`` holds both to it.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from episodes.bodies import SeatKind
from episodes.seats import Seat

_WORDS: dict[SeatKind, str] = {"human": "person", "robot": "robot"}


class Addressed(NamedTuple):
    """A line and the seats that it is for; without seats it is for everybody."""

    seats: tuple[str, ...]
    rest: str


def names_of(seats: Sequence[Seat]) -> dict[str, str]:
    """Name all seats of a session, by seat id: ``robot``, or ``robot 1`` and ``robot 2``.

    Where a kind occurs more than once, all of it is numbered.
    """
    total = Counter(seat.kind for seat in seats)
    counted: Counter[SeatKind] = Counter()
    names = {}
    for seat in seats:
        counted[seat.kind] += 1
        word = _WORDS[seat.kind]
        names[seat.seat_id] = f"{word} {counted[seat.kind]}" if total[seat.kind] > 1 else word
    return names


def article(name: str) -> str:
    """Return what stands before a name in a sentence: *the* robot, but robot 2."""
    return "" if name[-1].isdigit() else "the "


def spoken(name: str) -> str:
    """Return a name as people read it within a sentence: *the robot*, but Robot 2."""
    return name.capitalize() if name[-1].isdigit() else f"the {name}"


def look_of(seat: Seat) -> str:
    """Return the key of a seat's look, its colour and shape: ``robot-2``."""
    return f"{seat.kind}-{seat.ordinal + 1}"


def labels_of(seats: Sequence[str]) -> dict[str, str]:
    """Return the labels of a team's seats by seat id, ``P2`` or ``R``; none of a pair."""
    kinds = Counter(Seat.of(seat).kind for seat in seats)
    if len(seats) < 3 and max(kinds.values(), default=0) < 2:
        return {}
    found = {}
    for seat_id in seats:
        seat = Seat.of(seat_id)
        number = str(seat.ordinal + 1) if kinds[seat.kind] > 1 else ""
        found[seat_id] = f"{'P' if seat.kind == 'human' else 'R'}{number}"
    return found


def addressed(text: str, names: Mapping[str, str]) -> Addressed:
    """Read whom a line is addressed to: ``@robot 2 bring the cup``, also several after each other.

    ``names`` are those of all seats, as `names_of` gives them.
    """
    # The longest first, so that "robot 12" is not taken for "robot 1".
    known = sorted(names.items(), key=lambda named: -len(named[1]))
    seats: list[str] = []
    rest = text.strip()
    while True:
        found = next(
            (named for named in known if re.match(rf"@{re.escape(named[1])}(?!\w)", rest, re.I)),
            None,
        )
        if found is None:
            return Addressed(tuple(seats), rest)
        seat_id, name = found
        if seat_id not in seats:
            seats.append(seat_id)
        rest = re.sub(r"^[\s,:]+", "", rest[len(name) + 1 :])
