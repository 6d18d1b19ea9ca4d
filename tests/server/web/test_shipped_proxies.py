"""Limits of the proxies that are shipped and documented, run as they stand before a real server.

Times are shortened where a test would wait for them, and numbers where it would count up to them.
"""

from __future__ import annotations

import asyncio
import json
import os
import re
import resource
import shutil
import subprocess
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import AsyncExitStack, asynccontextmanager
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from server.web.http_connection import PROXY_IDLE_S
from tests.live_server import free_port
from tests.patience import PATIENCE_S
from tests.server.web.http_site import UPGRADE, Caller, Site, form, request, serving

pytestmark = pytest.mark.processes

ROOT = Path(__file__).parents[3]
FEW = 3
"""Requests at once that the proxies of these tests hand on, or connections of one address."""
DESCRIPTORS = 48
SECOND_NS = 1_000_000_000


class Proxy:
    """A proxy that runs, and the server behind it."""

    def __init__(self, site: Site, port: int) -> None:
        self.site, self._port = site, port

    async def open(self) -> Caller:
        return Caller(*await asyncio.open_connection("127.0.0.1", self._port))

    async def ask(self, data: bytes) -> int:
        async with await self.open() as caller:
            return await caller.ask(data)


Start = Callable[..., Any]


def program(name: str) -> str:
    found = shutil.which(name, path=os.pathsep.join((os.environ.get("PATH", ""), "/usr/sbin")))
    if found is None:
        pytest.skip(f"there is no {name} on this machine")
    return found


@asynccontextmanager
async def running(
    command: list[str], folder: Path, site: Site, port: int, descriptors: int = 0
) -> AsyncIterator[Proxy]:
    def limit() -> None:
        if descriptors:
            resource.setrlimit(resource.RLIMIT_NOFILE, (descriptors, descriptors))

    env = {**os.environ, "HOME": str(folder), "XDG_DATA_HOME": str(folder)}
    log = folder / "proxy.log"
    with log.open("wb") as output:
        process = await asyncio.create_subprocess_exec(
            *command, env=env, cwd=folder, stdout=output, stderr=output, preexec_fn=limit
        )
    proxy = Proxy(site, port)

    try:
        async with asyncio.timeout(PATIENCE_S):
            while not await answers(proxy):
                assert process.returncode is None, log.read_text()
                await asyncio.sleep(0.05)
        yield proxy
    finally:
        process.terminate()
        await process.wait()


async def answers(proxy: Proxy) -> bool:
    try:
        return await proxy.ask(request()) == 200
    except OSError:
        return False


def objects_in(value: object) -> Iterator[dict[str, Any]]:
    if isinstance(value, dict):
        yield value
    for part in value.values() if isinstance(value, dict) else value:  # type: ignore[attr-defined]
        if isinstance(part, dict | list):
            yield from objects_in(part)


def caddy_config(caddy: str, folder: Path, port: int, site: Site) -> dict[str, Any]:
    """Return the shipped configuration as Caddy reads it, for these ports and in short."""
    text = (ROOT / "docker" / "Caddyfile").read_text()
    version = subprocess.run([caddy, "version"], capture_output=True, text=True, check=True).stdout
    if re.match(r"v?2\.[0-6]\.", version):
        # The image's Caddy is younger than that of some distributions.
        text = re.sub(r"\n\s*stream_close_delay .*", "", text)
    text = text.replace("cohabit:8000", f"127.0.0.1:{site.port}")
    source = folder / "Caddyfile"
    source.write_text(text)
    adapted = subprocess.run(
        [caddy, "adapt", "--adapter", "caddyfile", "--config", str(source)],
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, "SITE_DOMAIN": f"http://x:{port}"},
    )
    assert adapted.returncode == 0, adapted.stderr
    config: dict[str, Any] = json.loads(adapted.stdout)
    (server,) = config["apps"]["http"]["servers"].values()
    assert server["idle_timeout"] < PROXY_IDLE_S * SECOND_NS
    server["idle_timeout"] = server["read_header_timeout"] = SECOND_NS
    (proxy,) = (o for o in objects_in(server) if o.get("handler") == "reverse_proxy")
    proxy["load_balancing"]["try_duration"] = SECOND_NS // 2
    proxy["health_checks"]["passive"]["unhealthy_request_count"] = FEW
    return {**config, "admin": {"disabled": True}}


@asynccontextmanager
async def caddy_before_it(folder: Path, descriptors: int = 0) -> AsyncIterator[Proxy]:
    caddy, port = program("caddy"), free_port()
    async with serving(folder, proxy_ips="127.0.0.1") as site:
        config = folder / "caddy.json"
        config.write_text(json.dumps(caddy_config(caddy, folder, port, site)))
        command = [caddy, "run", "--config", str(config)]
        async with running(command, folder, site, port, descriptors) as proxy:
            yield proxy


