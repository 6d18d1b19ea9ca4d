"""Hosts that are not ours: refused in front of every page, with a page that says what to set."""

from __future__ import annotations

import base64
import hashlib
import re

import httpx
import pytest

from tests.server.web.conftest import MakeSite, RunningSite

FOREIGN = "evil.example:8000"


async def ask(
    site: RunningSite, path: str, host: str | bytes, method: str = "GET", **headers: str
) -> httpx.Response:
    transport = httpx.ASGITransport(site.app, client=("127.0.0.1", 4000))
    async with httpx.AsyncClient(transport=transport, base_url="http://127.0.0.1:8000") as client:
        sent = [(b"host", host if isinstance(host, bytes) else host.encode())]
        sent += [(name.encode(), value.encode()) for name, value in headers.items()]
        return await client.request(method, path, headers=sent)


@pytest.mark.parametrize(
    ("method", "path"),
    [
        ("GET", "/"),
        ("POST", "/play/solo"),
        ("GET", "/operator"),
        ("POST", "/operator/enter"),
        ("GET", "/metrics"),
        ("GET", "/nowhere"),
        ("GET", "/healthz/"),
        ("GET", "/static/client/assets/site-1234.js"),
        ("OPTIONS", "/"),
    ],
)
async def test_a_foreign_host_is_told_what_to_set(
    site: RunningSite, method: str, path: str
) -> None:
    answer = await ask(site, path, FOREIGN, method)
    assert answer.status_code == 421
    assert "COHABIT_ALLOWED_HOSTS=evil.example" in answer.text
    assert "set-cookie" not in answer.headers
    assert answer.headers["cache-control"] == "no-store"
    assert answer.headers["x-content-type-options"] == "nosniff"


async def test_the_page_needs_nothing_that_would_be_refused_too(site: RunningSite) -> None:
    answer = await ask(site, "/", FOREIGN)
    assert not re.search(r"<script|<link|src=|href=|@import|url\(", answer.text)
    style = re.search(r"<style>(.*?)</style>", answer.text, re.S)
    assert style
    digest = base64.b64encode(hashlib.sha256(style[1].encode()).digest()).decode()
    assert f"style-src 'sha256-{digest}'" in answer.headers["content-security-policy"]
    assert "default-src 'none'" in answer.headers["content-security-policy"]


@pytest.mark.parametrize(
    "host",
    [
        b"",
        b"<script>alert(1)</script>",
        b"user:password@127.0.0.1:8000",
        b"127.0.0.1:8000, evil.example",
        b"127.0.0.1:8000/evil",
        b"127.0.0.1\xff",
        b"127.0.0.1:99999",
        b"127.1",
        b"::1",
        b"a" * 300,
    ],
)
async def test_what_is_no_host_is_refused_and_not_repeated(site: RunningSite, host: bytes) -> None:
    answer = await ask(site, "/", host)
    assert answer.status_code == 400
    assert "COHABIT_ALLOWED_HOSTS" in answer.text
    for part in ("<script", "alert", "password", "evil", "\xff", "aaaa"):
        assert part not in answer.text


async def test_two_hosts_are_refused(site: RunningSite) -> None:
    transport = httpx.ASGITransport(site.app)
    async with httpx.AsyncClient(transport=transport, base_url="http://127.0.0.1:8000") as client:
        twice = [("host", "127.0.0.1:8000"), ("host", "127.0.0.1:8000")]
        assert (await client.get("/", headers=twice)).status_code == 400


@pytest.mark.parametrize(
    "host", ["localhost:8000", "LOCALHOST", "localhost.", "127.4.5.6:1", "[::1]:8000"]
)
async def test_the_loopback_is_always_a_host(site: RunningSite, host: str) -> None:
    assert (await ask(site, "/", host)).status_code == 200


@pytest.mark.parametrize("host", [b"evil.example", b"10.0.0.1:8000", b"", b"no host at all"])
async def test_load_balancers_ask_for_any_host(site: RunningSite, host: bytes) -> None:
    assert (await ask(site, "/healthz", host)).json()["status"] == "ok"
    ready = await ask(site, "/readyz", host)
    assert ready.json() == {"status": "ok"}, "without the details"


async def test_scrapers_ask_for_any_host_with_the_token(make_site: MakeSite) -> None:
    async with make_site(metrics_token="open sesame, please").running() as site:
        right = {"authorization": "Bearer open sesame, please"}
        assert (await ask(site, "/metrics", "cohabit:8000", **right)).status_code == 200
        wrong = {"authorization": "Bearer sesame"}
        assert (await ask(site, "/metrics", "cohabit:8000", **wrong)).status_code == 403
        assert (await ask(site, "/metrics", "cohabit:8000")).status_code == 421
        # Nor does the token open pages of another name.
        assert (await ask(site, "/operator", "cohabit:8000", **right)).status_code == 421
        details = await ask(site, "/readyz", "cohabit:8000", **right)
        assert "problems" in details.json()


async def test_allowed_hosts_and_the_public_address_are_ours(make_site: MakeSite) -> None:
    made = make_site(
        public_url="https://homes.example.org",
        metrics_token="open sesame, please",
        allowed_hosts="*.lab.example, pc.local:8000",
    )
    async with made.running() as site:
        for host in ("homes.example.org", "HOMES.example.org:443", "a.lab.example", "pc.local"):
            assert (await ask(site, "/", host)).status_code == 200
        for host in ("lab.example", "example.org", "homes.example.org.evil.example"):
            assert (await ask(site, "/", host)).status_code == 421


async def test_an_invitation_names_the_public_address(make_site: MakeSite) -> None:
    made = make_site(public_url="http://homes.example.org", metrics_token="open sesame, please")
    async with made.running() as site:
        browser = site.browser()
        answer = await browser.press("/", "/play/invite")
        page = await browser.get(answer.headers["location"])
        assert re.search(r'value="http://homes\.example\.org/invite/\w+"', page.text)


async def test_an_invitation_names_no_host_that_was_forged(site: RunningSite) -> None:
    browser = site.browser()
    lobby = (await browser.press("/", "/play/invite")).headers["location"]
    forged = await browser.client.get(lobby, headers={"host": "evil.example"})
    assert forged.status_code == 421
    assert "/invite/" not in forged.text
    sideways = await browser.client.get(lobby, headers={"x-forwarded-host": "evil.example"})
    assert 'value="http://127.0.0.1:8000/invite/' in sideways.text
    assert "evil.example" not in sideways.text
