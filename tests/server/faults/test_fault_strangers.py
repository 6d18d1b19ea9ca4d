"""Strangers hold every connection that there is: who plays goes on, and what dies is replaced."""

from __future__ import annotations

import asyncio
import os
import signal
import socket
import time
from collections.abc import Iterator
from contextlib import contextmanager

import httpx
import psutil
import pytest

from server.wire.messages import DidEvent, FinishInput
from tests.server.faults.conftest import StartNearServer
from tests.server.faults.visitor import Visitor, eventually

pytestmark = pytest.mark.processes

DESCRIPTORS = 256
HALF = b"GET / HTTP/1.1\r\nHost: x\r\n"


@contextmanager
def half_handshakes(port: int, addresses: int, each: int) -> Iterator[list[socket.socket]]:
    """Hold connections from several addresses that never send a whole request."""
    held = []
    for number in range(addresses * each):
        stranger = socket.socket()
        held.append(stranger)
        stranger.bind((f"127.0.0.{2 + number % addresses}", 0))
        try:
            stranger.connect(("127.0.0.1", port))
            stranger.send(HALF)
        except ConnectionError:
            # Refused: there are enough of them.
            continue
    yield held
    for stranger in held:
        stranger.close()


async def test_a_worker_is_replaced_and_pages_answer_while_strangers_hold_every_connection(
    near_server: StartNearServer,
) -> None:
    server = near_server(descriptors=DESCRIPTORS)
    ann = Visitor(server)
    await ann.move_in()
    async with ann.client() as client:
        await client.until_playing()
        thing = client.model.index(server.reach.handle)
        assert isinstance(await client.act("pick", thing), DidEvent)
        with half_handshakes(server.port, 20, 30):
            web = psutil.Process(server.pid)
            assert web.num_fds() < DESCRIPTORS - 40
            (pid,) = server.workers()
            os.kill(pid, signal.SIGKILL)
            await client.until(lambda: client.snapshots == 2)
            assert client.model.things[client.model.index(server.reach.handle)].holder == client.me
            assert server.workers() != [pid]
            async with httpx.AsyncClient(base_url=server.url, trust_env=False) as reader:
                for path in ("/healthz", "/"):
                    begun = time.monotonic()
                    assert (await reader.get(path)).status_code == 200
                    print(f"\n{path} beside strangers: {1000 * (time.monotonic() - begun):.0f} ms")
            newcomer = Visitor(server)
            await newcomer.move_in()
            async with newcomer.client() as other:
                await other.until_playing()
            await client.send(FinishInput())
            await client.until(lambda: client.over)


async def test_a_process_without_descriptors_waits_and_goes_on(
    near_server: StartNearServer,
) -> None:
    """Others than connections have used them all up: accepting fails, rests, and is tried again."""
    server = near_server()
    ann = Visitor(server)
    await ann.move_in()
    web = psutil.Process(server.pid)
    async with ann.client() as client:
        await client.until_playing()
        used = web.num_fds()
        old = web.rlimit(psutil.RLIMIT_NOFILE)
        web.rlimit(psutil.RLIMIT_NOFILE, (used, old[1]))
        with half_handshakes(server.port, 10, 5):
            await eventually(lambda: "server.cannot_accept" in server.output())
            before, tick = web.cpu_times(), client.model.tick
            await client.until(lambda: client.model.tick > tick + 60)
            after = web.cpu_times()
            spent_s = after.user + after.system - before.user - before.system
            print(f"\nprocessor time of two seconds without descriptors: {spent_s:.2f} s")
            assert server.output().count("server.cannot_accept") < 50, "it rests in between"
            web.rlimit(psutil.RLIMIT_NOFILE, old)
        async with asyncio.timeout(10):
            assert (await ann.browser.get("/healthz")).status_code == 200
