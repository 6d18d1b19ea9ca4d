"""Draws: numbers that a seed and a name give, the same on every machine and version."""

from __future__ import annotations

import hashlib
from functools import lru_cache


def draw_below(bound: int, seed: str, *name: str | int) -> int:
    """Return a whole number from 0 to ``bound`` - 1 that depends on the seed and the name only.

    Numbers of other names tell nothing about it to somebody without the seed.
    """
    if bound < 1:
        raise ValueError(f"expected a bound of 1 or more, got {bound}")
    # Lengths stand before the parts, so that no two names are written the same.
    text = "".join([f"{len(part)}:{part}" for part in map(str, name)]).encode()
    digest = hashlib.blake2b(text, digest_size=16, key=_key(seed)).digest()
    return int.from_bytes(digest, "big") % bound


def permuted(count: int, seed: str, *name: str | int) -> list[int]:
    """Return the numbers from 0 to ``count`` - 1 in a drawn order (Fisher and Yates)."""
    numbers = list(range(count))
    for last in range(count - 1, 0, -1):
        other = draw_below(last + 1, seed, *name, last)
        numbers[last], numbers[other] = numbers[other], numbers[last]
    return numbers


@lru_cache(maxsize=64)
def _key(seed: str) -> bytes:
    return hashlib.blake2b(seed.encode(), digest_size=32).digest()
