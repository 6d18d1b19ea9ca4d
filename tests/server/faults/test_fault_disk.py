"""The disk is full or read-only: play goes on, everybody is told, and nothing is missing after."""

from __future__ import annotations

import asyncio
import resource
import subprocess
from collections.abc import Callable
from pathlib import Path

import psutil
import pytest

from server.hosting.hosted_session import HostError
from server.recording.log_checksums import verify
from server.wire.messages import DidEvent, FinishInput
from tests.load.near_task import NEAR, write_near_task
from tests.load.play_server import PlayServer
from tests.load.protocol_client import ProtocolClient
from tests.server.faults.small_disks import SmallDisk, fill
from tests.server.faults.visitor import replayed

pytestmark = pytest.mark.processes


def remount(folder: Path, mode: str) -> None:
    subprocess.run(["mount", "-o", f"remount,{mode}", str(folder)], check=True)


def forbid(server: PlayServer, folder: Path) -> Callable[[], None]:
    """Let no file of the workers grow; returns what allows it again."""
    pids = [p.pid for p in psutil.Process().children() if "worker" in " ".join(p.cmdline())]
    size = max(path.stat().st_size for path in folder.glob("*.jsonl"))
    for pid in pids:
        # A few bytes more fit: what is written next is torn.
        resource.prlimit(pid, resource.RLIMIT_FSIZE, (size + 7, resource.RLIM_INFINITY))

    def allow() -> None:
        for pid in pids:
            infinity = resource.RLIM_INFINITY
            resource.prlimit(pid, resource.RLIMIT_FSIZE, (infinity, infinity))

    return allow


async def until_told(client: ProtocolClient, codes: list[str]) -> None:
    await client.until(lambda: [n.code for n in client.notices] == codes)


async def outlast(
    server: PlayServer, client: ProtocolClient, partner: ProtocolClient, end: Callable[[], None]
) -> None:
    """Both are told, play on, the disk comes back, both are told."""
    reach_tick = client.model.tick
    for player in (client, partner):
        await until_told(player, ["unrecorded"])
    assert server.host.problems() != []
    assert server.host.stats().unrecorded == 1
    assert server.host.refusal() is not None
    await client.until(lambda: client.model.tick > reach_tick + 30)
    end()
    for player in (client, partner):
        await until_told(player, ["unrecorded", "recorded"])
    assert server.host.stats().unrecorded == 0


@pytest.mark.skipif(not hasattr(resource, "prlimit"), reason="needs Linux")
async def test_a_log_that_may_not_grow_is_complete_in_the_end(data: Path) -> None:
    reach = write_near_task(data)
    async with PlayServer(data) as server:
        spec = await server.open(NEAR)
        async with server.client(spec, "human_0") as human, server.client(spec, "robot_0") as robot:
            await human.until_playing()
            log = server.host.log_path(spec.session_id)
            allow = forbid(server, log.parent)
            assert isinstance(await human.act("pick", human.model.index(reach.handle)), DidEvent)
            await robot.say("did you see that?")
            size = log.stat().st_size
            await outlast(server, human, robot, allow)
            assert log.stat().st_size > size
            assert server.host.refusal() is None
            # Who comes while all is well again is told nothing.
            async with server.client(spec, "human_0", tab="b", take_over=True) as late:
                await late.until_playing()
                assert late.notices == []
                for player in (late, robot):
                    await player.send(FinishInput())
                await late.until(lambda: late.over)
        result = server.results[0]
    data_on_disk = log.read_bytes()
    assert verify(data_on_disk).lost_bytes == 0
    assert b"did you see that?" in data_on_disk
    assert replayed(log).digest() == result.state_digest


async def test_a_full_disk_is_outlasted(data: Path, small_disk: SmallDisk) -> None:
    reach = write_near_task(data)
    disk = small_disk(data / "recordings")
    async with PlayServer(data, disk_reserve_mb=0.1) as server:
        spec = await server.open(NEAR)
        async with server.client(spec, "human_0") as human, server.client(spec, "robot_0") as robot:
            await human.until_playing()
            assert server.host.refusal() is None
            fill(disk)
            assert "COHABIT_DISK_RESERVE_MB" in server.host.problems()[0]
            for way in (1, -1) * 4:
                await human.drive(300 * way)
                await asyncio.sleep(0.1)
            await human.act("pick", human.model.index(reach.handle))
            with pytest.raises(HostError, match=r"cannot be recorded|No space left"):
                await server.open(NEAR)
            await outlast(server, human, robot, (disk / "other").unlink)
            for player in (human, robot):
                await player.send(FinishInput())
            await human.until(lambda: human.over)
        log = server.host.log_path(spec.session_id)
        assert verify(log.read_bytes()).lost_bytes == 0
        assert replayed(log).digest() == server.results[0].state_digest


async def test_a_disk_that_becomes_read_only_opens_no_homes(
    data: Path, small_disk: SmallDisk
) -> None:
    write_near_task(data)
    disk = small_disk(data / "recordings")
    async with PlayServer(data, disk_reserve_mb=0.1) as server:
        remount(disk, "ro")
        assert "cannot be written" in server.host.problems()[0]
        with pytest.raises(HostError, match="Read-only file system"):
            await server.open(NEAR)
        remount(disk, "rw")
        assert server.host.problems() == []
        await server.open(NEAR)
