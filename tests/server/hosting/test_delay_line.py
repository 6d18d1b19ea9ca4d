"""Delay lines: what a study's condition adds to the round trip, on a virtual clock."""

from __future__ import annotations

import asyncio
from functools import partial

from hypothesis import given
from hypothesis import strategies as st

from server.hosting.delay_line import DelayedOutbox, DelayLine
from tests.server.lobby.virtual import virtual


class Box:
    """Outbox that notes what leaves it, and when."""

    waiting_bytes = 0

    def __init__(self) -> None:
        self.left: list[tuple[float, bytes]] = []
        self.closed_at = 0.0

    def push(self, payload: bytes, binary: bool) -> None:
        self.left.append((asyncio.get_running_loop().time(), payload))

    def close(self, code: int, reason: str) -> None:
        self.closed_at = asyncio.get_running_loop().time()


@virtual
async def test_bytes_leave_after_the_delay_in_their_order_and_the_end_last() -> None:
    box, delay = Box(), [0.15]
    outbox = DelayedOutbox(box, lambda: delay[0])
    began = asyncio.get_running_loop().time()
    outbox.push(b"one", True)
    assert outbox.waiting_bytes == 3
    # Another condition begins, without a delay.
    delay[0] = 0.0
    outbox.push(b"two", True)
    outbox.close(1000, "done")
    assert box.left == []
    await asyncio.sleep(0.2)
    assert [payload for _, payload in box.left] == [b"one", b"two"]
    assert all(abs(at - began - 0.15) < 0.01 for at, _ in box.left)
    assert box.closed_at >= box.left[-1][0]
    assert outbox.waiting_bytes == 0


@virtual
async def test_nothing_is_delayed_without_a_delay() -> None:
    box = Box()
    outbox = DelayedOutbox(box, lambda: 0.0)
    outbox.push(b"one", True)
    assert len(box.left) == 1


@given(st.lists(st.sampled_from([0.0, 0.05, 0.3]), max_size=20))
@virtual
async def test_what_goes_in_later_never_comes_out_earlier(delays: list[float]) -> None:
    came: list[int] = []
    delay = [0.0]
    line = DelayLine(lambda: delay[0])
    for number, delay_s in enumerate(delays):
        delay[0] = delay_s
        line.put(partial(came.append, number))
        await asyncio.sleep(0.02)
    await asyncio.sleep(1)
    assert came == list(range(len(delays)))
