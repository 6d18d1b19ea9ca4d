"""Accounts of operators for tests, and browsers that sign in with them."""

from __future__ import annotations

import re
from functools import cache

import httpx

from server.operator_accounts import Role, hash_password
from server.store.operator_acts import Filter, acts_before
from server.store.operator_models import OperatorActRow
from server.store.operators import add_operator
from tests.server.web.conftest import RunningSite
from tests.server.web.doubles import ORIGIN, Browser

PASSWORD = "the cat sleeps on the warm oven"
kept = cache(hash_password)
"""Hash of a password; making one takes as long as a guess."""


async def add_account(
    site: RunningSite, name: str, role: Role = Role.ADMINISTER, password: str = PASSWORD
) -> None:
    async with site.state.database.transaction() as db:
        add_operator(db, name, role, kept(password), site.state.now())


async def sign_in(browser: Browser, name: str, password: str = PASSWORD) -> httpx.Response:
    """Send the form of the way in, which stands on a page that answers 403."""
    page = (await browser.client.get("/operator/log")).text
    found = re.search(r'name="form_token" value="(\w+)"', page)
    assert found, page
    return await browser.client.post(
        "/operator/enter",
        data={"form_token": found[1], "name": name, "password": password},
        headers={"origin": ORIGIN},
    )


async def signed_in(site: RunningSite, name: str, address: str = "192.0.2.1") -> Browser:
    """Return a browser that has signed in with an account."""
    browser = site.browser(address)
    answer = await sign_in(browser, name)
    assert answer.status_code == 303, answer.text
    return browser


async def logged(site: RunningSite, who: str = "") -> list[OperatorActRow]:
    """Return the log, the oldest first."""
    async with site.state.database.transaction() as db:
        return (await acts_before(db, None, 10_000, Filter(who=who)))[::-1]
