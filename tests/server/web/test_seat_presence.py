"""Presence in seats as operators see it, and what they write to people: over real sockets."""

from __future__ import annotations

from collections.abc import AsyncIterator
from functools import partial
from pathlib import Path

import pytest
import pytest_asyncio

from server.hosting.seat_presence import (
    SILENT_HIDDEN_S,
    SILENT_S,
    BrowserSign,
    SeatPresence,
    most_present,
)
from server.wire.messages import Ping
from tests.load.near_task import NEAR, Reach
from tests.load.play_server import PlayServer
from tests.server.faults.visitor import eventually

pytestmark = [pytest.mark.asyncio(loop_scope="module"), pytest.mark.processes]


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def server(play_dir: Path, reach: Reach) -> AsyncIterator[PlayServer]:
    async with PlayServer(play_dir) as running:
        yield running


def presences(server: PlayServer) -> dict[str, SeatPresence]:
    return {seat.seat_id: seat.presence for seat in server.host.sessions()[-1].seats}


async def test_a_seat_is_expected_connected_hidden_and_gone(server: PlayServer) -> None:
    spec = await server.open(NEAR)
    assert presences(server) == {"robot_0": "expected", "human_0": "expected"}
    async with server.client(spec, "human_0") as human:
        await human.until(lambda: human.snapshots)
        assert presences(server)["human_0"] == "connected"
        await human.send(Ping(1, hidden=True))
        await eventually(lambda: presences(server)["human_0"] == "hidden")
        await human.send(Ping(2))
        await eventually(lambda: presences(server)["human_0"] == "connected")
    await eventually(lambda: presences(server)["human_0"] == "gone")
    gone = next(s for s in server.host.sessions()[-1].seats if s.seat_id == "human_0")
    assert 0 <= gone.for_s < 60
    assert presences(server)["robot_0"] == "expected"
    await server.host.close_session(spec.session_id, "done")


async def test_everybody_who_plays_reads_what_an_operator_writes_and_watchers_do_not(
    server: PlayServer,
) -> None:
    spec = await server.open(NEAR)
    async with (
        server.client(spec, "human_0") as human,
        server.client(spec, "robot_0") as robot,
        server.watcher(spec.session_id) as watcher,
    ):
        await human.until_playing()
        await watcher.until(lambda: watcher.snapshots)
        assert server.host.tell(spec.session_id, "Please go on.") == 2
        for player in (human, robot):
            await player.until(partial(getattr, player, "notices"))
            assert [(n.code, n.text) for n in player.notices] == [("operator", "Please go on.")]
        assert watcher.notices == []
    await server.host.close_session(spec.session_id, "done")
    assert server.host.tell(spec.session_id, "Is anybody there?") == 0


async def test_silence_counts_from_the_last_sign_and_a_hidden_page_may_be_silent_for_longer() -> (
    None
):
    sign = BrowserSign(100.0)
    sign.hear(103.0, False)
    assert sign.presence(104.0) == ("connected", 4.0)
    silent_at = 103.0 + SILENT_S + 1
    assert sign.presence(silent_at) == ("silent", SILENT_S + 1)
    sign.hear(silent_at, True)
    assert sign.presence(silent_at + SILENT_S + 1) == ("hidden", SILENT_S + 1)
    assert sign.presence(silent_at + SILENT_HIDDEN_S + 1) == ("silent", SILENT_HIDDEN_S + 1)
    sign.hear(500.0, True)
    assert sign.presence(502.0) == ("hidden", 2.0)
    assert most_present([("silent", 9.0), ("hidden", 3.0), ("hidden", 5.0)]) == ("hidden", 5.0)
