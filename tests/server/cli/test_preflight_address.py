"""Check of the public address: a real server, behind real proxies that do it right and wrong."""

from __future__ import annotations

import asyncio
import re
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from matchmaking.study.recruiter import Recruiter
from server.cli.preflight.checks import Result
from server.settings import Settings
from server.wall_clock import utc_now
from server.web.guarded_server import GuardedServer, config_for
from tests.live_server import free_port
from tests.patience import PATIENCE_S
from tests.server.cli.preflight_subjects import checked, study_of
from tests.server.web.conftest import RunningSite
from tests.server.web.doubles import make_settings
from tests.server.web.participants.visitors import ALL_CODES

pytestmark = pytest.mark.processes
Change = Callable[[list[bytes]], list[bytes]]
FROM = "127.0.0.1"
PROXY = "127.0.0.9"
"""Address from which the proxy asks, and which is not that of whoever asks it."""


@asynccontextmanager
async def serving(settings: Settings) -> AsyncIterator[None]:
    site = RunningSite(settings)
    server = GuardedServer(config_for(site.app, settings), settings)
    running = asyncio.create_task(server.serve())
    try:
        async with asyncio.timeout(PATIENCE_S):
            while not server.started:  # noqa: ASYNC110 — the server has no event for it
                await asyncio.sleep(0.01)
        yield
    finally:
        server.should_exit = True
        await running


@asynccontextmanager
async def proxy(port: int, to: int, change: Change) -> AsyncIterator[None]:
    """Run a proxy that hands on each request with its head changed."""
    open_tasks: set[asyncio.Task[None]] = set()

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task is not None
        open_tasks.add(task)
        try:
            head = (await reader.readuntil(b"\r\n\r\n")).split(b"\r\n")[:-2]
            source, sink = await asyncio.open_connection(FROM, to, local_addr=(PROXY, 0))
            sink.write(b"\r\n".join([*change(head), b"", b""]))
            both = asyncio.gather(_copy(reader, sink), _copy(source, writer))
            await both
        finally:
            writer.close()
            open_tasks.discard(task)

    server = await asyncio.start_server(serve, FROM, port)
    try:
        yield
    finally:
        server.close()
        for task in list(open_tasks):
            task.cancel()
        await asyncio.gather(*open_tasks, return_exceptions=True)


async def _copy(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    try:
        while data := await reader.read(65536):
            writer.write(data)
        writer.close()
    except ConnectionError:
        writer.close()


def without(head: list[bytes], *names: bytes) -> list[bytes]:
    return [line for line in head if line.split(b":")[0].lower() not in names]


def as_documented(head: list[bytes]) -> list[bytes]:
    """Hand on all, and who asks in place of what they claim."""
    return [*without(head, b"x-forwarded-for"), f"X-Forwarded-For: {FROM}".encode()]


def with_claims(head: list[bytes]) -> list[bytes]:
    return head


def without_upgrade(head: list[bytes]) -> list[bytes]:
    return without(as_documented(head), b"upgrade", b"connection")


def with_own_host(head: list[bytes]) -> list[bytes]:
    return [*without(as_documented(head), b"host"), b"Host: inside.invalid"]


class Place:
    """A server behind a proxy, and what the check says of its public address."""

    def __init__(self, folder: Path, **changes: object) -> None:
        self.public = free_port()
        self.settings = make_settings(
            folder,
            port=free_port(),
            public_url=f"http://{FROM}:{self.public}",
            metrics_token="a token that nobody here knows",
            **changes,
        )

    async def found(self, **more: Any) -> Result:
        return await asyncio.to_thread(checked, "address", self.settings, **more)

    async def through(self, change: Change) -> Result:
        async with serving(self.settings), proxy(self.public, self.settings.port, change):
            return await self.found()


async def test_a_proxy_that_does_all_right(tmp_path: Path) -> None:
    found = await Place(tmp_path, proxy_ips=PROXY).through(as_documented)
    assert found.level == "ok", found
    assert f"is seen as {FROM}" in found.found
    assert "websockets pass" in found.found


@pytest.mark.parametrize(
    ("change", "proxy_ips", "said"),
    [
        (without_upgrade, PROXY, "websockets do not pass"),
        (with_claims, PROXY, "can claim any address"),
        (as_documented, "", f"all visitors are seen as {PROXY}"),
        (with_own_host, PROXY, "under another name"),
    ],
    ids=["no websockets", "hands on claims", "not believed", "another host"],
)
async def test_a_proxy_that_does_something_wrong(
    change: Change, proxy_ips: str, said: str, tmp_path: Path
) -> None:
    found = await Place(tmp_path, proxy_ips=proxy_ips).through(change)
    assert (found.level, said in found.found) == ("fail", True), found
    assert "docs/deployment.md" in found.remedy


async def test_an_address_that_nobody_answers_at(tmp_path: Path) -> None:
    place = Place(tmp_path)
    async with serving(place.settings):
        found = await place.found()
    assert (found.level, "does not answer from here" in found.found) == ("fail", True), found


async def test_another_server_behind_the_address(tmp_path: Path) -> None:
    ours, other = Place(tmp_path / "ours"), Place(tmp_path / "other")
    elsewhere = proxy(ours.public, other.settings.port, as_documented)
    async with serving(ours.settings), serving(other.settings), elsewhere:
        found = await ours.found()
    assert (found.level, "something else answers" in found.found) == ("fail", True), found


async def test_the_clock_of_whoever_answers(tmp_path: Path) -> None:
    place = Place(tmp_path, proxy_ips=PROXY)
    async with serving(place.settings), proxy(place.public, place.settings.port, as_documented):
        found = await place.found(now=lambda: utc_now() + timedelta(minutes=3))
    # The token is dated by the true clock here; only the answer's date is read by the other.
    # On a busy machine the answer is some seconds old.
    told = re.search(r"-1[789]\d s from this machine's clock", found.found)
    assert (found.level, told is not None) == ("fail", True), found


async def test_without_a_public_address(tmp_path: Path) -> None:
    settings = make_settings(tmp_path, port=free_port())
    async with serving(settings):
        near = await asyncio.to_thread(checked, "address", settings, study_of())
        recruiter = Recruiter(kind="prolific", codes=ALL_CODES)
        paid = await asyncio.to_thread(checked, "address", settings, study_of(recruiter=recruiter))
    assert (near.level, "COHABIT_PUBLIC_URL" in near.remedy) == ("warn", True), near
    assert paid.level == "fail"


async def test_strangers_learn_nothing_of_it(tmp_path: Path) -> None:
    async with RunningSite(make_settings(tmp_path)).running() as site:
        browser = site.browser()
        assert (await browser.get("/preflight/nonsense")).status_code == 404
        token = site.state.tokens.sign_preflight_answer("n", "p")
        assert (await browser.get(f"/preflight/{token}")).status_code == 404
        told = (await browser.get(f"/preflight/{site.state.tokens.sign_preflight('n')}")).json()
        assert site.state.tokens.read_preflight_answer(told["answer"])[0] == "n"
        assert told["client"] == "127.0.0.1"
