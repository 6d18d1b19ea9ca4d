"""Attempts that are cut short: their work is over before anybody goes on."""

from __future__ import annotations

import asyncio

import pytest

from server.store.attempts import attempt
from tests.server.lobby.virtual import virtual


class SlowEnd:
    """Work that takes an hour, and a second to be given up."""

    def __init__(self) -> None:
        self.is_over = False

    async def work(self) -> None:
        try:
            await asyncio.sleep(3600)
        finally:
            await asyncio.sleep(1)
            self.is_over = True


@virtual
async def test_work_that_took_too_long_is_over() -> None:
    slow = SlowEnd()
    with pytest.raises(TimeoutError, match="within 5 s"):
        await attempt(slow.work(), 5)
    assert slow.is_over


@virtual
async def test_work_of_a_caller_who_is_cancelled_is_over() -> None:
    slow = SlowEnd()
    caller = asyncio.create_task(attempt(slow.work(), 60))
    await asyncio.sleep(1)
    caller.cancel()
    with pytest.raises(asyncio.CancelledError):
        await caller
    assert slow.is_over
