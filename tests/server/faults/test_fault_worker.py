"""A worker is killed in mid-episode: its sessions go on, those of others notice nothing."""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal
import time
from pathlib import Path

import psutil
import pytest

from server.ipc.messages import WorkerStats
from server.sessions.spec import SessionSpec
from server.wire.messages import DidEvent, FinishInput
from tests.load.near_task import NEAR, Reach
from tests.load.play_server import PlayServer
from tests.load.protocol_client import ProtocolClient
from tests.server.faults.deadly_worker import FATAL_MPS, DeadlyLauncher
from tests.server.faults.visitor import eventually, replayed

pytestmark = pytest.mark.processes

FATAL = round(1000 * FATAL_MPS) - 200
"""On the wire, in mm/s."""
MOST_LOST_TICKS = 30
SHARE = 0.8
"""Least share of their pace that others keep while a worker's sessions recover."""
"""One second."""


def worker_pids() -> list[int]:
    """Oldest first, which is their number."""
    found = []
    for process in psutil.Process().children():
        # One that ends while it is looked at is none any more.
        with contextlib.suppress(psutil.NoSuchProcess):
            if "worker" in " ".join(process.cmdline()):
                found.append((process.create_time(), process.pid))
    return [pid for _, pid in sorted(found)]


def told(server: PlayServer) -> list[WorkerStats | None]:
    return [worker.stats for worker in server.host.stats().workers]


async def wander(client: ProtocolClient) -> None:
    """Move all the time, so that something is always on its way to the log."""
    way = 1
    while True:
        await client.drive(300 * way, 100, 50 * way)
        way = -way
        await asyncio.sleep(0.1)


async def until_snapshots(client: ProtocolClient, count: int) -> None:
    await client.until(lambda: client.snapshots == count)


async def until_over(client: ProtocolClient) -> None:
    await client.until(lambda: client.over)


async def until_after(client: ProtocolClient, tick: int) -> None:
    await client.until(lambda: client.model.tick > tick)


async def solo(server: PlayServer) -> tuple[SessionSpec, ProtocolClient]:
    spec = await server.open(NEAR, solo=True)
    client = server.client(spec, "human_0")
    await client.open()
    await client.until_playing()
    return spec, client


def pid_of_host(server: PlayServer, spec: SessionSpec) -> int:
    """Process that runs a session."""
    worker = server.host._sessions[spec.session_id].worker
    assert worker is not None
    assert worker.process is not None
    return worker.process.pid


async def until_all_are_up(server: PlayServer) -> None:
    """Wait for every worker; while one is still starting, the others get all the sessions."""
    await eventually(lambda: None not in told(server))


async def test_only_its_own_sessions_notice_and_they_go_on(play_dir: Path, reach: Reach) -> None:
    async with PlayServer(play_dir, workers=2) as server:
        await until_all_are_up(server)
        begun = [await solo(server) for _ in range(4)]
        walks = [asyncio.create_task(wander(client)) for _, client in begun]
        doomed = pid_of_host(server, begun[0][0])
        hit = [b for b in begun if pid_of_host(server, b[0]) == doomed]
        spared = [b for b in begun if pid_of_host(server, b[0]) != doomed]
        assert (len(hit), len(spared)) == (2, 2)
        for _, client in hit:
            picked = await client.act("pick", client.model.index(reach.handle))
            assert isinstance(picked, DidEvent)
        await asyncio.sleep(1.5)
        ticks = {client: client.model.tick for _, client in begun}
        os.kill(doomed, signal.SIGKILL)
        for _, client in hit:
            await until_snapshots(client, 2)
            assert client.model.tick >= ticks[client] - MOST_LOST_TICKS
            assert client.model.things[client.model.index(reach.handle)].holder == client.me
        for _, client in spared:
            assert client.model.tick > ticks[client]
            assert (client.snapshots, client.notices) == (1, [])
        for walk in walks:
            walk.cancel()
        for spec, client in begun:
            await client.send(FinishInput())
            await until_over(client)
            await client.stop()
            (result,) = [r for r in server.results if r.session_id == spec.session_id]
            assert result.verdict.status == "ok"
            assert replayed(server.host.log_path(spec.session_id)).digest() == result.state_digest


async def until_back(client: ProtocolClient, snapshots: int) -> None:
    await client.until(lambda: client.snapshots == snapshots and client.model.phase == "running")


