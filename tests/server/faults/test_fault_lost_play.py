"""A process dies while the disk is full: what people saw and lost is counted, and they are told."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from server.recording.recordings import read_recording
from server.recording.rescoring import score_recording
from server.sessions.spec import TICK_RATE
from server.wire.messages import FinishInput, SayInput
from tests.load.near_task import NEAR, write_near_task
from tests.load.play_server import PlayServer
from tests.load.protocol_client import ProtocolClient
from tests.server.faults.conftest import StartNearServer
from tests.server.faults.small_disks import SmallDisk, fill
from tests.server.faults.test_fault_worker import until_back, worker_pids
from tests.server.faults.visitor import Visitor, eventually

pytestmark = pytest.mark.processes

PLAYED_TICKS = 4 * TICK_RATE
LOST_LINES = ("who keeps this?", "nobody")


async def play_unrecorded(client: ProtocolClient, disk: Path) -> None:
    """Fill the disk, walk until everybody knows, and some seconds more."""
    fill(disk)
    await client.drive(300)
    await client.until(lambda: [n.code for n in client.notices] == ["unrecorded"])
    told_at = client.model.tick
    for text in LOST_LINES:
        await client.send(SayInput(text))
    await client.until(lambda: client.model.tick > told_at + PLAYED_TICKS)


async def test_a_worker_that_dies_says_what_was_lost(data: Path, small_disk: SmallDisk) -> None:
    write_near_task(data)
    disk = small_disk(data / "recordings")
    async with PlayServer(data, disk_reserve_mb=0.1) as server:
        spec = await server.open(NEAR, solo=True)
        async with server.client(spec, "human_0") as human:
            await human.until_playing()
            await play_unrecorded(human, disk)
            await eventually(lambda: server.host.stats().unrecorded_s >= PLAYED_TICKS / TICK_RATE)
            assert "s of play are in no log yet" in server.host.problems()[-1]
            (pid,) = worker_pids()
            os.kill(pid, signal.SIGSTOP)
            (disk / "other").unlink()
            os.kill(pid, signal.SIGKILL)
            await until_back(human, 2)
            notice = next(n for n in human.notices if n.code == "lost")
            stats = server.host.stats()
            assert (stats.lost_sessions, stats.lost_events) == (1, len(LOST_LINES))
            assert stats.lost_seconds * TICK_RATE >= PLAYED_TICKS
            assert f"the last {round(stats.lost_seconds)} seconds" in notice.text
            (state,) = server.host.sessions()
            assert state.lost.ticks == round(stats.lost_seconds * TICK_RATE)
            # Who was told is not told again.
            async with server.client(spec, "human_0", tab="b", take_over=True) as again:
                await again.until_playing()
                assert "lost" not in {n.code for n in again.notices}
                await again.send(FinishInput())
                await again.until(lambda: again.over)
        (result,) = server.results
        assert result.lost_ticks == state.lost.ticks
        (recording,) = read_recording(server.host.log_path(spec.session_id))
        assert score_recording(recording).lost_ticks == result.lost_ticks
        assert recording.result == result


async def test_a_web_process_that_dies_leaves_a_mark_of_what_was_lost(
    near_server: StartNearServer, small_disk: SmallDisk
) -> None:
    server = near_server(disk_reserve_mb=0.1)
    disk = small_disk(server.data_dir / "recordings")
    ann = Visitor(server)
    await ann.move_in()
    async with ann.client() as client:
        await client.until_playing()
        await play_unrecorded(client, disk)
        (worker,) = server.workers()[:1]
        server.kill()
        await client.closed()
        seen = client.model.tick
    await eventually(lambda: "session.close_failed" in server.output())
    await eventually(lambda: not Path(f"/proc/{worker}").exists())
    (disk / "other").unlink()
    server.start()
    async with ann.client() as client:
        await client.until_playing()
        assert [n.code for n in client.notices] == ["lost"]
        figures = (await ann.browser.get("/metrics")).text
        lost_s = next(
            float(line.split()[1])
            for line in figures.splitlines()
            if line.startswith("cohabit_lost_seconds_total ")
        )
        assert PLAYED_TICKS / TICK_RATE <= lost_s <= seen / TICK_RATE + 5
        assert "cohabit_lost_sessions_total 1.0" in figures
        assert f"cohabit_lost_events_total {len(LOST_LINES)}.0" in figures
        assert "were seen and then lost" in (await ann.browser.get("/operator")).text
        await client.send(FinishInput())
        await client.until(lambda: client.over)
    assert "session.lost" in server.output()
    assert f"lost_events={len(LOST_LINES)}" in server.output()
    (listed,) = recordings_of(server.data_dir)
    assert (listed["session_id"], listed["gaps"]) == (ann.session_id, 1)
    assert listed["lost_s"] == round(lost_s, 1)
    assert listed["lost_events"] == len(LOST_LINES)


def recordings_of(data_dir: Path) -> list[dict[str, object]]:
    """Return what the command lists, as an operator has it while the server runs."""
    environment = {k: v for k, v in os.environ.items() if not k.startswith("COHABIT_")}
    done = subprocess.run(
        [sys.executable, "-m", "server.cli", "recordings", "list", "--json"],
        env={**environment, "COHABIT_DATA_DIR": str(data_dir)},
        capture_output=True,
        text=True,
        check=True,
    )
    return [json.loads(line) for line in done.stdout.splitlines()]
