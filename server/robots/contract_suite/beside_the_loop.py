"""Live sessions of the contract suite: thoughts beside the loop, and a watch over blocked ticks."""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import Awaitable, Callable
from typing import Any, TypeVar

from server.robots.contract_suite.sessions import Session

BLOCKED_S = 60.0
"""Seconds after which a session whose ticks do not come to an end counts as blocked."""
LONGEST_TICK_S = 5.0
"""The longest that one tick may take (s): a machine can be busy, but nobody waits for an answer."""
TURNS = 20
"""Turns of the loop in which what was cancelled has to have come to its end."""

Came = TypeVar("Came")


def in_a_loop(work: Callable[[], Awaitable[Came]]) -> Came:
    """Do work in an event loop of a thread of its own, which may hang.

    Raises what the work raises, and AssertionError where it has not ended after `BLOCKED_S`.
    """
    came: list[Came] = []
    wrong: list[BaseException] = []

    async def to_its_end() -> None:
        came.append(await work())

    def run() -> None:
        try:
            asyncio.run(to_its_end())
        except BaseException as error:
            wrong.append(error)

    thread = threading.Thread(target=run, daemon=True, name="contract suite")
    thread.start()
    thread.join(BLOCKED_S)
    assert not thread.is_alive(), f"a tick was blocked for {BLOCKED_S:g} s"
    if wrong:
        raise wrong[0]
    return came[0]


async def play(session: Session, ticks: int, until: Callable[[], bool] = lambda: False) -> float:
    """Step while thoughts go on beside; return how long the longest tick took (s)."""
    longest = 0.0
    for _ in range(ticks):
        if until():
            break
        begun = time.perf_counter()
        session.step()
        await asyncio.sleep(0)
        longest = max(longest, time.perf_counter() - begun)
    return longest


async def left_running(before: set[asyncio.Task[Any]]) -> list[asyncio.Task[Any]]:
    """Return the tasks that still run some turns of the loop later and did not run before."""
    for _ in range(TURNS):
        await asyncio.sleep(0)
    return [task for task in asyncio.all_tasks() - before if not task.done()]