def nginx_config(folder: Path, port: int, site: Site) -> str:
    """Return the documented blocks of nginx in their places."""
    text = (ROOT / "docs" / "deployment.md").read_text()
    server, http, top = re.findall(r"^```nginx\n(.*?)^```", text, re.MULTILINE | re.DOTALL)
    for before, after in (
        ("127.0.0.1:8000", f"127.0.0.1:{site.port}"),
        ("keepalive_timeout 60s", "keepalive_timeout 1s"),
        ("client_header_timeout 10s", "client_header_timeout 1s"),
        ("limit_conn visitors 600", f"limit_conn visitors {FEW}"),
    ):
        assert server.count(before) == 1, before
        server = server.replace(before, after)
    user = "user root;" if os.geteuid() == 0 else ""
    places = "".join(
        f"{name}_temp_path {folder / name};\n"
        for name in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
    )
    return (
        f"{user}\ndaemon off;\npid {folder / 'pid'};\nerror_log stderr;\n{top}\n"
        f"http {{\naccess_log off;\n{places}\n{http}\n"
        f"server {{\nlisten 127.0.0.1:{port};\n{server}\n}}\n}}\n"
    )


@asynccontextmanager
async def nginx_before_it(folder: Path) -> AsyncIterator[Proxy]:
    nginx, port = program("nginx"), free_port()
    async with serving(folder, proxy_ips="127.0.0.1") as site:
        config = folder / "nginx.conf"
        config.write_text(nginx_config(folder, port, site))
        command = [nginx, "-e", str(folder / "error"), "-p", str(folder), "-c", str(config)]
        async with running(command, folder, site, port) as proxy:
            yield proxy


@pytest.fixture(params=[caddy_before_it, nginx_before_it], ids=["caddy", "nginx"])
def start(request: pytest.FixtureRequest, tmp_path: Path) -> Start:
    return partial(request.param, tmp_path)


async def test_websockets_and_forms_go_through_and_large_bodies_do_not(start: Start) -> None:
    async with start() as proxy, await proxy.open() as player:
        player.writer.write(request(fields=UPGRADE))
        # A frame of one byte, which is a hello here: the answer comes after it.
        player.writer.write(b"\x81\x81\0\0\0\0x")
        assert await player.answer() == 101
        assert await proxy.ask(form(64 * 1024)) == 200
        # Some releases of Caddy say 502 of a body that they have cut off.
        assert await proxy.ask(form(64 * 1024 + 1)) in (413, 502)
        assert proxy.site.bodies == [64 * 1024]


async def test_an_idle_connection_and_a_slow_head_are_closed(start: Start) -> None:
    async with start() as proxy:
        async with await proxy.open() as idle:
            assert await idle.ask(request()) == 200
            assert await idle.ended() == b"xx", "the answer, and the end"
        async with await proxy.open() as slow:
            slow.writer.write(b"GET / HTTP/1.1\r\nHost: x\r\nX-")
            await slow.ended()
        before = len(proxy.site.asked)
        assert await proxy.ask(request()) == 200
        assert len(proxy.site.asked) == before + 1


async def test_requests_at_once_have_a_limit(start: Start) -> None:
    async with start() as proxy, AsyncExitStack() as stack:
        proxy.site.may_answer.clear()
        before = len(proxy.site.asked)
        held = [await stack.enter_async_context(await proxy.open()) for _ in range(FEW)]
        for caller in held:
            caller.writer.write(request())
        await proxy.site.until(lambda: len(proxy.site.asked) == before + FEW)
        assert await proxy.ask(request()) == 503
        assert len(proxy.site.asked) == before + FEW
        proxy.site.may_answer.set()
        for caller in held:
            assert await caller.answer() == 200
        assert await proxy.ask(request()) == 200


async def test_connections_of_the_shipped_proxy_have_a_limit(tmp_path: Path) -> None:
    """Strangers who hold all of them end no play, and newcomers come in after them."""
    async with caddy_before_it(tmp_path, DESCRIPTORS) as proxy, await proxy.open() as player:
        player.writer.write(request(fields=UPGRADE) + b"\x81\x81\0\0\0\0x")
        assert await player.answer() == 101
        strangers = [await proxy.open() for _ in range(2 * DESCRIPTORS)]
        for stranger in strangers:
            stranger.writer.write(b"GET / HTTP/1.1\r\nHost: x\r\nX-")
        # All are closed when the time for a head is up, in turns; nobody else is.
        for stranger in strangers:
            await stranger.ended()
            stranger.writer.close()
        assert await proxy.ask(request()) == 200
        assert not player.reader.at_eof()
