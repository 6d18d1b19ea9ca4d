"""Hands that had a part in a step's coming true. Pure.

The evaluator judges a held thing where the hand holds it, so a step can come true while its thing
is carried by. Players read *done* as *put down*.
"""

from __future__ import annotations

from collections.abc import Iterable

from episodes.dataset.vocabulary import PREDICATES
from episodes.evaluation.account import Expectation
from episodes.world import HolderChanged


class Hands:
    """Holders of things, and of what was put down the last ones, while a recording is read."""

    def __init__(self) -> None:
        self.holders: dict[str, str] = {}
        self.last: dict[str, str] = {}
        """Last holders of what was put down, the latest last."""

    def take(self, changes: Iterable[object]) -> None:
        for change in changes:
            if not isinstance(change, HolderChanged):
                continue
            self.last.pop(change.handle, None)
            if change.seat is None:
                dropped = self.holders.pop(change.handle, None)
                if dropped is not None:
                    self.last[change.handle] = dropped
            else:
                self.holders[change.handle] = change.seat


class StepInHand:
    """A step, or a part of one, while its recording is read: what it needs that is in a hand.

    ``number`` is how many things of the first group it asks for.
    """

    def __init__(self, step: Expectation, number: int) -> None:
        signature = PREDICATES[step.predicate]
        others = [1] * (len(step.groups) - 1)
        numbers = step.numbers if signature.is_clustered else (number, *others)
        named = list(zip(step.groups, numbers, strict=True))
        self._always = {t.handle for group, n in named if n >= len(group) for t in group}
        self._any = {t.handle for group, n in named if n < len(group) for t in group}
        # What is washed or switched on may be in a hand.
        self.is_about_places = signature.state is None
        self.needed: set[str] = set()
        """Things with which it holds now, as far as hands are concerned."""
        self.holds = False

    def change(self, holds: bool, by_seat: str | None, hands: Hands) -> None:
        """Take note of a change; ``by_seat`` is the seat that it is credited to.

        Of a step that asks for some of its things, those count which that seat has in its hand.
        """
        self.holds = holds
        if not holds or not self.is_about_places:
            self.needed = set()
            return
        carried = {t for t in self._any if t in hands.holders and hands.holders[t] == by_seat}
        self.needed = self._always | carried

    def in_hand(self, hands: Hands) -> str | None:
        """Return a thing that it needs and that somebody holds; None: it lies where it should."""
        return next((t for t in hands.holders if t in self.needed), None)

    def put_down_by(self, hands: Hands) -> str | None:
        """Return who put the last of what it needs down; None: nobody had it in a hand."""
        dropped = [seat for thing, seat in hands.last.items() if thing in self.needed]
        return dropped[-1] if dropped else None
