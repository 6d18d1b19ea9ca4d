"""Hostile requests over HTTP: forms, queries and headers. Each is answered, and never with 500."""

from __future__ import annotations

import asyncio
import random
import re
from collections.abc import Iterable

import httpx
from fastapi import APIRouter

from server.web import (
    assets,
    health,
    home,
    lobby_pages,
    metrics,
    play_pages,
    report_pages,
)
from server.web.operators import pages as operator_pages
from tests.load.fuzz_tally import ANSWER_S, Tally
from tests.load.hostile import EDGES, TEXTS

ROUTERS: tuple[APIRouter, ...] = tuple(
    module.router
    for module in (
        assets,
        health,
        home,
        lobby_pages,
        metrics,
        operator_pages,
        play_pages,
        report_pages,
    )
)
FIELDS = ("form_token", "robot", "token", "code", "name", "password", "page", "x")
CHARSETS = ("", "; charset=utf-16", "; charset=utf-7", "; charset=nothing", "; boundary=x")
KINDS = ("application/x-www-form-urlencoded", "multipart/form-data", "application/json", "x", "")
HEADERS = (
    "cookie",
    "origin",
    "referer",
    "user-agent",
    "accept",
    "range",
    "x-forwarded-for",
    "x-forwarded-proto",
    "forwarded",
    "if-none-match",
    "authorization",
    "host",
)


def paths(method: str) -> list[str]:
    """Return the paths of all pages, as the program declares them."""
    return sorted(
        route.path  # type: ignore[attr-defined]
        for router in ROUTERS
        for route in router.routes
        if method in getattr(route, "methods", ())
    )


def noise(rng: random.Random) -> str:
    """Return a value that no page has."""
    return rng.choice(
        (
            *TEXTS,
            *map(str, EDGES),
            "../" * 9 + "etc/passwd",
            "%00",
            "%ff",
            "a" * 3000,
            "tic_0",
            "ses_0123456789abcdef",
            "${jndi:ldap://x}",
            "a\r\nset-cookie: x=1",
        )
    )


