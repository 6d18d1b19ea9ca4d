"""Sign-ins with accounts: what opens, what ends them, and what the token still does."""

from __future__ import annotations

import hashlib
from datetime import timedelta

from server.hosting.host_stats import SeatState, SessionState
from server.operator_accounts import Role
from server.store.identifiers import new_id
from server.store.operator_models import OperatorSignInRow
from server.store.operators import (
    IDLE,
    LONGEST,
    MOST_SIGN_INS,
    end_sign_ins,
    operator_named,
    remove_operator,
    set_password,
    set_role,
)
from server.web.operator_access import COOKIE, RENEWAL
from tests.server.web.conftest import MakeSite, RunningSite
from tests.server.web.doubles import Browser, boot_of
from tests.server.web.operator_accounts import (
    PASSWORD,
    add_account,
    kept,
    logged,
    sign_in,
    signed_in,
)

TOKEN = "a token of sixteen characters or more"


async def status(browser: Browser, path: str = "/operator/log") -> int:
    return (await browser.get(path)).status_code


async def test_an_account_opens_the_pages_and_stands_in_the_log(site: RunningSite) -> None:
    await add_account(site, "anna")
    browser = site.browser("192.0.2.1")
    page = (await browser.client.get("/operator")).text
    assert 'autocomplete="username"' in page
    answer = await sign_in(browser, " Anna ")
    assert (answer.status_code, answer.headers["location"]) == (303, "/operator")
    assert "You are signed in as anna (administer)" in (await browser.get("/operator")).text
    await browser.press("/operator", "/operator/leave")
    assert await status(browser) == 403
    acts = [(row.who, row.act, row.outcome) for row in await logged(site)]
    assert acts == [("anna", "sign_in", "done"), ("anna", "sign_out", "done")]


async def test_X1_only_the_hash_of_the_cookie_is_kept_and_no_password(site: RunningSite) -> None:
    await add_account(site, "anna")
    answer = await sign_in(site.browser("192.0.2.1"), "anna")
    cookie = answer.cookies[COOKIE]
    headers = answer.headers.get_list("set-cookie")
    ours = [header for header in headers if header.startswith("cohabit_operator")]
    assert len(ours) == 2
    for header in ours:
        for part in ("HttpOnly", "SameSite=strict", "Path=/operator"):
            assert part in header
    async with site.state.database.transaction() as db:
        assert await db.get(OperatorSignInRow, hashlib.sha256(cookie.encode()).hexdigest())
        row = await operator_named(db, "anna")
        assert row is not None
        assert row.password_hash.startswith("$argon2id$")
    data = b"".join(path.read_bytes() for path in site.settings.data_dir.glob("cohabit.db*"))
    assert b"anna" in data
    assert cookie.encode() not in data
    assert PASSWORD.encode() not in data


async def test_a_sign_in_ends_when_nobody_uses_it_and_after_half_a_day(site: RunningSite) -> None:
    await add_account(site, "anna")
    idle, lan = await signed_in(site, "anna"), await signed_in(site, "anna")
    busy = await signed_in(site, "anna")
    step = IDLE / 2
    for _ in range(int(LONGEST / step) - 1):
        site.passed_s += step.total_seconds()
        assert await status(busy) == 200
        # A page that renews itself is nobody's doing, also where browsers say nothing of it.
        await idle.client.get("/operator/log", headers={"sec-fetch-mode": "cors"})
        await lan.client.get("/operator/log", headers={RENEWAL: "1"})
    assert [await status(browser) for browser in (idle, lan)] == [403, 403]
    site.passed_s += step.total_seconds() + 1
    assert await status(busy) == 403


async def test_signing_in_again_ends_what_the_browser_had_before(site: RunningSite) -> None:
    await add_account(site, "anna")
    await add_account(site, "ben")
    browser, copy = site.browser("192.0.2.1"), site.browser("192.0.2.2")
    # A second tab, which showed the way in before the first was used.
    tab = (await browser.client.get("/operator")).text
    token = tab.split('name="form_token" value="')[1].split('"')[0]
    assert (await sign_in(browser, "anna")).status_code == 303
    copy.client.cookies.update(browser.client.cookies)

    async def sign_in_there(password: str) -> int:
        form = {"form_token": token, "name": "ben", "password": password}
        headers = {"origin": browser.origin}
        answer = await browser.client.post("/operator/enter", data=form, headers=headers)
        return answer.status_code

    # A wrong password ends nothing.
    assert await sign_in_there("guess") == 403
    assert await status(copy) == 200
    assert await sign_in_there(PASSWORD) == 303
    assert [await status(browser), await status(copy)] == [200, 403]
    acts = [(row.act, row.outcome) for row in await logged(site, "anna")]
    assert acts == [("sign_in", "done"), ("sign_out", "done")]


