"""Browsers in tests that sign in with a provider of OpenID Connect."""

from __future__ import annotations

import re

import httpx

from server.operator_accounts import Identity, Role
from server.store.operators import add_operator
from server.web.operator_access import COOKIE
from tests.server.web.conftest import RunningSite
from tests.server.web.doubles import ORIGIN, Browser
from tests.server.web.oidc_provider import OidcProvider
from tests.server.web.operator_accounts import logged

TOKEN = "a token that nobody here knows"


async def add_known(
    site: RunningSite, provider: OidcProvider, name: str = "anna", **identity: str
) -> None:
    known = Identity(provider.issuer, "sub", provider.subject)._replace(**identity)
    async with site.state.database.transaction() as db:
        add_operator(db, name, Role.ADMINISTER, "", site.state.now(), known)


async def begin(browser: Browser, page: str = "/operator") -> httpx.Response:
    """Press the button of the way in, which stands on a page that answers 403."""
    return await press(browser, await form_on(browser, page))


async def form_on(browser: Browser, page: str = "/operator") -> dict[str, str]:
    """Return what the button of the way in sends."""
    shown = (await browser.client.get(page)).text
    form = re.search(r'action="/operator/oidc">(.*?)</form>', shown, re.S)
    assert form, shown
    return dict(re.findall(r'name="(\w+)" value="(\w+)"', form[1]))


async def press(browser: Browser, fields: dict[str, str]) -> httpx.Response:
    return await browser.client.post("/operator/oidc", data=fields, headers={"origin": ORIGIN})


async def way_there(browser: Browser, page: str = "/operator") -> str:
    """Return the address of the provider to which a browser is sent on."""
    return there(await begin(browser, page))


def there(answer: httpx.Response) -> str:
    """Return the address to which a page leads on."""
    assert answer.status_code == 200, answer.text
    wait, _, address = answer.headers["refresh"].partition(";url=")
    assert (wait, f'href="{address.replace("&", "&amp;")}"' in answer.text) == ("0", True)
    return address


async def come_back(browser: Browser, provider: OidcProvider) -> httpx.Response:
    """Sign in with the provider, all the way."""
    return await browser.get(await provider.back_from(await way_there(browser)))


async def is_in(browser: Browser) -> bool:
    return (await browser.client.get("/operator/log")).status_code == 200


async def refused(site: RunningSite, provider: OidcProvider, *words: str) -> None:
    """Assert that somebody is not signed in, and is told why."""
    browser = site.browser("192.0.2.1")
    answer = await come_back(browser, provider)
    assert answer.status_code == 502, answer.text
    assert "Nobody was signed in" in answer.text
    for word in words:
        assert word in answer.text
    assert COOKIE not in answer.cookies
    assert not await is_in(browser)
    assert [row.act for row in await logged(site)] == []
