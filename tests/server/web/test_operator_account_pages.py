"""Accounts on their page: the same rules and the same log as the commands."""

from __future__ import annotations

import asyncio

import httpx
import pytest

from server.operator_accounts import Role, hash_password
from server.store.operators import all_operators
from server.web.operators import account_pages
from tests.server.web.conftest import MakeSite, RunningSite
from tests.server.web.doubles import Browser
from tests.server.web.operator_accounts import (
    PASSWORD,
    add_account,
    logged,
    sign_in,
    signed_in,
)

LIST = "/operator/accounts"
TOKEN = "the token of this test, long enough"


async def add(browser: Browser, name: str, role: str, **changes: str) -> httpx.Response:
    given = {"name": name, "role": role, "password": PASSWORD, "again": PASSWORD}
    return await browser.press(LIST, LIST, **{**given, **changes})


async def change(browser: Browser, name: str, what: str, **fields: str) -> httpx.Response:
    page = f"{LIST}/{name}"
    return await browser.press(page, page, change=what, **fields)


async def test_an_account_is_added_changed_signed_out_and_removed_and_all_is_logged(
    site: RunningSite,
) -> None:
    await add_account(site, "anna")
    browser = await signed_in(site, "anna")
    assert (await add(browser, "Ben", "watch")).status_code == 303
    ben = await signed_in(site, "ben")
    page = (await browser.get(LIST)).text
    assert "1 browser<" in page
    assert PASSWORD not in page
    assert (await ben.get(LIST)).status_code == 403
    assert LIST not in (await ben.get("/operator")).text
    assert (await change(browser, "ben", "role", role="run")).status_code == 303
    assert "ben (run)" in (await ben.get("/operator")).text
    assert (await change(browser, "ben", "sign_out")).status_code == 303
    assert (await ben.get("/operator")).status_code == 403
    assert (await change(browser, "ben", "remove")).status_code == 303
    assert (await sign_in(site.browser("192.0.2.7"), "ben")).status_code == 403
    assert (await browser.get(f"{LIST}/ben")).status_code == 404
    rows = [(row.act, row.target, row.detail) for row in await logged(site, "anna")][1:]
    assert rows == [
        ("add_operator", "ben", "watch"),
        ("set_role", "ben", "run, before: watch"),
        ("end_sign_ins", "ben", "1"),
        ("remove_operator", "ben", ""),
    ]


async def test_what_the_command_refuses_the_page_refuses_and_changes_nothing(
    site: RunningSite,
) -> None:
    browser = site.browser()
    # Whoever uses a browser on this machine makes the first account, which administers.
    refused = await add(browser, "ben", "watch")
    assert (refused.status_code, "first account" in refused.text) == (409, True)
    for changes, why in (
        ({"password": "short", "again": "short"}, "at least 12"),
        ({"again": "something else entirely"}, "differ"),
        ({"role": "root"}, "expected a role"),
        ({"name": "token"}, "choose another name"),
    ):
        refused = await add(browser, **{"name": "ben", "role": "administer", **changes})
        assert (refused.status_code, why in refused.text) == (409, True), refused.text
    assert (await add(browser, "anna", "administer")).status_code == 303
    anna = await signed_in(site, "anna")
    refused = await add(anna, "anna", "watch")
    assert "has an account already" in refused.text
    for what in ("remove", "role"):
        refused = await change(anna, "anna", what, role="watch")
        assert "the last who may administer" in refused.text
    assert "expected one of the buttons" in (await change(anna, "anna", "dance")).text
    acts = [row.act for row in await logged(site)]
    assert acts == ["add_operator", "sign_in"]


async def test_a_request_of_the_token_that_is_on_its_way_adds_nobody_beside_the_first_account(
    make_site: MakeSite, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with make_site(metrics_token=TOKEN).running() as site:
        browser = site.browser()
        browser.client.headers["authorization"] = f"Bearer {TOKEN}"

        def first_account_is_made(password: str) -> str:
            asyncio.run_coroutine_threadsafe(add_account(site, "anna"), loop).result()
            return hash_password(password)

        loop = asyncio.get_running_loop()
        monkeypatch.setattr(f"{account_pages.__name__}.hash_password", first_account_is_made)
        assert (await add(browser, "mole", "administer")).status_code == 403
        async with site.state.database.transaction() as db:
            assert [row.name for row in await all_operators(db)] == ["anna"]


async def test_two_who_remove_each_other_at_once_leave_one_who_administers(
    site: RunningSite,
) -> None:
    await add_account(site, "anna")
    await add_account(site, "ben")
    anna, ben = await signed_in(site, "anna"), await signed_in(site, "ben")
    answers = await asyncio.gather(change(anna, "ben", "remove"), change(ben, "anna", "remove"))
    assert sorted(answer.status_code for answer in answers) in ([303, 403], [303, 409])
    async with site.state.database.transaction() as db:
        left = [Role.of(row.role) for row in await all_operators(db)]
    assert left == [Role.ADMINISTER]


async def test_whoever_is_removed_while_their_request_is_on_its_way_adds_nobody(
    site: RunningSite, monkeypatch: pytest.MonkeyPatch
) -> None:
    await add_account(site, "anna")
    await add_account(site, "mole")
    anna, mole = await signed_in(site, "anna"), await signed_in(site, "mole")
    removed: list[int] = []

    def removed_meanwhile(password: str) -> str:
        # The role was looked at, and the account is not added yet.
        done = asyncio.run_coroutine_threadsafe(change(anna, "mole", "remove"), loop)
        removed.append(done.result().status_code)
        return hash_password(password)

    loop = asyncio.get_running_loop()
    monkeypatch.setattr(f"{account_pages.__name__}.hash_password", removed_meanwhile)
    assert (await add(mole, "back", "administer")).status_code == 403
    assert removed == [303]
    async with site.state.database.transaction() as db:
        assert {row.name for row in await all_operators(db)} == {"anna"}
