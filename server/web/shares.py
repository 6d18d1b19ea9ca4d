"""Shares: who holds which place, and whose it counts as. Pure: no clock, no I/O.

A place is an open session, or a stay in the lobby that may become one. People of one session (or
of one invitation) hold one place between them, and so do as many who wait in the lobby for
whoever comes as make a group, since they will be matched. A participant holds one place at a time.
While forms of theirs are being answered it is open which one: each may lead to a place, or leave
them the present one.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable
from math import ceil

import msgspec

from matchmaking.offers import Sought


class Holding(msgspec.Struct):
    """The place of a participant."""

    place: str
    """Session, ticket or invitation."""
    counted_as: str | None
    """Name of those whose share it is of; None: nobody's."""
    seeks: Sought | None = None
    """Group that they wait for in the lobby, whoever comes; None: no such stay."""


class Shares:
    """Holdings of all participants."""

    def __init__(self) -> None:
        self._holdings: dict[str, Holding] = {}
        self._entering: defaultdict[str, list[Holding]] = defaultdict(list)
        """Places that forms under way may lead to, which cannot be looked up yet."""

    def __len__(self) -> int:
        """Return how many participants hold a place, or may be given one."""
        return len(self._holdings.keys() | self._entering.keys())

    def held(self, counted_as: str) -> int:
        """Return how many places are held by those who count as this."""
        return _places(self._possible(counted_as).values())

    def take(
        self,
        participant: str,
        place: str,
        counted_as: str | None,
        most: int,
        *,
        seeks: Sought | None = None,
    ) -> Holding | None:
        """Let a participant enter a place instead of the present one; None where it may not be.

        It may be while those who count as ``counted_as`` hold no more than ``most`` with it, and
        where it adds none to what they hold: somebody else of them has the place already, or
        waits for the partner that this participant is if they seek one as well. Call `settle` or
        `give_back` when it is known where that has led.
        """
        holding = Holding(place, counted_as, seeks)
        if counted_as is not None:
            possible = self._possible(counted_as)
            own = possible.pop(participant, [])
            if max(most, _places(possible.values())) < _places(
                [*possible.values(), [*own, holding]]
            ):
                return None
        self._entering[participant].append(holding)
        return holding

    def settle(
        self, participant: str, holding: Holding, place: str, *, seeks: Sought | None = None
    ) -> None:
        """Note that a form has led to ``place``, which is the participant's from now on."""
        self.give_back(participant, holding)
        self._holdings[participant] = Holding(place, holding.counted_as, seeks)

    def give_back(self, participant: str, holding: Holding) -> None:
        """Note that a form has led nowhere; what the participant holds otherwise stays theirs."""
        # The very holding: two forms may ask for one place.
        entering = [other for other in self._entering.pop(participant) if other is not holding]
        if entering:
            self._entering[participant] = entering

    def follow(self, participant: str, place: str) -> None:
        """Note that a participant's stay in the lobby has led on, into a session."""
        holding = self._holdings.get(participant)
        if holding is not None:
            holding.place, holding.seeks = place, None

    def keep(self, lives: Callable[[str], bool]) -> None:
        """Forget the places that are not there any more."""
        gone = [who for who, holding in self._holdings.items() if not lives(holding.place)]
        for participant in gone:
            del self._holdings[participant]

    def _possible(self, counted_as: str) -> dict[str, list[Holding]]:
        """Return the holdings that count as this, of which each participant keeps one."""
        possible: defaultdict[str, list[Holding]] = defaultdict(list)
        entering = ((who, holding) for who, some in self._entering.items() for holding in some)
        for who, holding in (*self._holdings.items(), *entering):
            if holding.counted_as == counted_as:
                possible[who].append(holding)
        return possible


def _places(possible: Iterable[list[Holding]]) -> int:
    """Count the places that participants hold at most, each of them one of what is possible.

    Those who seek the same group are counted by its size, since that is how they will play.
    """
    places: set[str | None] = set()
    undecided: list[set[str | None]] = []
    seekers: Counter[Sought] = Counter()
    for holdings in possible:
        sought = {holding.seeks for holding in holdings}
        if len(sought) == 1 and (group := sought.pop()):
            seekers[group] += 1
            continue
        # Who may come to seek, or to seek another group, has no place by then that is somebody
        # else's, too.
        either = {None if holding.seeks else holding.place for holding in holdings}
        if len(either) == 1 and None not in either:
            places |= either
        else:
            undecided.append(either)
    others = sum(not either <= places for either in undecided)
    return (
        len(places) + others + sum(ceil(count / group.people) for group, count in seekers.items())
    )
