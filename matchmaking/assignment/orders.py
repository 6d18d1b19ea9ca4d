"""Orders of conditions or tasks within a person or group."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import permutations
from typing import TypeVar

from matchmaking.assignment.draws import permuted
from matchmaking.study.design_rules import MOST_FULL

T = TypeVar("T")


def williams(count: int) -> list[tuple[int, ...]]:
    """Return a Williams design: each thing once at each position, each after each other equally.

    For an even number these are ``count`` orders, in which each follows each other once; for an odd
    one twice as many, in which it does so twice (Williams, Australian J. Sci. Res. A 2:149, 1949).
    """
    if count < 1:
        raise ValueError(f"expected 1 thing or more, got {count}")
    # 0, 1, n-1, 2, n-2, …: neighbours differ by each number once.
    first = [0] + [(step + 1) // 2 if step % 2 else count - step // 2 for step in range(1, count)]
    rows = [tuple((start + row) % count for start in first) for row in range(count)]
    if count % 2 and count > 1:
        rows += [tuple(reversed(row)) for row in rows]
    return rows


def full(count: int) -> list[tuple[int, ...]]:
    """Return all orders. Raises ValueError for more than `MOST_FULL` things."""
    if not 1 <= count <= MOST_FULL:
        raise ValueError(f"expected 1 to {MOST_FULL} things for all of their orders, got {count}")
    return list(permutations(range(count)))


def drawn_order(things: Sequence[T], seed: str, *name: str | int) -> tuple[T, ...]:
    """Return the things in an order that the seed and the name give."""
    return tuple(things[number] for number in permuted(len(things), seed, *name))
