"""The short way out of the relay: the same bytes as a websocket library's, in the same order."""

from __future__ import annotations

import asyncio

from hypothesis import given
from hypothesis import strategies as st
from websockets.frames import Frame, Opcode

from server.web.outbox import SocketOutbox
from server.web.relay import framed

LENGTHS = st.one_of(
    st.integers(0, 300), st.sampled_from((125, 126, 127, 65535, 65536)), st.integers(0, 70_000)
)


@given(LENGTHS, st.booleans())
def test_a_message_is_framed_as_a_library_does_it(length: int, binary: bool) -> None:
    payload = b"x" * length
    opcode = Opcode.BINARY if binary else Opcode.TEXT
    for _ in range(2):
        assert framed(payload, binary) == Frame(opcode, payload).serialize(mask=False)


@given(st.lists(st.tuples(st.booleans(), st.integers(0, 2)), max_size=30))
def test_messages_leave_in_order_whichever_way_they_take(steps: list[tuple[bool, int]]) -> None:
    async def scenario() -> None:
        left: list[bytes] = []
        can_write = False

        async def send(payload: bytes, binary: bool) -> None:
            await asyncio.sleep(0)
            left.append(framed(payload, binary))

        async def close(code: int, reason: str) -> None:
            left.append(b"closed")

        def write_now(frame: bytes) -> bool:
            if can_write:
                left.append(frame)
            return can_write

        def ignore() -> None: ...

        outbox = SocketOutbox(send, close, on_behind=ignore, on_drained=ignore, write_now=write_now)
        task = asyncio.create_task(outbox.run())
        pushed = []
        for number, (can_write, turns) in enumerate(steps):  # noqa: B007 — `write_now` reads it
            payload = str(number).encode()
            pushed.append(framed(payload, True))
            outbox.push(payload, True)
            for _ in range(turns):
                await asyncio.sleep(0)
        outbox.close(4000, "done")
        await task
        assert left == [*pushed, b"closed"]
        assert outbox.waiting_bytes == 0

    asyncio.run(scenario())
