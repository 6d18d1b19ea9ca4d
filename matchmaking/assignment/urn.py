"""Urn of a stratum: permuted blocks whose places are drawn without replacement.

A block holds each arm in the ratio of the targets, once or a drawn number of times. Places are
drawn from the first block that has one, so that the arms stay balanced after every block; a place
that is put back is drawn again. Neither the order within a block nor where a block ends is known
without the seed (concealed blocks of varying size; Schulz and Grimes, Lancet 359:966, 2002). Who
sees the counts of all arms still guesses better than by chance: of two equal arms 72 % of the next
draws with blocks of 2 or 4, 68 % with 4, 6 or 8. So counts are for those who let nobody in.
"""

from __future__ import annotations

from bisect import insort
from collections.abc import Collection, Mapping, Sequence
from functools import reduce
from math import gcd

from matchmaking.assignment.draws import draw_below


class Urn:
    """Blocks of one stratum. The targets of the arms give their ratio."""

    def __init__(
        self, seed: str, name: str, targets: Mapping[str, int], multiples: Sequence[int]
    ) -> None:
        if not targets or min(targets.values()) < 1:
            raise ValueError(f"expected arms with targets of 1 or more, got {dict(targets)}")
        if not multiples or min(multiples) < 1:
            raise ValueError(f"expected multiples of 1 or more, got {list(multiples)}")
        self._seed, self._name, self._multiples = seed, name, tuple(multiples)
        common = reduce(gcd, targets.values())
        self._ratio = {arm: target // common for arm, target in sorted(targets.items())}
        self._blocks: list[dict[str, int]] = []
        """Places that are left, by arm, of each block that was opened."""
        self._not_empty: list[int] = []
        """Blocks with places that are left, in their order; a study opens thousands in all."""
        self._drawn: list[int] = []
        """Draws from each block, those that were put back again among them."""

    @property
    def arms(self) -> tuple[str, ...]:
        return tuple(self._ratio)

    def next(self, closed: Collection[str] = ()) -> tuple[int, str] | None:
        """Return block and arm of the next draw, without drawing; None: all arms are closed."""
        for block in self._not_empty:
            if arm := self._drawn_arm(block, self._blocks[block], closed):
                return block, arm
        block = len(self._blocks)
        arm = self._drawn_arm(block, self._whole(block), closed)
        return (block, arm) if arm else None

    def draw(self, closed: Collection[str] = ()) -> tuple[int, str] | None:
        """Draw a place: its block and arm; None: all arms are closed."""
        drawn = self.next(closed)
        if drawn is not None:
            block, arm = drawn
            if block == len(self._blocks):
                self._blocks.append(self._whole(block))
                self._drawn.append(0)
                self._not_empty.append(block)
            self._blocks[block][arm] -= 1
            if not any(self._blocks[block].values()):
                self._not_empty.remove(block)
            self._drawn[block] += 1
        return drawn

    def put_back(self, block: int, arm: str) -> None:
        """Put a place back into its block. Raises ValueError: it has all of its places."""
        if block >= len(self._blocks) or self._blocks[block][arm] >= self._whole(block)[arm]:
            raise ValueError(f"no place of {arm!r} was drawn from block {block}")
        if not any(self._blocks[block].values()):
            insort(self._not_empty, block)
        self._blocks[block][arm] += 1

    def _whole(self, block: int) -> dict[str, int]:
        number = draw_below(len(self._multiples), self._seed, self._name, "size", block)
        times = self._multiples[number]
        return {arm: share * times for arm, share in self._ratio.items()}

    def _drawn_arm(self, block: int, left: Mapping[str, int], closed: Collection[str]) -> str:
        """Return the arm that the next draw from a block gives; empty: no open arm is in it."""
        places = {arm: count for arm, count in left.items() if count and arm not in closed}
        if not places:
            return ""
        draws = self._drawn[block] if block < len(self._drawn) else 0
        number = draw_below(sum(places.values()), self._seed, self._name, "place", block, draws)
        for arm, count in places.items():
            if number < count:
                return arm
            number -= count
        raise AssertionError("a number below the sum falls into one of its parts")
