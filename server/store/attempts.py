"""Attempts at what the database or the host may not answer, and the pauses between them."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine, Iterator
from typing import Any, TypeVar

T = TypeVar("T")

FIRST_RETRY_S = 0.2
LONGEST_RETRY_S = 2.0
ATTEMPT_S = 25.0
"""Longest attempt (s) at a transaction; the database has limits of its own, which are shorter."""


def retry_pauses(
    first_s: float = FIRST_RETRY_S, longest_s: float = LONGEST_RETRY_S
) -> Iterator[float]:
    """Return pauses (s) without end, each twice as long as the last, up to the longest."""
    pause_s = first_s
    while True:
        yield pause_s
        pause_s = min(2 * pause_s, longest_s)


async def attempt(work: Coroutine[Any, Any, T], limit_s: float) -> T:
    """Do ``work`` in a task of its own and return its result. Raises what it raises.

    Raises TimeoutError for work that took too long or was cancelled, which says nothing of what it
    has done. Whatever this raises, and where its caller is cancelled too, the work is over then,
    and does nothing more.
    """
    task = asyncio.create_task(work)
    try:
        await asyncio.wait({task}, timeout=limit_s)
    finally:
        is_late = not task.done()
        if is_late:
            task.cancel()
            await asyncio.wait({task})
    if is_late:
        raise TimeoutError(f"expected an answer within {limit_s} s")
    if task.cancelled():
        raise TimeoutError("the attempt was cut short")
    return task.result()
