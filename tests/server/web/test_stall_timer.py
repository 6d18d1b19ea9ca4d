"""Timers of connections whose other end takes nothing, on a virtual clock."""

from __future__ import annotations

import asyncio

from server.web.stall_timer import StallTimer
from tests.server.lobby.virtual import virtual


class TransportDouble(asyncio.Transport):
    """Transport that remembers when it was aborted."""

    def __init__(self) -> None:
        super().__init__()
        self.aborted_at: list[float] = []

    def abort(self) -> None:
        self.aborted_at.append(asyncio.get_running_loop().time())


@virtual
async def test_the_time_counts_from_the_first_moment_in_which_nothing_is_taken() -> None:
    loop, transport = asyncio.get_running_loop(), TransportDouble()
    timer, began_at = StallTimer(loop, 30.0), loop.time()
    timer.start(transport)
    await asyncio.sleep(20)
    timer.start(transport)
    await asyncio.sleep(100)
    assert transport.aborted_at == [began_at + 30]


@virtual
async def test_who_takes_something_in_time_has_it_anew() -> None:
    loop, transport = asyncio.get_running_loop(), TransportDouble()
    timer = StallTimer(loop, 30.0)
    for _ in range(10):
        timer.start(transport)
        await asyncio.sleep(20)
        timer.stop()
        timer.stop()
    await asyncio.sleep(100)
    assert transport.aborted_at == []
    timer.start(transport)
    await asyncio.sleep(30)
    assert len(transport.aborted_at) == 1
