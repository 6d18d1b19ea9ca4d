"""Houses, tasks and logs that are away for a moment, or for good: sessions wait for them."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from server.hosting import resumption
from server.recording.salvaged_result import UNREADABLE
from server.wire.messages import DidEvent, FinishInput
from tests.load.near_task import NEAR, Reach
from tests.load.play_server import PlayServer
from tests.load.protocol_client import ProtocolClient
from tests.server.faults.conftest import StartNearServer
from tests.server.faults.test_fault_worker import until_back, worker_pids
from tests.server.faults.visitor import Visitor, eventually, recorded_digest, replayed

pytestmark = pytest.mark.processes


@contextmanager
def away(*paths: Path) -> Iterator[None]:
    """Let files be missing for a while, as on a network mount that comes up late."""
    hidden = [path.with_name(f"{path.name}.away") for path in paths]
    for path, other in zip(paths, hidden, strict=True):
        path.rename(other)
    try:
        yield
    finally:
        for path, other in zip(paths, hidden, strict=True):
            other.rename(path)


@contextmanager
def pipe_instead(log: Path) -> Iterator[None]:
    """Let a log be a named pipe for a while, to which nobody writes."""
    with away(log):
        os.mkfifo(log)
        try:
            yield
        finally:
            log.unlink()


async def until_told(client: ProtocolClient, *codes: str) -> None:
    await client.until(lambda: tuple(n.code for n in client.notices) == codes)


@pytest.mark.parametrize("folder", ["houses", "catalogue", "recordings"])
async def test_a_worker_that_dies_while_files_are_away_resumes_when_they_are_back(
    play_dir: Path, reach: Reach, folder: str
) -> None:
    async with PlayServer(play_dir) as server:
        spec = await server.open(NEAR, solo=True)
        async with server.client(spec, "human_0") as human:
            await human.until_playing()
            cup = human.model.index(reach.handle)
            assert isinstance(await human.act("pick", cup), DidEvent)
            hosted = server.host._sessions[spec.session_id]
            with away(play_dir / folder):
                (pid,) = worker_pids()
                os.kill(pid, signal.SIGKILL)
                await eventually(lambda: hosted.resumption is not None)
                assert human.over == []
            await until_back(human, 2)
            assert human.model.things[human.model.index(reach.handle)].holder == human.me
            assert human.notices[-1].code == "reconnected"
            assert {n.code for n in human.notices} == {"reconnecting", "reconnected"}
        assert server.ended == []


@pytest.mark.parametrize("missing", ["recordings", pytest.param("a pipe", marks=pytest.mark.long)])
async def test_a_server_that_starts_before_its_mount_resumes_its_sessions(
    near_server: StartNearServer, missing: str
) -> None:
    """Recordings are away when the next process starts; a page is there already.

    Or a log is a pipe, for which neither process may wait.

    (Without houses it does not start at all, and its service manager starts it again.)
    """
    server = near_server()
    ann = Visitor(server)
    await ann.move_in()
    async with ann.client() as client:
        await client.until_playing()
        thing = client.model.index(server.reach.handle)
        assert isinstance(await client.act("pick", thing), DidEvent)
        server.kill()
        await client.closed()
    log = server.data_dir / "recordings" / f"{ann.session_id}.jsonl"
    with pipe_instead(log) if missing == "a pipe" else away(log.parent):
        server.start()
        client = ann.client()
        await client.open()
        await until_told(client, "reconnecting")
    await client.until_playing(30)
    assert client.model.things[client.model.index(server.reach.handle)].holder == client.me
    await client.send(FinishInput())
    await client.until(lambda: client.over)
    await client.stop()
    assert replayed(log).digest() == recorded_digest(server.data_dir, ann.session_id)


async def test_a_log_that_vanished_is_no_new_session(
    play_dir: Path, reach: Reach, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Players are told that it broke, and the result says that nothing of it is recorded."""
    monkeypatch.setattr(resumption, "PATIENCE_S", 1.5)
    async with PlayServer(play_dir) as server:
        spec = await server.open(NEAR, solo=True)
        async with server.client(spec, "human_0") as human:
            await human.until_playing()
            log = server.host.log_path(spec.session_id)
            os.kill(worker_pids()[0], signal.SIGSTOP)
            log.unlink()
            os.kill(worker_pids()[0], signal.SIGKILL)
            await human.until(lambda: human.over)
            told = human.notices[-1]
            assert (told.code, told.text) == (
                "server",
                "This home broke and cannot go on. What you did in it could not be saved.",
            )
            assert human.snapshots == 1
        (result,) = server.results
        assert (result.reason, result.verdict.status) == ("failed", "unavailable")
        assert result.verdict.reason == UNREADABLE
        assert not log.exists()
        assert [session_id for session_id, _ in server.ended] == [spec.session_id]
