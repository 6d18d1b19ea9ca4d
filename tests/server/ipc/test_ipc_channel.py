"""The channel between the web process and a worker: framing, order, limits, the other's end."""

from __future__ import annotations

import asyncio
import socket

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from server.ipc import channel
from server.ipc.channel import Channel, ChannelError, FrameReader, frame, web_side, worker_side
from server.ipc.messages import (
    Attach,
    Detach,
    FromClient,
    FromWorker,
    Hi,
    NextEpisode,
    OpenSession,
    ToClients,
    ToWorker,
    WorkerStats,
)
from server.sessions.spec import EpisodeSpec, SessionSpec

TO_WORKER: list[ToWorker] = [
    OpenSession(SessionSpec.pair("ses_1", 1), EpisodeSpec("epi_1", "d", "t"), "/log", True),
    NextEpisode("ses_1", EpisodeSpec("epi_2", "d", "t", 1, 9.5)),
    Attach("ses_1", 7, "human_0", "json"),
    FromClient(7, b"\x91\xa5ready"),
    Detach(7),
]


def reader() -> FrameReader[ToWorker]:
    return FrameReader(msgspec.msgpack.Decoder(list[ToWorker]))


@given(st.lists(st.integers(1, 40), max_size=60))
def test_messages_come_whole_however_the_stream_is_cut(cuts: list[int]) -> None:
    data = frame(TO_WORKER[:2]) + frame(TO_WORKER[2:])
    frames, found, at = reader(), [], 0
    for size in [*cuts, len(data)]:
        found += frames.feed(data[at : at + size])
        at += size
    assert found == TO_WORKER


def test_what_is_no_frame_is_refused() -> None:
    with pytest.raises(ChannelError, match="bytes, more than"):
        reader().feed(b"\xff\xff\xff\xff")
    with pytest.raises(ChannelError, match="not a frame"):
        reader().feed(b"\x02\x00\x00\x00\xc1\xc1")


async def pair() -> tuple[Channel[FromWorker, ToWorker], Channel[ToWorker, FromWorker]]:
    one, other = socket.socketpair()
    return (
        web_side(*await asyncio.open_connection(sock=one)),
        worker_side(*await asyncio.open_connection(sock=other)),
    )


async def test_both_sides_hear_each_other_in_order() -> None:
    web, worker = await pair()
    for message in TO_WORKER:
        web.send(message)
    assert await worker.receive() == TO_WORKER
    worker.put(Hi(1))
    worker.put(ToClients((1, 2), b"x" * 1_000_000, True))
    worker.put(WorkerStats(1, 2, 3, 0.1, 0.2, 90.0, 1.5, 7))
    worker.flush()
    assert [type(m) for m in await web.receive()] == [Hi, ToClients, WorkerStats]
    web.close()
    with pytest.raises(ChannelError, match="closed"):
        await worker.receive()
    worker.close()


async def test_all_of_a_turn_goes_out_in_one_write() -> None:
    web, worker = await pair()
    for number in range(100):
        web.send(Detach(number))
    assert len(await worker.receive()) == 100
    web.close()
    worker.close()


async def test_who_does_not_read_is_taken_for_dead(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(channel, "LARGEST_BACKLOG", 100_000)
    web, worker = await pair()

    def send_much() -> None:
        for _ in range(100):
            worker.put(ToClients((1,), bytes(100_000), True))
            worker.flush()

    with pytest.raises(ChannelError, match="does not read"):
        send_much()
    web.close()
