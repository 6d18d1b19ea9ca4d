"""Providers of OpenID Connect that are away, slow or broken: told, and nobody waits for them."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack

import pytest

from server.web.oidc import provider as provider_module
from tests.server.web.conftest import MakeSite, RunningSite
from tests.server.web.doubles import ORIGIN
from tests.server.web.oidc_provider import OidcProvider, serving_provider
from tests.server.web.oidc_sign_ins import TOKEN, add_known, begin, come_back, refused, way_there


@pytest.fixture
async def provider() -> AsyncIterator[OidcProvider]:
    async with serving_provider() as found:
        yield found


@pytest.fixture
async def site(make_site: MakeSite, provider: OidcProvider) -> AsyncIterator[RunningSite]:
    made = make_site(metrics_token=TOKEN, public_url=ORIGIN, **provider.settings)
    async with made.running() as running:
        await add_known(running, provider)
        yield running


BROKEN = {
    "description 500": ("description", 500, None, "it answers with the status 500"),
    "description elsewhere": ("description", 302, None, "it answers with the status 302"),
    "description no json": ("description", None, b"<html>", "it does not say what it is"),
    "description nested": ("description", None, b"[" * 100_000, "it does not say what it is"),
    "description huge": ("description", None, b" " * 300_000, "cannot be reached (Oversized)"),
    "keys 500": ("keys", 500, None, "it answers with the status 500"),
    "no keys": ("keys", None, b'{"keys": []}', "its keys cannot be read"),
    "keys that are none": ("keys", None, b'{"keys": [{"kty": "RSA"}]}', "its keys cannot be read"),
    "keys that are no list": ("keys", None, b"[1]", "its keys cannot be read"),
}


@pytest.mark.parametrize("fault", BROKEN)
async def test_a_provider_that_is_broken_is_told(
    fault: str, site: RunningSite, provider: OidcProvider
) -> None:
    where, status, body, words = BROKEN[fault]
    if status is not None:
        provider.statuses[where] = status
    if body is not None:
        provider.bodies[where] = body
    browser = site.browser("192.0.2.1")
    answer = await begin(browser)
    assert (answer.status_code, words in answer.text) == (502, True), answer.text
    assert "sign in with a password" in answer.text
    # It is left alone for a while, and then asked again.
    asked = provider.asked[where]
    assert (await begin(browser)).status_code == 502
    assert provider.asked[where] == asked
    provider.statuses.clear()
    provider.bodies.clear()
    site.passed_s += provider_module.LEFT_ALONE_S
    assert (await come_back(browser, provider)).status_code == 200


TOKEN_FAULTS = {
    "500": (500, None, "it answers with the status 500"),
    "elsewhere": (302, None, "it answers"),
    "no json": (None, b"<html>", "it answers something else"),
    "no token": (None, b"{}", "it gave no id token"),
    "a token that is none": (None, b'{"id_token": 7}', "it gave no id token"),
    "nested": (None, b"[" * 100_000, "it answers something else"),
    "huge": (None, b" " * 300_000, "cannot be reached (Oversized)"),
}


@pytest.mark.parametrize("fault", TOKEN_FAULTS)
async def test_a_provider_that_gives_no_tokens_is_told(
    fault: str, site: RunningSite, provider: OidcProvider
) -> None:
    status, body, words = TOKEN_FAULTS[fault]
    if status is not None:
        provider.statuses["token"] = status
    if body is not None:
        provider.bodies["token"] = body
    await refused(site, provider, words)


@pytest.mark.parametrize("name", ["authorization_endpoint", "token_endpoint", "jwks_uri"])
async def test_secrets_go_to_no_address_without_https(
    name: str, site: RunningSite, provider: OidcProvider
) -> None:
    provider.described = {name: "http://198.51.100.1/x"}
    answer = await begin(site.browser("192.0.2.1"))
    assert (answer.status_code, "not https" in answer.text) == (502, True)


async def test_a_provider_by_another_name_is_not_believed(
    site: RunningSite, provider: OidcProvider
) -> None:
    provider.described = {"issuer": "https://elsewhere.example.org"}
    answer = await begin(site.browser("192.0.2.1"))
    assert (answer.status_code, "calls itself otherwise" in answer.text) == (502, True)


async def test_a_slow_or_dead_provider_holds_up_nobody(
    make_site: MakeSite, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(provider_module, "PATIENCE_S", 0.5)
    async with AsyncExitStack() as stack:
        provider = await stack.enter_async_context(serving_provider())
        made = make_site(metrics_token=TOKEN, public_url=ORIGIN, **provider.settings)
        async with made.running() as site:
            provider.slow_s["description"] = 60
            browsers = [site.browser(f"192.0.2.{n}") for n in range(1, 7)]
            began = time.monotonic()
            waiting = asyncio.gather(*(begin(browser) for browser in browsers))
            await asyncio.sleep(0.1)
            assert (await site.browser("192.0.2.9").get("/")).status_code == 200
            assert not waiting.done()
            answers = await waiting
            # One asks for all; the others hear what came of it.
            assert time.monotonic() - began < 5
            assert provider.asked["description"] == 1
            for answer in answers:
                assert (answer.status_code, "did not answer within" in answer.text) == (502, True)
            provider.slow_s.clear()
            site.passed_s += provider_module.LEFT_ALONE_S
            await add_known(site, provider)
            provider.slow_s["token"] = 60
            assert "did not answer within" in (await come_back(browsers[0], provider)).text
            address = await provider.back_from(await way_there(browsers[1]))
            await stack.aclose()
            answer = await browsers[1].get(address)
            assert (answer.status_code, "it cannot be reached" in answer.text) == (502, True)