async def test_a_removed_account_loses_everything_at_once(site: RunningSite) -> None:
    await add_account(site, "anna")
    await add_account(site, "ben", Role.WATCH)
    session = new_id("ses")
    seats = (SeatState("human_0", "", "connected"), SeatState("robot_0", "expert"))
    site.host.states = [SessionState(session, "t1", "playing", seats, 0)]
    browser, other = await signed_in(site, "ben"), await signed_in(site, "anna")
    boot = boot_of((await browser.get(f"/operator/watch/{session}")).text)
    sign_in_name = site.state.tokens.read_watch(boot["token"]).sign_in
    assert await site.state.operators.lasts(sign_in_name)
    async with site.state.database.transaction() as db:
        row = await operator_named(db, "ben")
        assert row is not None
        await remove_operator(db, row, even_last=False)
    # The socket that watches asks this each second.
    assert not await site.state.operators.lasts(sign_in_name)
    assert await status(browser) == 403
    assert (await sign_in(browser, "ben")).status_code == 403
    assert await status(other) == 200


async def test_a_role_that_was_taken_away_is_gone_in_an_open_page(site: RunningSite) -> None:
    await add_account(site, "anna")
    await add_account(site, "ben", Role.RUN)
    browser, ticket = await signed_in(site, "ben"), new_id("tic")
    answer = await browser.press("/operator", "/operator/leave")
    browser = await signed_in(site, "ben")
    page = (await browser.get("/operator")).text
    token = page.split('name="form_token" value="')[1].split('"')[0]
    form = {"data": {"form_token": token, "ticket": ticket}, "headers": {"origin": browser.origin}}
    answer = await browser.client.post(f"/operator/act/send_on/{ticket}", **form)  # type: ignore[arg-type]
    assert answer.status_code == 303
    async with site.state.database.transaction() as db:
        row = await operator_named(db, "ben")
        assert row is not None
        await set_role(db, row, Role.WATCH, even_last=False)
    answer = await browser.client.post(f"/operator/act/send_on/{ticket}", **form)  # type: ignore[arg-type]
    assert answer.status_code == 403
    assert "role watch; this needs run" in answer.text
    assert await status(browser) == 200
    acts = [(row.act, row.target, row.outcome) for row in await logged(site, "ben")][-2:]
    assert acts == [
        ("send_on", ticket, "too late"),
        ("act", f"/operator/act/send_on/{ticket}", "refused"),
    ]


async def test_another_password_and_a_command_end_sign_ins(site: RunningSite) -> None:
    await add_account(site, "anna")
    browser = await signed_in(site, "anna")
    async with site.state.database.transaction() as db:
        row = await operator_named(db, "anna")
        assert row is not None
        await set_password(db, row, kept("another password than before"), site.state.now())
    assert await status(browser) == 403
    assert (await sign_in(browser, "anna")).status_code == 403
    assert (await sign_in(browser, "anna", "another password than before")).status_code == 303
    async with site.state.database.transaction() as db:
        assert await end_sign_ins(db, "anna") == 1
    assert await status(browser) == 403


async def test_an_account_has_so_many_sign_ins_and_the_oldest_goes(site: RunningSite) -> None:
    await add_account(site, "anna")
    first = await signed_in(site, "anna")
    second = await signed_in(site, "anna")
    async with site.state.database.transaction() as db:
        for n in range(MOST_SIGN_INS - 2):
            now = site.state.now() + timedelta(seconds=1)
            db.add(
                OperatorSignInRow(
                    sign_in=f"{n:064}",
                    operator="anna",
                    began_at=now,
                    used_at=now,
                    ends_at=now + LONGEST,
                )
            )
    await signed_in(site, "anna")
    assert [await status(browser) for browser in (first, second)] == [403, 200]


async def test_with_accounts_the_token_is_for_machines(make_site: MakeSite) -> None:
    async with make_site(metrics_token=TOKEN).running() as site:
        browser, machine = site.browser("192.0.2.1"), site.browser("192.0.2.2")
        bearer = {"authorization": f"Bearer {TOKEN}"}
        assert (await sign_in(browser, "", TOKEN)).status_code == 303
        assert await status(browser) == 200
        await add_account(site, "anna")
        # The browser that has come in with the token is asked who it is.
        assert await status(browser) == 403
        assert (await sign_in(browser, "", TOKEN)).status_code == 403
        assert (await sign_in(browser, "token", TOKEN)).status_code == 403
        for path in ("/operator", "/operator/log", "/metrics"):
            assert (await machine.client.get(path, headers=bearer)).status_code == 200
        refused = await machine.client.post(
            f"/operator/act/send_on/{new_id('tic')}", headers=bearer
        )
        assert (refused.status_code, "this needs run" in refused.text) == (403, True)
        # The link of the start is still for whoever has the machine.
        link = site.state.operators.make_link("http://192.0.2.9")
        secret = link.partition("#once=")[2]
        assert (await sign_in(browser, "", secret)).status_code == 303
        assert await status(browser) == 200
