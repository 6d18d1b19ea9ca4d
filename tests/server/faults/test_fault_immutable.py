"""Logs that may not be written for a while: sessions play on, and people are told."""

from __future__ import annotations

import os
import signal
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from server.hosting.hosted_session import HostError
from server.sessions.spec import TICK_RATE
from server.wire.messages import FinishInput, SayInput
from tests.load.near_task import NEAR, write_near_task
from tests.load.play_server import PlayServer
from tests.server.faults.test_fault_worker import until_back, worker_pids
from tests.server.faults.visitor import eventually, replayed

pytestmark = pytest.mark.processes

PLAYED_TICKS = 2 * TICK_RATE


@contextmanager
def immutable(path: Path) -> Iterator[None]:
    """Let nobody write a file or a folder; skip the test where that cannot be done."""
    command = ["chattr", "+i", str(path)]
    if os.geteuid() != 0 or subprocess.run(command, capture_output=True).returncode != 0:
        pytest.skip("only root may do this, on a file system that knows it")
    try:
        yield
    finally:
        subprocess.run(["chattr", "-i", str(path)], check=True)


async def test_a_log_that_may_not_be_written_is_told_and_written_later(data: Path) -> None:
    write_near_task(data)
    async with PlayServer(data) as server:
        spec = await server.open(NEAR, solo=True)
        log = data / "recordings" / f"{spec.session_id}.jsonl"
        async with server.client(spec, "human_0") as human:
            await human.until_playing()
            with immutable(log):
                await human.drive(300)
                await human.until(lambda: [n.code for n in human.notices] == ["unrecorded"])
                told_at = human.model.tick
                await human.until(lambda: human.model.tick > told_at + PLAYED_TICKS)
                await eventually(lambda: server.host.stats().unrecorded_s > 1)
                assert "s of play are in no log yet" in server.host.problems()[-1]
            await human.until(lambda: human.notices[-1].code == "recorded")
            await human.send(FinishInput())
            await human.until(lambda: bool(human.over))
        (result,) = server.results
        assert server.host.stats().lost_sessions == 0
    assert replayed(log).digest() == result.state_digest


async def test_play_that_a_forbidden_log_lacks_is_counted_when_the_worker_dies(data: Path) -> None:
    write_near_task(data)
    async with PlayServer(data) as server:
        spec = await server.open(NEAR, solo=True)
        log = data / "recordings" / f"{spec.session_id}.jsonl"
        async with server.client(spec, "human_0") as human:
            await human.until_playing()
            with immutable(log):
                await human.drive(300)
                await human.until(lambda: [n.code for n in human.notices] == ["unrecorded"])
                told_at = human.model.tick
                await human.send(SayInput("nobody keeps this"))
                await human.until(lambda: human.model.tick > told_at + PLAYED_TICKS)
                (pid,) = worker_pids()
                os.kill(pid, signal.SIGKILL)
                await human.until(lambda: human.notices[-1].code == "reconnecting")
            await until_back(human, 2)
            assert "lost" in [n.code for n in human.notices]
            stats = server.host.stats()
            assert (stats.lost_sessions, stats.lost_events) == (1, 1)
            assert stats.lost_seconds * TICK_RATE >= PLAYED_TICKS


async def test_a_folder_that_may_not_be_changed_keeps_nobody_from_playing_on(data: Path) -> None:
    write_near_task(data)
    async with PlayServer(data) as server:
        spec = await server.open(NEAR, solo=True)
        log = data / "recordings" / f"{spec.session_id}.jsonl"
        async with server.client(spec, "human_0") as human:
            await human.until_playing()
            with immutable(data / "recordings"):
                at = human.model.tick
                await human.drive(300)
                await human.until(lambda: human.model.tick > at + PLAYED_TICKS)
                assert human.notices == []
                with pytest.raises(HostError, match="Operation not permitted"):
                    await server.open(NEAR, solo=True)
                await human.send(FinishInput())
                await human.until(lambda: bool(human.over))
        (result,) = server.results
    assert replayed(log).digest() == result.state_digest