class RequestFuzz:
    """Hostile requests to a server."""

    def __init__(self, url: str, tally: Tally, rng: random.Random) -> None:
        self._url, self._tally, self._rng = url, tally, rng
        self._client = httpx.AsyncClient(base_url=url, trust_env=False, timeout=ANSWER_S)
        self._posts, self._gets = paths("POST"), paths("GET")
        self._token = ""

    async def close(self) -> None:
        await self._client.aclose()

    async def form(self) -> None:
        """Post a form that no page has."""
        rng = self._rng
        if not self._token:
            shown = await self._client.get("/")
            found = re.search(r'name="form_token" value="(\w+)"', shown.text)
            self._token = found[1] if found else "x"
        path = self._filled(rng.choice(self._posts))
        kind = rng.choice(KINDS)
        headers = {"content-type": kind + rng.choice(CHARSETS)} if kind else {}
        if rng.random() < 0.5:
            headers["origin"] = rng.choice((self._url, "null", "https://evil.example", "\x00"))
        await self._send("forms", "POST", path, headers, self._body(kind))

    async def query(self) -> None:
        """Ask for a page with parameters and headers that no browser sends."""
        rng = self._rng
        path = self._filled(rng.choice(self._gets))
        pairs = [f"{noise(rng)}={noise(rng)}" for _ in range(rng.randrange(4))]
        names = rng.sample(HEADERS, rng.randrange(4))
        headers = {name: rng.choice((noise(rng), self._url)) for name in names}
        method = rng.choice(("GET", "GET", "GET", "HEAD", "PUT", "DELETE", "TRACE", "B\x01D"))
        query = rng.choice((f"?{'&'.join(pairs)}", "?" * 9, "#", ""))
        await self._send("queries", method, path + query, headers, b"")

    def _filled(self, path: str) -> str:
        return re.sub(r"\{.*?\}", lambda _: noise(self._rng), path)

    def _body(self, kind: str) -> bytes:
        rng = self._rng
        names = [rng.choice(FIELDS) for _ in range(rng.randrange(5))]
        values = [self._token if rng.random() < 0.3 else noise(rng) for _ in names]
        if rng.random() < 0.05:
            values = [value * rng.choice((1, 100)) for value in values]
        if kind.startswith("multipart") and rng.random() < 0.8:
            return _multipart(names, values, rng)
        if rng.random() < 0.2:
            return rng.randbytes(rng.choice((0, 10, 9000)))
        text = "&".join(f"{n}={v}" for n, v in zip(names, values, strict=True))
        return text.encode(rng.choice(("utf-8", "utf-16", "utf-7")), errors="surrogatepass")

    async def _send(
        self, surface: str, method: str, path: str, headers: dict[str, str], body: bytes
    ) -> None:
        """Write a request as it is, with all that is wrong with it, and read the answer."""
        host = self._url.removeprefix("http://")
        lines = [f"{method} {_target(path, self._rng)} HTTP/1.1"]
        lines += [] if "host" in headers else [f"host: {host}"]
        lines += [f"{name}: {_header(value, self._rng)}" for name, value in headers.items()]
        lengths = list(_lengths(body, self._rng))
        # Of a body that is shorter than it says, nothing more comes.
        ends = lengths != [f"content-length: {len(body)}"]
        lines += lengths
        data = "\r\n".join((*lines, "connection: close", "", "")).encode() + body
        try:
            async with asyncio.timeout(ANSWER_S):
                answer = await self._ask(host, data, ends)
        except TimeoutError:
            self._tally.surprise(surface, "no answer", data)
            return
        except ConnectionError:
            self._tally.count(surface, "cut off")
            return
        status = answer[9:12].decode(errors="replace")
        if not answer.startswith(b"HTTP/1.1 "):
            # What is no request at all is not answered: the connection is closed.
            self._tally.count(surface, "cut off")
        elif status.startswith("5") and status != "503":
            self._tally.surprise(surface, f"HTTP {status}", data)
        else:
            self._tally.count(surface, f"HTTP {status}")

    async def _ask(self, host: str, data: bytes, ends: bool) -> bytes:
        """Send bytes; return the answer, until the server closes."""
        reader, writer = await asyncio.open_connection(*host.split(":"))
        try:
            writer.write(data)
            if ends:
                writer.write_eof()
            return await reader.read()
        finally:
            writer.close()


def _target(path: str, rng: random.Random) -> str:
    """Return a path for the first line of a request: quoted, or nearly as it is."""
    if rng.random() < 0.05:
        return path
    return "".join(c if 33 <= ord(c) < 127 else f"%{ord(c) % 256:02x}" for c in path)


def _header(value: str, rng: random.Random) -> str:
    return value if rng.random() < 0.05 else re.sub(r"[\x00-\x1f]", " ", value)


def _lengths(body: bytes, rng: random.Random) -> Iterable[str]:
    """Yield the headers that say how long a body is: right, or not at all right."""
    match rng.randrange(20):
        case 0:
            yield f"content-length: {rng.choice((-1, 0, len(body) + 9, 10**30))}"
        case 1:
            yield f"content-length: {len(body)}"
            yield "transfer-encoding: chunked"
        case 2:
            yield f"content-length: {len(body)}"
            yield f"content-length: {len(body) + 1}"
        case _:
            yield f"content-length: {len(body)}"


def _multipart(names: list[str], values: list[str], rng: random.Random) -> bytes:
    end = rng.choice(("--x--\r\n", "", "--x"))
    file = rng.choice(("", '; filename="../../x"', '; filename="'))
    parts = "".join(
        f'--x\r\ncontent-disposition: form-data; name="{name}"{file}\r\n\r\n{value}\r\n'
        for name, value in zip(names, values, strict=True)
    )
    return (parts + end).encode()
