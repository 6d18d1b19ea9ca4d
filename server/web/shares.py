"""Shares: who holds which place, and whose it counts as. Pure: no clock, no I/O.

A place is an open session, or a stay in the lobby that may become one. Two people of one session
(or of one invitation) hold one place between them, and so do any two who wait in the lobby for a
person, since they will be matched. A participant holds one place at a time.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

import msgspec


class Holding(msgspec.Struct):
    """The place of a participant."""

    place: str
    """Session, ticket or invitation."""
    counted_as: str | None
    """Name of those whose share it is of; None: nobody's."""
    seeks: bool = False
    """Whether it is a stay in the lobby of somebody who waits for any other person."""
    is_entering: bool = True
    """Whether the place is still being taken, so that it cannot be looked up yet."""


class Shares:
    """Holdings of all participants."""

    def __init__(self) -> None:
        self._holdings: dict[str, Holding] = {}

    def __len__(self) -> int:
        return len(self._holdings)

    def held(self, counted_as: str) -> int:
        """Return how many places are held by those who count as this."""
        return _places(h for h in self._holdings.values() if h.counted_as == counted_as)

    def take(
        self,
        participant: str,
        place: str,
        counted_as: str | None,
        most: int,
        *,
        seeks: bool = False,
    ) -> bool:
        """Give a participant a place instead of the present one; return whether that may be.

        It may be while those who count as ``counted_as`` hold no more than ``most`` with it, and
        where it adds none to what they hold: somebody else of them has the place already, or
        waits for the partner that this participant is if they seek one as well.
        """
        holding = Holding(place, counted_as, seeks)
        if counted_as is not None:
            others = [
                other
                for holder, other in self._holdings.items()
                if other.counted_as == counted_as and holder != participant
            ]
            if max(most, _places(others)) < _places([*others, holding]):
                return False
        self._holdings[participant] = holding
        return True

    def settle(self, participant: str, place: str, *, seeks: bool = False) -> None:
        """Note where a participant's way has led: into the lobby, or on into a session."""
        holding = self._holdings.get(participant)
        if holding is not None:
            holding.place, holding.seeks, holding.is_entering = place, seeks, False

    def drop(self, participant: str) -> None:
        """Note that a participant holds nothing any more."""
        self._holdings.pop(participant, None)

    def keep(self, lives: Callable[[str], bool]) -> None:
        """Forget the places that are not there any more."""
        gone = [
            participant
            for participant, holding in self._holdings.items()
            if not holding.is_entering and not lives(holding.place)
        ]
        for participant in gone:
            del self._holdings[participant]


def _places(holdings: Iterable[Holding]) -> int:
    """Count places: those who seek a partner by two, since that is how they will play."""
    places, seekers = set(), 0
    for holding in holdings:
        if holding.seeks:
            seekers += 1
        else:
            places.add(holding.place)
    return len(places) + (seekers + 1) // 2
