"""Batches of ids: as many as one statement takes, or as one transaction is to change."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

AT_ONCE = 500
"""Most ids in one statement."""


def batches(ids: Iterable[str], size: int = AT_ONCE) -> Iterator[list[str]]:
    """Yield ids in lists of at most ``size``."""
    whole = list(ids)
    for start in range(0, len(whole), size):
        yield whole[start : start + size]