async def test_whose_session_kills_its_worker_twice_is_ended_and_the_neighbours_play_on(
    play_dir: Path, reach: Reach
) -> None:
    async with PlayServer(play_dir, launcher=DeadlyLauncher(play_dir)) as server:
        begun = [await solo(server) for _ in range(3)]
        (spec, culprit), *others = begun
        walks = [asyncio.create_task(wander(client)) for _, client in others]
        for _, client in others:
            picked = await client.act("pick", client.model.index(reach.handle))
            assert isinstance(picked, DidEvent)
        await culprit.drive(FATAL)
        for _, client in begun:
            await until_back(client, 2)
        assert server.ended == []
        await culprit.drive(FATAL)
        await culprit.until(lambda: culprit.over)
        # The last tells what is saved, once that is known.
        codes = ["reconnecting", "reconnected", "server", "server"]
        assert [n.code for n in culprit.notices] == codes
        assert culprit.over[0].reason == "failed"
        assert [session_id for session_id, _ in server.ended] == [spec.session_id]
        for _, client in others:
            await until_back(client, 3)
            assert client.model.things[client.model.index(reach.handle)].holder == client.me
        for walk in walks:
            walk.cancel()
        for spec, client in others:
            await client.send(FinishInput())
            await until_over(client)
            (result,) = [r for r in server.results if r.session_id == spec.session_id]
            assert result.reason == "finished"
            assert replayed(server.host.log_path(spec.session_id)).digest() == result.state_digest
        assert len(server.ended) == 1
        for _, client in begun:
            await client.stop()


async def test_deaths_that_no_session_explains_part_them_until_one_is_alone_to_blame(
    play_dir: Path, reach: Reach
) -> None:
    async with PlayServer(play_dir) as server:
        begun = [await solo(server) for _ in range(2)]
        for death in range(3):
            (pid,) = worker_pids()
            os.kill(pid, signal.SIGKILL)
            for _, client in begun:
                await until_back(client, death + 2)
        assert [worker.name for worker in server.host.stats().workers] == ["worker-0", "worker-1"]
        assert server.ended == []
        (_, stayed), (moved_spec, moved) = begun
        process = server.host._workers.all()[1].process
        assert process is not None
        os.kill(process.pid, signal.SIGKILL)
        await moved.until(lambda: moved.over)
        assert [session_id for session_id, _ in server.ended] == [moved_spec.session_id]
        tick = stayed.model.tick
        await stayed.until(lambda: stayed.model.tick > tick + 10)
        assert stayed.snapshots == 4
        # A worker that was started for nobody else goes with its last session.
        await server.host.close_session(moved_spec.session_id, "failed")
        await eventually(lambda: len(worker_pids()) == 1)
        for _, client in begun:
            await client.stop()


@pytest.mark.long
async def test_the_others_keep_their_pace(play_dir: Path, reach: Reach) -> None:
    """Nobody else is touched while a worker's sessions recover; what it costs is printed.

    The design asks for five percent of the others' pace at most, and three seconds to come back, on
    a machine that has some left.
    """
    async with PlayServer(play_dir, workers=2) as server:
        await until_all_are_up(server)
        begun = [await solo(server) for _ in range(10)]
        walks = [asyncio.create_task(wander(client)) for _, client in begun]
        doomed = pid_of_host(server, begun[0][0])
        spared = [client for spec, client in begun if pid_of_host(server, spec) != doomed]

        async def rates(seconds: float) -> list[float]:
            begun, ticks = time.monotonic(), [client.model.tick for client in spared]
            await asyncio.sleep(seconds)
            elapsed = time.monotonic() - begun
            return [
                (client.model.tick - tick) / elapsed
                for client, tick in zip(spared, ticks, strict=True)
            ]

        back_after: list[float] = []
        quiet = await rates(5)
        os.kill(doomed, signal.SIGKILL)
        killed_at = time.monotonic()
        back = asyncio.create_task(begun[0][1].until(lambda: begun[0][1].snapshots == 2))
        back.add_done_callback(lambda _: back_after.append(time.monotonic() - killed_at))
        disturbed = await rates(5)
        for walk in walks:
            walk.cancel()
        for _, client in begun:
            await client.stop()
        print(f"ticks a second: before {min(quiet):.2f}, while others recover {min(disturbed):.2f}")
        print(f"the others play again after {back_after[0]:.2f} s")
        assert [(client.snapshots, client.notices) for client in spared] == [(1, [])] * 5
        # A share of what this machine gave them before, which other programs may use as well.
        assert min(disturbed) > SHARE * min(quiet) > 0


async def test_a_worker_that_has_run_its_episodes_makes_room_for_a_fresh_one(
    play_dir: Path, reach: Reach
) -> None:
    async with PlayServer(play_dir, worker_episodes=2) as server:
        begun = [await solo(server), await solo(server)]
        (old,) = worker_pids()
        # What it has run is told once a second.
        await eventually(lambda: all(s and s.episodes == 2 for s in told(server)))
        begun.append(await solo(server))
        await eventually(lambda: len(server.host.stats().workers) == 2)
        last, newcomer = await solo(server)
        for spec, client in begun:
            # It ends when nobody plays in it any more, and not before.
            assert old in worker_pids()
            await until_after(client, client.model.tick)
            await server.host.close_session(spec.session_id, "done")
            assert (await client.closed())[0] == 4000
            await client.stop()
        await eventually(lambda: old not in worker_pids())
        assert [worker.name for worker in server.host.stats().workers] == ["worker-1"]
        tick = newcomer.model.tick
        await newcomer.until(lambda: newcomer.model.tick > tick)
        assert newcomer.notices == []
        await newcomer.stop()
        await server.host.close_session(last.session_id, "done")
