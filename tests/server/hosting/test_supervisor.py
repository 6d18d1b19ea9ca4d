"""The supervisor with workers that are slow, never start, die, hang or talk nonsense."""

from __future__ import annotations

import asyncio
import itertools
import time
from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest

from server.hosting import supervisor as module
from server.hosting.overload import WorkerLoad
from server.hosting.supervisor import Supervisor
from server.ipc.channel import WorkerChannel, worker_side
from server.ipc.messages import Detach, Drain, FromWorker, Hi, SessionEnded
from tests.patience import PATIENCE_S

pytestmark = pytest.mark.processes

Life = Callable[[WorkerChannel], Awaitable[None]]


class Puppet:
    """A worker process that lives in this event loop and does what a test says."""

    pid = 4711

    def __init__(self, task: asyncio.Task[None]) -> None:
        self._task = task

    async def wait(self) -> int:
        await asyncio.wait((self._task,))
        return 0

    def kill(self) -> None:
        self._task.cancel()


class Puppeteer:
    """A launcher: each launch lives the next of ``lives``, the last one for ever after."""

    def __init__(self, *lives: Life | None) -> None:
        self._lives = list(lives)
        self.launches: list[float] = []

    async def launch(self, socket_path: Path) -> Puppet:
        self.launches.append(time.monotonic())
        life = self._lives.pop(0) if len(self._lives) > 1 else self._lives[0]
        return Puppet(asyncio.create_task(self._live(life, socket_path)))

    async def _live(self, life: Life | None, socket_path: Path) -> None:
        if life is None:
            return
        channel = worker_side(*await asyncio.open_unix_connection(socket_path))
        try:
            await life(channel)
        finally:
            channel.close()


async def well(channel: WorkerChannel) -> None:
    channel.send(Hi(4711))
    while True:
        for message in await channel.receive():
            if isinstance(message, Drain):
                return


async def short(channel: WorkerChannel) -> None:
    channel.send(Hi(4711))
    channel.send(SessionEnded("ses_1", "last words"))
    await asyncio.sleep(0.01)


async def mute(channel: WorkerChannel) -> None:
    channel.send(Hi(4711))
    await asyncio.sleep(3600)


async def garbled(channel: WorkerChannel) -> None:
    channel.send(Hi(4711))
    await channel.drain()
    channel._writer.write(b"\x03\x00\x00\x00\xc1\xc1\xc1")
    await asyncio.sleep(3600)


class Watched:
    """A supervisor and what it told."""

    def __init__(self, launcher: Puppeteer, folder: Path) -> None:
        self.launcher = launcher
        self.ups = self.downs = 0
        self.at_work: list[frozenset[str]] = []
        self.heard: list[FromWorker] = []
        self.supervisor = Supervisor(
            "w",
            launcher,
            folder / "w.sock",
            WorkerLoad(0),
            on_up=self._up,
            on_down=self._down,
            on_message=self.heard.append,
        )

    def _up(self) -> None:
        self.ups += 1

    def _down(self, at_work: frozenset[str]) -> None:
        self.downs += 1
        self.at_work.append(at_work)

    async def until_ups(self, count: int) -> None:
        async with asyncio.timeout(PATIENCE_S):
            while self.ups < count:  # noqa: ASYNC110 — a plain counter
                await asyncio.sleep(0.01)


async def test_it_is_up_when_the_worker_says_so_and_ends_with_it(tmp_path: Path) -> None:
    watched = Watched(Puppeteer(well), tmp_path)
    await watched.supervisor.start()
    assert watched.supervisor.is_up
    watched.supervisor.send(Detach(1))
    await watched.supervisor.stop()
    assert (watched.ups, watched.downs) == (1, 0)
    assert not watched.supervisor.is_up
    watched.supervisor.send(Detach(1))


async def test_a_worker_that_died_is_started_again_and_its_last_words_are_heard(
    tmp_path: Path,
) -> None:
    watched = Watched(Puppeteer(short, well), tmp_path)
    await watched.supervisor.start()
    await watched.until_ups(2)
    assert watched.downs == 1
    assert watched.at_work == [frozenset()]
    assert watched.heard == [SessionEnded("ses_1", "last words")]
    assert watched.supervisor.restarts == 1
    await watched.supervisor.stop()


async def test_a_crash_loop_backs_off(tmp_path: Path) -> None:
    watched = Watched(Puppeteer(short), tmp_path)
    await watched.supervisor.start()
    await watched.until_ups(4)
    await watched.supervisor.stop()
    gaps = [b - a for a, b in itertools.pairwise(watched.launcher.launches)]
    # Each pause is four times the last; a busy machine can only add to it.
    assert all(gap >= module.FIRST_BACKOFF_S * 4**n for n, gap in enumerate(gaps))


@pytest.mark.parametrize("life", [mute, garbled])
async def test_one_that_hangs_or_talks_nonsense_is_replaced(
    life: Life, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "SILENCE_S", 0.2)
    watched = Watched(Puppeteer(life, well), tmp_path)
    await watched.supervisor.start()
    await watched.until_ups(2)
    await watched.supervisor.stop()


async def test_one_that_never_starts_is_an_error_that_says_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "START_TIMEOUT_S", 0.5)
    watched = Watched(Puppeteer(None), tmp_path)
    with pytest.raises(RuntimeError, match="ended at once"):
        await watched.supervisor.start()
    assert (watched.ups, watched.downs) == (0, 0)
